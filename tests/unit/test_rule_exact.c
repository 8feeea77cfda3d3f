// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compare_fixture.h"

static const char instructions[] = "will-it-scale.instructions_per_op";

static void make_deterministic(struct fixture *f, int list)
{
	struct set *set = &f->lists[list].v[0];

	for (int i = 0; i < set->runs_nr; i++)
		set->runs[i].deterministic = true;
}

static void add_deterministic(struct fixture *f, int runs)
{
	add_list(f, runs);
	make_deterministic(f, f->nr - 1);
}

/* One run a side. */
static const struct {
	const char *metric, *base, *new;
	bool shown;
} cases[] = {
	{"will-it-scale.instructions_per_op", "619.632", "622.632", true},
	{"will-it-scale.instructions_per_op", "619.632", "619.6415", false},
	{"will-it-scale.instructions_per_op", "619.632", "619.643", true},
	{"will-it-scale.instructions_per_op", "619.632", "619.621", true},
	{"will-it-scale.instructions_per_op", "619.632", "619.632", false},
	{"will-it-scale.instructions_per_op", "300000.5", "300000.52", true},
	{"will-it-scale.instructions_per_op.kernel", "600.0", "600.01", true},
	/* other metrics: 1% of performance, 5% of the rest, and the absolute floors */
	{"will-it-scale.per_process_ops", "100000", "101000", true},
	{"will-it-scale.per_process_ops", "100000", "100900", false},
	{"perf-stat.total.context-switches", "1000", "1009", false},
	{"perf-stat.total.context-switches", "1000", "1010", true},
	{"numa-vmstat.node0.numa_hit", "100000", "104900", false},
	{"numa-vmstat.node0.numa_hit", "100000", "105000", true},
	{"perf-stat.total.page-faults", "-", "7", true},
	{"perf-stat.total.page-faults", "7", "-", true},
	/* failures */
	{"dmesg.WARNING:at_x", "-", "1", true},
	{"dmesg.WARNING:at_x", "1", "1", false},
};

static void only_the_size_of_a_difference_decides(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fixture f = {0};

		add_deterministic(&f, 1);
		add_deterministic(&f, 1);
		put(&f, 0, "perf-stat.anchor", "1");
		put(&f, 1, "perf-stat.anchor", "1");
		put(&f, 0, cases[i].metric, cases[i].base);
		put(&f, 1, cases[i].metric, cases[i].new);
		run(&f, &(struct compare_options){0});
		if ((find_row(&f, cases[i].metric) != NULL) != cases[i].shown)
			fail_msg("%s: %s, %s", cases[i].metric, cases[i].base, cases[i].new);
		comparison_release(&f.comparison);
	}
}

static void instructions_are_compared_in_points(void **state)
{
	struct fixture f = {0};
	const struct row *row;

	(void)state;
	add_deterministic(&f, 1);
	add_deterministic(&f, 1);
	put(&f, 0, instructions, "619.632");
	put(&f, 1, instructions, "622.6321");
	run(&f, &(struct compare_options){0});
	row = must_find_row(&f, instructions);
	assert_true(row->exact && row->points && f.comparison.groups[0].exact);
	assert_true(fabs(row->cells[1].change - 3.0001) < 1e-9);
	comparison_release(&f.comparison);
}

static bool is_noted(const struct fixture *f)
{
	for (int i = 0; i < f->comparison.warnings.nr; i++)
		if (strstr(f->comparison.warnings.v[i], "no noise"))
			return true;
	return false;
}

static void it_takes_deterministic_runs_on_both_sides(void **state)
{
	(void)state;
	for (int sides = 0; sides < 4; sides++) {
		struct fixture f = {0};
		bool exact = sides == 3;

		for (int i = 0; i < 2; i++) {
			add_list(&f, 1);
			put(&f, i, instructions, i ? "622.0" : "619.0");
			if (sides >> i & 1)
				make_deterministic(&f, i);
		}
		run(&f, &(struct compare_options){0});
		assert_int_equal(f.comparison.groups[0].exact, exact);
		assert_int_equal(find_row(&f, instructions) != NULL, exact);
		assert_int_equal(is_noted(&f), exact);
		comparison_release(&f.comparison);
	}
}

/* The mean of the iterations; a run that did not complete is none. */
static void several_runs_are_averaged_without_incomplete_ones(void **state)
{
	struct fixture f = {0};

	(void)state;
	add_deterministic(&f, 2);
	add_deterministic(&f, 3);
	put(&f, 0, instructions, "600.0 602.0");
	put(&f, 1, instructions, "610.0 612.0 -");
	put(&f, 1, "last_state.is_incomplete_run", "- - 1");
	run(&f, &(struct compare_options){0});
	assert_near(must_find_row(&f, instructions)->cells[1].change, 10);
	assert_near(must_find_row(&f, "last_state.is_incomplete_run")->cells[1].failures, 1);
	comparison_release(&f.comparison);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_size_of_a_difference_decides),
		cmocka_unit_test(instructions_are_compared_in_points),
		cmocka_unit_test(it_takes_deterministic_runs_on_both_sides),
		cmocka_unit_test(several_runs_are_averaged_without_incomplete_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
