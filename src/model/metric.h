/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MODEL_METRIC_H
#define MODEL_METRIC_H
/*
 * What is known of a metric from its name alone. Direction, unit and kind are data: schemas/metrics.csv,
 * embedded in the program, lines of `pattern,unit,better,kind,kpi,floor,help`; the first matching pattern
 * decides ('*' any text, '?' one character).
 */
#include "base/util.h"

enum metric_better {
	BETTER_UNKNOWN,
	BETTER_HIGHER,
	BETTER_LOWER
};
enum metric_kind {
	METRIC_VALUE,
	METRIC_COUNTER,
	METRIC_FAILURE
};

struct metric_info {
	const char *pattern, *unit, *help;
	enum metric_better better;
	enum metric_kind kind;
	bool kpi; /* the metric its test exists for */
	double floor; /* a change must be at least that large, in the metric's unit; 0: no floor */
};

/* Never NULL: a metric nobody described has an empty unit and BETTER_UNKNOWN. */
const struct metric_info *metric_info(const char *name);

/* The text before the first '.', its length (the whole name if there is no '.'). */
size_t metric_family_len(const char *name);

/* Changes of the metric are points, not per cent: "perf-profile*" and names ending in '%'. */
bool metric_in_points(const char *name);

#endif
