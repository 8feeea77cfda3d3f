// SPDX-License-Identifier: GPL-2.0-only
/* Tests of a file's offset and size: lseek, alone and with read or write, and fallocate. */
#include "workload/will_it_scale/test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	ALLOCATED = WIS_FILE_SIZE / 128, /* bytes a fallocate() */
};

static inline int readseek_loop(const struct task *task, int fd, off_t offset)
{
	struct ops ops = task->ops;
	char buf[WIS_BLOCK];

	if (fd < 0)
		return -1;
	task_start(task);
	do {
		lseek(fd, offset, SEEK_SET);
		if (read(fd, buf, WIS_BLOCK) != WIS_BLOCK)
			return task_fail(task, "read");
	} while (ops_done(&ops, 1));
	return 0;
}

/*
 * One operation is lseek() to the start of the task's own file and read() of its 4096 bytes.
 */
static int run_readseek1(const struct task *task)
{
	return readseek_loop(task, task_filled_file(task, WIS_BLOCK, 0), 0);
}
WIS_TEST(readseek1, .base.help = "lseek() and read() of 4096 bytes of the task's own file");

/*
 * As readseek1, all tasks reading the same bytes of the same file.
 */
static int run_readseek2(const struct task *task)
{
	return readseek_loop(task, task_shared_file(task, O_RDWR), 0);
}
WIS_TEST(readseek2,
	 .base.help = "lseek() and read() of the same 4096 bytes of a file all tasks share",
	 .prepare = wis_prepare_block);

/*
 * As readseek2, each task reading a page of its own.
 */
static int run_readseek3(const struct task *task)
{
	return readseek_loop(task, task_shared_file(task, O_RDONLY), task_offset(task));
}
WIS_TEST(readseek3, .base.help = "lseek() and read() of the task's own page of a shared file",
	 .prepare = wis_prepare_pages);

static inline int writeseek_loop(const struct task *task, int fd, off_t offset)
{
	struct ops ops = task->ops;
	char buf[WIS_BLOCK] = {0};

	if (fd < 0)
		return -1;
	task_start(task);
	do {
		lseek(fd, offset, SEEK_SET);
		if (write(fd, buf, WIS_BLOCK) != WIS_BLOCK)
			return task_fail(task, "write");
	} while (ops_done(&ops, 1));
	return 0;
}

/*
 * One operation is lseek() to the start of the task's own file and write() of 4096 bytes.
 */
static int run_writeseek1(const struct task *task)
{
	return writeseek_loop(task, task_temp_file(task, 0), 0);
}
WIS_TEST(writeseek1, .base.help = "lseek() and write() of 4096 bytes of the task's own file");

/*
 * As writeseek1, all tasks writing the same bytes of the same file.
 */
static int run_writeseek2(const struct task *task)
{
	return writeseek_loop(task, task_shared_file(task, O_RDWR), 0);
}
WIS_TEST(writeseek2,
	 .base.help = "lseek() and write() of the same 4096 bytes of a file all tasks share",
	 .prepare = wis_prepare_block);

/*
 * As writeseek2, each task writing a page of its own.
 */
static int run_writeseek3(const struct task *task)
{
	return writeseek_loop(task, task_shared_file(task, O_RDWR), task_offset(task));
}
WIS_TEST(writeseek3, .base.help = "lseek() and write() of the task's own page of a shared file",
	 .prepare = wis_prepare_pages);

static inline int lseek_loop(const struct task *task, int fd)
{
	struct ops ops = task->ops;

	if (fd < 0)
		return -1;
	task_start(task);
	do
		lseek(fd, 0, SEEK_SET);
	while (ops_done(&ops, 1));
	return 0;
}

/*
 * One operation is one lseek() to the start of the task's own file of 4096 bytes.
 */
static int run_lseek1(const struct task *task)
{
	return lseek_loop(task, task_filled_file(task, WIS_BLOCK, 0));
}
WIS_TEST(lseek1, .base.help = "one lseek() in the task's own file");

/*
 * As lseek1, all tasks having opened the same file.
 */
static int run_lseek2(const struct task *task)
{
	return lseek_loop(task, task_shared_file(task, O_RDWR));
}
WIS_TEST(lseek2, .base.help = "one lseek() in a file all tasks share",
	 .prepare = wis_prepare_block);

static inline int fallocate_loop(const struct task *task, int fd)
{
	struct ops ops = task->ops;
	off_t place = 0;

	task_start(task);
	do {
		if (fallocate(fd, 0, place, ALLOCATED) && errno != EINTR)
			return task_fail(task, "fallocate");
		place += ALLOCATED;
		if (place >= WIS_FILE_SIZE) {
			if (ftruncate(fd, 0))
				return task_fail(task, "ftruncate");
			place = 0;
		}
	} while (ops_done(&ops, 1));
	return 0;
}

/*
 * One operation is a fallocate() of the next 8 KiB of a file in memory (tmpfs) of the task's own; at 1 MiB it
 * is cut to nothing and grows again.
 */
static int run_fallocate1(const struct task *task)
{
	int fd = memfd_create("fallocate1", 0);

	return fd < 0 ? task_fail(task, "memfd_create") : fallocate_loop(task, fd);
}
WIS_TEST(fallocate1, .base.help = "fallocate() of 8 KiB of the task's own file in tmpfs");

/*
 * As fallocate1, of a file in the folder for temporary files ($TMPDIR).
 */
static int run_fallocate2(const struct task *task)
{
	int fd = task_temp_file(task, 0);

	return fd < 0 ? -1 : fallocate_loop(task, fd);
}
WIS_TEST(fallocate2, .base.help = "fallocate() of 8 KiB of the task's own file");
