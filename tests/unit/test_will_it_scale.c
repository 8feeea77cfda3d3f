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

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Temporary files go to a folder of this test. */
static char folder[] = "/tmp/perfcmp-test-XXXXXX";

static int set_up_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? setenv("TMPDIR", folder, 1) : -1;
}

static int tear_down_folder(void **state)
{
	(void)state;
	return rmdir(folder); /* fails if a test left something */
}

static int entries(const char *path)
{
	DIR *dir = opendir(path);
	int nr = -2; /* . and .. */

	if (!dir)
		return -1;
	while (readdir(dir))
		nr++;
	closedir(dir);
	return nr;
}

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
		 "size: no such parameter; there are nr_task, mode, affinity, warmup, runtime"},
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

static void check_timed_run(const char *params, const char *metric)
{
	struct fixture f;
	const struct run_series *series;
	double mean;

	fixture_run_ok(&f, "will-it-scale", "getppid1", params);
	assert_int_equal(f.begins, 1);
	assert_int_equal(f.ends, 1);
	assert_int_equal(f.run.series_nr, 1);
	series = &f.run.series[0];
	assert_string_equal(series->metric, metric);
	assert_int_equal(series->nr, 2); /* after 1 s and after 1.4 s */
	assert_true(series->time_s[0] >= 1 && series->time_s[0] < series->time_s[1]);
	assert_true(series->time_s[1] >= 1.4);
	/* the result is the mean of the samples, each weighted with its time; cut to a whole number */
	mean = (series->value[0] * series->time_s[0] +
		series->value[1] * (series->time_s[1] - series->time_s[0])) /
	       series->time_s[1];
	assert_true(fabs(mean - (double)fixture_int(&f, metric)) <= 1.5);
	assert_true(fixture_int(&f, "will-it-scale.task_min") > 1000);
	assert_true(fixture_int(&f, "will-it-scale.task_min") <=
		    fixture_int(&f, "will-it-scale.task_max"));
	/* warm-up, samples, little more */
	assert_true(f.result.wall_s >= 1.5);
	assert_true(f.result.rusage.ru_utime.tv_sec + f.result.rusage.ru_stime.tv_sec +
			    f.result.rusage.ru_utime.tv_usec + f.result.rusage.ru_stime.tv_usec >
		    100000);
	assert_int_equal(entries(folder), 0);
	fixture_release(&f);
}

static void test_processes_are_sampled(void **state)
{
	(void)state;
	check_timed_run("nr_task=2 mode=process warmup=0.1 runtime=1.4",
			"will-it-scale.2.processes");
}

static void test_threads_are_sampled(void **state)
{
	(void)state;
	check_timed_run("nr_task=2 mode=thread warmup=0.1 runtime=1.4 affinity=pu",
			"will-it-scale.2.threads");
}

static void test_one_task_without_warm_up_or_binding(void **state)
{
	struct fixture f;

	(void)state;
	fixture_run_ok(&f, "will-it-scale", "open1",
		       "nr_task=1 warmup=0 runtime=0.05 affinity=none");
	assert_int_equal(f.run.series[0].nr, 1);
	assert_int_equal(fixture_int(&f, "will-it-scale.task_min"),
			 fixture_int(&f, "will-it-scale.task_max"));
	fixture_release(&f);
}

static void run_ops(const char *test, const char *params, uint64_t ops)
{
	struct wis_config config = {0};
	struct fixture f;
	uint64_t *counts;

	if (fixture_prepare(&f, "will-it-scale", test, params) ||
	    wis_config_parse(&config, &f.job, &f.err))
		fail_msg("%s: %s", test, f.err.msg);
	counts = xcalloc((size_t)config.nr_task, sizeof(*counts));
	if (wis_drive_ops(&config, ops, counts, &f.err))
		fail_msg("%s: %s", test, f.err.msg);
	for (int i = 0; i < config.nr_task; i++)
		if (counts[i] < ops || counts[i] > ops + 1)
			fail_msg("%s: task %d did %llu operations", test, i,
				 (unsigned long long)counts[i]);
	assert_int_equal(entries(folder), 0);
	free(counts);
	fixture_release(&f);
}

/* read3 and read4 need a file system that knows O_DIRECT. */
static bool knows_direct(void)
{
	char path[sizeof(folder) + 8];
	int fd;

	snprintf(path, sizeof(path), "%s/direct", folder);
	fd = open(path, O_CREAT | O_RDWR | O_DIRECT, 0600);
	if (fd >= 0)
		close(fd);
	unlink(path);
	return fd >= 0;
}

static void run_all(const char *params, uint64_t ops)
{
	bool direct = knows_direct();

	for (int i = 0; i < will_it_scale_workload.tests_nr; i++) {
		const char *name = will_it_scale_workload.tests[i]->name;

		if (direct || (!streq(name, "read3") && !streq(name, "read4")))
			run_ops(name, params, ops);
	}
}

static void test_every_test_does_its_operations_in_processes(void **state)
{
	(void)state;
	run_all("nr_task=2 mode=process", 30);
}

static void test_every_test_does_its_operations_in_threads(void **state)
{
	(void)state;
	run_all("nr_task=2 mode=thread", 30);
}

static void test_many_tasks(void **state)
{
	(void)state;
	run_ops("getppid1", "nr_task=200 mode=process", 10);
	run_ops("getppid1", "nr_task=200 mode=thread", 10);
}

static void test_too_many_open_files_say_so_and_leave_nothing(void **state)
{
	struct rlimit old, few = {60, 60};
	struct fixture f;
	pid_t pid;
	int status;

	(void)state;
	getrlimit(RLIMIT_NOFILE, &old);
	pid = fork(); /* a limit that was lowered cannot be raised again */
	if (pid == 0) {
		setrlimit(RLIMIT_NOFILE, &few);
		fixture_prepare(&f, "will-it-scale", "poll2", "nr_task=1 warmup=0 runtime=1");
		fixture_run(&f, NULL, 30);
		_exit(f.result.status == RUN_FAILED &&
				      strstr(f.result.reason.buf, "poll2: task 0: ") &&
				      strstr(f.result.reason.buf,
					     "Too many open files: raise `ulimit -n`") &&
				      entries(folder) == 0
			      ? 0
			      : 1);
	}
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
}

static void test_a_folder_that_cannot_be_written_is_named(void **state)
{
	struct fixture f;

	(void)state;
	setenv("TMPDIR", "/nonexistent/folder", 1);
	fixture_prepare(&f, "will-it-scale", "open1", "nr_task=1 warmup=0 runtime=1");
	fixture_run(&f, NULL, 30);
	assert_int_equal(f.result.status, RUN_FAILED);
	assert_string_equal(f.result.reason.buf,
			    "/nonexistent/folder: no temporary folder (set TMPDIR to one you can "
			    "write in): No such file or directory");
	setenv("TMPDIR", folder, 1);
	fixture_release(&f);
}

/* The oldest task of the driver, whose children the tasks are. */
static pid_t child_of(pid_t parent)
{
	char path[64], text[32] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", parent, parent);
	file = fopen(path, "r");
	if (!file)
		return 0;
	if (!fgets(text, sizeof(text), file))
		text[0] = '\0';
	fclose(file);
	return (pid_t)strtol(text, NULL, 10);
}

static int kill_signal;

static void kill_a_task(void *data)
{
	struct fixture *f = data;
	pid_t task = child_of(child_of(getpid()));

	f->begins++;
	if (task > 0)
		kill(task, kill_signal);
}

static void check_killed_task(const char *params)
{
	struct child_callbacks callbacks = fixture_callbacks;
	struct fixture f;
	struct child_spec spec = {
		.function = fixture_work,
		.arg = &f.job,
		.timeout_s = 60,
		.callbacks = &callbacks,
		.data = &f,
	};

	if (!child_of(getppid()))
		skip(); /* a kernel without CONFIG_PROC_CHILDREN */
	kill_signal = SIGKILL;
	callbacks.begin = kill_a_task;
	assert_int_equal(fixture_prepare(&f, "will-it-scale", "open1", params), 0);
	assert_int_equal(child_run(&spec, &f.result, &f.err), 0);
	assert_int_equal(f.result.status, RUN_FAILED);
	assert_string_equal(f.result.reason.buf, "a task was killed by SIGKILL: out of memory?");
	assert_true(f.result.wall_s < 20);
	assert_int_equal(f.begins, 1);
	assert_int_equal(f.ends, 1);
	assert_int_equal(f.run.values_nr, 0);
	assert_int_equal(entries(folder), 0);
	fixture_release(&f);
}

static void test_a_task_that_is_killed_fails_the_run_at_once(void **state)
{
	(void)state;
	check_killed_task("nr_task=2 mode=process warmup=0 runtime=30");
	check_killed_task("nr_task=2 mode=thread warmup=0 runtime=30");
}

/* Limits that meet the driver while it sets up, while tasks start, and while they run. */
static void test_a_time_limit_leaves_no_file_and_no_process(void **state)
{
	(void)state;
	for (int limit_ms = 1; limit_ms < 500; limit_ms += limit_ms / 2 + 1) {
		struct fixture f;

		fixture_prepare(&f, "will-it-scale", "unlink2", "nr_task=2 warmup=0 runtime=30");
		fixture_run(&f, NULL, limit_ms / 1000.0);
		assert_int_equal(f.result.status, RUN_TIMEOUT);
		assert_int_equal(f.run.warnings.nr, 0); /* "left running" would be one */
		assert_int_equal(entries(folder), 0);
		fixture_release(&f);
	}
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
		cmocka_unit_test(test_processes_are_sampled),
		cmocka_unit_test(test_threads_are_sampled),
		cmocka_unit_test(test_one_task_without_warm_up_or_binding),
		cmocka_unit_test(test_every_test_does_its_operations_in_processes),
		cmocka_unit_test(test_every_test_does_its_operations_in_threads),
		cmocka_unit_test(test_many_tasks),
		cmocka_unit_test(test_too_many_open_files_say_so_and_leave_nothing),
		cmocka_unit_test(test_a_folder_that_cannot_be_written_is_named),
		cmocka_unit_test(test_a_task_that_is_killed_fails_the_run_at_once),
		cmocka_unit_test(test_a_time_limit_leaves_no_file_and_no_process),
		cmocka_unit_test(test_idle_is_the_share_of_idle_and_iowait),
	};

	return cmocka_run_group_tests(tests, set_up_folder, tear_down_folder);
}
