// SPDX-License-Identifier: GPL-2.0-only
/* Tests of pipes, sockets, eventfd and poll. */
#include "workload/will_it_scale/test.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

/* Writes to one end and reads from the other what was written: it never waits. */
static inline int echo_loop(const struct task *task, const int ends[2], size_t len)
{
	struct ops ops = task->ops;
	uint64_t message = 1;
	ssize_t nr;

	task_start(task);
	do {
		do
			nr = write(ends[1], &message, len);
		while (nr < 0 && errno == EINTR);
		if (nr != (ssize_t)len)
			return task_fail(task, "write");
		do
			nr = read(ends[0], &message, len);
		while (nr < 0 && errno == EINTR);
		if (nr != (ssize_t)len)
			return task_fail(task, "read");
	} while (ops_done(&ops, 1));
	return 0;
}

/*
 * One operation is a write of one byte into a pipe of the task's own and its read by the same task.
 */
static int run_pipe1(const struct task *task)
{
	int ends[2];

	return pipe(ends) ? task_fail(task, "pipe") : echo_loop(task, ends, 1);
}
WIS_TEST(pipe1, .base.help = "write and read of one byte through a pipe, by one task");

/*
 * As pipe1, through a pair of connected Unix stream sockets.
 */
static int run_unix1(const struct task *task)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return task_fail(task, "socketpair");
	return echo_loop(task, ends, 1);
}
WIS_TEST(unix1, .base.help = "write and read of one byte through Unix sockets, by one task");

/*
 * One operation is a write of the value 1 to an eventfd of the task's own and its read.
 */
static int run_eventfd1(const struct task *task)
{
	int fd = eventfd(0, 0);

	if (fd < 0)
		return task_fail(task, "eventfd");
	return echo_loop(task, (const int[]){fd, fd}, sizeof(uint64_t));
}
WIS_TEST(eventfd1, .base.help = "write and read of an eventfd, by one task");

enum {
	POLL2_FILES = 128
};

/* Regular files are always ready: poll() asks each and returns. The array is filled anew for each call. */
static inline int poll_loop(const struct task *task, const int *fds, int nr)
{
	struct ops ops = task->ops;
	struct pollfd polled[POLL2_FILES];

	task_start(task);
	do {
		for (int i = 0; i < nr; i++)
			polled[i] = (struct pollfd){.fd = fds[i], .events = POLLOUT};
		if (poll(polled, (nfds_t)nr, 0) < 0)
			return task_fail(task, "poll");
	} while (ops_done(&ops, 1));
	return 0;
}

/*
 * One operation is one poll() of one regular file for writing, without waiting.
 */
static int run_poll1(const struct task *task)
{
	int fd = task_temp_file(task, 0);

	return fd < 0 ? -1 : poll_loop(task, &fd, 1);
}
WIS_TEST(poll1, .base.help = "one poll() of one file");

/*
 * One operation is one poll() of 128 regular files for writing, without waiting.
 */
static int run_poll2(const struct task *task)
{
	int fds[POLL2_FILES];

	for (int i = 0; i < POLL2_FILES; i++) {
		fds[i] = task_temp_file(task, 0);
		if (fds[i] < 0)
			return -1;
	}
	return poll_loop(task, fds, POLL2_FILES);
}
WIS_TEST(poll2, .base.help = "one poll() of 128 files");
