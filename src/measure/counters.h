/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEASURE_COUNTERS_H
#define MEASURE_COUNTERS_H
/*
 * Counters over the measured part of a run: libpfm4 turns names into perf_event_attr, libperf opens, enables
 * and reads them. The counters_*.c and event_*.c files are the only users of both libraries. Which names are
 * understood: event.h.
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
	enum counters_scope scope; /* not COUNTERS_OFF: open none then */
	const struct strlist *events; /* NULL: counters_default_events() */
	pid_t pid; /* for the task scope; of a process that waits, and has not started others yet */
	uint64_t seed; /* for the fakes */
	const char *root; /* below which /proc and /sys are looked up; NULL: this machine */
};

/* The kernel test robot's list, in its order. */
const struct strlist *counters_default_events(void);

/*
 * "a,b,{c,d}:u,pmu/event=0x4,umask=0x3/" -> a b c:u d:u pmu/event=0x4,umask=0x3/: commas inside slashes do not
 * split, braces are removed, blanks too, each event comes once. Appends to out.
 */
void counters_split_events(const char *text, struct strlist *out);

/* -1 if a name is no event at all (not: not available here); the message lists what is near. */
int counters_check_events(const struct strlist *events, struct err *err);

/*
 * Opens all events, disabled. What this machine cannot count is left out and named, in one warning for each
 * reason; so is a fall back from system wide to the task, or to the task's user space, where events are called
 * cycles:u. On a hybrid machine a generic event is two: cpu_core/cycles/ and cpu_atom/cycles/.
 * NULL if nothing can be opened for a reason that is not the events' (permissions, open files: the message
 * says which setting to change); with no event left it succeeds and counts nothing.
 */
struct counters *counters_open(const struct counters_config *config, struct strlist *warnings,
			       struct err *err);
void counters_close(struct counters *counters); /* NULL: nothing */

/* CPU by CPU, so that the events of a CPU begin and end together. What is enabled again goes on counting. */
void counters_enable(struct counters *counters);
void counters_disable(struct counters *counters);

/*
 * Adds each event's sum over CPUs (value, time enabled, time running) to the run. An event that never ran is
 * left out with a warning, and so is one that cannot be read on all of its CPUs; a multiplexed one is stored and
 * warned of.
 *
 * The fakes: with h = counters_fake_hash(name, seed) a count is counters_fake_hash(name, 0) % 1000000 +
 * 1000000 + h % 1000, enabled and running 1000000000 ns: two seeds differ by less than 0.1%, two events by
 * any amount.
 */
void counters_read(struct counters *counters, struct run *run);
uint64_t counters_fake_hash(const char *name, uint64_t seed);

#endif
