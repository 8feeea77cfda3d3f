/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEASURE_MACHINE_H
#define MEASURE_MACHINE_H
/*
 * Facts of this machine and the kernel it runs, from /proc and /sys. What is not there is left out; nothing
 * is guessed.
 */
#include "model/run.h"

/*
 * Fills run->kernel, run->machine (name: the host name unless given; kind: "vm" under a hypervisor, "real" or
 * "unknown"), run->boot_id and run->facts:
 *
 *	aslr              kernel.randomize_va_space: 0, 1, 2. A process can be without it all the same: whoever
 *	                  runs tests in such a one says 0 (as a campaign does)
 *	cgroup_cpu_limit  CPUs' worth of time a control group allows us, "1.50"; absent: no limit
 *	clocksource       tsc, hpet, ...
 *	cpufreq_driver, cpufreq_governor; where CPUs differ, each once, joined by commas
 *	cpus_allowed      the CPUs we may run on, if not all that are online: "0-3"
 *	isolcpus, nohz_full  lists of CPUs, if any
 *	load_start        load average of the last minute
 *	microcode         revision
 *	numa_balancing    0, 1, 2
 *	preempt           none, voluntary, full, lazy, rt; "dynamic" where the mode chosen at boot is not readable
 *	smt               on, off, forceoff, notsupported, notimplemented
 *	thp               always, madvise, never
 *	turbo             on, off
 */
void machine_describe(struct run *run, const char *name);

/* The same with the /proc and /sys below a root folder; "" is this machine. */
void machine_describe_at(const char *root, struct run *run, const char *name);

/* "…-g0ede61d8589c" or "…-00123-g0ede61d8589c-dirty" -> "0ede61d8589c", NULL if there is none. In pool. */
const char *machine_release_hash(struct pool *pool, const char *release);

int machine_online_cpus(void); /* at least 1 */

#endif
