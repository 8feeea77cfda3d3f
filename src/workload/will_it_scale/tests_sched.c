// SPDX-License-Identifier: GPL-2.0-only
/* Tests of system call entry, scheduler, signals and threads. */
#include "workload/will_it_scale/test.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

/*
 * One operation is one getppid(): entry into the kernel and back, next to nothing in between.
 */
static int run_getppid1(const struct task *task)
{
	struct ops ops = task->ops;

	task_start(task);
	do
		getppid();
	while (ops_done(&ops, 1));
	return 0;
}
WIS_TEST(getppid1, .base.help = "one getppid(): system call entry and exit");

/*
 * One operation is one sched_yield(). Nobody else is on the CPU, unless there are more tasks than CPUs.
 */
static int run_sched_yield(const struct task *task)
{
	struct ops ops = task->ops;

	task_start(task);
	do {
		if (sched_yield())
			return task_fail(task, "sched_yield");
	} while (ops_done(&ops, 1));
	return 0;
}
WIS_TEST(sched_yield, .base.help = "one sched_yield()");

static void on_signal(int signal)
{
	(void)signal;
}

/*
 * One operation is one raise(SIGUSR1) with a handler that does nothing: sending, delivery and return of a
 * signal.
 */
static int run_signal1(const struct task *task)
{
	struct sigaction action = {.sa_handler = on_signal};
	struct ops ops = task->ops;

	sigemptyset(&action.sa_mask);
	sigaction(SIGUSR1, &action, NULL);
	task_start(task);
	do
		raise(SIGUSR1);
	while (ops_done(&ops, 1));
	return 0;
}
WIS_TEST(signal1, .base.help = "one signal sent to the task itself, handled by an empty handler");

struct ping_pong {
	const struct task *task;
	int there[2], back[2]; /* pipes */
};

/* 0, or -1 and errno. A signal does not count as a failure. */
static int move_byte(ssize_t (*move)(int fd, void *byte, size_t len), int fd, char *byte)
{
	ssize_t nr;

	do
		nr = move(fd, byte, 1);
	while (nr < 0 && errno == EINTR);
	return nr == 1 ? 0 : -1;
}

static ssize_t write_byte(int fd, void *byte, size_t len)
{
	return write(fd, byte, len);
}

static void partner(void *arg)
{
	/* In threads mode arg stays: the task's stack is there as long as the partner. */
	struct ping_pong pair = *(struct ping_pong *)arg;
	char byte = 0;

	while (move_byte(read, pair.there[0], &byte) == 0 &&
	       move_byte(write_byte, pair.back[1], &byte) == 0)
		;
	task_fail(pair.task, "partner: pipe");
}

/*
 * A task and its partner (a process or thread on the same core) send a byte to and fro through two pipes.
 * One operation is one of the two ways: a write that wakes the other and a wait for its answer make two.
 */
static int run_context_switch1(const struct task *task)
{
	struct ping_pong pair = {.task = task};
	struct ops ops = task->ops;
	char byte = 0;

	if (pipe(pair.there) || pipe(pair.back))
		return task_fail(task, "pipe");
	if (task_helper(task, partner, &pair))
		return -1;
	task_start(task);
	do {
		if (move_byte(write_byte, pair.there[1], &byte) ||
		    move_byte(read, pair.back[0], &byte))
			return task_fail(task, "pipe");
	} while (ops_done(&ops, 2));
	return 0;
}
WIS_TEST(context_switch1,
	 .base.help = "half a round trip of a byte between two tasks on one core, by pipes",
	 .has_partner = true);

static void *end_at_once(void *arg)
{
	return arg;
}

/*
 * One operation is one thread: made by pthread_create(), ending at once, waited for by pthread_join().
 */
static int run_threadspawn1(const struct task *task)
{
	struct ops ops = task->ops;
	pthread_t thread;

	task_start(task);
	do {
		errno = pthread_create(&thread, NULL, end_at_once, NULL);
		if (!errno)
			errno = pthread_join(thread, NULL);
		if (errno)
			return task_fail(task, "thread");
	} while (ops_done(&ops, 1));
	return 0;
}
WIS_TEST(threadspawn1, .base.help = "one thread created and joined", .has_partner = true,
	 .counted_ops = 10000);
