/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WORKLOAD_WILL_IT_SCALE_TEST_H
#define WORKLOAD_WILL_IT_SCALE_TEST_H
/*
 * What a test of will-it-scale is made of. A test's run() is called once in every task. It prepares what is
 * the task's own, calls task_start(), which returns to all tasks at once, and then does operations:
 *
 *	static int run_getppid1(const struct task *task)
 *	{
 *		struct ops ops = task->ops;
 *
 *		task_start(task);
 *		do
 *			getppid();
 *		while (ops_done(&ops, 1));
 *		return 0;
 *	}
 *
 * A timed run has no limit of operations, a counted one waits behind its last lap: the loop never ends, the task
 * is killed. So nothing need be closed or freed behind the loop; it ends with the process. An operation that fails
 * ends the run: every result is checked, as in the public suite.
 */
#include "workload/will_it_scale/laps.h"
#include "workload/workload.h"

#include <sys/types.h>

struct crew_board;

/* A copy on the stack of run() lives in registers; only the count is memory, alone on its cache line. */
struct ops {
	uint64_t *count;
	uint64_t done, limit;
	struct laps *laps; /* of a counted run, else NULL */
};

/* Counts nr operations; false when the task has done what it should. */
static inline bool ops_done(struct ops *ops, uint64_t nr)
{
	ops->done += nr;
	__atomic_store_n(ops->count, ops->done, __ATOMIC_RELAXED);
	if (ops->done < ops->limit)
		return true;
	if (ops->laps)
		ops->limit = laps_next(ops->laps, ops->done);
	return ops->done < ops->limit;
}

struct task {
	const struct wis_test *test;
	struct ops ops;
	int nr; /* from 0 */
	int nr_tasks;
	bool thread; /* tasks are threads of one process */
	const char *folder; /* for temporary files, the same for all tasks */
	struct crew_board *board;
};

struct wis_test {
	struct workload_test base; /* first: the workload's table points here */
	int (*run)(const struct task *task);
	/* Once, before the tasks exist: makes files that they share. NULL: nothing to do. */
	int (*prepare)(const char *folder, int nr_tasks, struct err *err);
	int64_t task_bytes; /* memory that a task fills, 0 if it is little */
	bool has_partner; /* other tasks than the one that counts do part of an operation */
	uint64_t counted_ops; /* of a counted run, if the user gives none; 0: WIS_COUNTED_OPS */
};

/* Defines a test, with .base.help (one line, what one operation is) and more fields. */
#define WIS_TEST(test_name, ...)                                                                   \
	const struct wis_test wis_##test_name = {                                                  \
		.base.name = #test_name, .run = run_##test_name, __VA_ARGS__}

#define X(name) extern const struct wis_test wis_##name;
#include "workload/will_it_scale/tests.inc"
#undef X

/* Waits for the common start. */
void task_start(const struct task *task);

/* What failed, with errno: the run's reason. Returns -1. */
int task_fail(const struct task *task, const char *what);

enum {
	TASK_PATH_MAX = 4096,
	WIS_COUNTED_OPS = 100000,
	WIS_BLOCK = 4096, /* bytes that most tests read or write at a time */
	WIS_FILE_SIZE = 1 << 20, /* bytes of a file that is read or written on and on */
};

/* "FOLDER/NAME", and "FOLDER/NAME.N" for the task's own. */
void task_shared_path(const char *folder, char path[TASK_PATH_MAX]);
void task_own_path(const struct task *task, char path[TASK_PATH_MAX]);

/* A new file, open for reading and writing, without a name; flags as for open(). -1: task_fail() was called. */
int task_temp_file(const struct task *task, int flags);

/* The shared file (made by prepare()), opened. -1: task_fail() was called. */
int task_shared_file(const struct task *task, int flags);

/* As task_temp_file(), `bytes` zeros long, at its end. */
int task_filled_file(const struct task *task, int64_t bytes, int flags);

/* What prepare() may be: makes the shared file, empty, of one block, of a page a task, of WIS_FILE_SIZE. */
int wis_prepare_empty(const char *folder, int nr_tasks, struct err *err);
int wis_prepare_block(const char *folder, int nr_tasks, struct err *err);
int wis_prepare_pages(const char *folder, int nr_tasks, struct err *err);
int wis_prepare_file(const char *folder, int nr_tasks, struct err *err);

/* Where the task's page is in the file of wis_prepare_pages(). */
off_t task_offset(const struct task *task);

/* A partner of the task: a process, or a thread if tasks are threads. -1: task_fail() was called. */
int task_helper(const struct task *task, void (*work)(void *arg), void *arg);

#endif
