// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "workload/crew.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int64_t seconds_from_now(double s)
{
	return clock_ns() + (int64_t)(s * 1e9);
}

/* Shared with the processes of a crew. */
static int *shared;

static int set_up_shared(void **state)
{
	(void)state;
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return shared == MAP_FAILED ? -1 : 0;
}

static int tear_down_shared(void **state)
{
	(void)state;
	return munmap(shared, 4096);
}

static int wait_forever(struct crew_board *board, void *arg)
{
	(void)arg;
	crew_wait_start(board);
	while (pause() < 0)
		;
	return 0;
}

static int add_one(struct crew_board *board, void *arg)
{
	(void)arg;
	crew_wait_start(board);
	__atomic_add_fetch(&shared[0], 1, __ATOMIC_SEQ_CST);
	return 0;
}

static void start_crew(struct crew *crew, crew_work *work, int nr)
{
	struct err err;

	if (crew_init(crew, &err))
		fail_msg("%s", err.msg);
	for (int i = 0; i < nr; i++)
		if (crew_add(crew, work, &i, &err))
			fail_msg("%s", err.msg);
}

static void test_nobody_starts_before_all_are_ready(void **state)
{
	struct crew crew;
	struct err err;

	(void)state;
	shared[0] = 0;
	start_crew(&crew, add_one, 8);
	assert_int_equal(crew_wait_ready(&crew, 8, &err), 0);
	assert_int_equal(shared[0], 0);
	crew_start(&crew);
	assert_int_equal(crew_wait_end(&crew, &err), 0);
	assert_int_equal(shared[0], 8);
	crew_release(&crew);
}

static void test_release_leaves_no_process(void **state)
{
	struct crew crew;
	struct err err;

	(void)state;
	start_crew(&crew, wait_forever, 5);
	assert_int_equal(crew_wait_ready(&crew, 5, &err), 0);
	crew_release(&crew);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	crew_release(&crew); /* a released crew is an empty one */
}

static int fail_second(struct crew_board *board, void *arg)
{
	if (*(int *)arg == 1)
		return crew_fail(board, "number %d: %s", 1, "no luck") ? 7 : 0;
	return wait_forever(board, arg);
}

static void test_the_reason_of_a_failure_comes_through(void **state)
{
	struct crew crew;
	struct err err;

	(void)state;
	start_crew(&crew, fail_second, 3);
	assert_int_equal(crew_wait_ready(&crew, 3, &err), -1);
	assert_string_equal(err.msg, "number 1: no luck");
	crew_release(&crew);
}

static int die(struct crew_board *board, void *arg)
{
	struct rlimit no_core = {0};

	(void)arg;
	crew_wait_start(board);
	setrlimit(RLIMIT_CORE, &no_core);
	signal(shared[1], SIG_DFL);
	raise(shared[1]);
	return shared[2];
}

static void test_an_unexpected_end_is_explained_at_once(void **state)
{
	static const struct {
		int signal, status;
		const char *reason;
	} cases[] = {
		{SIGSEGV, 0, "a task was killed by SIGSEGV"},
		{SIGKILL, 0, "a task was killed by SIGKILL: out of memory?"},
		{SIGBUS, 0, "a task was killed by SIGBUS: is the file system of $TMPDIR full?"},
		{SIGCHLD, 3, "a task ended by itself with status 3"},
		{SIGCHLD, 0, "a task ended by itself with status 0"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int64_t start = clock_ns();
		struct crew crew;
		struct err err;

		shared[1] = cases[i].signal;
		shared[2] = cases[i].status;
		start_crew(&crew, die, 1);
		assert_int_equal(crew_wait_ready(&crew, 1, &err), 0);
		crew_start(&crew);
		assert_int_equal(crew_sleep_until(&crew, seconds_from_now(30), &err), -1);
		assert_string_equal(err.msg, cases[i].reason);
		assert_true(clock_ns() - start < (int64_t)10 * 1000000000);
		crew_release(&crew);
	}
}

static void test_sleep_ends_at_the_deadline(void **state)
{
	int64_t deadline = seconds_from_now(0.05);
	struct crew crew;
	struct err err;

	(void)state;
	start_crew(&crew, wait_forever, 1);
	assert_int_equal(crew_sleep_until(&crew, deadline, &err), 0);
	assert_true(clock_ns() >= deadline);
	assert_int_equal(crew_sleep_until(&crew, deadline, &err), 0); /* in the past */
	crew_release(&crew);
}

static void test_sigterm_ends_a_sleep(void **state)
{
	struct crew crew;
	struct err err;

	(void)state;
	start_crew(&crew, wait_forever, 1);
	raise(SIGTERM);
	assert_int_equal(crew_sleep_until(&crew, seconds_from_now(30), &err), -1);
	assert_string_equal(err.msg, "ended by SIGTERM");
	crew_release(&crew);
}

static void *fail_in_thread(void *arg)
{
	crew_fail(arg, "thread %d", 1);
	_exit(1);
}

static int fail_in_threads(struct crew_board *board, void *arg)
{
	pthread_t thread;

	(void)arg;
	for (int i = 0; i < 16; i++)
		pthread_create(&thread, NULL, fail_in_thread, board);
	pause();
	return 0;
}

static void test_of_many_failures_one_whole_reason_is_kept(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++) {
		struct crew crew;
		struct err err;

		start_crew(&crew, fail_in_threads, 2);
		assert_int_equal(crew_wait_end(&crew, &err), -1);
		assert_string_equal(err.msg, "thread 1");
		crew_release(&crew);
	}
}

static void helper(void *arg)
{
	(void)arg;
	shared[3] = getpid();
	while (pause() < 0)
		;
}

static int start_helper(struct crew_board *board, void *arg)
{
	if (crew_fork_helper(helper, arg))
		return 1;
	while (!__atomic_load_n(&shared[3], __ATOMIC_SEQ_CST))
		usleep(1000);
	return wait_forever(board, arg);
}

static void test_helpers_end_with_their_task(void **state)
{
	struct crew crew;
	struct err err;

	(void)state;
	shared[3] = 0;
	start_crew(&crew, start_helper, 1);
	assert_int_equal(crew_wait_ready(&crew, 1, &err), 0);
	crew_release(&crew);
	assert_true(shared[3] > 0);
	assert_int_equal(kill(shared[3], 0), -1);
	assert_int_equal(errno, ESRCH);
}

/* Runs in a process of its own that is killed. */
static void lead_a_crew(void)
{
	struct crew crew;
	struct err err;

	start_crew(&crew, wait_forever, 2);
	crew_wait_ready(&crew, 2, &err);
	shared[4] = crew.pids[0];
	shared[5] = crew.pids[1];
	__atomic_store_n(&shared[6], 1, __ATOMIC_SEQ_CST);
	pause();
}

static bool gone(pid_t pid)
{
	for (int i = 0; i < 500; i++) {
		if (kill(pid, 0) && errno == ESRCH)
			return true;
		while (waitpid(-1, NULL, WNOHANG) > 0)
			; /* the crew may have become ours */
		usleep(10000);
	}
	return false;
}

static void test_kill_9_of_the_leader_ends_the_crew(void **state)
{
	pid_t leader;

	(void)state;
	shared[6] = 0;
	leader = fork();
	if (leader == 0) {
		lead_a_crew();
		_exit(0);
	}
	while (!__atomic_load_n(&shared[6], __ATOMIC_SEQ_CST))
		usleep(1000);
	kill(leader, SIGKILL);
	waitpid(leader, NULL, 0);
	assert_true(gone(shared[4]));
	assert_true(gone(shared[5]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nobody_starts_before_all_are_ready),
		cmocka_unit_test(test_release_leaves_no_process),
		cmocka_unit_test(test_the_reason_of_a_failure_comes_through),
		cmocka_unit_test(test_an_unexpected_end_is_explained_at_once),
		cmocka_unit_test(test_sleep_ends_at_the_deadline),
		cmocka_unit_test(test_sigterm_ends_a_sleep),
		cmocka_unit_test(test_of_many_failures_one_whole_reason_is_kept),
		cmocka_unit_test(test_helpers_end_with_their_task),
		cmocka_unit_test(test_kill_9_of_the_leader_ends_the_crew),
	};

	return cmocka_run_group_tests(tests, set_up_shared, tear_down_shared);
}
