// SPDX-License-Identifier: GPL-2.0-only
/* Tests of a file's data: read, write, seek, allocate. The block is 4096 bytes, a large file 1 MiB. */
#include "workload/will_it_scale/test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	BLOCK = 4096,
	FILE_SIZE = 1 << 20,
	ALLOCATED = FILE_SIZE / 128, /* bytes a fallocate() */
};

/* A file of the task's own, `bytes` zeros long. -1: task_fail() was called. */
static int filled_file(const struct task *task, int64_t bytes, int flags)
{
	int fd = task_temp_file(task, flags);

	if (fd >= 0 && write_zeros(fd, bytes))
		return task_fail(task, "write");
	return fd;
}

static int prepare_block(const char *folder, int nr_tasks, struct err *err)
{
	(void)nr_tasks;
	return shared_file_create(folder, BLOCK, err);
}

static int prepare_blocks(const char *folder, int nr_tasks, struct err *err)
{
	return shared_file_create(folder, (int64_t)sysconf(_SC_PAGESIZE) * nr_tasks, err);
}

static int prepare_file(const char *folder, int nr_tasks, struct err *err)
{
	(void)nr_tasks;
	return shared_file_create(folder, FILE_SIZE, err);
}

/* Where a task's block is in a file that has a page for each. */
static off_t own_offset(const struct task *task)
{
	return (off_t)sysconf(_SC_PAGESIZE) * task->nr;
}

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
	char buf[BLOCK];

	return read_loop(task, filled_file(task, FILE_SIZE, 0), buf, BLOCK);
}
WIS_TEST(read1, .base.help = "read() of 4096 bytes of the task's own file, on and on");

/*
 * As read1, all tasks reading the same file, each through its own open().
 */
static int run_read2(const struct task *task)
{
	char buf[BLOCK];

	return read_loop(task, task_shared_file(task, O_RDONLY), buf, BLOCK);
}
WIS_TEST(read2, .base.help = "read() of 4096 bytes of a file all tasks share, on and on",
	 .prepare = prepare_file);

/*
 * As read1, past the page cache (O_DIRECT), a page at a time.
 */
static int run_read3(const struct task *task)
{
	return read_direct(task, filled_file(task, FILE_SIZE, O_DIRECT));
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
	 .prepare = prepare_file);

/*
 * One operation is a write() of the next 4096 bytes of the task's own file; behind 1 MiB it starts again.
 */
static int run_write1(const struct task *task)
{
	static const char zeros[BLOCK];
	int fd = task_temp_file(task, 0);
	struct ops ops = task->ops;
	ssize_t size = 0;

	if (fd < 0)
		return -1;
	task_start(task);
	do {
		ssize_t nr = write(fd, zeros, BLOCK);

		if (nr < 0)
			return task_fail(task, "write");
		size += nr;
		if (size >= FILE_SIZE) {
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
	char buf[BLOCK];

	if (fd < 0)
		return -1;
	task_start(task);
	do {
		if (pread(fd, buf, BLOCK, offset) != BLOCK)
			return task_fail(task, "pread");
	} while (ops_done(&ops, 1));
	return 0;
}

/*
 * One operation is a pread() of the only 4096 bytes of the task's own file.
 */
static int run_pread1(const struct task *task)
{
	return pread_loop(task, filled_file(task, BLOCK, 0), 0);
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
	 .prepare = prepare_block);

/*
 * As pread2, each task reading a page of its own.
 */
static int run_pread3(const struct task *task)
{
	return pread_loop(task, task_shared_file(task, O_RDONLY), own_offset(task));
}
WIS_TEST(pread3, .base.help = "pread() of 4096 bytes of the task's own page of a shared file",
	 .prepare = prepare_blocks);

static inline int pwrite_loop(const struct task *task, int fd, off_t offset)
{
	struct ops ops = task->ops;
	char buf[BLOCK] = {0};

	if (fd < 0)
		return -1;
	task_start(task);
	do {
		if (pwrite(fd, buf, BLOCK, offset) != BLOCK)
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
	 .prepare = prepare_block);

/*
 * As pwrite2, each task writing a page of its own.
 */
static int run_pwrite3(const struct task *task)
{
	return pwrite_loop(task, task_shared_file(task, O_RDWR), own_offset(task));
}
WIS_TEST(pwrite3, .base.help = "pwrite() of 4096 bytes of the task's own page of a shared file",
	 .prepare = prepare_blocks);

static inline int readseek_loop(const struct task *task, int fd, off_t offset)
{
	struct ops ops = task->ops;
	char buf[BLOCK];

	if (fd < 0)
		return -1;
	task_start(task);
	do {
		lseek(fd, offset, SEEK_SET);
		if (read(fd, buf, BLOCK) != BLOCK)
			return task_fail(task, "read");
	} while (ops_done(&ops, 1));
	return 0;
}

/*
 * One operation is lseek() to the start of the task's own file and read() of its 4096 bytes.
 */
static int run_readseek1(const struct task *task)
{
	return readseek_loop(task, filled_file(task, BLOCK, 0), 0);
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
	 .prepare = prepare_block);

/*
 * As readseek2, each task reading a page of its own.
 */
static int run_readseek3(const struct task *task)
{
	return readseek_loop(task, task_shared_file(task, O_RDONLY), own_offset(task));
}
WIS_TEST(readseek3, .base.help = "lseek() and read() of the task's own page of a shared file",
	 .prepare = prepare_blocks);

static inline int writeseek_loop(const struct task *task, int fd, off_t offset)
{
	struct ops ops = task->ops;
	char buf[BLOCK] = {0};

	if (fd < 0)
		return -1;
	task_start(task);
	do {
		lseek(fd, offset, SEEK_SET);
		if (write(fd, buf, BLOCK) != BLOCK)
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
	 .prepare = prepare_block);

/*
 * As writeseek2, each task writing a page of its own.
 */
static int run_writeseek3(const struct task *task)
{
	return writeseek_loop(task, task_shared_file(task, O_RDWR), own_offset(task));
}
WIS_TEST(writeseek3, .base.help = "lseek() and write() of the task's own page of a shared file",
	 .prepare = prepare_blocks);

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
	return lseek_loop(task, filled_file(task, BLOCK, 0));
}
WIS_TEST(lseek1, .base.help = "one lseek() in the task's own file");

/*
 * As lseek1, all tasks having opened the same file.
 */
static int run_lseek2(const struct task *task)
{
	return lseek_loop(task, task_shared_file(task, O_RDWR));
}
WIS_TEST(lseek2, .base.help = "one lseek() in a file all tasks share", .prepare = prepare_block);

static inline int fallocate_loop(const struct task *task, int fd)
{
	struct ops ops = task->ops;
	off_t place = 0;

	task_start(task);
	do {
		if (fallocate(fd, 0, place, ALLOCATED) && errno != EINTR)
			return task_fail(task, "fallocate");
		place += ALLOCATED;
		if (place >= FILE_SIZE) {
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
