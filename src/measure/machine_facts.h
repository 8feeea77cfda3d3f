/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEASURE_MACHINE_FACTS_H
#define MEASURE_MACHINE_FACTS_H
/* The part of machine.c that fills run->facts; the list of them is in machine.h. */
#include "model/run.h"

/* microcode: what /proc/cpuinfo says, or NULL. run->kernel is filled. */
void machine_facts(const char *root, struct run *run, const char *microcode);

#endif
