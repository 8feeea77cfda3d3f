/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MODEL_COMPARE_H
#define MODEL_COMPARE_H
/*
 * struct comparison: what is known of the difference between commits, the first of which is the base.
 * Made by compare(), read by every renderer; no renderer computes a statistic.
 * Shape: groups (machine, test, parameters) x rows (metrics) x cells (commits).
 */
#include "base/err.h"
#include "base/strlist.h"
#include "model/metric.h"
#include "model/set.h"

enum compare_rule {
	RULE_0DAY
};
enum row_order {
	ORDER_NAME,
	ORDER_COUNT
}; /* of families: tests first (robot from 2026 on), by row count only (2023 to 2025) */

struct compare_options {
	enum compare_rule rule;
	enum row_order order;
	bool all; /* every metric, no rule */
	bool kpi; /* only tests' own metrics, without their .time.* */
	bool more; /* no deny list */
	bool has_profile_threshold;
	double profile_threshold; /* per cent of samples */
	const struct strlist *metric,
		*exclude; /* patterns on the metric's name; NULL or empty: no limit */
};

/*
 * One commit in one row. Numbers that are not defined are NAN: all of them where the commit has no runs (of
 * that kind) in this group.
 */
struct cell {
	int runs; /* columns of the matrix the row was computed from */
	int n; /* values in it (runs that have the metric) */
	double mean; /* by the rule in force: the robot counts a missing value as 0 */
	/*
	 * Population deviation in per cent of the mean; of a mean of 0 the deviation itself; negative for a
	 * negative mean. The robot prints it from 2 on. NAN: none.
	 */
	double sd_percent;
	double change; /* against the base: per cent, or points; failure rows: %reproduction. Base: NAN */
	double failures; /* failure rows: sum of the values, else NAN */
};

struct row {
	const char *metric;
	bool failure; /* a fail:runs row */
	bool points; /* the change is in points: the difference itself */
	bool exact; /* instructions of a deterministic machine: three decimal places count */
	bool kpi;
	struct cell *cells; /* one a commit */
};

struct group {
	struct group_key key;
	struct row *rows; /* failure rows first, then the others, in the order to print */
	int rows_nr, rows_alloc;
	struct row *hidden_kpis; /* KPIs the rule does not show, in the order of discovery */
	int hidden_kpis_nr, hidden_kpis_alloc;
	int *runs; /* one a commit: complete and failed runs */
	bool exact; /* of deterministic machines: no noise, model/rule_exact.h chose the rows */
};

struct comparison {
	struct pool pool;
	struct commit *commits; /* base first */
	int commits_nr;
	struct group *
		groups; /* those that the base and at least one other commit have, in the base's order */
	int groups_nr, groups_alloc;
	struct strlist warnings; /* notes, not part of the table: one line each, no newline */
};

/*
 * Compares lists[0] (the base) with each of the others; a metric that is shown for one of them has all columns.
 * The lists must outlive the call only: everything is copied; they lose the metrics that the rule never sees
 * (set_list_drop_zeros()). Never fails: with nothing in common groups_nr is
 * 0, and the warnings name the groups each commit has. out need not be initialised.
 *
 * The numbers are the robot's: a value that a run lacks is 0, a base of 0 is replaced by 1e-100 in the change,
 * the run count in %reproduction is that of the column to the left. Runs whose last_state.is_incomplete_run is 1
 * count in failure rows only.
 */
void compare(struct comparison *out, struct set_list *lists, int lists_nr,
	     const struct compare_options *options);
void comparison_release(struct comparison *comparison);

#endif
