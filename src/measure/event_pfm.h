/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEASURE_EVENT_PFM_H
#define MEASURE_EVENT_PFM_H
/* The only user of libpfm4. */
#include "base/strlist.h"

struct perf_event_attr;

/*
 * Fills attr (type, config, exclude_*) for the event of that name, in libpfm4's syntax; *cpu is the one CPU it
 * is bound to (modifier "cpu="), else -1. False if libpfm4 knows no such event on this machine.
 * The kernel's generic events win over names of this CPU's own.
 */
bool event_pfm_encode(const char *name, struct perf_event_attr *attr, int *cpu);

/* "skl::INST_RETIRED:ANY": is it a PMU that libpfm4 knows but this machine has not? */
bool event_pfm_elsewhere(const char *name);

/* The names of this machine's events, generic ones included. Case does not matter to libpfm4. */
void event_pfm_names(struct strlist *out);

#endif
