/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEASURE_COUNTERS_IMPL_H
#define MEASURE_COUNTERS_IMPL_H
/* Between counters.c (enable, read, close) and counters_open.c. */
#include "measure/counters.h"
#include "measure/event.h"

#include <sys/resource.h>

struct perf_evsel;

struct counter {
	const struct event *event; /* in counters.events, which does not grow any more */
	struct perf_evsel *evsel; /* open */
	int cpus; /* on how many, in the order of its map; 1 for a task */
};

struct counters {
	bool fake, system_wide;
	uint64_t seed;
	struct pmu_list pmus; /* owns some of the strings of events */
	struct event_list events; /* all that were resolved, also those that could not be opened */
	struct counter *v;
	int nr, alloc;
	bool limit_raised; /* that of open files, for us only: closing restores it */
	struct rlimit limit_before;
};

/* What is read of the events, sums over CPUs, goes into the run or into its warnings. */
void counters_store(const struct run_counter *sums, int nr, struct run *run);

#endif
