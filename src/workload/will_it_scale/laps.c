// SPDX-License-Identifier: GPL-2.0-only
#include "workload/will_it_scale/laps.h"

#include "workload/crew.h"

#include <math.h>

void laps_init(struct laps *laps, uint64_t ops)
{
	laps->nr = ops < LAPS_MAX ? (int)ops : LAPS_MAX;
	laps->each = ops / (uint64_t)laps->nr;
}

static int64_t now_ns(const struct laps *laps)
{
#ifdef __x86_64__
	if (laps->instructions)
		return (int64_t)__builtin_ia32_rdtsc();
#endif
	return clock_ns();
}

static void set_mark(struct laps *laps, int i, uint64_t ops)
{
	laps->mark[i] = (struct lap){.ops = ops, .at_ns = now_ns(laps)};
}

/* The second of two marks in a row is the whole cost of one; what is fetched for the first time is so by then. */
static void begin(struct laps *laps, uint64_t ops)
{
	set_mark(laps, 0, ops);
	set_mark(laps, 1, ops);
	set_mark(laps, 0, ops);
	laps->mark_ns = laps->mark[0].at_ns - laps->mark[1].at_ns;
	crew_wait_start(laps->board);
	set_mark(laps, 0, ops);
}

/* Not inlined: it is no part of an operation. */
__attribute__((noinline)) uint64_t laps_next(struct laps *laps, uint64_t done)
{
	int i = laps->done++;

	if (i == 0)
		begin(laps, done);
	else
		set_mark(laps, i, done);
	if (i == laps->nr) {
		crew_wait_start(laps->board);
		return done;
	}
	return done + laps->each;
}

static int complete(const struct laps *laps)
{
	return laps->done > 1 ? laps->done - 1 : 0;
}

uint64_t laps_ops(const struct laps *laps)
{
	return laps->mark[complete(laps)].ops - laps->mark[0].ops;
}

int64_t laps_ns(const struct laps *laps)
{
	int nr = complete(laps);

	return laps->mark[nr].at_ns - laps->mark[0].at_ns - nr * laps->mark_ns;
}

double laps_ns_per_op(const struct laps *laps, int i)
{
	const struct lap *from = &laps->mark[i], *to = &laps->mark[i + 1];

	return (double)(to->at_ns - from->at_ns - laps->mark_ns) / (double)(to->ops - from->ops);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double laps_median_ns_per_op(const struct laps *laps)
{
	int nr = complete(laps);
	double ns[LAPS_MAX];

	if (!nr)
		return (double)NAN;
	for (int i = 0; i < nr; i++)
		ns[i] = laps_ns_per_op(laps, i);
	qsort(ns, (size_t)nr, sizeof(*ns), by_size);
	return nr % 2 ? ns[nr / 2] : (ns[nr / 2 - 1] + ns[nr / 2]) / 2;
}
