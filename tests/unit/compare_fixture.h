/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TEST_COMPARE_FIXTURE_H
#define TEST_COMPARE_FIXTURE_H
/* Commits with one group each, made by hand, and the comparison of them. */
#include "helpers.h"
#include "model/compare.h"

enum {
	MAX_LISTS = 4
};

/* Lists of one group each; commit i is called "v<i>". */
struct fixture {
	struct set_list lists[MAX_LISTS];
	int nr;
	struct comparison comparison;
};

static inline void add_list(struct fixture *fixture, int runs)
{
	static const char *const names[MAX_LISTS] = {"v0", "v1", "v2", "v3"};

	new_set(&fixture->lists[fixture->nr], names[fixture->nr], runs);
	fixture->nr++;
}

static inline void put(struct fixture *fixture, int list, const char *metric, const char *values)
{
	if (*values)
		put_values(&fixture->lists[list], metric, values);
}

/* Compares, and lets the lists go: the comparison must not need them. */
static inline void run(struct fixture *fixture, const struct compare_options *options)
{
	compare(&fixture->comparison, fixture->lists, fixture->nr, options);
	for (int i = 0; i < fixture->nr; i++)
		set_list_release(&fixture->lists[i]);
}

static inline const struct row *find_row(const struct fixture *fixture, const char *metric)
{
	for (int i = 0; i < fixture->comparison.groups_nr; i++)
		for (int j = 0; j < fixture->comparison.groups[i].rows_nr; j++)
			if (streq(fixture->comparison.groups[i].rows[j].metric, metric))
				return &fixture->comparison.groups[i].rows[j];
	return NULL;
}

static inline const struct row *must_find_row(const struct fixture *fixture, const char *metric)
{
	const struct row *row = find_row(fixture, metric);

	if (!row)
		fail_msg("no row %s", metric);
	return row;
}

static inline void assert_near(double got, double want)
{
	if (!same_double(got, want) && !(fabs(got - want) <= 1e-14 * fabs(want)))
		fail_msg("%.17g, not %.17g", got, want);
}

#endif
