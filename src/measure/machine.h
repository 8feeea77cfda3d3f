/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEASURE_MACHINE_H
#define MEASURE_MACHINE_H
/*
 * Facts of this machine and the kernel it runs, from uname, /proc and /sys. What is not there is left out;
 * nothing is guessed.
 */
#include "model/run.h"

/*
 * Fills run->kernel, run->machine (name: the host name unless given), run->boot_id and run->facts:
 * cpufreq_governor, smt, turbo, thp, aslr, numa_balancing, microcode, load_start (1 minute), ...
 */
void machine_describe(struct run *run, const char *name);

/* "…-g0ede61d8589c" or "…-00123-g0ede61d8589c-dirty" -> "0ede61d8589c", NULL if there is none. In pool. */
const char *machine_release_hash(struct pool *pool, const char *release);

int machine_online_cpus(void);

#endif
