// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "workload/fake.h"

#include "helpers.h"
#include "workload_fixture.h"

#include <signal.h>

static void run_fake(struct fixture *f, const char *test, const char *params, int iteration,
		     const char *environment)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", iteration);
	setenv("PERFCMP_ITERATION", text, 1);
	setenv("PERFCMP_FAKE", environment, 1);
	fixture_run_ok(f, "fake", test, params);
	unsetenv("PERFCMP_ITERATION");
	unsetenv("PERFCMP_FAKE");
}

static void test_values_can_be_computed_by_hand(void **state)
{
	static const struct {
		const char *test, *params, *environment;
		int iteration;
		double value;
	} cases[] = {
		{"steady", "", "", 1, 1000},
		{"steady", "", "", 7, 1000},
		{"steady", "value=12.5", "", 1, 12.5},
		{"steady", "value=12.5", "value=25", 1, 25},
		{"steady", "value=100 step=50", "", 1, 100},
		{"steady", "value=100 step=50", "", 3, 200},
		{"bimodal", "value=100 spread=25", "", 1, 125},
		{"bimodal", "value=100 spread=25", "", 2, 75},
		{"bimodal", "value=100", "spread=50,step=100", 2, 100},
		{"noisy", "value=64 spread=0", "", 3, 64},
		/* beyond what a whole number can be */
		{"bimodal", "value=1e15 spread=1e15", "", 1, 1e18},
		{"bimodal", "value=1e15 spread=1e15", "", 2, -1e18},
		{"missing", "", "", 1, 1000},
		{"warn", "", "", 1, 1000},
		{"wide", "metrics=3", "", 1, 1000},
		{"slow", "seconds=0.01", "", 1, 1000},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fixture f;
		double value;

		run_fake(&f, cases[i].test, cases[i].params, cases[i].iteration,
			 cases[i].environment);
		value = fixture_float(&f, "fake.ops");
		if (!same_double(value, cases[i].value))
			fail_msg("%s %s: %g", cases[i].test, cases[i].params, value);
		assert_int_equal(fixture_int(&f, "fake.items"), (int64_t)cases[i].value);
		assert_int_equal(f.begins, 1);
		assert_int_equal(f.ends, 1);
		/* the parameters are what the user gave: no defaults, nothing of the environment */
		assert_int_equal(f.job.params.nr,
				 !!strchr(cases[i].params, '=') + !!strchr(cases[i].params, ' '));
		fixture_release(&f);
	}
}

static void test_the_samples_average_to_the_value(void **state)
{
	struct fixture f;

	(void)state;
	run_fake(&f, "steady", "value=10", 1, "");
	assert_int_equal(f.run.series_nr, 1);
	assert_string_equal(f.run.series[0].metric, "fake.ops");
	assert_int_equal(f.run.series[0].nr, 3);
	for (int i = 0; i < 3; i++) {
		assert_true(same_double(f.run.series[0].time_s[i], i + 1));
		assert_true(same_double(f.run.series[0].value[i], 9 + i));
	}
	fixture_release(&f);
}

/*
 * splitmix64 as published (Steele, Lea, Flood 2014: gamma 0x9e3779b97f4a7c15, mix13), computed with Python's
 * integers; the state before the first step is seed * 2^32.
 */
static void test_noise_is_splitmix64(void **state)
{
	static const struct {
		uint64_t seed;
		int64_t iteration;
		double noise;
	} cases[] = {
		{0, 1, 0.76662161642728521},
		{1, 1, 0.53260351467817202},
		{1, 2, -0.56502153103185493},
		{1, 3, 0.36986059375569025},
		{4294967295, 1000, -0.74950072481228092},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		double noise = fake_noise(cases[i].seed, cases[i].iteration);

		if (fabs(noise - cases[i].noise) > 1e-15)
			fail_msg("seed %llu, iteration %lld: %.17g",
				 (unsigned long long)cases[i].seed, (long long)cases[i].iteration,
				 noise);
	}
}

static void test_noise_is_the_same_each_time_and_fills_its_range(void **state)
{
	struct fixture f, again;
	double min = 1, max = -1, sum = 0;

	(void)state;
	for (int k = 1; k <= 10000; k++) {
		double x = fake_noise(1, k);

		sum += x;
		min = x < min ? x : min;
		max = x > max ? x : max;
	}
	assert_true(min >= -1 && min < -0.99 && max < 1 && max > 0.99);
	assert_true(fabs(sum / 10000) < 0.03); /* five standard errors of a uniform distribution */
	run_fake(&f, "noisy", "value=100 spread=10 seed=5", 4, "");
	run_fake(&again, "noisy", "value=100 spread=10 seed=5", 4, "");
	assert_true(same_double(fixture_float(&f, "fake.ops"), fixture_float(&again, "fake.ops")));
	assert_true(same_double(fixture_float(&f, "fake.ops"),
				100 * (1 + 10.0 / 100 * fake_noise(5, 4)) * 1));
	fixture_release(&f);
	fixture_release(&again);
}

static void test_odd_numbers_and_missing_metrics(void **state)
{
	struct fixture f;

	(void)state;
	run_fake(&f, "odd-numbers", "value=3", 1, "");
	assert_true(isnan(fixture_float(&f, "fake.nan")));
	assert_true(isinf(fixture_float(&f, "fake.infinite")));
	assert_int_equal(fixture_int(&f, "fake.zero"), 0);
	assert_true(same_double(fixture_float(&f, "fake.zero_float"), 0));
	assert_true(same_double(fixture_float(&f, "fake.negative"), -3));
	assert_true(fixture_int(&f, "fake.largest") == INT64_MAX);
	fixture_release(&f);
	run_fake(&f, "missing", "", 1, "");
	assert_int_equal(run_get(&f.run, "fake.sometimes").kind, NUMBER_NONE);
	fixture_release(&f);
	run_fake(&f, "missing", "", 2, "");
	assert_int_equal(fixture_int(&f, "fake.sometimes"), 1000);
	fixture_release(&f);
}

static void test_wide_has_as_many_metrics_as_asked_for(void **state)
{
	struct fixture f;

	(void)state;
	run_fake(&f, "wide", "metrics=250", 2, "");
	assert_int_equal(f.run.values_nr, 252);
	assert_int_equal(fixture_int(&f, "fake.metric_1"), 3);
	assert_int_equal(fixture_int(&f, "fake.metric_250"), 252);
	fixture_release(&f);
}

static void test_warnings(void **state)
{
	struct fixture f;

	(void)state;
	run_fake(&f, "warn", "", 3, "");
	assert_int_equal(f.run.warnings.nr, 2);
	assert_string_equal(f.run.warnings.v[0], "fake warning of iteration 3");
	fixture_release(&f);
}

static void run_bad(struct fixture *f, const char *test, const char *params, double timeout_s)
{
	assert_int_equal(fixture_prepare(f, "fake", test, params), 0);
	fixture_run(f, NULL, timeout_s);
}

static void test_ends_that_are_not_good(void **state)
{
	struct fixture f;

	(void)state;
	run_bad(&f, "fail", "status=9", 30);
	assert_int_equal(f.result.status, RUN_FAILED);
	assert_int_equal(f.result.exit_code, 9);
	assert_string_equal(f.result.reason.buf, "fake failure");
	assert_string_equal(f.result.output.buf, "fake line 1\nfake line 2\nfake line 3\n");
	fixture_release(&f);
	run_bad(&f, "crash", "", 30);
	assert_int_equal(f.result.status, RUN_KILLED);
	assert_int_equal(f.result.signal, SIGSEGV);
	fixture_release(&f);
	run_bad(&f, "crash", "signal=9", 30);
	assert_int_equal(f.result.signal, SIGKILL);
	fixture_release(&f);
	run_bad(&f, "hang", "", 0.05);
	assert_int_equal(f.result.status, RUN_TIMEOUT);
	fixture_release(&f);
}

static void test_hang_hard_is_killed_with_all_it_started(void **state)
{
	struct fixture f;

	(void)state;
	run_bad(&f, "hang-hard", "", 0.05);
	assert_int_equal(f.result.status, RUN_TIMEOUT);
	assert_int_equal(f.result.signal, SIGKILL);
	fixture_release(&f);
}

static void test_eat_output_prints_what_it_says(void **state)
{
	struct fixture f;

	(void)state;
	run_fake(&f, "eat-output", "lines=2", 1, "");
	assert_string_equal(f.result.output.buf, "fake line 1 of 2\nfake line 2 of 2\n");
	fixture_release(&f);
	run_fake(&f, "eat-output", "lines=20000", 1, "");
	assert_true(ends_with(f.result.output.buf, "\nfake line 20000 of 20000\n"));
	assert_true(f.result.output.len <= 65536);
	fixture_release(&f);
}

static void test_bad_parameters_are_refused(void **state)
{
	static const struct {
		const char *params, *message;
	} cases[] = {
		{"nr_task=1", "nr_task: no such parameter; there are value, spread, step, seed, "
			      "seconds, lines, metrics, signal, status"},
		{"value=many", "value=many: give a number from -1e+15 to 1e+15"},
		{"seed=-1", "seed=-1: give a whole number from 0 to 4294967295"},
		{"signal=32", "signal=32: give a whole number from 1 to 31"},
	};
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(fixture_prepare(&f, "fake", "steady", cases[i].params), -1);
		assert_string_equal(f.err.msg, cases[i].message);
		fixture_release(&f);
	}
	setenv("PERFCMP_FAKE", "size=3", 1);
	run_bad(&f, "steady", "", 30);
	unsetenv("PERFCMP_FAKE");
	assert_int_equal(f.result.status, RUN_FAILED);
	assert_true(starts_with(f.result.reason.buf, "size: no such parameter"));
	fixture_release(&f);
}

/* What collect --workload fake does: the fake runs another workload's job. */
static int stand_in(const void *arg, struct child_io *io)
{
	return fake_workload.run(arg, io);
}

static void test_the_fake_stands_in_for_other_workloads(void **state)
{
	struct fixture f, other;

	(void)state;
	setenv("PERFCMP_FAKE", "spread=0", 1);
	fixture_prepare(&f, "will-it-scale", "pipe1", "nr_task=2 mode=thread");
	fixture_run(&f, stand_in, 30);
	assert_int_equal(f.result.status, RUN_OK);
	assert_int_equal(fixture_int(&f, "will-it-scale.per_thread_ops") % 1000, 0);
	assert_int_equal(fixture_int(&f, "will-it-scale.2.threads"),
			 2 * fixture_int(&f, "will-it-scale.per_thread_ops") + 1);
	fixture_prepare(&other, "will-it-scale", "pipe1", "nr_task=3 mode=thread");
	fixture_run(&other, stand_in, 30);
	assert_true(fixture_int(&other, "will-it-scale.per_thread_ops") !=
		    fixture_int(&f, "will-it-scale.per_thread_ops"));
	fixture_release(&other);
	fixture_release(&f);
	setenv("PERFCMP_FAKE", "value=42,spread=0", 1);
	fixture_prepare(&f, "autonuma-benchmark", "numa02_SMT", "mem=1M one_node=allow");
	fixture_run(&f, stand_in, 30);
	assert_true(same_double(fixture_float(&f, "autonuma-benchmark.numa02_SMT.seconds"), 42));
	fixture_release(&f);
	unsetenv("PERFCMP_FAKE");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values_can_be_computed_by_hand),
		cmocka_unit_test(test_the_samples_average_to_the_value),
		cmocka_unit_test(test_noise_is_splitmix64),
		cmocka_unit_test(test_noise_is_the_same_each_time_and_fills_its_range),
		cmocka_unit_test(test_odd_numbers_and_missing_metrics),
		cmocka_unit_test(test_wide_has_as_many_metrics_as_asked_for),
		cmocka_unit_test(test_warnings),
		cmocka_unit_test(test_ends_that_are_not_good),
		cmocka_unit_test(test_hang_hard_is_killed_with_all_it_started),
		cmocka_unit_test(test_eat_output_prints_what_it_says),
		cmocka_unit_test(test_bad_parameters_are_refused),
		cmocka_unit_test(test_the_fake_stands_in_for_other_workloads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
