// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helpers.h"
#include "workload/will_it_scale/driver.h"
#include "workload/will_it_scale/laps.h"
#include "workload/will_it_scale/will_it_scale.h"
#include "workload_fixture.h"

static void test_operations_are_divided_into_laps(void **state)
{
	static const struct {
		uint64_t ops;
		int nr;
		uint64_t each;
	} cases[] = {
		{1, 1, 1},
		{2, 2, 1},
		{99, 99, 1},
		{100, 100, 1},
		{199, 100, 1},
		{100000, 100, 1000},
		{1000000000, 100, 10000000},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct laps laps = {0};

		laps_init(&laps, cases[i].ops);
		assert_int_equal(laps.nr, cases[i].nr);
		assert_int_equal(laps.each, cases[i].each);
	}
}

/* Marks at hand-made times: 5 ns of each lap are the mark's own. */
static struct laps make_laps(const int64_t *lap_ns, int nr)
{
	struct laps laps = {.nr = nr, .done = nr + 1, .mark_ns = 5};

	laps.mark[0] = (struct lap){.ops = 20, .at_ns = 1000000000000};
	for (int i = 0; i < nr; i++)
		laps.mark[i + 1] = (struct lap){.ops = laps.mark[i].ops + 10,
						.at_ns = laps.mark[i].at_ns + lap_ns[i] + 5};
	return laps;
}

static void test_what_the_laps_tell(void **state)
{
	static const struct {
		int nr;
		int64_t lap_ns[5];
		int64_t ns;
		double median;
	} cases[] = {
		{0, {0}, 0, (double)NAN},
		{1, {70}, 70, 7},
		{2, {70, 90}, 160, 8},
		{3, {5000, 60, 70}, 5130, 7}, /* a tick is in few laps */
		{4, {60, 60, 60, 60}, 240, 6},
		{5, {10, 50, 20, 40, 30}, 150, 3},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct laps laps = make_laps(cases[i].lap_ns, cases[i].nr);

		assert_int_equal(laps_ops(&laps), 10 * cases[i].nr);
		assert_int_equal(laps_ns(&laps), cases[i].ns);
		assert_true(same_double(laps_median_ns_per_op(&laps), cases[i].median));
		for (int k = 0; k < cases[i].nr; k++)
			assert_true(same_double(laps_ns_per_op(&laps, k),
						(double)cases[i].lap_ns[k] / 10));
	}
}

static void test_a_counted_run_does_what_was_asked_for(void **state)
{
	static const char *const params[] = {
		"nr_task=1 ops=1 warmup_ops=1 affinity=none",
		"nr_task=2 ops=5000 warmup_ops=10 affinity=none",
		"nr_task=3 mode=thread ops=777 affinity=none",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(params); i++) {
		struct fixture f;

		fixture_run_ok(&f, "will-it-scale", "getppid1", params[i]);
		assert_int_equal(f.begins, 1);
		assert_int_equal(f.ends, 1);
		assert_true(fixture_int(&f, "will-it-scale.task_min") > 0);
		/* on an ordinary machine nobody counts instructions */
		assert_int_equal(run_get(&f.run, "will-it-scale.instructions_per_op").kind,
				 NUMBER_NONE);
		fixture_release(&f);
	}
}

/* The clock of an ordinary x86 processor counts no instructions, but it counts. */
static void test_a_deterministic_run_reports_instructions(void **state)
{
	struct fixture f;

	(void)state;
	if (fixture_prepare(&f, "will-it-scale", "getppid1", "nr_task=1 ops=1000 affinity=none"))
		fail_msg("%s", f.err.msg);
	f.job.deterministic = true;
	fixture_run(&f, NULL, 60);
	if (f.result.status != RUN_OK)
		fail_msg("%s", f.result.reason.buf);
#ifdef __x86_64__
	assert_true(fixture_float(&f, "will-it-scale.instructions_per_op") > 0);
#endif
	assert_int_equal(f.run.series_nr, 1);
	assert_int_equal(f.run.series[0].nr, 100);
	fixture_release(&f);
}

static double stepped(const char *test, const char *params)
{
	struct wis_config config;
	struct fixture f;
	double result;

	if (fixture_prepare(&f, "will-it-scale", test, params) ||
	    wis_config_parse(&config, &f.job, &f.err))
		fail_msg("%s: %s", test, f.err.msg);
	result = wis_user_instructions(&config);
	fixture_release(&f);
	return result;
}

static void test_the_tests_own_instructions_are_counted_where_they_can_be(void **state)
{
	double once = stepped("getppid1", "nr_task=1 ops=1");

	(void)state;
	if (isnan(once)) {
		print_message("nothing can be single-stepped here\n");
		skip();
		return;
	}
	/* a call, a system call, a count, a comparison; with sanitizers some more */
	assert_true(once >= 5 && once < 200);
	assert_true(same_double(once, stepped("getppid1", "nr_task=1 ops=1")));
	/* two system calls and a loop over more of them take more */
	assert_true(stepped("open1", "nr_task=1 ops=1") > once);
	assert_true(isnan(stepped("getppid1", "nr_task=2 ops=1")));
	assert_true(isnan(stepped("getppid1", "nr_task=1 mode=thread ops=1")));
	assert_true(isnan(stepped("context_switch1", "nr_task=1 ops=1")));
	assert_true(isnan(stepped("threadspawn1", "nr_task=1 ops=1")));
}

static void test_seconds_and_operations_exclude_each_other(void **state)
{
	static const char *const params[] = {
		"ops=5 runtime=1", "warmup_ops=5 warmup=1",	    "ops=0",
		"ops=1.5",	   "ops=5 warmup_ops=100000000000",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(params); i++) {
		struct fixture f;

		assert_int_equal(fixture_prepare(&f, "will-it-scale", "getppid1", params[i]), -1);
		fixture_release(&f);
	}
}

static void test_a_deterministic_job_is_counted_without_being_asked(void **state)
{
	struct fixture f;

	(void)state;
	if (fixture_prepare(&f, "will-it-scale", "getppid1", "ops=55"))
		fail_msg("%s", f.err.msg);
	assert_string_equal(params_get(&f.job.params, "warmup_ops"), "5");
	fixture_release(&f);
	f = (struct fixture){
		.job = {.testcase = "will-it-scale", .test = "getppid1", .deterministic = true}};
	if (workload_prepare(&will_it_scale_workload, &f.job, &f.pool, &f.err))
		fail_msg("%s", f.err.msg);
	assert_string_equal(params_get(&f.job.params, "ops"), "100000");
	assert_string_equal(params_get(&f.job.params, "warmup_ops"), "10000");
	assert_null(params_get(&f.job.params, "runtime"));
	params_release(&f.job.params);
	pool_release(&f.pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_operations_are_divided_into_laps),
		cmocka_unit_test(test_what_the_laps_tell),
		cmocka_unit_test(test_a_counted_run_does_what_was_asked_for),
		cmocka_unit_test(test_a_deterministic_run_reports_instructions),
		cmocka_unit_test(test_the_tests_own_instructions_are_counted_where_they_can_be),
		cmocka_unit_test(test_seconds_and_operations_exclude_each_other),
		cmocka_unit_test(test_a_deterministic_job_is_counted_without_being_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
