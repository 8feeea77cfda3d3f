// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "workload/will_it_scale/driver.h"

#include "workload/will_it_scale/will_it_scale.h"
#include "workload_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
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

	if (!child_of(getppid())) {
		print_message("a kernel without CONFIG_PROC_CHILDREN\n");
		skip();
	}
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

int main(void)
{
	const struct CMUnitTest tests[] = {
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
	};

	return cmocka_run_group_tests(tests, set_up_folder, tear_down_folder);
}
