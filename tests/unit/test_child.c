// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/child.h"

#include "measure/child_wire.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Everything the callbacks saw, in order: "started begin value end". */
struct seen {
	struct strbuf log, warnings;
	pid_t pid;
	int64_t begin_ns, end_ns;
	struct number value;
	double sample_s, sample;
	int ticks;
};

static void on_started(void *data, pid_t pid)
{
	struct seen *seen = data;

	seen->pid = pid;
	strbuf_addstr(&seen->log, "started ");
}

static void on_begin(void *data)
{
	struct seen *seen = data;

	seen->begin_ns = clock_ns();
	strbuf_addstr(&seen->log, "begin ");
}

static void on_end(void *data)
{
	struct seen *seen = data;

	seen->end_ns = clock_ns();
	strbuf_addstr(&seen->log, "end ");
}

static void on_value(void *data, const char *metric, struct number value)
{
	struct seen *seen = data;

	seen->value = value;
	strbuf_addf(&seen->log, "%s ", metric);
}

static void on_sample(void *data, const char *metric, double time_s, double value)
{
	struct seen *seen = data;

	seen->sample_s = time_s;
	seen->sample = value;
	strbuf_addf(&seen->log, "%s ", metric);
}

static void on_warning(void *data, const char *text)
{
	struct seen *seen = data;

	strbuf_addf(&seen->warnings, "%s\n", text);
}

static void on_tick(void *data, double elapsed_s)
{
	struct seen *seen = data;

	assert_true(elapsed_s > 0);
	seen->ticks++;
}

static const struct child_callbacks callbacks = {
	.started = on_started,
	.begin = on_begin,
	.end = on_end,
	.value = on_value,
	.sample = on_sample,
	.warning = on_warning,
	.tick = on_tick,
};

struct fixture {
	struct seen seen;
	struct child_spec spec;
	struct child_result result;
	struct err err;
};

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));

	strbuf_init(&f->seen.log);
	strbuf_init(&f->seen.warnings);
	strbuf_init(&f->result.reason);
	strbuf_init(&f->result.output);
	f->spec.callbacks = &callbacks;
	f->spec.data = &f->seen;
	f->spec.timeout_s = 30; /* no test may hang */
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	child_result_release(&f->result);
	strbuf_release(&f->seen.log);
	strbuf_release(&f->seen.warnings);
	free(f);
	return 0;
}

static void run_program(struct fixture *f, char *const *argv)
{
	f->spec.argv = argv;
	assert_int_equal(child_run(&f->spec, &f->result, &f->err), 0);
}

static void run_shell(struct fixture *f, const char *script)
{
	char sh[] = "sh", c[] = "-c", *copy = xstrdup(script);
	char *argv[] = {sh, c, copy, NULL};

	run_program(f, argv);
	free(copy);
}

static void run_function(struct fixture *f, int (*function)(const void *, struct child_io *),
			 const void *arg)
{
	f->spec.function = function;
	f->spec.arg = arg;
	assert_int_equal(child_run(&f->spec, &f->result, &f->err), 0);
}

/* Is there no such process (a zombie counts as none)? Waits up to two seconds for that. */
static bool is_gone(pid_t pid)
{
	char path[64], line[256];

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	for (int i = 0; i < 200; i++) {
		FILE *file = fopen(path, "re");
		const char *state;

		if (!file)
			return true;
		state = fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;
		fclose(file);
		if (!state || state[2] == 'Z')
			return true;
		usleep(10000);
	}
	return false;
}

static void a_program_that_succeeds_is_ok(void **state)
{
	struct fixture *f = *state;

	run_shell(f, "echo out; echo err >&2");
	assert_int_equal(f->result.status, RUN_OK);
	assert_string_equal(f->result.reason.buf, "");
	assert_string_equal(f->result.output.buf, "out\nerr\n");
	assert_string_equal(f->seen.log.buf, "started begin end ");
	assert_string_equal(f->seen.warnings.buf, "");
	assert_true(f->result.wall_s > 0 && f->result.wall_s < 10);
}

static void an_end_is_told_by_status_and_reason(void **state)
{
	static const struct {
		const char *script, *reason;
		enum run_status status;
		int exit_code, signal;
	} cases[] = {
		{"exit 0", "", RUN_OK, 0, 0},
		{"exit 3", "exit status 3", RUN_FAILED, 3, 0},
		{"exit 255", "exit status 255", RUN_FAILED, 255, 0},
		{"kill -KILL $$", "killed by signal 9 (Killed)", RUN_KILLED, 0, 9},
		{"kill -TERM $$", "killed by signal 15 (Terminated)", RUN_KILLED, 0, 15},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fixture *f = *state;

		run_shell(f, cases[i].script);
		assert_int_equal(f->result.status, cases[i].status);
		assert_int_equal(f->result.exit_code, cases[i].exit_code);
		assert_int_equal(f->result.signal, cases[i].signal);
		assert_string_equal(f->result.reason.buf, cases[i].reason);
		child_result_release(&f->result);
	}
}

static void a_program_that_cannot_be_executed_has_failed(void **state)
{
	static const struct {
		const char *program, *reason;
	} cases[] = {
		{"no-such-program-here", "no-such-program-here: No such file or directory"},
		{"/etc/passwd", "/etc/passwd: Permission denied"},
		{"/dev", "/dev: Permission denied"},
		{"", ": No such file or directory"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fixture *f = *state;
		char *program = xstrdup(cases[i].program);
		char *argv[] = {program, NULL};

		run_program(f, argv);
		assert_int_equal(f->result.status, RUN_FAILED);
		assert_int_equal(f->result.exit_code, 127);
		assert_string_equal(f->result.reason.buf, cases[i].reason);
		child_result_release(&f->result);
		free(program);
	}
}

static int talk(const void *arg, struct child_io *io)
{
	child_value(io, "ops", number_int(*(const int64_t *)arg));
	child_begin(io);
	child_sample(io, "rate", 1.5, 2.25);
	child_end(io);
	child_warn(io, "careful: %d", 7);
	puts("said");
	return 0;
}

static void a_function_reports_its_measured_part_and_values(void **state)
{
	struct fixture *f = *state;
	int64_t ops = INT64_MAX - 1;

	run_function(f, talk, &ops);
	assert_int_equal(f->result.status, RUN_OK);
	assert_string_equal(f->seen.log.buf, "started ops begin rate end ");
	assert_int_equal(f->seen.value.kind, NUMBER_INT);
	assert_true(f->seen.value.i == ops);
	assert_float_equal(f->seen.sample_s, 1.5, 0);
	assert_float_equal(f->seen.sample, 2.25, 0);
	assert_string_equal(f->seen.warnings.buf, "careful: 7\n");
	assert_string_equal(f->result.output.buf, "said\n");
}

static int pause_around(const void *arg, struct child_io *io)
{
	int64_t *ns = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	(void)arg;
	usleep(100000);
	child_begin(io);
	ns[0] = clock_ns();
	usleep(100000);
	ns[1] = clock_ns();
	child_end(io);
	child_value(io, "part_ns", number_int(ns[1] - ns[0]));
	usleep(100000);
	return 0;
}

static void the_callbacks_enclose_the_measured_part_and_nothing_more(void **state)
{
	struct fixture *f = *state;
	int64_t measured_ns;

	run_function(f, pause_around, NULL);
	measured_ns = f->seen.end_ns - f->seen.begin_ns;
	assert_true(measured_ns >= f->seen.value.i);
	assert_true(measured_ns < f->seen.value.i + 50000000);
	assert_true(f->result.wall_s >= 0.3);
}

static int fail_politely(const void *arg, struct child_io *io)
{
	child_fail(io, "%s", (const char *)arg);
	child_fail(io, "a consequence");
	return 0;
}

static void the_first_failure_is_the_reason(void **state)
{
	struct fixture *f = *state;

	run_function(f, fail_politely, "mmap: not\nenough memory");
	assert_int_equal(f->result.status, RUN_FAILED);
	assert_string_equal(f->result.reason.buf, "mmap: not enough memory");
}

static int crash(const void *arg, struct child_io *io)
{
	(void)arg;
	puts("last words");
	child_begin(io);
	signal(SIGSEGV, SIG_DFL); /* a sanitizer would make an exit status of it */
	raise(SIGSEGV);
	return 0;
}

static void a_crash_inside_the_measured_part_ends_it(void **state)
{
	struct fixture *f = *state;

	run_function(f, crash, NULL);
	assert_int_equal(f->result.status, RUN_KILLED);
	assert_int_equal(f->result.signal, SIGSEGV);
	assert_memory_equal(f->result.reason.buf, "killed by signal 11 (Segmentation fault)", 40);
	assert_string_equal(f->seen.log.buf, "started begin end ");
	assert_string_equal(f->result.output.buf, "last words\n");
}

static int babble(const void *arg, struct child_io *io)
{
	char junk[CHILD_PACKET_MAX * 2];

	(void)arg;
	memset(junk, 'x', sizeof(junk));
	for (size_t len = 0; len < sizeof(junk); len += 100)
		send(io->sock, junk, len, 0);
	child_end(io); /* before child_begin() */
	child_begin(io);
	child_begin(io);
	child_end(io);
	child_end(io);
	child_value(io, "", number_int(1));
	child_sample(io, "when", NAN, 1);
	child_value(io, "sane", number_float(0.5));
	return 0;
}

static void malformed_messages_are_ignored_with_one_warning(void **state)
{
	struct fixture *f = *state;

	run_function(f, babble, NULL);
	assert_int_equal(f->result.status, RUN_OK);
	assert_string_equal(f->seen.log.buf, "started begin end sane ");
	assert_string_equal(f->seen.warnings.buf,
			    "the test sent a malformed message, which was ignored\n");
}

static int send_much(const void *arg, struct child_io *io)
{
	char name[32];

	for (int i = 0; i < *(const int *)arg; i++) {
		snprintf(name, sizeof(name), "m%d", i);
		child_value(io, name, number_int(i));
	}
	return 0;
}

static void no_message_is_lost(void **state)
{
	struct fixture *f = *state;
	int nr = 20000;

	run_function(f, send_much, &nr);
	assert_int_equal(f->result.status, RUN_OK);
	assert_true(ends_with(f->seen.log.buf, " m19998 m19999 "));
	assert_int_equal(f->seen.value.i, nr - 1);
}

static int send_forever(const void *arg, struct child_io *io)
{
	(void)arg;
	for (;;)
		child_value(io, "again", number_int(1));
	return 0;
}

static void on_value_ignore(void *data, const char *metric, struct number value)
{
	(void)data;
	(void)metric;
	(void)value;
}

static void a_flood_of_messages_does_not_outlast_the_time_limit(void **state)
{
	static const struct child_callbacks ignore = {.value = on_value_ignore};
	struct fixture *f = *state;

	f->spec.callbacks = &ignore;
	f->spec.timeout_s = 0.3;
	run_function(f, send_forever, NULL);
	assert_int_equal(f->result.status, RUN_TIMEOUT);
	assert_true(f->result.wall_s < 1.5);
}

static void only_the_end_of_much_output_is_kept(void **state)
{
	struct fixture *f = *state;

	f->spec.output_max = 10;
	run_shell(f, "seq 1 200000");
	assert_int_equal(f->result.status, RUN_OK);
	assert_int_equal(f->result.output.len, 10);
	assert_string_equal(f->result.output.buf, "99\n200000\n");
}

static void output_without_end_costs_no_memory(void **state)
{
	struct fixture *f = *state;

	run_shell(f, "head -c 500000000 /dev/zero");
	assert_int_equal(f->result.status, RUN_OK);
	assert_int_equal(f->result.output.len, 64 * 1024);
}

static void a_program_may_close_its_output(void **state)
{
	struct fixture *f = *state;

	run_shell(f, "exec >&- 2>&-; sleep 0.3; exit 4");
	assert_int_equal(f->result.exit_code, 4);
	assert_true(f->result.wall_s >= 0.3);
}

static void the_environment_is_clean(void **state)
{
	struct fixture *f = *state;

	/* stdin is empty, no other file is open (3 is the folder itself), nothing is ignored or blocked */
	signal(SIGUSR1, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	setenv("LC_ALL", "de_DE.UTF-8", 1);
	run_shell(f, "cat; echo $LC_ALL; ls /proc/self/fd | tr '\\n' ' '; "
		     "grep -E '^Sig(Blk|Ign)' /proc/self/status | tr -d '[:space:]'");
	signal(SIGUSR1, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	unsetenv("LC_ALL");
	assert_string_equal(f->result.output.buf,
			    "C\n0 1 2 3 SigBlk:0000000000000000SigIgn:0000000000000000");
}

static void it_works_without_standard_files(void **state)
{
	struct fixture *f = *state;
	int saved[3];

	for (int i = 0; i < 3; i++) {
		saved[i] = fcntl(i, F_DUPFD_CLOEXEC, 10);
		close(i);
	}
	run_shell(f, "cat; ls /proc/self/fd | tr '\\n' ' '; echo err >&2");
	for (int i = 0; i < 3; i++) {
		dup2(saved[i], i);
		close(saved[i]);
	}
	assert_string_equal(f->result.output.buf, "0 1 2 3 err\n");
	assert_int_equal(f->result.status, RUN_OK);
}

static void a_time_limit_ends_it(void **state)
{
	struct fixture *f = *state;

	f->spec.timeout_s = 0.3;
	run_shell(f, "trap 'echo asked; exit 0' TERM; sleep 20 & wait");
	assert_int_equal(f->result.status, RUN_TIMEOUT);
	assert_string_equal(f->result.reason.buf, "stopped after its time limit of 0.3 s");
	assert_string_equal(f->result.output.buf, "asked\n");
	assert_true(f->result.wall_s >= 0.3 && f->result.wall_s < 2);
	assert_false(f->result.stopped);
}

static void who_ignores_the_time_limit_is_killed(void **state)
{
	struct fixture *f = *state;

	f->spec.timeout_s = 0.2;
	run_shell(f, "trap '' TERM; while :; do sleep 1; done");
	assert_int_equal(f->result.status, RUN_TIMEOUT);
	assert_int_equal(f->result.signal, SIGKILL);
	assert_true(f->result.wall_s >= 2.1 && f->result.wall_s < 4);
}

static volatile sig_atomic_t stop;

static void *set_stop(void *arg)
{
	usleep(300000);
	stop = *(const int *)arg;
	return NULL;
}

static void stop_after_a_moment(struct fixture *f, int value, const char *script)
{
	pthread_t thread;

	stop = 0;
	f->spec.stop = &stop;
	assert_int_equal(pthread_create(&thread, NULL, set_stop, &value), 0);
	run_shell(f, script);
	pthread_join(thread, NULL);
}

static void the_stop_flag_ends_it_soon(void **state)
{
	struct fixture *f = *state;

	stop_after_a_moment(f, 1, "sleep 20");
	assert_int_equal(f->result.status, RUN_KILLED);
	assert_true(f->result.stopped);
	assert_string_equal(f->result.reason.buf, "interrupted");
	assert_true(f->result.wall_s >= 0.29 && f->result.wall_s < 1.5);
}

static void a_second_stop_does_not_ask(void **state)
{
	struct fixture *f = *state;

	stop_after_a_moment(f, 2, "trap '' TERM; while :; do sleep 1; done");
	assert_true(f->result.stopped);
	assert_int_equal(f->result.signal, SIGKILL);
	assert_true(f->result.wall_s < 0.9);
}

static void on_alarm(int sig)
{
	(void)sig;
	stop = 1;
}

/* Between two ticks, of which the later comes at half a second. A busy machine gets a second chance. */
static void a_signal_wakes_it_at_once(void **state)
{
	struct sigaction action = {.sa_handler = on_alarm};
	struct fixture *f = *state;
	double fastest_s = 9;

	f->spec.stop = &stop;
	sigaction(SIGALRM, &action, NULL);
	for (int i = 0; i < 5 && fastest_s > 0.45; i++) {
		child_result_release(&f->result);
		stop = 0;
		ualarm(310000, 0);
		run_shell(f, "sleep 20");
		assert_true(f->result.stopped);
		fastest_s = fmin(fastest_s, f->result.wall_s);
	}
	signal(SIGALRM, SIG_DFL);
	assert_true(fastest_s <= 0.45);
}

static void a_stopped_process_is_ended_too(void **state)
{
	struct fixture *f = *state;

	f->spec.timeout_s = 0.3;
	run_shell(f, "kill -STOP $$");
	assert_int_equal(f->result.status, RUN_TIMEOUT);
	assert_true(f->result.wall_s < 1);
}

static pid_t pid_in(const struct strbuf *output)
{
	int64_t pid = -1;
	char *line = xstrndup(output->buf, strcspn(output->buf, "\n"));

	assert_true(parse_i64(line, &pid));
	free(line);
	return (pid_t)pid;
}

static void what_it_leaves_behind_is_killed(void **state)
{
	static const char *const scripts[] = {
		"sleep 50 & echo $!", /* in its group, with its output open */
		"sleep 50 >/dev/null 2>&1 & echo $!",
		/* in a session of its own, with two generations between */
		"(setsid sh -c 'echo $$; exec sleep 50' &) ; sleep 0.2",
		"setsid setsid sh -c 'trap \"\" TERM HUP; echo $$; sleep 50; sleep 50' & sleep 0.3",
	};

	for (size_t i = 0; i < ARRAY_SIZE(scripts); i++) {
		struct fixture *f = *state;

		strbuf_reset(&f->seen.warnings);
		run_shell(f, scripts[i]);
		assert_int_equal(f->result.status, RUN_OK);
		assert_true(f->result.wall_s < 5);
		assert_true(is_gone(pid_in(&f->result.output)));
		assert_non_null(strstr(f->seen.warnings.buf, "left running by the test, killed"));
		child_result_release(&f->result);
	}
}

static void nobody_is_left_after_a_time_limit_either(void **state)
{
	struct fixture *f = *state;

	f->spec.timeout_s = 0.4;
	run_shell(f, "setsid sh -c 'trap \"\" TERM; echo $$; sleep 50; sleep 50' & sleep 50");
	assert_int_equal(f->result.status, RUN_TIMEOUT);
	assert_true(is_gone(pid_in(&f->result.output)));
	assert_string_equal(f->seen.warnings.buf, "");
}

static void children_we_had_before_are_left_alone(void **state)
{
	struct fixture *f = *state;
	pid_t mine = fork();
	int was = -1, is = -1;

	if (mine == 0) {
		pause();
		_exit(0);
	}
	prctl(PR_GET_CHILD_SUBREAPER, &was);
	run_shell(f, "sleep 50 & exit 0");
	prctl(PR_GET_CHILD_SUBREAPER, &is);
	assert_int_equal(was, is);
	assert_int_equal(waitpid(mine, NULL, WNOHANG), 0);
	kill(mine, SIGKILL);
	assert_int_equal(waitpid(mine, NULL, 0), mine);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* and no other is left */
	assert_int_equal(errno, ECHILD);
}

static void orphans_are_reaped_while_it_runs(void **state)
{
	struct fixture *f = *state;

	/* 20 orphans that end at once; half a second later none of them may be a zombie */
	run_shell(f, "for i in $(seq 20); do (true & true); done; sleep 0.7;"
		     "cat /proc/[0-9]*/stat 2>/dev/null | grep -c \") Z $PPID \"");
	assert_string_equal(f->result.output.buf, "0\n");
}

/* The whole life of a program that runs a child and is killed itself; prints the child's pid first. */
static void on_started_tell(void *data, pid_t pid)
{
	if (write(*(int *)data, &pid, sizeof(pid)) != sizeof(pid))
		_exit(1);
}

static void it_dies_with_us(void **state)
{
	static const struct child_callbacks tell = {.started = on_started_tell};
	int fd[2];
	pid_t outer, inner = 0;

	(void)state;
	assert_int_equal(pipe(fd), 0);
	outer = fork();
	if (outer == 0) {
		char program[] = "sleep", time[] = "50", *argv[] = {program, time, NULL};
		struct child_spec spec = {.argv = argv, .callbacks = &tell, .data = &fd[1]};
		struct child_result result;
		struct err err;

		child_run(&spec, &result, &err);
		_exit(0);
	}
	assert_int_equal(read(fd[0], &inner, sizeof(inner)), sizeof(inner));
	usleep(100000);
	assert_false(kill(inner, 0));
	kill(outer, SIGKILL);
	waitpid(outer, NULL, 0);
	assert_true(is_gone(inner));
	close(fd[0]);
	close(fd[1]);
}

static int burn(const void *arg, struct child_io *io)
{
	struct rusage usage;

	(void)arg;
	(void)io;
	do
		getrusage(RUSAGE_SELF, &usage);
	while (usage.ru_utime.tv_sec * 1000000 + usage.ru_utime.tv_usec +
		       usage.ru_stime.tv_sec * 1000000 + usage.ru_stime.tv_usec <
	       200000);
	return 0;
}

static void its_resources_are_known(void **state)
{
	struct fixture *f = *state;
	const struct rusage *usage = &f->result.rusage;
	double cpu_s;

	run_function(f, burn, NULL);
	cpu_s = (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
		(double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
	assert_true(cpu_s >= 0.2 && cpu_s < 0.4);
	assert_true(usage->ru_maxrss > 0);
}

static void it_works_where_sigchld_is_ignored(void **state)
{
	struct fixture *f = *state;
	struct sigaction after;

	signal(SIGCHLD, SIG_IGN);
	run_shell(f, "exit 5");
	sigaction(SIGCHLD, NULL, &after);
	signal(SIGCHLD, SIG_DFL);
	assert_int_equal(f->result.exit_code, 5);
	assert_true(after.sa_handler == SIG_IGN);
}

static void time_passes_in_ticks(void **state)
{
	struct fixture *f = *state;

	run_shell(f, "sleep 1.1");
	assert_in_range(f->seen.ticks, 3, 5);
}

static int count_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int nr = 0;

	while (readdir(dir))
		nr++;
	closedir(dir);
	return nr;
}

static void no_file_stays_open(void **state)
{
	struct fixture *f = *state;
	int before = count_files();

	run_shell(f, "true");
	assert_int_equal(count_files(), before);
}

static void buffered_output_of_ours_is_not_repeated_by_the_child(void **state)
{
	struct fixture *f = *state;
	int64_t ops = 1;
	int saved = dup(1), file = memfd_create("stdout", MFD_CLOEXEC);
	char text[64] = "";

	assert_true(file >= 0);
	dup2(file, 1);
	setvbuf(stdout, NULL, _IOFBF, 4096);
	fputs("ours ", stdout);
	run_function(f, talk, &ops);
	fflush(stdout);
	dup2(saved, 1);
	assert_true(pread(file, text, sizeof(text) - 1, 0) > 0);
	close(saved);
	close(file);
	assert_string_equal(text, "ours ");
	assert_string_equal(f->result.output.buf, "said\n");
}

#define CHILD_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CHILD_TEST(a_program_that_succeeds_is_ok),
		CHILD_TEST(an_end_is_told_by_status_and_reason),
		CHILD_TEST(a_program_that_cannot_be_executed_has_failed),
		CHILD_TEST(a_function_reports_its_measured_part_and_values),
		CHILD_TEST(the_callbacks_enclose_the_measured_part_and_nothing_more),
		CHILD_TEST(the_first_failure_is_the_reason),
		CHILD_TEST(a_crash_inside_the_measured_part_ends_it),
		CHILD_TEST(malformed_messages_are_ignored_with_one_warning),
		CHILD_TEST(no_message_is_lost),
		CHILD_TEST(a_flood_of_messages_does_not_outlast_the_time_limit),
		CHILD_TEST(only_the_end_of_much_output_is_kept),
		CHILD_TEST(output_without_end_costs_no_memory),
		CHILD_TEST(a_program_may_close_its_output),
		CHILD_TEST(the_environment_is_clean),
		CHILD_TEST(it_works_without_standard_files),
		CHILD_TEST(a_time_limit_ends_it),
		CHILD_TEST(who_ignores_the_time_limit_is_killed),
		CHILD_TEST(the_stop_flag_ends_it_soon),
		CHILD_TEST(a_second_stop_does_not_ask),
		CHILD_TEST(a_signal_wakes_it_at_once),
		CHILD_TEST(a_stopped_process_is_ended_too),
		CHILD_TEST(what_it_leaves_behind_is_killed),
		CHILD_TEST(nobody_is_left_after_a_time_limit_either),
		CHILD_TEST(children_we_had_before_are_left_alone),
		CHILD_TEST(orphans_are_reaped_while_it_runs),
		CHILD_TEST(it_dies_with_us),
		CHILD_TEST(its_resources_are_known),
		CHILD_TEST(it_works_where_sigchld_is_ignored),
		CHILD_TEST(time_passes_in_ticks),
		CHILD_TEST(no_file_stays_open),
		CHILD_TEST(buffered_output_of_ours_is_not_repeated_by_the_child),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
