/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEASURE_COUNTERS_H
#define MEASURE_COUNTERS_H
/*
 * Counters over the measured part of a run: libpfm4 turns names into perf_event_attr, libperf opens, enables
 * and reads them. counters.c and the files beside it are the only users of both libraries.
 */
#include "base/err.h"
#include "base/strlist.h"
#include "model/run.h"

#include <sys/types.h>

enum counters_scope {
	COUNTERS_AUTO, /* system wide where permitted, else the task */
	COUNTERS_SYSTEM, /* every CPU, like `perf stat -a` */
	COUNTERS_TASK, /* one process and all it starts from then on */
	COUNTERS_FAKE, /* no perf at all: numbers computed from event name and seed, for tests */
	COUNTERS_OFF,
};

struct counters_config {
	enum counters_scope scope;
	const struct strlist *events; /* NULL: counters_default_events() */
	pid_t pid; /* for the task scope */
	uint64_t seed; /* for the fakes */
};

/* The kernel test robot's list, in its order. */
const struct strlist *counters_default_events(void);

/* "a,b,{c,d},pmu/event=0x4,umask=0x3/": commas inside slashes or braces do not split; braces are removed. */
void counters_split_events(const char *text, struct strlist *out);

/* -1 if a name is no event at all (not: not available here); the message lists what is near. */
int counters_check_events(const struct strlist *events, struct err *err);

/*
 * Opens all events, disabled. Each event this machine cannot count is left out and named, once, in warnings;
 * so is a fall back from system wide to task. NULL if nothing can be opened for a reason that is not the
 * events' (the message says which setting to change); with no event left it succeeds and counts nothing.
 */
struct counters *counters_open(const struct counters_config *config, struct strlist *warnings,
			       struct err *err);
void counters_close(struct counters *counters);
void counters_enable(struct counters *counters);
void counters_disable(struct counters *counters);
bool counters_system_wide(const struct counters *counters);

/*
 * Adds each event's sum over CPUs (value, time enabled, time running) to the run. An event that never ran is
 * left out with a warning; a multiplexed one is stored and warned of.
 */
void counters_read(struct counters *counters, struct run *run);

#endif
