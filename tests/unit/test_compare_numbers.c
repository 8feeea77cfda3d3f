// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compare_fixture.h"

static const struct compare_options all = {.all = true};

/* Expected numbers: ruby 3.1, from the formulas. */
static void the_numbers_of_a_row(void **state)
{
	static const struct {
		const char *metric, *base, *new;
		double base_mean, base_sd, mean, sd, change;
	} cases[] = {
		/* a missing value is a 0 */
		{"a.early", "5 - - -", "5 5 5 5", 1.25, 173.20508075688772, 5, 0, 300},
		/* one of six: always 223.6%, two of six: 141.4% */
		{"a.b", "7.5 - - - - -", "3.25 3.25 - - - -", 1.25, 223.606797749979,
		 1.0833333333333333, 141.4213562373095, -13.333333333333341},
		/* the ratio of a mean of 0 is the deviation itself */
		{"a.b", "-512.25 499.5 -12.75 3.0 -4.5 27.0",
		 "812.5 700.25 640.0 901.5 777.75 650.5", 0, 292.35284760029276, 747.0833333333334,
		 12.467446519335143, 7.470833333333334e104},
		/* the base is replaced by 1e-100 where it is 0 */
		{"a.b", "0 0", "0.61 0.61", 0, 0, 0.61, 0, 6.1e101},
		{"a.b", "0 0", "0 0", 0, 0, 0, 0, -100},
		{"a.b", "0 0", "", 0, 0, 0, NAN, -100},
		{"a.b", "", "3 3", 0, NAN, 3, 0, 3e102},
		{"a.b", "3 3", "", 3, 0, 0, NAN, -100},
		/* a negative base: the sign of the quotient */
		{"a.b", "-4305 -4305", "-6518 -6518", -4305, -0.0, -6518, -0.0, 51.40534262485482},
		/* one run has a deviation of -1, which shows below 0 */
		{"a.b", "-29", "29", -29, 3.4482758620689653, 29, NAN, -200},
		/* points */
		{"a.b%", "2.5 2.5", "2.75 2.75", 2.5, 0, 2.75, 0, 0.25},
		{"perf-profile.self.x", "0 0", "0.61 0.61", 0, 0, 0.61, 0, 0.61},
		/* -1 counts in the mean */
		{"a.b", "-1 3", "1 1", 1, 200, 1, 0, 0},
		/* cancellation */
		{"a.b", "1000000004 1000000007 1000000013 1000000016",
		 "1000000004.0 1000000007.0 1000000013.0 1000000016.0", 1000000010,
		 4.7434164428184045e-07, 1000000010, 4.7434164428184045e-07, 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fixture fixture = {0};
		const struct row *row;
		int base_runs = 1, new_runs = 1;

		for (const char *p = cases[i].base; *p; p++)
			base_runs += *p == ' ';
		for (const char *p = cases[i].new; *p; p++)
			new_runs += *p == ' ';
		add_list(&fixture, *cases[i].base ? base_runs : new_runs);
		add_list(&fixture, *cases[i].new ? new_runs : base_runs);
		put(&fixture, 0, cases[i].metric, cases[i].base);
		put(&fixture, 1, cases[i].metric, cases[i].new);
		run(&fixture, &all);
		row = must_find_row(&fixture, cases[i].metric);
		assert_false(row->failure);
		assert_near(row->cells[0].mean, cases[i].base_mean);
		assert_near(row->cells[0].sd_percent, cases[i].base_sd);
		assert_true(isnan(row->cells[0].change));
		assert_near(row->cells[1].mean, cases[i].mean);
		assert_near(row->cells[1].sd_percent, cases[i].sd);
		assert_near(row->cells[1].change, cases[i].change);
		comparison_release(&fixture.comparison);
	}
}

static void a_cell_knows_how_many_runs_have_the_value(void **state)
{
	struct fixture fixture = {0};
	const struct row *row;

	(void)state;
	add_list(&fixture, 4);
	add_list(&fixture, 2);
	put(&fixture, 0, "a.b", "5 - 5.5 -");
	run(&fixture, &all);
	row = must_find_row(&fixture, "a.b");
	assert_int_equal(row->cells[0].runs, 4);
	assert_int_equal(row->cells[0].n, 2);
	assert_int_equal(row->cells[1].runs, 2);
	assert_int_equal(row->cells[1].n, 0);
	assert_int_equal(fixture.comparison.groups[0].runs[0], 4);
	assert_int_equal(fixture.comparison.groups[0].runs[1], 2);
	comparison_release(&fixture.comparison);
}

static void reproduction_divides_by_the_runs_of_the_column_to_the_left(void **state)
{
	struct fixture fixture = {0};
	const struct row *row;

	(void)state;
	add_list(&fixture, 4);
	add_list(&fixture, 5);
	add_list(&fixture, 2);
	put(&fixture, 0, "dmesg.BUG:x", "1 1 1 1");
	put(&fixture, 1, "dmesg.BUG:x", "1 1 1 1 1");
	put(&fixture, 2, "dmesg.BUG:x", "2 -"); /* the sum counts, not the runs */
	run(&fixture, &all);
	row = must_find_row(&fixture, "dmesg.BUG:x");
	assert_true(row->failure);
	assert_near(row->cells[0].failures, 4);
	assert_near(row->cells[1].failures, 5);
	assert_near(row->cells[2].failures, 2);
	assert_near(row->cells[1].change, 25);
	assert_near(row->cells[2].change, -60); /* 2/5 - 4/4 */
	assert_int_equal(row->cells[2].runs, 2);
	comparison_release(&fixture.comparison);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_numbers_of_a_row),
		cmocka_unit_test(a_cell_knows_how_many_runs_have_the_value),
		cmocka_unit_test(reproduction_divides_by_the_runs_of_the_column_to_the_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
