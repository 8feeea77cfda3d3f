/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WORKLOAD_CREW_H
#define WORKLOAD_CREW_H
/*
 * Processes that do a workload's work, started by the child of a run. They die with the process that started
 * them (PR_SET_PDEATHSIG) and leave the reason of a failure where it can be read. The child of the run waits
 * for all of them, and for the processes those started, so that their resource usage becomes its own.
 *
 * One crew at a time in a process: crew_init() takes over SIGCHLD, SIGTERM and SIGINT.
 */
#include "base/err.h"

#include <sys/types.h>

/* What all processes share. */
struct crew_board;

typedef int crew_work(struct crew_board *board, void *arg);

/* A zeroed struct is an empty crew. */
struct crew {
	struct crew_board *board;
	pid_t *pids; /* 0: it ended */
	int nr, alloc;
};

int crew_init(struct crew *crew, struct err *err);

/* Starts one more process; what work() returns is its exit status. */
int crew_add(struct crew *crew, crew_work *work, void *arg, struct err *err);

/*
 * The start line. crew_wait_start(), called in the crew, returns when crew_start() is called, to all callers
 * at once; crew_wait_ready() when `nr` callers wait there, or -1 as crew_sleep_until(). Who
 * was let go may come again. Who waits sleeps: on one CPU nothing disturbs those who work.
 */
void crew_wait_start(struct crew_board *board);
int crew_wait_ready(struct crew *crew, int nr, struct err *err);
void crew_start(struct crew *crew);

/*
 * Sleeps until the monotonic clock shows deadline_ns. -1, at once, when a process of the crew ended (none
 * should), or when SIGTERM or SIGINT asked this process to end.
 */
int crew_sleep_until(struct crew *crew, int64_t deadline_ns, struct err *err);

/* Waits for the end of all. -1, at once, if one failed. */
int crew_wait_end(struct crew *crew, struct err *err);

/* Kills and reaps what is left. Signals stay with the crew: what is to be cleaned up should be, before release. */
void crew_kill(struct crew *crew);
void crew_release(struct crew *crew);

/* From any process or thread of the crew: why it fails. The first reason is kept. Returns -1. */
int crew_fail(struct crew_board *board, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* In a process of the crew: a process of its own that dies with it. -1 and errno if there can be none. */
int crew_fork_helper(void (*work)(void *arg), void *arg);

#endif
