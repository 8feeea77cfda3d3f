// SPDX-License-Identifier: GPL-2.0-only
#include "workload/will_it_scale/test.h"

#include "workload/crew.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

void task_start(const struct task *task)
{
	crew_wait_start(task->board);
}

int task_fail(const struct task *task, const char *what)
{
	const char *text = err_reason(errno), *hint = "";

	if (errno == EMFILE)
		hint = ": raise `ulimit -n` or lower nr_task";
	else if (errno == ENOSPC)
		hint = ": set TMPDIR to a folder with more room";
	return crew_fail(task->board, "%s: task %d: %s: %s%s", task->test->base.name, task->nr,
			 what, text, hint);
}

void task_shared_path(const char *folder, char path[TASK_PATH_MAX])
{
	snprintf(path, TASK_PATH_MAX, "%s/shared", folder);
}

void task_own_path(const struct task *task, char path[TASK_PATH_MAX])
{
	snprintf(path, TASK_PATH_MAX, "%s/task.%d", task->folder, task->nr);
}

int task_temp_file(const struct task *task, int flags)
{
	char path[TASK_PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/XXXXXX", task->folder);
	fd = mkostemp(path, flags);
	if (fd < 0)
		return task_fail(task, path);
	unlink(path);
	return fd;
}

int task_shared_file(const struct task *task, int flags)
{
	char path[TASK_PATH_MAX];
	int fd;

	task_shared_path(task->folder, path);
	fd = open(path, flags);
	return fd < 0 ? task_fail(task, path) : fd;
}

/* Writes `bytes` zeros at the file's offset. The buffer is aligned for O_DIRECT. */
static int write_zeros(int fd, int64_t bytes)
{
	static const _Alignas(4096) char zeros[65536];

	while (bytes > 0) {
		ssize_t nr = write(fd, zeros, bytes < 65536 ? (size_t)bytes : sizeof(zeros));

		if (nr < 0)
			return -1;
		bytes -= nr;
	}
	return 0;
}

int task_filled_file(const struct task *task, int64_t bytes, int flags)
{
	int fd = task_temp_file(task, flags);

	if (fd >= 0 && write_zeros(fd, bytes))
		return task_fail(task, "write");
	return fd;
}

static int shared_file_create(const char *folder, int64_t bytes, struct err *err)
{
	char path[TASK_PATH_MAX];
	int fd, status;

	task_shared_path(folder, path);
	fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0)
		return err_set_errno(err, errno, "%s", path);
	status = write_zeros(fd, bytes);
	if (status)
		err_set_errno(err, errno, "%s", path);
	close(fd);
	return status;
}

int wis_prepare_empty(const char *folder, int nr_tasks, struct err *err)
{
	(void)nr_tasks;
	return shared_file_create(folder, 0, err);
}

int wis_prepare_block(const char *folder, int nr_tasks, struct err *err)
{
	(void)nr_tasks;
	return shared_file_create(folder, WIS_BLOCK, err);
}

int wis_prepare_pages(const char *folder, int nr_tasks, struct err *err)
{
	return shared_file_create(folder, (int64_t)sysconf(_SC_PAGESIZE) * nr_tasks, err);
}

int wis_prepare_file(const char *folder, int nr_tasks, struct err *err)
{
	(void)nr_tasks;
	return shared_file_create(folder, WIS_FILE_SIZE, err);
}

off_t task_offset(const struct task *task)
{
	return (off_t)sysconf(_SC_PAGESIZE) * task->nr;
}

struct helper {
	void (*work)(void *arg);
	void *arg;
};

static void *helper_thread(void *data)
{
	struct helper helper = *(struct helper *)data;

	free(data);
	helper.work(helper.arg);
	return NULL;
}

int task_helper(const struct task *task, void (*work)(void *arg), void *arg)
{
	struct helper *helper;
	pthread_t thread;

	if (!task->thread)
		return crew_fork_helper(work, arg) ? task_fail(task, "fork") : 0;
	helper = xmalloc(sizeof(*helper));
	*helper = (struct helper){work, arg};
	errno = pthread_create(&thread, NULL, helper_thread, helper);
	if (errno) {
		free(helper);
		return task_fail(task, "pthread_create");
	}
	pthread_detach(thread);
	return 0;
}
