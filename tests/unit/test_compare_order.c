// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helpers.h"
#include "model/compare_row.h"

enum {
	MAX_ROWS = 16,
	CELLS = 3
};

/* A row in front of sorting: its name, and its change in two further commits. */
struct unsorted {
	const char *metric;
	bool failure;
	double change[CELLS - 1];
};

/* want: the numbers of the rows in the order expected, as letters: 'a' is the first. */
static void check(const struct unsorted *rows, enum row_order order, const char *want)
{
	struct row row[MAX_ROWS] = {0};
	struct cell cells[MAX_ROWS][CELLS] = {0};
	char got[MAX_ROWS + 1] = "";
	int nr = (int)strlen(want);

	for (int i = 0; i < nr; i++) {
		row[i] = (struct row){.metric = rows[i].metric, .failure = rows[i].failure};
		row[i].cells = cells[i];
		for (int j = 1; j < CELLS; j++)
			cells[i][j].change = rows[i].change[j - 1];
	}
	compare_sort_rows(row, nr, CELLS, order);
	for (int i = 0; i < nr; i++)
		for (int j = 0; j < nr; j++)
			if (row[i].cells == cells[j])
				got[i] = (char)('a' + j);
	assert_string_equal(got, want);
}

static void families_with_fewer_rows_come_first(void **state)
{
	static const struct unsorted rows[] = {
		{.metric = "proc-vmstat.b"}, {.metric = "meminfo.z"},	{.metric = "proc-vmstat.a"},
		{.metric = "vmstat.x"},	     {.metric = "turbostat.x"}, {.metric = "meminfo.a"},
		{.metric = "meminfo.b"},
	};

	(void)state;
	check(rows, ORDER_NAME, "edcafgb");
	check(rows, ORDER_COUNT, "edcafgb");
}

static void tests_come_first_in_the_order_by_name_only(void **state)
{
	static const struct unsorted rows[] = {
		{.metric = "vmstat.x"},
		{.metric = "will-it-scale.workload"},
		{.metric = "will-it-scale.per_process_ops"},
		{.metric = "autonuma-benchmark.numa01.seconds"},
	};

	(void)state;
	check(rows, ORDER_NAME, "dcba");
	check(rows, ORDER_COUNT, "dacb");
}

static void profiles_are_sorted_by_change_within_their_kind(void **state)
{
	static const struct unsorted rows[] = {
		{.metric = "perf-profile.self.cycles-pp.a", .change = {0.5, 0}},
		{.metric = "perf-profile.self.cycles-pp.z", .change = {-2, 0}},
		{.metric = "perf-profile.calltrace.cycles-pp.y", .change = {1, 2}},
		{.metric = "perf-profile.calltrace.cycles-pp.x", .change = {1, 1}},
		{.metric = "perf-profile.children.cycles-pp.x", .change = {9, 9}},
		/* no change, or the same: in the order of discovery */
		{.metric = "perf-profile.self.cycles-pp.n", .change = {0.5, 0}},
		{.metric = "perf-profile.self.cycles-pp.b", .change = {0.5, 0}},
		{.metric = "perf-profile.calltrace.cycles-pp.0", .change = {1, 2}},
	};

	(void)state;
	check(rows, ORDER_NAME, "dchebafg");
}

static void failures_come_first(void **state)
{
	static const struct unsorted rows[] = {
		{.metric = "vmstat.x"},
		{.metric = "dmesg.b", .failure = true},
		{.metric = "dmesg.a", .failure = true},
		{.metric = "last_state.x", .failure = true},
		/* the family begins with a failure, so its other rows are first among the others */
		{.metric = "ltp-like.x.fail", .failure = true},
		{.metric = "ltp-like.y"},
		{.metric = "ltp-like.z"},
	};

	(void)state;
	check(rows, ORDER_NAME, "dcbefga");
}

static void nothing_and_one_row_are_sorted(void **state)
{
	static const struct unsorted row = {.metric = "x.y"};

	(void)state;
	check(&row, ORDER_NAME, "");
	check(&row, ORDER_COUNT, "a");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(families_with_fewer_rows_come_first),
		cmocka_unit_test(tests_come_first_in_the_order_by_name_only),
		cmocka_unit_test(profiles_are_sorted_by_change_within_their_kind),
		cmocka_unit_test(failures_come_first),
		cmocka_unit_test(nothing_and_one_row_are_sorted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
