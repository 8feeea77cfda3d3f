// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helpers.h"
#include "model/rule_0day.h"

/* One metric in a base and a new commit; "" on a side: no run of it has the metric. */
struct case_of_one {
	const char *metric, *base, *new;
	bool want;
};

static int count_words(const char *text)
{
	int nr = *text != '\0';

	for (; *text; text++)
		nr += *text == ' ';
	return nr;
}

/* Is the metric shown, beside `other` (a metric that both sides have, unchanged) if that is not NULL? */
static bool shown(const struct case_of_one *it, const char *other,
		  const struct compare_options *options)
{
	struct set_list lists[2] = {0};
	const char *values[2] = {it->base, it->new};
	struct matrix matrix[2];
	struct metric_names names = {0};
	bool result = false;

	for (int i = 0; i < 2; i++) {
		int runs = *values[i] ? count_words(values[i]) : count_words(values[1 - i]);
		struct set *set = new_set(&lists[i], i ? "new" : "base", runs);

		for (int run = 0; other && run < runs; run++)
			set_put(&lists[i], set, run, other, number_int(1));
		if (*values[i])
			put_values(&lists[i], it->metric, values[i]);
		matrix_init(&matrix[i], set);
	}
	rule_0day_select(&names, &matrix[0], &matrix[1], options);
	for (int i = 0; i < names.nr; i++)
		result |= streq(names.v[i], it->metric);
	metric_names_release(&names);
	for (int i = 0; i < 2; i++) {
		matrix_release(&matrix[i]);
		set_list_release(&lists[i]);
	}
	return result;
}

static void check(const struct case_of_one *cases, size_t nr, const char *other,
		  const struct compare_options *options)
{
	for (size_t i = 0; i < nr; i++)
		if (shown(&cases[i], other, options) != cases[i].want)
			fail_msg("%s: %s -> %s should %sbe shown", cases[i].metric, cases[i].base,
				 cases[i].new, cases[i].want ? "" : "not ");
}

static const struct compare_options defaults = {0};

static void half_of_each_side_must_lie_beyond_the_other(void **state)
{
	static const struct case_of_one cases[] = {
		{"x.y", "1 2 3", "3 3 4 5", true}, /* a half may touch the other's edge */
		{"x.y", "3 3 4 5", "1 2 3", true},
		{"x.y", "1 2 3", "4 5 6", true},
		{"x.y", "1 2 3", "3 3 3",
		 false}, /* all is strict: median 2 < 3, but max 3 is not below */
		{"x.y", "1 3 3", "3 4 5", false},
		{"x.y", "1 2 3", "2 3 4", false}, /* min 2 is not above median 2 */
		{"x.y", "1 2 9", "3 4 5", false}, /* median 4 is not above max 9 */
		{"x.y", "5 5 5", "5 5 5", false},
		{"x.y", "100 100 200 200", "150 150 250 250", false}, /* the upper median decides */
	};

	(void)state;
	check(cases, ARRAY_SIZE(cases), NULL, &defaults);
}

static void a_change_must_be_large_enough(void **state)
{
	static const struct case_of_one cases[] = {
		{"vmstat.cpu.id", "60 60 60", "61 61 61", false},
		{"vmstat.cpu.id", "60 60 60", "65 65 65", true},
		{"vmstat.cpu.us", "6 6 6", "9 9 9", false},
		{"vmstat.cpu.us", "5 5 5", "10 10 10", true},
		{"vmstat.cpu.sy", "40 40 40", "49 49 49", false},
		{"vmstat.procs.r", "100 100 100", "105 105 105", false}, /* 5% and no more */
		{"vmstat.procs.r", "100 100 100", "105.1 105.1 105.1", true},
		{"numa-meminfo.node0.Mapped", "900 900 900", "1000 1000 1000", false},
		{"numa-meminfo.node0.Mapped", "900 900 900", "1001 1001 1001", true},
		{"meminfo.Mapped", "500 500 500", "999 999 999", false},
		{"proc-vmstat.nr_written", "100 100 100", "149 149 149", false},
		{"proc-vmstat.nr_written", "100 100 100", "150 150 150", true},
		{"proc-vmstat.nr_written", "10 10 10", "99 99 99", false},
		{"proc-vmstat.pgfault", "900 900 900", "1000 1000 1000", false},
		{"proc-vmstat.pgfault", "990 990 990", "1001 1001 1001", true},
		{"perf-stat.i.x", "100 100 100", "101 101 101", false},
		{"perf-stat.i.x", "100 100 100", "101.01 101.01 101.01", true},
		{"perf-stat.i.x", "101.01 101.01 101.01", "100 100 100", true},
		{"numa-vmstat.node0.numa_hit", "100000 100000 100000", "105000 105000 105000",
		 false},
		{"numa-vmstat.node0.numa_hit", "100000 100000 100000", "105001 105001 105001",
		 true},
		{"will-it-scale.time.elapsed_time", "300 300 300", "304.9 304.9 304.9", false},
		{"will-it-scale.time.elapsed_time", "300 300 300", "305 305 305", true},
		{"will-it-scale.time.elapsed_time.max", "300 300 300", "304 304 304", false},
		{"will-it-scale.time.user_time", "4 4 4", "9 9 9", false},
		{"will-it-scale.time.minor_page_faults", "10000 10000 10000", "10499 10499 10499",
		 false},
		{"will-it-scale.time.minor_page_faults", "10000 10000 10000", "10500 10500 10500",
		 true},
		{"will-it-scale.time.voluntary_context_switches", "1 1 1", "999 999 999", false},
		{"will-it-scale.time.file_system_outputs", "8 8 8", "9999 9999 9999", false},
		{"will-it-scale.per_process_ops", "1000 1000 1000", "1011 1011 1011", true},
		{"will-it-scale.per_process_ops", "1000 1000 1000", "1010 1010 1010", false},
		{"xfstests.seconds", "1000 1000 1000", "1040 1040 1040",
		 false}, /* a functional test */
		{"sched_debug.x", "100 100 100", "103 103 103", false},
		{"sched_debug.x", "-100 -100 -100", "-101 -101 -101", true}, /* no ratio of those */
		{"sched_debug.x", "0 0 0", "0.001 0.001 0.001", true},
	};

	(void)state;
	check(cases, ARRAY_SIZE(cases), NULL, &defaults);
}

static void three_runs_on_one_side_are_enough(void **state)
{
	static const struct case_of_one cases[] = {
		{"perf-stat.i.x", "1 1", "2 2", false},
		{"perf-stat.i.x", "1 1 1", "2", true},
		{"perf-stat.i.x", "1", "2 2 2", true},
		{"dmesg.BUG:x", "0", "1", true}, /* failures need none */
	};

	(void)state;
	check(cases, ARRAY_SIZE(cases), NULL, &defaults);
}

static void what_is_new_is_shown_only_if_it_is_a_profile_or_a_failure(void **state)
{
	static const struct case_of_one cases[] = {
		{"numa-vmstat.node0.numa_miss", "", "515 515 515", false},
		{"perf-sched.x", "", "515 515 515", false},
		{"perf-stat.i.x", "", "515 515 515", false},
		{"perf-profile.self.cycles-pp.x", "", "0.3 0.3 0.3", true},
		{"dmesg.BUG:x", "", "- - 1", true},
		{"numa-vmstat.node0.numa_miss", "515 515 515", "", true}, /* what vanished can be */
		{"perf-sched.x", "1011.5 1003.1 993.3", "", true},
	};
	static const struct case_of_one no_profile_in_base = {"perf-profile.self.cycles-pp.x", "",
							      "9.0 9.0 9.0", false};

	(void)state;
	check(cases, ARRAY_SIZE(cases), "perf-profile.self.cycles-pp.other", &defaults);
	check(&no_profile_in_base, 1, "perf-stat.i.other", &defaults);
}

static void a_vanished_function_is_shown_above_5_per_cent(void **state)
{
	static const struct case_of_one cases[] = {
		{"perf-profile.self.cycles-pp.x", "5.01 5.01 5.01", "", true},
		{"perf-profile.self.cycles-pp.x", "5.0 5.0 5.0", "", false},
		{"perf-profile.self.cycles-pp.x", "0.54 0.54 0.54", "", false},
		/* the upper median of six runs is the fourth: a filled-in 0 if four lack it */
		{"perf-profile.self.cycles-pp.x", "2.0 2.0 2.0 2.0 2.0 2.0", "- - - - 0.05 0.05",
		 false},
		{"perf-profile.self.cycles-pp.x", "2.0 2.0 2.0 2.0 2.0 2.0", "- - - 0.05 0.05 0.05",
		 true},
		/* no size is asked of a profile */
		{"perf-profile.self.cycles-pp.x", "10.0 10.0 10.0", "10.01 10.01 10.01", true},
		{"perf-profile.self.cycles-pp.x", "50.0 50.0 50.0", "50.0 50.0 50.0", false},
	};

	(void)state;
	check(cases, ARRAY_SIZE(cases), NULL, &defaults);
}

/* 7 and 7.0 are different: the threshold by default is a whole number, and only what is one is held against it. */
static void the_kind_of_a_value_matters(void **state)
{
	static const struct case_of_one cases[] = {
		{"perf-profile.self.cycles-pp.x", "7 7 7", "7 7 7", true},
		{"perf-profile.self.cycles-pp.x", "7.0 7.0 7.0", "7.0 7.0 7.0", false},
		{"perf-profile.self.cycles-pp.x", "1.0 1.0 1.0", "4 4 4", false},
		{"perf-profile.self.cycles-pp.x", "1 1 1", "4.0 4.0 4.0", true},
		{"perf-stat.i.x", "1 1 1", "2.0 2.0 2.0", true},
	};

	(void)state;
	check(cases, ARRAY_SIZE(cases), NULL, &defaults);
}

static void a_threshold_shows_what_is_large_changed_or_not(void **state)
{
	static const struct compare_options five = {.has_profile_threshold = true,
						    .profile_threshold = 5};
	static const struct case_of_one cases[] = {
		{"perf-profile.self.cycles-pp.x", "50.0 50.0 50.0", "50.0 50.0 50.0", true},
		{"perf-profile.self.cycles-pp.x", "5.01 5.01 5.01", "1.0 1.0 1.0", true},
		{"perf-profile.self.cycles-pp.x", "1.0 1.0 1.0", "4.9 4.9 4.9", false},
		/* what vanished is judged as anything else is */
		{"perf-profile.self.cycles-pp.x", "0.54 0.54 0.54", "", true},
		{"perf-profile.self.cycles-pp.x", "0.54 0.54 0.54 0.54", "- - - 0.5", true},
		{"perf-profile.self.cycles-pp.x", "50.0 0.0 0.0", "", false},
		{"perf-stat.i.x", "1 1 1", "2 2 2", true},
	};

	(void)state;
	check(cases, ARRAY_SIZE(cases), NULL, &five);
}

static void minus_1_is_no_data(void **state)
{
	static const struct case_of_one cases[] = {
		{"x.y", "-1 -1 5 5", "9 9 9", true}, /* median 5, not -1 */
		{"x.y", "-1 -1 5 5", "-1 -1.0 5 5", false},
		{"x.y", "-1 -1 -1", "9 9 9", false}, /* nothing is left */
		{"x.y", "9 9 9", "-1 -1 -1", false},
		{"x.y", "-2 -1 -1", "9 9 9", true}, /* not the smallest: a value */
	};

	(void)state;
	check(cases, ARRAY_SIZE(cases), NULL, &defaults);
}

/* "N*VALUE ..." -> N times VALUE each */
static struct rule_0day_sample sample_of(const int (*parts)[2], int margin)
{
	struct number values[200];
	int nr = 0;

	for (; (*parts)[0]; parts++)
		for (int i = 0; i < (*parts)[0]; i++)
			values[nr++] = number_int((*parts)[1]);
	return rule_0day_sample(values, nr, margin);
}

static void the_outermost_of_many_values_are_left_out(void **state)
{
	static const struct {
		int parts[6][2]; /* how often, value */
		int margin, nr, min, median, max;
	} cases[] = {
		{{{1, 1}, {29, 5}, {1, 9}}, 3, 31, 1, 5, 9},
		{{{1, 1}, {30, 5}, {1, 9}}, 3, 30, 5, 5, 5},
		{{{1, 9}, {30, 5}, {1, 1}}, 3, 30, 5, 5, 5},
		{{{2, 1}, {59, 5}, {2, 9}}, 3, 61, 1, 5, 9}, /* 63: one */
		{{{2, 1}, {60, 5}, {2, 9}}, 3, 60, 5, 5, 5}, /* 64: two */
		{{{3, 1}, {90, 5}, {3, 9}}, 3, 90, 5, 5, 5}, /* 96: three */
		{{{4, 1}, {120, 5}, {4, 9}}, 3, 122, 1, 5, 9}, /* 128: never four */
		{{{3, 1}, {90, 5}, {3, 9}}, 1, 94, 1, 5, 9},
		{{{3, 1}, {90, 5}, {3, 9}}, 0, 96, 1, 5, 9},
		{{{10, -1}, {1, 1}, {20, 5}, {1, 9}},
		 3,
		 20,
		 5,
		 5,
		 5}, /* counted before -1 is dropped */
		{{{31, -1}, {1, 5}}, 3, 0, 0, 0, 0},
		{{{2, 1}, {2, 5}}, 3, 4, 1, 5, 5}, /* the upper median */
		{{{1, 7}}, 3, 1, 7, 7, 7},
		{{{0, 0}}, 3, 0, 0, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct rule_0day_sample got = sample_of(cases[i].parts, cases[i].margin);

		assert_int_equal(got.nr, cases[i].nr);
		if (!got.nr)
			continue;
		assert_int_equal(got.min.i, cases[i].min);
		assert_int_equal(got.median.i, cases[i].median);
		assert_int_equal(got.max.i, cases[i].max);
	}
}

/* 64 values with two outliers: of the new side only one is left out where the base has three runs or fewer. */
static void fewer_are_left_out_where_the_base_has_few_runs(void **state)
{
	char many[512] = "1 1";
	struct case_of_one it = {"x.y", "2 2 2", many, false};

	(void)state;
	for (int i = 0; i < 62; i++)
		snprintf(many + strlen(many), sizeof(many) - strlen(many), " 9");
	check(&it, 1, NULL, &defaults);
	it.base = "2 2 2 2";
	it.want = true;
	check(&it, 1, NULL, &defaults);
}

/* One run in 64 with a message is no outlier. */
static void no_failure_is_left_out(void **state)
{
	char once[512] = "1", never[512] = "0";
	struct case_of_one it = {"dmesg.BUG:x", never, once, true};

	(void)state;
	for (int i = 0; i < 63; i++) {
		snprintf(once + strlen(once), sizeof(once) - strlen(once), " 0");
		snprintf(never + strlen(never), sizeof(never) - strlen(never), " 0");
	}
	check(&it, 1, NULL, &defaults);
}

static void the_deny_list_hides_unless_more_is_asked_for(void **state)
{
	static const struct compare_options more = {.more = true};
	struct case_of_one cases[] = {
		{"interrupts.CAL:Function_call_interrupts", "20000 20000 20000",
		 "90000 90000 90000", false},
		{"softirqs.SCHED", "20000 20000 20000", "90000 90000 90000", false},
		{"slabinfo.kmalloc-64.active_objs", "20000 20000 20000", "90000 90000 90000",
		 false},
		{"dmesg.timestamp:last", "20 20 20", "90 90 90", false},
		{"tcrypt.x", "20 20 20", "90 90 90", false},
		{"zoneinfo.x", "20 20 20", "90 90 90", false},
	};

	(void)state;
	check(cases, ARRAY_SIZE(cases), NULL, &defaults);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		cases[i].want = true;
	check(cases, ARRAY_SIZE(cases), NULL, &more);
}

static void a_failure_is_judged_by_its_maximum(void **state)
{
	static const struct case_of_one cases[] = {
		{"dmesg.BUG:x", "0 0 0 0", "0 0 0 1", true},
		{"dmesg.BUG:x", "1 1 1 1", "0 0 0 1", false},
		{"dmesg.BUG:x", "1 1 1 1", "", true},
		{"kmsg.BUG:x", "", "1 - -", true},
		{"last_state.test.exit_code.99", "", "1 - -", true},
		{"stderr.Segmentation_fault", "", "1 - -", true},
		{"kmemleak.3.unreferenced_object.0x", "", "1 - -", true},
		{"boot.killed_by_oom", "", "1 - -", true},
		/* the size counts for failures as well: 1 -> 1 by the medians */
		{"dmesg.BUG:x", "1 1 1", "1 1 2", false},
	};

	(void)state;
	check(cases, ARRAY_SIZE(cases), NULL, &defaults);
}

static void a_verdict_needs_its_opposite_in_the_base(void **state)
{
	static const struct {
		const char *metric, *other;
		bool want;
	} cases[] = {
		{"xfstests.generic.001.fail", "xfstests.generic.001.pass", true},
		{"xfstests.generic.001.fail", "xfstests.generic.002.pass", false},
		{"xfstests.generic.001.fail", NULL, false},
		{"ltp.x.error", "ltp.x.pass", true},
		{"ltp.x.warnings", "ltp.x.pass", true},
		{"ltp.x.pass", "ltp.x.fail", true},
		{"ltp.x.pass", "ltp.x.error", true},
		{"ltp.x.pass", "ltp.x.warn", true},
		{"ltp.x.pass", "ltp.y.fail", false},
		{"ltp.x.pass", NULL, false},
		/* a function that happens to be called so */
		{"perf-profile.self.cycles-pp.warn", "perf-profile.self.cycles-pp.other", false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct case_of_one it = {cases[i].metric, "", "1 1 1", cases[i].want};

		check(&it, 1, cases[i].other, &defaults);
	}
}

static void a_nan_changes_nothing(void **state)
{
	const struct number nan = number_float((double)NAN), one = number_int(1);
	const struct rule_0day_sample none = {nan, nan, nan, 3}, some = {one, one, one, 3},
				      half = {one, one, nan, 3};
	struct number values[] = {nan, one, nan, one, one};
	struct rule_0day_sample sample = rule_0day_sample(values, ARRAY_SIZE(values), 3);

	(void)state;
	assert_int_equal(sample.median.i, 1); /* sorted to the end */
	assert_true(isnan(number_double(sample.max)));
	assert_false(rule_0day_changed(&none, &some));
	assert_false(rule_0day_changed(&some, &none));
	assert_false(rule_0day_changed(&half, &none));
	assert_false(rule_0day_large_enough("x.y", &none, &some));
	assert_false(rule_0day_large_enough("x.y", &some, &none));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_of_each_side_must_lie_beyond_the_other),
		cmocka_unit_test(a_change_must_be_large_enough),
		cmocka_unit_test(three_runs_on_one_side_are_enough),
		cmocka_unit_test(what_is_new_is_shown_only_if_it_is_a_profile_or_a_failure),
		cmocka_unit_test(a_vanished_function_is_shown_above_5_per_cent),
		cmocka_unit_test(the_kind_of_a_value_matters),
		cmocka_unit_test(a_threshold_shows_what_is_large_changed_or_not),
		cmocka_unit_test(minus_1_is_no_data),
		cmocka_unit_test(the_outermost_of_many_values_are_left_out),
		cmocka_unit_test(fewer_are_left_out_where_the_base_has_few_runs),
		cmocka_unit_test(no_failure_is_left_out),
		cmocka_unit_test(the_deny_list_hides_unless_more_is_asked_for),
		cmocka_unit_test(a_failure_is_judged_by_its_maximum),
		cmocka_unit_test(a_verdict_needs_its_opposite_in_the_base),
		cmocka_unit_test(a_nan_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
