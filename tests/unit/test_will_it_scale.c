// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "workload/will_it_scale/driver.h"

#include "helpers.h"
#include "workload/will_it_scale/idle.h"
#include "workload/will_it_scale/will_it_scale.h"
#include "workload_fixture.h"

#include <unistd.h>

static void test_prepare_completes_the_parameters(void **state)
{
	struct fixture f;
	char cpus[16];

	(void)state;
	assert_int_equal(fixture_prepare(&f, "will-it-scale", "pipe1", ""), 0);
	snprintf(cpus, sizeof(cpus), "%ld", sysconf(_SC_NPROCESSORS_ONLN));
	assert_string_equal(params_get(&f.job.params, "nr_task"), cpus);
	assert_string_equal(params_get(&f.job.params, "mode"), "process");
	assert_string_equal(params_get(&f.job.params, "affinity"), "core");
	assert_string_equal(params_get(&f.job.params, "warmup"), "5");
	assert_string_equal(params_get(&f.job.params, "runtime"), "10");
	assert_true(same_double(will_it_scale_workload.expected_s(&f.job), 15));
	fixture_release(&f);
	assert_int_equal(fixture_prepare(&f, "will-it-scale", "pipe1", "nr_task=3 mode=thread"), 0);
	assert_string_equal(params_get(&f.job.params, "nr_task"), "3");
	assert_string_equal(params_get(&f.job.params, "mode"), "thread");
	fixture_release(&f);
}

static void test_prepare_refuses_with_what_is_allowed(void **state)
{
	static const struct {
		const char *params, *message;
	} cases[] = {
		{"nr_task=0", "nr_task=0: give a whole number from 1 to 4096"},
		{"nr_task=50%", "nr_task=50%: give a whole number from 1 to 4096"},
		{"nr_task=4097", "nr_task=4097: give a whole number from 1 to 4096"},
		{"mode=threads", "mode=threads: give one of process, thread"},
		{"affinity=socket", "affinity=socket: give one of core, pu, none"},
		{"runtime=0", "runtime=0: give a number from 0.01 to 604800"},
		{"runtime=long", "runtime=long: give a number from 0.01 to 604800"},
		{"warmup=-1", "warmup=-1: give a number from 0 to 604800"},
		{"size=1",
		 "size: no such parameter; there are nr_task, mode, affinity, warmup, runtime, warmup_ops, ops"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fixture f;

		assert_int_equal(fixture_prepare(&f, "will-it-scale", "pipe1", cases[i].params),
				 -1);
		assert_string_equal(f.err.msg, cases[i].message);
		fixture_release(&f);
	}
}

static void test_more_memory_than_there_is_is_refused_with_the_numbers(void **state)
{
	struct fixture f;

	(void)state;
	/* 4096 times 128 MiB: 512 GiB */
	if (fixture_prepare(&f, "will-it-scale", "page_fault1", "nr_task=4096") == 0) {
		fixture_release(&f);
		print_message("this machine has 512 GiB of free memory\n");
		skip();
	}
	assert_true(starts_with(f.err.msg, "nr_task=4096: needs 524288 MiB of memory, "));
	fixture_release(&f);
}

/* What wis_report() says of results that can be checked by hand. */
static const struct wis_result *reported;

static int report_it(const void *arg, struct child_io *io)
{
	struct wis_config config;
	struct err err;

	if (wis_config_parse(&config, arg, &err))
		return 1;
	wis_report(&config, reported, io);
	return 0;
}

static void test_the_metrics_are_the_robots(void **state)
{
	/* 16803190 operations a second in all give 1050199 a task (spec of the robot's parser) */
	uint64_t ops[16] = {[0] = 5, [1] = 33606375, [2] = 0};
	struct wis_result result = {ops, 2.0, 12.5};
	struct fixture f;

	(void)state;
	for (int i = 3; i < 16; i++)
		ops[i] = 0;
	reported = &result;
	fixture_prepare(&f, "will-it-scale", "pipe1", "nr_task=16 mode=process");
	fixture_run(&f, report_it, 10);
	assert_int_equal(f.result.status, RUN_OK);
	assert_int_equal(fixture_int(&f, "will-it-scale.16.processes"), 16803190);
	assert_int_equal(fixture_int(&f, "will-it-scale.per_process_ops"), 1050199);
	assert_int_equal(fixture_int(&f, "will-it-scale.workload"), 16803190);
	assert_int_equal(fixture_int(&f, "will-it-scale.task_min"), 0);
	assert_int_equal(fixture_int(&f, "will-it-scale.task_max"), 16803187);
	assert_true(same_double(fixture_float(&f, "will-it-scale.16.processes_idle"), 12.5));
	assert_int_equal(f.run.values_nr, 6);
	assert_int_equal(f.run.warnings.nr, 1);
	fixture_release(&f);
}

static void test_threads_have_names_of_their_own_and_unknown_idle_is_left_out(void **state)
{
	uint64_t ops[3] = {10, 20, 31};
	struct wis_result result = {ops, 0.5, (double)NAN};
	struct fixture f;

	(void)state;
	reported = &result;
	fixture_prepare(&f, "will-it-scale", "pipe1", "nr_task=3 mode=thread");
	fixture_run(&f, report_it, 10);
	assert_int_equal(fixture_int(&f, "will-it-scale.3.threads"), 122);
	assert_int_equal(fixture_int(&f, "will-it-scale.per_thread_ops"), 40);
	assert_int_equal(fixture_int(&f, "will-it-scale.task_min"), 20);
	assert_int_equal(fixture_int(&f, "will-it-scale.task_max"), 62);
	assert_int_equal(f.run.values_nr, 5);
	assert_int_equal(f.run.warnings.nr, 0);
	fixture_release(&f);
}

static void test_idle_is_the_share_of_idle_and_iowait(void **state)
{
	static const struct {
		const char *from, *to;
		double percent;
	} cases[] = {
		{"cpu  0 0 0 0 0 0 0 0 0 0", "cpu  10 0 10 60 15 2 2 1 0 0", 75},
		{"cpu  100 0 0 100 0 0 0 0 0 0", "cpu  200 0 0 100 0 0 0 0 50 0", 0},
		{"cpu  1 1 1 1", "cpu  1 1 1 2", 100}, /* a kernel that has fewer fields */
		{"cpu  1 1 1 1 1 1 1 1", "cpu  1 1 1 1 1 1 1 1", (double)NAN},
		{"cpu  1 1 1 5 1 1 1 1", "cpu  9 1 1 4 1 1 1 1", (double)NAN},
		{"cpu0 1 2 3", "cpu0 4 5 6", (double)NAN},
		{"", "", (double)NAN},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		double percent =
			idle_percent(cpu_times_parse(cases[i].from), cpu_times_parse(cases[i].to));

		if (!same_double(percent, cases[i].percent))
			fail_msg("%s: %g", cases[i].to, percent);
	}
	assert_true(cpu_times_read().total > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_prepare_completes_the_parameters),
		cmocka_unit_test(test_prepare_refuses_with_what_is_allowed),
		cmocka_unit_test(test_more_memory_than_there_is_is_refused_with_the_numbers),
		cmocka_unit_test(test_the_metrics_are_the_robots),
		cmocka_unit_test(test_threads_have_names_of_their_own_and_unknown_idle_is_left_out),
		cmocka_unit_test(test_idle_is_the_share_of_idle_and_iowait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
