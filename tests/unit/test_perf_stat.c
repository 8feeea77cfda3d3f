// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/perf_stat.h"

#include <math.h>

static void add(struct run *run, const char *event, uint64_t value)
{
	struct run_counter counter = {event, value, 1000, 1000};

	run_add_counter(run, &counter);
}

static void expect(const struct run *run, const char *metric, double want)
{
	double got = number_double(run_get(run, metric));

	if (!(fabs(got - want) <= 1e-9 * fabs(want)))
		fail_msg("%s is %.17g, not %.17g", metric, got, want);
}

static void expect_none(const struct run *run, const char *metric)
{
	if (run_get(run, metric).kind != NUMBER_NONE)
		fail_msg("%s should not be there", metric);
}

/* The sums of the first two intervals of the example of the reference its ratios by hand. */
static void the_reference_example(void **state)
{
	struct run run = {0};

	(void)state;
	add(&run, "cpu-cycles", 6000000);
	add(&run, "instructions", 4000000);
	add(&run, "cache-references", 10000);
	add(&run, "cache-misses", 3500);
	add(&run, "branch-instructions", 600000);
	add(&run, "branch-misses", 14000);
	add(&run, "dTLB-loads", 800000);
	add(&run, "dTLB-load-misses", 3000);
	perf_stat_derive(&run, 3.0);
	expect(&run, "perf-stat.ps.cpu-cycles", 2000000);
	expect(&run, "perf-stat.total.instructions", 4000000);
	expect(&run, "perf-stat.overall.ipc", 4.0 / 6);
	expect(&run, "perf-stat.overall.cpi", 1.5);
	expect(&run, "perf-stat.overall.MPKI", 0.875);
	expect(&run, "perf-stat.overall.branch-miss-rate%", 100.0 * 14 / 600);
	expect(&run, "perf-stat.overall.dTLB-load-miss-rate%", 100.0 * 3000 / 803000);
	expect(&run, "perf-stat.overall.cache-miss-rate%", 35);
	expect(&run, "perf-stat.overall.cycles-between-cache-misses", 6000000.0 / 3500);
	expect_none(&run, "perf-stat.overall.instructions-per-iTLB-miss");
	expect_none(&run, "perf-stat.overall.path-length");
	run_release(&run);
}

static void clocks_are_in_milliseconds(void **state)
{
	struct run run = {0};

	(void)state;
	add(&run, "cpu-clock", 4000000000);
	add(&run, "task-clock:u", 1000000000);
	perf_stat_derive(&run, 2.0);
	expect(&run, "perf-stat.total.cpu-clock", 4000);
	expect(&run, "perf-stat.ps.cpu-clock", 2000);
	expect(&run, "perf-stat.total.task-clock:u", 1000);
	run_release(&run);
}

static void a_multiplexed_event_is_scaled(void **state)
{
	struct run run = {0};
	struct run_counter counter = {"instructions", 1000, 4000, 1000};

	(void)state;
	run_add_counter(&run, &counter);
	perf_stat_derive(&run, 1.0);
	expect(&run, "perf-stat.total.instructions", 4000);
	assert_int_equal((int)run.counters[0].value, 1000);
	run_release(&run);
}

static void a_zero_count_is_the_integer_0_and_no_divisor(void **state)
{
	struct run run = {0};

	(void)state;
	add(&run, "instructions", 100);
	add(&run, "cpu-cycles", 0);
	add(&run, "cache-misses", 0);
	add(&run, "iTLB-load-misses", 0);
	perf_stat_derive(&run, 1.0);
	assert_int_equal(run_get(&run, "perf-stat.ps.cpu-cycles").kind, NUMBER_INT);
	assert_int_equal(run_get(&run, "perf-stat.ps.instructions").kind, NUMBER_FLOAT);
	expect_none(&run, "perf-stat.overall.ipc");
	expect_none(&run, "perf-stat.overall.MPKI");
	expect_none(&run, "perf-stat.overall.cycles-between-cache-misses");
	expect_none(&run, "perf-stat.overall.instructions-per-iTLB-miss");
	expect_none(&run, "perf-stat.overall.cache-miss-rate%");
	run_release(&run);
}

static void user_only_counts_make_ratios_too(void **state)
{
	struct run run = {0};

	(void)state;
	add(&run, "cpu-cycles:u", 200);
	add(&run, "instructions:u", 100);
	add(&run, "dTLB-loads:u", 90);
	add(&run, "dTLB-load-misses:u", 10);
	perf_stat_derive(&run, 1.0);
	expect(&run, "perf-stat.overall.ipc", 0.5);
	expect(&run, "perf-stat.overall.dTLB-load-miss-rate%", 10);
	expect(&run, "perf-stat.ps.cpu-cycles:u", 200);
	run_release(&run);
}

static void path_length_needs_exactly_one_workload(void **state)
{
	struct run run = {0};

	(void)state;
	add(&run, "instructions", 1000);
	run_set(&run, "will-it-scale.workload", number_int(50));
	perf_stat_derive(&run, 1.0);
	expect(&run, "perf-stat.overall.path-length", 20);
	run_release(&run);
	add(&run, "instructions", 1000);
	run_set(&run, "a.workload", number_int(50));
	run_set(&run, "b.workload", number_int(50));
	perf_stat_derive(&run, 1.0);
	expect_none(&run, "perf-stat.overall.path-length");
	run_release(&run);
}

static void no_counters_no_metrics(void **state)
{
	struct run run = {0};

	(void)state;
	perf_stat_derive(&run, 1.0);
	assert_int_equal(run.values_nr, 0);
	add(&run, "page-faults", 5);
	perf_stat_derive(&run, 0.0);
	expect(&run, "perf-stat.total.page-faults", 5);
	expect_none(&run, "perf-stat.ps.page-faults");
	run_release(&run);
}

/* An event of a PMU with many terms; two of them differ at the end only. */
static void long_names_are_not_cut(void **state)
{
	char stem[601], loads[700], misses[700], metric[800];
	struct run run = {0};

	(void)state;
	memset(stem, 'x', sizeof(stem) - 1);
	stem[sizeof(stem) - 1] = '\0';
	snprintf(loads, sizeof(loads), "%s-loads", stem);
	snprintf(misses, sizeof(misses), "%s-load-misses", stem);
	add(&run, loads, 90);
	add(&run, misses, 10);
	perf_stat_derive(&run, 2.0);
	snprintf(metric, sizeof(metric), "perf-stat.total.%s", loads);
	expect(&run, metric, 90);
	snprintf(metric, sizeof(metric), "perf-stat.ps.%s", misses);
	expect(&run, metric, 5);
	snprintf(metric, sizeof(metric), "perf-stat.overall.%s-load-miss-rate%%", stem);
	expect(&run, metric, 10);
	run_release(&run);
}

static void misses_alone_are_no_rate(void **state)
{
	struct run run = {0};

	(void)state;
	add(&run, "instructions", 1000);
	add(&run, "-misses", 10); /* of nothing */
	add(&run, "misses", 10);
	add(&run, "x-misses:k", 10); /* of another half of the time */
	perf_stat_derive(&run, 0);
	for (int i = 0; i < run.values_nr; i++)
		assert_null(strstr(run.values[i].metric, "miss-rate"));
	run_release(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_reference_example),
		cmocka_unit_test(clocks_are_in_milliseconds),
		cmocka_unit_test(a_multiplexed_event_is_scaled),
		cmocka_unit_test(a_zero_count_is_the_integer_0_and_no_divisor),
		cmocka_unit_test(user_only_counts_make_ratios_too),
		cmocka_unit_test(long_names_are_not_cut),
		cmocka_unit_test(misses_alone_are_no_rate),
		cmocka_unit_test(path_length_needs_exactly_one_workload),
		cmocka_unit_test(no_counters_no_metrics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
