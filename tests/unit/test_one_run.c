// SPDX-License-Identifier: GPL-2.0-only
/* One run from job to struct run, with the fakes as workload and as counters. */
#include "lab/one_run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "workload/workload.h"

struct fixture {
	struct pool pool;
	struct job job;
	struct one_run_config config;
	struct run run;
	bool stopped;
	int ticks;
	volatile sig_atomic_t stop;
};

/* params: "key=value key=value" */
static void set_up(struct fixture *f, const char *testcase, const char *test, const char *params)
{
	struct strlist list = {0};
	struct err err;

	*f = (struct fixture){
		.job = {.testcase = testcase, .test = test},
		.config = {.counters = COUNTERS_OFF, .timeout_s = 60},
	};
	f->config.stop = &f->stop;
	strlist_split(&list, params, ' ');
	for (int i = 0; i < list.nr; i++) {
		struct param param;

		assert_true(param_split(&f->pool, list.v[i], &param));
		params_set(&f->job.params, &f->pool, param.key, param.value);
	}
	strlist_release(&list);
	if (!streq(testcase, "command") &&
	    workload_prepare(workload_find(testcase), &f->job, &f->pool, &err))
		fail_msg("%s", err.msg);
	run_init(&f->run);
	f->run.iteration = 1;
}

static void tear_down(struct fixture *f)
{
	run_release(&f->run);
	params_release(&f->job.params);
	pool_release(&f->pool);
}

static void do_run(struct fixture *f)
{
	struct err err;

	if (one_run(&f->job, &f->config, &f->run, &f->stopped, &err))
		fail_msg("%s", err.msg);
}

static void run_fake(struct fixture *f, const char *test, const char *params)
{
	set_up(f, "fake", test, params);
	do_run(f);
}

/* The script's output and exit status, as a command of the user's */
static void run_script(struct fixture *f, char *script)
{
	static char shell[] = "sh", option[] = "-c";
	char *argv[] = {shell, option, script, NULL};

	set_up(f, "command", "script", "");
	f->job.argv = argv;
	do_run(f);
	f->job.argv = NULL;
}

static void assert_int(const struct run *run, const char *metric, int64_t value)
{
	struct number number = run_get(run, metric);

	if (number.kind != NUMBER_INT || number.i != value)
		fail_msg("%s: %g, not the whole number %lld", metric, number_double(number),
			 (long long)value);
}

static void assert_none(const struct run *run, const char *metric)
{
	if (run_get(run, metric).kind != NUMBER_NONE)
		fail_msg("%s is there", metric);
}

static bool has_prefix(const struct run *run, const char *prefix)
{
	for (int i = 0; i < run->values_nr; i++)
		if (starts_with(run->values[i].metric, prefix))
			return true;
	return false;
}

static void a_good_run_has_values_samples_and_times(void **state)
{
	struct fixture f;
	const struct run_series *series;

	(void)state;
	run_fake(&f, "steady", "value=1500");
	assert_int_equal(f.run.status, RUN_OK);
	assert_false(f.stopped);
	assert_null(f.run.reason);
	assert_null(f.run.last_output);
	assert_string_equal(f.run.testcase, "fake");
	assert_string_equal(f.run.test, "steady");
	assert_string_equal(params_get(&f.run.params, "value"), "1500");
	assert_true(fabs(number_double(run_get(&f.run, "fake.ops")) - 1500) < 1e-9);
	assert_int(&f.run, "fake.items", 1500);
	assert_int_equal(f.run.series_nr, 1);
	series = &f.run.series[0];
	assert_string_equal(series->metric, "fake.ops");
	assert_int_equal(series->nr, 3);
	for (int i = 0; i < series->nr; i++) {
		assert_true(fabs(series->time_s[i] - (i + 1)) < 1e-9);
		assert_true(fabs(series->value[i] - (1499 + i)) < 1e-9);
	}
	assert_true(number_double(run_get(&f.run, "fake.time.elapsed_time")) > 0);
	assert_false(has_prefix(&f.run, "last_state."));
	assert_false(has_prefix(&f.run, "perf-stat."));
	assert_int_equal(f.run.counters_nr, 0);
	tear_down(&f);
}

/* step: one per cent more in each iteration; the fakes know theirs from the environment. */
static void the_test_knows_its_iteration(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, "fake", "steady", "value=1000 step=1");
	f.run.iteration = 6;
	do_run(&f);
	assert_true(fabs(number_double(run_get(&f.run, "fake.ops")) - 1050) < 1e-9);
	tear_down(&f);
}

static void a_zero_is_the_whole_number(void **state)
{
	struct fixture f;

	(void)state;
	run_fake(&f, "odd-numbers", "value=5");
	assert_int(&f.run, "fake.zero", 0);
	assert_int(&f.run, "fake.zero_float", 0);
	assert_int(&f.run, "fake.largest", INT64_MAX);
	assert_true(fabs(number_double(run_get(&f.run, "fake.negative")) + 5) < 1e-9);
	tear_down(&f);
}

static void warnings_of_the_test_are_the_runs(void **state)
{
	struct fixture f;

	(void)state;
	run_fake(&f, "warn", "");
	assert_int_equal(f.run.status, RUN_OK);
	assert_int_equal(f.run.warnings.nr, 2);
	assert_string_equal(f.run.warnings.v[0], "fake warning of iteration 1");
	assert_string_equal(f.run.warnings.v[1], "fake warning of every iteration");
	tear_down(&f);
}

static void a_failure_is_kept_with_reason_and_last_output(void **state)
{
	struct fixture f;

	(void)state;
	run_fake(&f, "fail", "status=3");
	assert_int_equal(f.run.status, RUN_FAILED);
	assert_int_equal(f.run.exit_code, 3);
	assert_int_equal(f.run.signal, 0);
	assert_string_equal(f.run.reason, "fake failure");
	assert_string_equal(f.run.last_output, "fake line 1\nfake line 2\nfake line 3");
	assert_int(&f.run, "last_state.is_incomplete_run", 1);
	assert_int(&f.run, "last_state.test.fake.exit_code.3", 1);
	assert_none(&f.run, "fake.ops");
	assert_false(f.stopped);
	tear_down(&f);
}

static void a_crash_is_told_by_its_signal(void **state)
{
	struct fixture f;

	(void)state;
	run_fake(&f, "crash", "signal=8");
	assert_int_equal(f.run.status, RUN_KILLED);
	assert_int_equal(f.run.signal, 8);
	assert_non_null(f.run.reason);
	assert_null(f.run.last_output);
	assert_int(&f.run, "last_state.is_incomplete_run", 1);
	assert_int(&f.run, "last_state.test.fake.exit_code.136", 1); /* 128 + 8, as a shell says */
	tear_down(&f);
}

static void a_test_that_hangs_is_ended_after_its_time(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, "fake", "hang", "");
	f.config.timeout_s = 0.3;
	do_run(&f);
	assert_int_equal(f.run.status, RUN_TIMEOUT);
	assert_non_null(f.run.reason);
	assert_int(&f.run, "last_state.is_incomplete_run", 1);
	assert_false(f.stopped);
	assert_true(f.run.wall_s >= 0.3);
	tear_down(&f);
}

static void stop_at_the_second_tick(void *data, double elapsed_s)
{
	struct fixture *f = data;

	assert_true(elapsed_s >= 0);
	f->ticks++;
	if (f->ticks == 2)
		f->stop = 1;
}

static void a_run_can_be_stopped_from_outside(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, "fake", "hang", "");
	f.config.tick = stop_at_the_second_tick;
	f.config.data = &f;
	do_run(&f);
	assert_true(f.stopped);
	assert_true(f.ticks >= 2);
	tear_down(&f);
}

/* "5000" and, before it, as many lines of five bytes as fit into 2048: those from 4592 on. */
static void of_a_long_output_the_last_whole_lines_are_kept(void **state)
{
	char script[] = "seq 1 5000; echo; exit 4";
	struct strbuf expected = STRBUF_INIT;
	struct fixture f;

	(void)state;
	run_script(&f, script);
	assert_int_equal(f.run.status, RUN_FAILED);
	assert_int_equal(f.run.exit_code, 4);
	for (int i = 4592; i <= 5000; i++)
		strbuf_addf(&expected, "%d%s", i, i < 5000 ? "\n" : "");
	assert_true(expected.len <= 2048);
	assert_string_equal(f.run.last_output, expected.buf);
	assert_int(&f.run, "last_state.test.command.exit_code.4", 1);
	strbuf_release(&expected);
	tear_down(&f);
}

static void a_long_line_is_kept_from_its_end(void **state)
{
	char script[] = "printf '%05000d' 7; exit 1";
	struct fixture f;
	size_t len;

	(void)state;
	run_script(&f, script);
	len = strlen(f.run.last_output);
	assert_int_equal(len, 2048);
	assert_int_equal(strspn(f.run.last_output, "0"), 2047);
	assert_int_equal(f.run.last_output[len - 1], '7');
	tear_down(&f);
}

static void an_output_of_empty_lines_is_none(void **state)
{
	char script[] = "echo; echo; exit 1";
	struct fixture f;

	(void)state;
	run_script(&f, script);
	assert_null(f.run.last_output);
	tear_down(&f);
}

static void what_a_good_command_prints_is_not_kept(void **state)
{
	char script[] = "echo words";
	struct fixture f;

	(void)state;
	run_script(&f, script);
	assert_int_equal(f.run.status, RUN_OK);
	assert_null(f.run.last_output);
	assert_true(number_double(run_get(&f.run, "command.seconds")) > 0);
	tear_down(&f);
}

static double value_of(const struct run *run, const char *prefix, const char *event)
{
	char metric[200];

	snprintf(metric, sizeof(metric), "%s%s", prefix, event);
	if (run_get(run, metric).kind == NUMBER_NONE)
		fail_msg("no %s", metric);
	return number_double(run_get(run, metric));
}

/* The clocks are counted in ns and told in ms. */
static double unit_of(const char *event)
{
	return ends_with(event, "-clock") ? 1e6 : 1;
}

static void assert_ratio(double value, double expected)
{
	if (!(fabs(value / expected - 1) < 1e-9))
		fail_msg("%.17g, not %.17g", value, expected);
}

/* Every counter has a total, and a rate from which the total and the same measured time follow. */
static void check_rates(const struct run *run, double measured_s)
{
	for (int i = 0; i < run->counters_nr; i++) {
		const char *event = run->counters[i].event;
		double total = value_of(run, "perf-stat.total.", event);

		assert_ratio(total * unit_of(event), (double)run->counters[i].value);
		assert_ratio(value_of(run, "perf-stat.ps.", event) * measured_s, total);
	}
}

static void counters_become_totals_rates_and_ratios(void **state)
{
	char script[] = "sleep 0.3", shell[] = "sh", option[] = "-c";
	char *argv[] = {shell, option, script, NULL};
	struct fixture f;
	double measured_s;

	(void)state;
	set_up(&f, "command", "sleep", "");
	f.config.counters = COUNTERS_FAKE;
	f.job.argv = argv;
	do_run(&f);
	assert_int_equal(f.run.counters_nr, counters_default_events()->nr);
	measured_s = value_of(&f.run, "perf-stat.total.", "page-faults") /
		     value_of(&f.run, "perf-stat.ps.", "page-faults");
	/* from just before the program is executed to its end */
	assert_true(measured_s >= 0.3 && measured_s <= f.run.wall_s + 0.5);
	check_rates(&f.run, measured_s);
	assert_ratio(value_of(&f.run, "perf-stat.overall.", "ipc"),
		     value_of(&f.run, "perf-stat.total.", "instructions") /
			     value_of(&f.run, "perf-stat.total.", "cpu-cycles"));
	assert_int_equal(run_get(&f.run, "perf-stat.total.page-faults").kind, NUMBER_INT);
	tear_down(&f);
}

static void only_the_measured_part_is_counted(void **state)
{
	struct fixture f;
	double measured_s;

	(void)state;
	set_up(&f, "fake", "slow", "seconds=0.5"); /* sleeps before its measured part */
	f.config.counters = COUNTERS_FAKE;
	do_run(&f);
	measured_s = value_of(&f.run, "perf-stat.total.", "page-faults") /
		     value_of(&f.run, "perf-stat.ps.", "page-faults");
	assert_true(f.run.wall_s >= 0.5);
	assert_true(measured_s > 0 && measured_s <= f.run.wall_s - 0.5);
	check_rates(&f.run, measured_s);
	tear_down(&f);
}

static void events_that_were_asked_for_are_those_counted(void **state)
{
	struct strlist events = {0};
	struct fixture f;

	(void)state;
	counters_split_events("page-faults,cpu-cycles", &events);
	set_up(&f, "fake", "steady", "");
	f.config.counters = COUNTERS_FAKE;
	f.config.events = &events;
	do_run(&f);
	assert_int_equal(f.run.counters_nr, 2);
	assert_none(&f.run, "perf-stat.total.instructions");
	assert_none(&f.run, "perf-stat.overall.ipc");
	strlist_release(&events);
	tear_down(&f);
}

/* Which numbers counters_fake_hash() gives is a matter of the test's name and the iteration. */
static void fake_counters_are_the_same_each_time(void **state)
{
	uint64_t cycles[3];

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct fixture f;

		set_up(&f, "fake", "steady", "");
		f.config.counters = COUNTERS_FAKE;
		f.run.iteration = i < 2 ? 1 : 2;
		do_run(&f);
		cycles[i] = f.run.counters[0].value;
		tear_down(&f);
	}
	assert_true(cycles[0] == cycles[1]);
	assert_true(cycles[0] != cycles[2]);
}

static void the_fake_workload_stands_in_for_another(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, "will-it-scale", "getppid1", "nr_task=1");
	f.config.fake_workload = true;
	do_run(&f);
	assert_int_equal(f.run.status, RUN_OK);
	assert_string_equal(f.run.testcase, "will-it-scale");
	assert_true(number_double(run_get(&f.run, "will-it-scale.per_process_ops")) >= 100);
	assert_none(&f.run, "fake.ops");
	assert_true(f.run.wall_s < 5); /* the real one warms up for that long */
	tear_down(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_good_run_has_values_samples_and_times),
		cmocka_unit_test(the_test_knows_its_iteration),
		cmocka_unit_test(a_zero_is_the_whole_number),
		cmocka_unit_test(warnings_of_the_test_are_the_runs),
		cmocka_unit_test(a_failure_is_kept_with_reason_and_last_output),
		cmocka_unit_test(a_crash_is_told_by_its_signal),
		cmocka_unit_test(a_test_that_hangs_is_ended_after_its_time),
		cmocka_unit_test(a_run_can_be_stopped_from_outside),
		cmocka_unit_test(of_a_long_output_the_last_whole_lines_are_kept),
		cmocka_unit_test(a_long_line_is_kept_from_its_end),
		cmocka_unit_test(an_output_of_empty_lines_is_none),
		cmocka_unit_test(what_a_good_command_prints_is_not_kept),
		cmocka_unit_test(counters_become_totals_rates_and_ratios),
		cmocka_unit_test(only_the_measured_part_is_counted),
		cmocka_unit_test(events_that_were_asked_for_are_those_counted),
		cmocka_unit_test(fake_counters_are_the_same_each_time),
		cmocka_unit_test(the_fake_workload_stands_in_for_another),
	};

	unsetenv("PERFCMP_FAKE");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
