/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WORKLOAD_WILL_IT_SCALE_LAPS_H
#define WORKLOAD_WILL_IT_SCALE_LAPS_H
/*
 * When a task had done so many operations: what a counted run (fixed numbers of operations, no fixed time) is made
 * of. The task writes down the instants itself: first when its warm-up is over and the driver let it go on
 * (crew_wait_start()), then after each lap; behind the last one it waits to be killed. In shared memory, one a
 * task.
 *
 * The clock is in nanoseconds; in a deterministic machine it is the processor's time stamp counter (of x86), which
 * counts instructions there: one each nanosecond, and nothing in between scales it.
 */
#include "base/util.h"

struct crew_board;

enum {
	LAPS_MAX = 100,
};

struct lap {
	uint64_t ops; /* done so far, by the task's own count */
	int64_t at_ns;
};

struct laps {
	struct crew_board *board;
	bool instructions; /* the clock counts instructions */
	uint64_t each; /* operations of a lap, at least */
	int nr; /* laps to do, at most LAPS_MAX */
	int done; /* marks that are set */
	int64_t mark_ns; /* what setting a mark takes: in each lap once, and not the operations' */
	struct lap mark[LAPS_MAX + 1];
};

/* Zeroed laps become `ops` operations (at least one) in as many laps as there can be. */
void laps_init(struct laps *laps, uint64_t ops);

/* Called when a task has done as many operations as it should: sets a mark, returns the next limit. */
uint64_t laps_next(struct laps *laps, uint64_t done);

/* Of all laps done: operations, and the time they took without that of the marks. */
uint64_t laps_ops(const struct laps *laps);
int64_t laps_ns(const struct laps *laps);

/* Nanoseconds of one operation in lap i (from 0), without that of the mark. */
double laps_ns_per_op(const struct laps *laps, int i);

/* The median of them: rare work (timer ticks) is in few laps only. NAN without laps. */
double laps_median_ns_per_op(const struct laps *laps);

#endif
