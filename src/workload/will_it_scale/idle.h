/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WORKLOAD_WILL_IT_SCALE_IDLE_H
#define WORKLOAD_WILL_IT_SCALE_IDLE_H
/* How idle the machine was between two readings of /proc/stat. */
#include "base/util.h"

struct cpu_times {
	uint64_t idle, total; /* ticks of all CPUs; waiting for disks is idle too */
};

/* From the first line of /proc/stat; all zero if it is not such a line. Times of guests are in user and nice already. */
struct cpu_times cpu_times_parse(const char *line);
struct cpu_times cpu_times_read(void);

/* Per cent; NAN if no time went by. */
double idle_percent(struct cpu_times from, struct cpu_times to);

#endif
