/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MODEL_METRIC_H
#define MODEL_METRIC_H
/*
 * What is known of a metric from its name alone. Direction, unit and kind are data: schemas/metrics.csv,
 * embedded in the program. Its lines are `pattern,unit,better,kind,kpi,floor,help`; the first matching pattern
 * (model/pattern.h) decides. better is higher, lower or unknown, kind is value, counter or failure, kpi is 0
 * or 1; nothing is quoted, and only the help may contain commas. Lines that begin with '#' are comments.
 */
#include "base/err.h"

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

/* "unknown", "higher", "lower" */
const char *metric_better_name(enum metric_better better);
bool metric_better_parse(const char *name, enum metric_better *out); /* false: it is none */

struct metric_info {
	const char *pattern, *unit, *help;
	enum metric_better better;
	enum metric_kind kind;
	bool kpi; /* the metric its test exists for */
	double floor; /* a change must be at least that large, in the metric's unit; 0: no floor */
};

/* Never NULL: a metric nobody described has an empty unit and BETTER_UNKNOWN. Lives as long as the program. */
const struct metric_info *metric_info(const char *name);

/* The text before the first '.', its length (the whole name if there is no '.'). */
size_t metric_family_len(const char *name);

/* Changes of the metric are points, not per cent: "perf-profile*" and names ending in '%'. */
bool metric_in_points(const char *name);

/* A catalogue of one's own. NULL if a line is malformed; the message names the line. */
struct metric_catalogue *metric_catalogue_parse(const char *csv, struct err *err);
const struct metric_info *metric_catalogue_find(const struct metric_catalogue *catalogue,
						const char *name);
void metric_catalogue_free(struct metric_catalogue *catalogue);

/* The text of schemas/metrics.csv. */
extern const char metrics_csv[];

#endif
