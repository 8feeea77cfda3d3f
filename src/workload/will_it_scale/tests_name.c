// SPDX-License-Identifier: GPL-2.0-only
/* Tests of names and descriptors: open, unlink, access, stat, dup. */
#include "workload/will_it_scale/test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes the file, empty. */
static int make_file(const struct task *task, const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT, 0600);

	if (fd < 0)
		return task_fail(task, path);
	close(fd);
	return 0;
}

/* A file of the task's own, in the folder of all. */
static int own_file(const struct task *task, char path[TASK_PATH_MAX])
{
	task_own_path(task, path);
	return make_file(task, path);
}

/* A name in a folder of the task's own. */
static int own_folder(const struct task *task, char path[TASK_PATH_MAX])
{
	char folder[TASK_PATH_MAX - 8];

	task_own_path(task, path);
	snprintf(folder, sizeof(folder), "%s", path);
	if (mkdir(folder, 0700))
		return task_fail(task, folder);
	snprintf(path, TASK_PATH_MAX, "%s/file", folder);
	return 0;
}

static inline int open_loop(const struct task *task, const char *path)
{
	struct ops ops = task->ops;

	task_start(task);
	do {
		int fd = open(path, O_RDWR);

		if (fd < 0)
			return task_fail(task, path);
		close(fd);
	} while (ops_done(&ops, 1));
	return 0;
}

/*
 * One operation is open() and close() of a file of the task's own; all of them are in one folder.
 */
static int run_open1(const struct task *task)
{
	char path[TASK_PATH_MAX];

	return own_file(task, path) ? -1 : open_loop(task, path);
}
WIS_TEST(open1, .base.help = "open() and close() of the task's own file");

/*
 * As open1, each task's file in a folder of its own.
 */
static int run_open2(const struct task *task)
{
	char path[TASK_PATH_MAX];

	if (own_folder(task, path) || make_file(task, path))
		return -1;
	return open_loop(task, path);
}
WIS_TEST(open2, .base.help = "open() and close() of the task's own file in a folder of its own");

/*
 * As open1, all tasks opening the same file.
 */
static int run_open3(const struct task *task)
{
	char path[TASK_PATH_MAX];

	task_shared_path(task->folder, path);
	return open_loop(task, path);
}
WIS_TEST(open3, .base.help = "open() and close() of a file all tasks share",
	 .prepare = wis_prepare_empty);

static inline int unlink_loop(const struct task *task, const char *path)
{
	struct ops ops = task->ops;

	task_start(task);
	do {
		int fd = open(path, O_RDWR | O_CREAT, 0600);

		if (fd < 0)
			return task_fail(task, path);
		close(fd);
		unlink(path);
	} while (ops_done(&ops, 1));
	return 0;
}

/*
 * One operation is the making of a file with open(), its close() and unlink(); all files are in one folder.
 */
static int run_unlink1(const struct task *task)
{
	char path[TASK_PATH_MAX];

	task_own_path(task, path);
	return unlink_loop(task, path);
}
WIS_TEST(unlink1, .base.help = "creation, close() and unlink() of a file", .counted_ops = 10000);

/*
 * As unlink1, each task's file in a folder of its own.
 */
static int run_unlink2(const struct task *task)
{
	char path[TASK_PATH_MAX];

	return own_folder(task, path) ? -1 : unlink_loop(task, path);
}
WIS_TEST(unlink2,
	 .base.help = "creation, close() and unlink() of a file in a folder of the task's own",
	 .counted_ops = 10000);

static inline int access_loop(const struct task *task, const char *path)
{
	struct ops ops = task->ops;

	task_start(task);
	do {
		if (access(path, R_OK))
			return task_fail(task, path);
	} while (ops_done(&ops, 1));
	return 0;
}

/*
 * One operation is one access() of a file of the task's own.
 */
static int run_access1(const struct task *task)
{
	char path[TASK_PATH_MAX];

	return own_file(task, path) ? -1 : access_loop(task, path);
}
WIS_TEST(access1, .base.help = "one access() of the task's own file");

/*
 * As access1, all tasks asking for the same file.
 */
static int run_access2(const struct task *task)
{
	char path[TASK_PATH_MAX];

	task_shared_path(task->folder, path);
	return access_loop(task, path);
}
WIS_TEST(access2, .base.help = "one access() of a file all tasks share",
	 .prepare = wis_prepare_empty);

static inline int stat_loop(const struct task *task, const char *path)
{
	struct ops ops = task->ops;
	struct stat st;

	task_start(task);
	do {
		if (stat(path, &st))
			return task_fail(task, path);
	} while (ops_done(&ops, 1));
	return 0;
}

/*
 * One operation is one stat() of a file of the task's own, by its name.
 */
static int run_stat1(const struct task *task)
{
	char path[TASK_PATH_MAX];

	return own_file(task, path) ? -1 : stat_loop(task, path);
}
WIS_TEST(stat1, .base.help = "one stat() of the task's own file");

/*
 * As stat1, all tasks asking for the same file.
 */
static int run_stat2(const struct task *task)
{
	char path[TASK_PATH_MAX];

	task_shared_path(task->folder, path);
	return stat_loop(task, path);
}
WIS_TEST(stat2, .base.help = "one stat() of a file all tasks share", .prepare = wis_prepare_empty);

static inline int fstat_loop(const struct task *task, int fd)
{
	struct ops ops = task->ops;
	struct stat st;

	if (fd < 0)
		return -1;
	task_start(task);
	do {
		if (fstat(fd, &st))
			return task_fail(task, "fstat");
	} while (ops_done(&ops, 1));
	return 0;
}

/*
 * One operation is one fstat() of the task's own open file.
 */
static int run_fstat1(const struct task *task)
{
	char path[TASK_PATH_MAX];
	int fd;

	if (own_file(task, path))
		return -1;
	fd = open(path, O_RDONLY);
	return fd < 0 ? task_fail(task, path) : fstat_loop(task, fd);
}
WIS_TEST(fstat1, .base.help = "one fstat() of the task's own file");

/*
 * As fstat1, all tasks having opened the same file.
 */
static int run_fstat2(const struct task *task)
{
	return fstat_loop(task, task_shared_file(task, O_RDONLY));
}
WIS_TEST(fstat2, .base.help = "one fstat() of a file all tasks share",
	 .prepare = wis_prepare_empty);

/*
 * One operation is one dup() of a descriptor of the task's own file and the close() of the copy.
 */
static int run_dup1(const struct task *task)
{
	int fd = task_temp_file(task, 0), copy;
	struct ops ops = task->ops;

	if (fd < 0)
		return -1;
	task_start(task);
	do {
		copy = dup(fd);
		if (copy < 0)
			return task_fail(task, "dup");
		close(copy);
	} while (ops_done(&ops, 1));
	return 0;
}
WIS_TEST(dup1, .base.help = "dup() and close() of a descriptor");
