// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/child.h"
#include "measure/counters.h"
#include "measure/counters_impl.h"
#include "measure/machine.h"
#include "measure/sysfile.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A run of a function under real counters. */
struct counted {
	struct counters_config config;
	struct counters *counters;
	struct run run;
	struct err err;
	int64_t begin_ns, measured_ns;
};

static void on_started(void *data, pid_t pid)
{
	struct counted *c = data;

	c->config.pid = pid;
	c->counters = counters_open(&c->config, &c->run.warnings, &c->err);
}

static void on_begin(void *data)
{
	struct counted *c = data;

	c->begin_ns = clock_ns();
	if (c->counters)
		counters_enable(c->counters);
}

static void on_end(void *data)
{
	struct counted *c = data;

	if (c->counters)
		counters_disable(c->counters);
	c->measured_ns = clock_ns() - c->begin_ns;
}

static void on_value(void *data, const char *metric, struct number value)
{
	struct counted *c = data;

	run_set(&c->run, metric, value);
}

static const struct child_callbacks callbacks = {
	.started = on_started,
	.begin = on_begin,
	.end = on_end,
	.value = on_value,
};

static void count(struct counted *c, const char *events,
		  int (*function)(const void *, struct child_io *), const void *arg)
{
	struct strlist list = {0};
	struct child_spec spec = {.function = function,
				  .arg = arg,
				  .timeout_s = 60,
				  .callbacks = &callbacks,
				  .data = c};
	struct child_result result;

	counters_split_events(events, &list);
	run_init(&c->run);
	c->config.events = &list;
	assert_int_equal(child_run(&spec, &result, &c->err), 0);
	assert_string_equal(result.reason.buf, "");
	if (c->counters)
		counters_read(c->counters, &c->run);
	counters_close(c->counters);
	c->counters = NULL;
	child_result_release(&result);
	strlist_release(&list);
}

static const struct run_counter *find(const struct run *run, const char *event)
{
	for (int i = 0; i < run->counters_nr; i++)
		if (streq(run->counters[i].event, event))
			return &run->counters[i];
	return NULL;
}

static int64_t value_of(const struct run *run, const char *event)
{
	const struct run_counter *counter = find(run, event);

	assert_non_null(counter);
	assert_true(counter->running_ns > 0);
	return (int64_t)counter->value;
}

static bool warned(const struct run *run, const char *part)
{
	for (int i = 0; i < run->warnings.nr; i++)
		if (strstr(run->warnings.v[i], part))
			return true;
	return false;
}

static int nothing(const void *arg, struct child_io *io)
{
	(void)arg;
	child_begin(io);
	child_end(io);
	return 0;
}

/* Skips the test where counters of that scope are not permitted; any other failure to open is a failure. */
static void need(enum counters_scope scope)
{
	struct counted c = {.config.scope = scope};
	bool counted;

	count(&c, "task-clock", nothing, NULL);
	counted = find(&c.run, "task-clock") != NULL;
	run_release(&c.run);
	if (counted)
		return;
	if (!strstr(c.err.msg, "not permitted") && !strstr(c.err.msg, "not implemented"))
		fail_msg("%s", c.err.msg);
	print_message("%s\n", c.err.msg);
	skip();
}

/* As need(COUNTERS_TASK), and the kernel's part is counted too: an ordinary user may be denied that alone. */
static void need_kernel_part(void)
{
	struct counted c = {.config.scope = COUNTERS_TASK};
	bool counted, denied;

	need(COUNTERS_TASK);
	count(&c, "page-faults", nothing, NULL);
	counted = find(&c.run, "page-faults") != NULL;
	denied = warned(&c.run, "without the kernel's part");
	run_release(&c.run);
	if (counted)
		return;
	assert_true(denied);
	print_message("counting the kernel's part is not permitted\n");
	skip();
}

static char *map_pages(int pages)
{
	size_t size = (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		_exit(1);
	madvise(p, size, MADV_NOHUGEPAGE); /* one fault a page; EINVAL: no huge pages at all */
	return p;
}

static void touch(char *p, int pages)
{
	long page = sysconf(_SC_PAGESIZE);

	for (int i = 0; i < pages; i++)
		((volatile char *)p)[i * page] = 1;
}

/* As the faults of the test itself, seen by itself, may be a few more (sanitizers), it tells how many it had. */
static int touch_pages(const void *arg, struct child_io *io)
{
	int pages = *(const int *)arg;
	char *p = map_pages(pages);
	struct rusage before, after;

	child_begin(io);
	getrusage(RUSAGE_SELF, &before);
	touch(p, pages);
	getrusage(RUSAGE_SELF, &after);
	child_end(io);
	child_value(io, "faults", number_int(after.ru_minflt - before.ru_minflt));
	return 0;
}

static void page_faults_are_those_of_the_pages_touched(void **state)
{
	static const int pages[] = {1, 100, 10000};

	(void)state;
	need_kernel_part();
	for (size_t i = 0; i < ARRAY_SIZE(pages); i++) {
		struct counted c = {.config.scope = COUNTERS_TASK};
		int64_t faults;

		count(&c, "page-faults,minor-faults,major-faults", touch_pages, &pages[i]);
		faults = run_get(&c.run, "faults").i;
		assert_true(faults >= pages[i]);
		assert_in_range(value_of(&c.run, "page-faults"), faults, faults + 10);
		assert_in_range(value_of(&c.run, "minor-faults"), faults, faults + 10);
		assert_int_equal(value_of(&c.run, "major-faults"), 0);
		run_release(&c.run);
	}
}

static int switch_often(const void *arg, struct child_io *io)
{
	struct timespec moment = {.tv_nsec = 100000};
	struct rusage before, after;

	child_begin(io);
	getrusage(RUSAGE_SELF, &before);
	for (int i = 0; i < *(const int *)arg; i++)
		nanosleep(&moment, NULL);
	getrusage(RUSAGE_SELF, &after);
	child_end(io);
	child_value(
		io, "switches",
		number_int(after.ru_nvcsw + after.ru_nivcsw - before.ru_nvcsw - before.ru_nivcsw));
	return 0;
}

static void context_switches_are_those_the_task_made(void **state)
{
	static const int sleeps = 200;
	struct counted c = {.config.scope = COUNTERS_TASK};
	int64_t switches;

	(void)state;
	need_kernel_part();
	count(&c, "context-switches", switch_often, &sleeps);
	switches = run_get(&c.run, "switches").i;
	assert_true(switches >= sleeps);
	assert_in_range(value_of(&c.run, "context-switches"), switches, switches + 5);
	run_release(&c.run);
}

static void burn_cpu(double seconds)
{
	struct timespec now;

	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	while ((double)now.tv_sec + (double)now.tv_nsec / 1e9 < seconds);
}

static void burner(int from)
{
	char go;

	if (read(from, &go, 1) == 1)
		burn_cpu(0.1);
	_exit(0);
}

/* One descendant forked before the measured part and one inside it; each burns a tenth of a second. */
static int descend(const void *arg, struct child_io *io)
{
	int fd[2];

	(void)arg;
	if (pipe(fd) < 0)
		return 1;
	if (fork() == 0)
		burner(fd[0]);
	child_begin(io);
	if (fork() == 0)
		burner(fd[0]);
	if (write(fd[1], "gg", 2) != 2)
		return 1;
	while (wait(NULL) > 0)
		;
	child_end(io);
	return 0;
}

static void descendants_are_counted_whenever_they_were_forked(void **state)
{
	struct counted c = {.config.scope = COUNTERS_TASK};

	(void)state;
	need(COUNTERS_TASK);
	count(&c, "task-clock", descend, NULL);
	assert_in_range(value_of(&c.run, "task-clock"), 195000000, 300000000);
	run_release(&c.run);
}

static int burn_thrice(const void *arg, struct child_io *io)
{
	(void)arg;
	burn_cpu(0.1);
	child_begin(io);
	burn_cpu(0.2);
	child_end(io);
	burn_cpu(0.3);
	return 0;
}

static void nothing_outside_the_measured_part_is_counted(void **state)
{
	struct counted c = {.config.scope = COUNTERS_TASK};

	(void)state;
	need(COUNTERS_TASK);
	count(&c, "task-clock", burn_thrice, NULL);
	assert_in_range(value_of(&c.run, "task-clock"), 98000000, 150000000);
	run_release(&c.run);
}

static int pause_a_while(const void *arg, struct child_io *io)
{
	(void)arg;
	child_begin(io);
	usleep(300000);
	child_end(io);
	return 0;
}

static void system_wide_is_every_cpu(void **state)
{
	struct counted c = {.config.scope = COUNTERS_SYSTEM};
	int cpus = machine_online_cpus();
	const struct run_counter *clock;
	double share;

	(void)state;
	need(COUNTERS_SYSTEM);
	count(&c, "cpu-clock", pause_a_while, NULL);
	clock = find(&c.run, "cpu-clock");
	assert_non_null(clock);
	share = (double)clock->enabled_ns / (double)(c.measured_ns * cpus);
	assert_true(share > 0.95 && share < 1.001);
	share = (double)clock->value / (double)clock->enabled_ns;
	assert_true(share > 0.95 && share < 1.001);
	run_release(&c.run);
}

static void system_wide_sees_what_others_do(void **state)
{
	static const int pages = 5000;
	struct counted c = {.config.scope = COUNTERS_AUTO};

	(void)state;
	need(COUNTERS_SYSTEM);
	count(&c, "page-faults", touch_pages, &pages);
	assert_true(value_of(&c.run, "page-faults") >= pages);
	run_release(&c.run);
}

/* Here or on a machine with a PMU: counted, or named as missing; never a 0 of an event that does not exist. */
static void a_missing_event_is_named_and_never_zero(void **state)
{
	struct counted c = {.config.scope = COUNTERS_AUTO};
	const struct run_counter *cycles;

	(void)state;
	need(COUNTERS_TASK);
	count(&c, "cycles,task-clock,no_such_pmu/x/,no_such:tracepoint", burn_thrice, NULL);
	cycles = find(&c.run, "cycles");
	if (cycles)
		assert_true(cycles->value > 0);
	else
		assert_true(warned(&c.run, "cycles"));
	assert_null(find(&c.run, "no_such_pmu/x/"));
	assert_true(warned(&c.run, "no PMU no_such_pmu here"));
	assert_true(warned(&c.run, "no_such:tracepoint: no such tracepoint"));
	assert_true(value_of(&c.run, "task-clock") > 0);
	run_release(&c.run);
}

static int never_begin(const void *arg, struct child_io *io)
{
	(void)arg;
	(void)io;
	return 0;
}

static void what_never_ran_is_missing_and_not_zero(void **state)
{
	struct counted c = {.config.scope = COUNTERS_TASK};

	(void)state;
	need_kernel_part();
	count(&c, "page-faults,task-clock", never_begin, NULL);
	assert_int_equal(c.run.counters_nr, 0);
	assert_true(warned(&c.run, "not counted, never ran: page-faults, task-clock"));
	run_release(&c.run);
}

/* Puts an empty file in the place of the last file of perf: reading it gives nothing, as of a CPU that is gone. */
static void empty_last_perf_file(void)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC), last = -1;

	for (int fd = 3; fd < 1024; fd++) {
		char link[32], what[32] = "";

		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		if (readlink(link, what, sizeof(what) - 1) > 0 && strstr(what, "[perf_event]"))
			last = fd;
	}
	assert_true(null >= 0 && last >= 0);
	assert_int_equal(dup2(null, last), last);
	close(null);
}

static void what_is_read_of_some_cpus_only_is_missing(void **state)
{
	struct counters_config config = {.scope = COUNTERS_SYSTEM};
	struct strlist events = {0}, warnings = {0};
	struct counters *counters;
	struct run run;
	struct err err;

	(void)state;
	need(COUNTERS_SYSTEM);
	counters_split_events("page-faults,task-clock", &events);
	config.events = &events;
	counters = counters_open(&config, &warnings, &err);
	assert_non_null(counters);
	run_init(&run);
	counters_enable(counters);
	counters_disable(counters);
	empty_last_perf_file(); /* of the event opened last, on the last CPU */
	counters_read(counters, &run);
	assert_non_null(find(&run, "page-faults"));
	assert_null(find(&run, "task-clock"));
	assert_true(warned(&run, "not counted, could not be read on every CPU: task-clock"));
	run_release(&run);
	counters_close(counters);
	strlist_release(&events);
	strlist_release(&warnings);
}

/* As a PMU with too few counters would give it. */
static void shared_counters_are_stored_and_named_idle_ones_are_missing(void **state)
{
	static const struct run_counter sums[] = {
		{"whole", 100, 1000000, 1000000},
		{"nearly", 100, 1000000, 999001}, /* rounding of the kernel's clocks */
		{"half", 50, 1000000, 500000},
		{"tenth", 0, 1000000, 100000}, /* a true zero */
		{"idle", 0, 1000000, 0},
		{"off", 0, 0, 0},
		{"cpu_atom/cycles/", 0, 1000000, 0},
	};
	struct run run;

	(void)state;
	run_init(&run);
	counters_store(sums, ARRAY_SIZE(sums), &run);
	assert_int_equal(run.counters_nr, 4);
	assert_int_equal(find(&run, "half")->value, 50); /* as read, not scaled */
	assert_int_equal(find(&run, "half")->running_ns, 500000);
	assert_int_equal(find(&run, "tenth")->value, 0);
	assert_null(find(&run, "idle"));
	assert_int_equal(run.warnings.nr, 2);
	assert_string_equal(run.warnings.v[0],
			    "not counted, never ran: idle, off, cpu_atom/cycles/");
	assert_string_equal(run.warnings.v[1], "multiplexed, values are estimates: half, tenth");
	run_release(&run);
}

/* A process of its own: what it does to limits and user ids must not stay. */
static void in_another_process(bool (*check)(void))
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0)
		_exit(check() ? 0 : 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static bool become_nobody(void)
{
	return setgroups(0, NULL) == 0 && setresgid(65534, 65534, 65534) == 0 &&
	       setresuid(65534, 65534, 65534) == 0 && prctl(PR_SET_DUMPABLE, 1) == 0;
}

static int read_paranoid(void)
{
	struct pool pool = {0};
	const char *text = sysfile_read(&pool, "", "/proc/sys/kernel/perf_event_paranoid");
	int64_t paranoid = -1;

	if (text)
		parse_i64(text, &paranoid);
	pool_release(&pool);
	return (int)paranoid;
}

/* Whatever this kernel's setting is, an ordinary user gets the counters it allows, or the reason. */
static bool nobody_counts(void)
{
	static const int pages = 1000;
	struct counted c = {.config.scope = COUNTERS_AUTO};
	int paranoid = read_paranoid();
	const struct run_counter *faults;
	char setting[64];
	bool ok;

	if (!become_nobody())
		return false;
	snprintf(setting, sizeof(setting), "kernel.perf_event_paranoid is %d", paranoid);
	count(&c, "page-faults,context-switches", touch_pages, &pages);
	faults = find(&c.run, paranoid >= 2 ? "page-faults:u" : "page-faults");
	ok = faults ? faults->value >= 1000 : paranoid >= 3 && strstr(c.err.msg, setting);
	if (paranoid >= 1 && faults)
		ok = ok && warned(&c.run, setting);
	if (paranoid >= 2)
		ok = ok && !find(&c.run, "context-switches:u");
	run_release(&c.run);
	return ok;
}

static void an_ordinary_user_is_told_the_setting(void **state)
{
	(void)state;
	need(COUNTERS_SYSTEM);
	if (geteuid() != 0) {
		print_message("only root can become an ordinary user\n");
		skip();
	}
	in_another_process(nobody_counts);
}

static int open_files(void)
{
	int nr = 0;

	for (int fd = 0; fd < 1000; fd++)
		nr += fcntl(fd, F_GETFD) >= 0;
	return nr;
}

static bool few_files(rlim_t soft, rlim_t hard, bool want_open)
{
	struct rlimit limit = {soft, hard}, after;
	struct counters_config config = {.scope = COUNTERS_TASK, .pid = getpid()};
	struct strlist events = {0}, warnings = {0};
	struct counters *counters;
	struct err err = {""};
	bool ok;

	counters_split_events("cpu-clock,task-clock,page-faults,minor-faults,major-faults,"
			      "context-switches,cpu-migrations,alignment-faults",
			      &events);
	config.events = &events;
	setrlimit(RLIMIT_NOFILE, &limit);
	counters = counters_open(&config, &warnings, &err);
	ok = want_open == (counters != NULL);
	if (!want_open)
		ok = ok && strstr(err.msg, "raise it (ulimit -n)");
	counters_close(counters);
	getrlimit(RLIMIT_NOFILE, &after);
	strlist_release(&events);
	strlist_release(&warnings);
	return ok && after.rlim_cur == soft;
}

static bool limit_can_be_raised(void)
{
	rlim_t now = (rlim_t)open_files();

	return few_files(now + 6, 1000, true);
}

static bool limit_is_too_low(void)
{
	rlim_t now = (rlim_t)open_files();

	return few_files(now + 6, now + 6, false);
}

static void a_limit_of_open_files_is_raised_and_restored(void **state)
{
	(void)state;
	need(COUNTERS_TASK);
	in_another_process(limit_can_be_raised);
}

static void a_hard_limit_of_open_files_is_named(void **state)
{
	(void)state;
	need_kernel_part();
	in_another_process(limit_is_too_low);
}

static void fakes_are_as_documented(void **state)
{
	struct counters_config config = {.scope = COUNTERS_FAKE, .seed = 7};
	struct strlist warnings = {0};
	struct err err;
	struct counters *counters = counters_open(&config, &warnings, &err);
	uint64_t base = counters_fake_hash("instructions", 0) % 1000000 + 1000000;
	const struct run_counter *counter;
	struct run run;

	(void)state;
	run_init(&run);
	counters_enable(counters);
	counters_disable(counters);
	counters_read(counters, &run);
	assert_int_equal(run.counters_nr, counters_default_events()->nr);
	assert_int_equal(warnings.nr + run.warnings.nr, 0);
	counter = find(&run, "instructions");
	assert_int_equal(counter->value, base + counters_fake_hash("instructions", 7) % 1000);
	assert_int_equal(counter->enabled_ns, 1000000000);
	assert_int_equal(counter->running_ns, 1000000000);
	assert_true(counters_fake_hash("a", 1) != counters_fake_hash("a", 2));
	assert_true(counters_fake_hash("a", 1) != counters_fake_hash("b", 1));
	/* a value that must never change: tables of tests rest on it */
	assert_int_equal(counters_fake_hash("", 0), 0xcbf29ce484222325 ^ 0xcbf29ce4);
	run_release(&run);
	counters_close(counters);
}

static void a_process_that_is_gone_is_an_error(void **state)
{
	struct counters_config config = {.scope = COUNTERS_TASK};
	struct strlist warnings = {0};
	struct err err = {""};
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	config.pid = pid;
	assert_null(counters_open(&config, &warnings, &err));
	assert_true(err.msg[0]);
	strlist_release(&warnings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(page_faults_are_those_of_the_pages_touched),
		cmocka_unit_test(context_switches_are_those_the_task_made),
		cmocka_unit_test(descendants_are_counted_whenever_they_were_forked),
		cmocka_unit_test(nothing_outside_the_measured_part_is_counted),
		cmocka_unit_test(system_wide_is_every_cpu),
		cmocka_unit_test(system_wide_sees_what_others_do),
		cmocka_unit_test(a_missing_event_is_named_and_never_zero),
		cmocka_unit_test(what_never_ran_is_missing_and_not_zero),
		cmocka_unit_test(what_is_read_of_some_cpus_only_is_missing),
		cmocka_unit_test(shared_counters_are_stored_and_named_idle_ones_are_missing),
		cmocka_unit_test(an_ordinary_user_is_told_the_setting),
		cmocka_unit_test(a_limit_of_open_files_is_raised_and_restored),
		cmocka_unit_test(a_hard_limit_of_open_files_is_named),
		cmocka_unit_test(fakes_are_as_documented),
		cmocka_unit_test(a_process_that_is_gone_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
