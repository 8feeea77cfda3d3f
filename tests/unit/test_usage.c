// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/usage.h"

#include <unistd.h>

static struct rusage usage_of(double user_s, double system_s)
{
	struct rusage usage = {0};

	usage.ru_utime.tv_sec = (time_t)user_s;
	usage.ru_utime.tv_usec = (suseconds_t)((user_s - (double)(time_t)user_s) * 1e6 + 0.5);
	usage.ru_stime.tv_sec = (time_t)system_s;
	usage.ru_stime.tv_usec = (suseconds_t)((system_s - (double)(time_t)system_s) * 1e6 + 0.5);
	return usage;
}

/* GNU time cuts everything to whole milliseconds first, then the quotient to a whole number. */
static void the_percentage_is_gnu_time_s(void **state)
{
	static const struct {
		double user_s, system_s, wall_s;
		int64_t percent;
	} cases[] = {
		{1.0, 0, 2.0, 50},
		{0.5, 0.25, 1.0, 75},
		{1.999, 0, 2.0, 99},
		{2.001, 0, 2.001, 100},
		{30.0, 34.0, 8.0, 800},
		{0.0019, 0.0019, 0.010, 20}, /* 1 ms and 1 ms of 10 */
		{0.0019, 0.0019, 0.0109, 20},
		{0.001, 0, 0.0009, 0}, /* "?%" */
		{0, 0, 1, 0},
		{0, 0, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct rusage usage = usage_of(cases[i].user_s, cases[i].system_s);
		struct number percent;
		struct run run;

		run_init(&run);
		usage_add(&run, "t", &usage, cases[i].wall_s);
		percent = run_get(&run, "t.time.percent_of_cpu_this_job_got");
		assert_int_equal(percent.kind, NUMBER_INT);
		assert_int_equal(percent.i, cases[i].percent);
		run_release(&run);
	}
}

static void every_field_has_its_metric(void **state)
{
	static const struct {
		const char *metric;
		int64_t want;
	} whole[] = {
		{"ws.time.maximum_resident_set_size", 2048},
		{"ws.time.minor_page_faults", 11},
		{"ws.time.major_page_faults", 12},
		{"ws.time.voluntary_context_switches", 13},
		{"ws.time.involuntary_context_switches", 14},
		{"ws.time.file_system_inputs", 15},
		{"ws.time.file_system_outputs", 16},
	};
	static const struct {
		const char *metric;
		double want;
	} real[] = {
		{"ws.time.elapsed_time", 300.4512},
		{"ws.time.elapsed_time.max", 300.4512},
		{"ws.time.user_time", 1.25},
		{"ws.time.system_time", 2.5},
	};
	struct rusage usage = usage_of(1.25, 2.5);
	struct run run;

	(void)state;
	usage.ru_maxrss = 2048;
	usage.ru_minflt = 11;
	usage.ru_majflt = 12;
	usage.ru_nvcsw = 13;
	usage.ru_nivcsw = 14;
	usage.ru_inblock = 15;
	usage.ru_oublock = 16;
	run_init(&run);
	usage_add(&run, "ws", &usage, 300.4512);
	for (size_t i = 0; i < ARRAY_SIZE(whole); i++) {
		assert_int_equal(run_get(&run, whole[i].metric).kind, NUMBER_INT);
		assert_int_equal(run_get(&run, whole[i].metric).i, whole[i].want);
	}
	for (size_t i = 0; i < ARRAY_SIZE(real); i++) {
		assert_int_equal(run_get(&run, real[i].metric).kind, NUMBER_FLOAT);
		assert_float_equal(run_get(&run, real[i].metric).d, real[i].want, 1e-9);
	}
	assert_int_equal(run_get(&run, "ws.time.page_size").i, sysconf(_SC_PAGESIZE));
	run_release(&run);
}

static void zeros_are_whole_numbers(void **state)
{
	struct rusage usage = {0};
	struct run run;

	(void)state;
	run_init(&run);
	usage_add(&run, "ws", &usage, 0);
	assert_int_equal(run.values_nr, 13);
	for (int i = 0; i < run.values_nr; i++) {
		bool page_size = streq(run.values[i].metric, "ws.time.page_size");

		assert_int_equal(run.values[i].value.kind, NUMBER_INT);
		assert_int_equal(run.values[i].value.i != 0, page_size);
	}
	run_release(&run);
}

static void a_long_prefix_is_not_cut(void **state)
{
	struct rusage usage = {0};
	char prefix[601], metric[700];
	struct run run;

	(void)state;
	memset(prefix, 'x', sizeof(prefix) - 1);
	prefix[sizeof(prefix) - 1] = '\0';
	run_init(&run);
	usage_add(&run, prefix, &usage, 1);
	snprintf(metric, sizeof(metric), "%s.time.elapsed_time", prefix);
	assert_int_equal(run_get(&run, metric).kind, NUMBER_FLOAT);
	run_release(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_percentage_is_gnu_time_s),
		cmocka_unit_test(every_field_has_its_metric),
		cmocka_unit_test(zeros_are_whole_numbers),
		cmocka_unit_test(a_long_prefix_is_not_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
