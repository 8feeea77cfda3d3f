// SPDX-License-Identifier: GPL-2.0-only
/* Tests of a file's data: read, pread, write, pwrite. */
#include "workload/will_it_scale/test.h"

#include <fcntl.h>
#include <unistd.h>

/* Reads on from where the last read ended; the read that finds the end is an operation too. */
static inline int read_loop(const struct task *task, int fd, void *buf, size_t block)
{
	struct ops ops = task->ops;

	if (fd < 0)
		return -1;
	task_start(task);
	do {
		ssize_t nr = read(fd, buf, block);

		if (nr < 0)
			return task_fail(task, "read");
		if (nr == 0)
			lseek(fd, 0, SEEK_SET);
	} while (ops_done(&ops, 1));
	return 0;
}

/* O_DIRECT wants an aligned buffer. */
static int read_direct(const struct task *task, int fd)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *buf;
	int status;

	if (fd < 0)
		return -1;
	buf = aligned_alloc(page, page);
	if (!buf)
		return task_fail(task, "aligned_alloc");
	status = read_loop(task, fd, buf, page);
	free(buf);
	return status;
}

/*
 * One operation is a read() of the next 4096 bytes of the task's own file of 1 MiB; at its end, where
 * nothing is left to read, the task goes back to the start.
 */
static int run_read1(const struct task *task)
{
	char buf[WIS_BLOCK];

	return read_loop(task, task_filled_file(task, WIS_FILE_SIZE, 0), buf, WIS_BLOCK);
}
WIS_TEST(read1, .base.help = "read() of 4096 bytes of the task's own file, on and on");

/*
 * As read1, all tasks reading the same file, each through its own open().
 */
static int run_read2(const struct task *task)
{
	char buf[WIS_BLOCK];

	return read_loop(task, task_shared_file(task, O_RDONLY), buf, WIS_BLOCK);
}
WIS_TEST(read2, .base.help = "read() of 4096 bytes of a file all tasks share, on and on",
	 .prepare = wis_prepare_file);

/*
 * As read1, past the page cache (O_DIRECT), a page at a time.
 */
static int run_read3(const struct task *task)
{
	return read_direct(task, task_filled_file(task, WIS_FILE_SIZE, O_DIRECT));
}
WIS_TEST(read3, .base.help = "O_DIRECT read() of a page of the task's own file, on and on");

/*
 * As read2, past the page cache (O_DIRECT), a page at a time.
 */
static int run_read4(const struct task *task)
{
	return read_direct(task, task_shared_file(task, O_RDONLY | O_DIRECT));
}
WIS_TEST(read4, .base.help = "O_DIRECT read() of a page of a file all tasks share, on and on",
	 .prepare = wis_prepare_file);

/*
 * One operation is a write() of the next 4096 bytes of the task's own file; behind 1 MiB it starts again.
 */
static int run_write1(const struct task *task)
{
	static const char zeros[WIS_BLOCK];
	int fd = task_temp_file(task, 0);
	struct ops ops = task->ops;
	ssize_t size = 0;

	if (fd < 0)
		return -1;
	task_start(task);
	do {
		ssize_t nr = write(fd, zeros, WIS_BLOCK);

		if (nr < 0)
			return task_fail(task, "write");
		size += nr;
		if (size >= WIS_FILE_SIZE) {
			size = 0;
			lseek(fd, 0, SEEK_SET);
		}
	} while (ops_done(&ops, 1));
	return 0;
}
WIS_TEST(write1, .base.help = "write() of 4096 bytes to the task's own file, on and on");

static inline int pread_loop(const struct task *task, int fd, off_t offset)
{
	struct ops ops = task->ops;
	char buf[WIS_BLOCK];

	if (fd < 0)
		return -1;
	task_start(task);
	do {
		if (pread(fd, buf, WIS_BLOCK, offset) != WIS_BLOCK)
			return task_fail(task, "pread");
	} while (ops_done(&ops, 1));
	return 0;
}

/*
 * One operation is a pread() of the only 4096 bytes of the task's own file.
 */
static int run_pread1(const struct task *task)
{
	return pread_loop(task, task_filled_file(task, WIS_BLOCK, 0), 0);
}
WIS_TEST(pread1, .base.help = "pread() of 4096 bytes of the task's own file");

/*
 * As pread1, all tasks reading the same bytes of the same file.
 */
static int run_pread2(const struct task *task)
{
	return pread_loop(task, task_shared_file(task, O_RDONLY), 0);
}
WIS_TEST(pread2, .base.help = "pread() of the same 4096 bytes of a file all tasks share",
	 .prepare = wis_prepare_block);

/*
 * As pread2, each task reading a page of its own.
 */
static int run_pread3(const struct task *task)
{
	return pread_loop(task, task_shared_file(task, O_RDONLY), task_offset(task));
}
WIS_TEST(pread3, .base.help = "pread() of 4096 bytes of the task's own page of a shared file",
	 .prepare = wis_prepare_pages);

static inline int pwrite_loop(const struct task *task, int fd, off_t offset)
{
	struct ops ops = task->ops;
	char buf[WIS_BLOCK] = {0};

	if (fd < 0)
		return -1;
	task_start(task);
	do {
		if (pwrite(fd, buf, WIS_BLOCK, offset) != WIS_BLOCK)
			return task_fail(task, "pwrite");
	} while (ops_done(&ops, 1));
	return 0;
}

/*
 * One operation is a pwrite() of the first 4096 bytes of the task's own file.
 */
static int run_pwrite1(const struct task *task)
{
	return pwrite_loop(task, task_temp_file(task, 0), 0);
}
WIS_TEST(pwrite1, .base.help = "pwrite() of 4096 bytes of the task's own file");

/*
 * As pwrite1, all tasks writing the same bytes of the same file.
 */
static int run_pwrite2(const struct task *task)
{
	return pwrite_loop(task, task_shared_file(task, O_RDWR), 0);
}
WIS_TEST(pwrite2, .base.help = "pwrite() of the same 4096 bytes of a file all tasks share",
	 .prepare = wis_prepare_block);

/*
 * As pwrite2, each task writing a page of its own.
 */
static int run_pwrite3(const struct task *task)
{
	return pwrite_loop(task, task_shared_file(task, O_RDWR), task_offset(task));
}
WIS_TEST(pwrite3, .base.help = "pwrite() of 4096 bytes of the task's own page of a shared file",
	 .prepare = wis_prepare_pages);
