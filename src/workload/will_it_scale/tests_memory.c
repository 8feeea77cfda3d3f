// SPDX-License-Identifier: GPL-2.0-only
/* Tests of page faults, mappings, the heap and TLB flushes. */
#include "workload/will_it_scale/test.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAPPED ((size_t)128 << 20) /* bytes that most tests map */

/* A file of MAPPED bytes, all hole. -1: task_fail() was called. */
static int sparse_file(const struct task *task)
{
	int fd = task_temp_file(task, 0);

	if (fd >= 0 && ftruncate(fd, MAPPED))
		return task_fail(task, "ftruncate");
	return fd;
}

static char *map(int fd, size_t size, int flags)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, 0);
}

/* Maps, touches one byte of every page in order of address, unmaps, and again. */
static inline int fault_loop(const struct task *task, int fd, int flags, bool write)
{
	struct ops ops = task->ops;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	bool more = true;

	task_start(task);
	while (more) {
		volatile char *memory = map(fd, MAPPED, flags);

		if (memory == MAP_FAILED)
			return task_fail(task, "mmap");
		for (size_t at = 0; at < MAPPED && more; at += page) {
			if (write)
				memory[at] = 0;
			else
				(void)memory[at];
			more = ops_done(&ops, 1);
		}
		munmap((void *)(uintptr_t)memory, MAPPED);
	}
	return 0;
}

/*
 * One operation is the first write to a page of an anonymous private mapping of 128 MiB; each time the
 * mapping is through, it is unmapped and made anew. With transparent huge pages one fault serves many pages.
 */
static int run_page_fault1(const struct task *task)
{
	return fault_loop(task, -1, MAP_PRIVATE | MAP_ANONYMOUS, true);
}
WIS_TEST(page_fault1, .base.help = "first write to a page of anonymous memory",
	 .task_bytes = MAPPED);

/*
 * As page_fault1, for a private mapping of the task's own file: the page is copied from the page cache.
 */
static int run_page_fault2(const struct task *task)
{
	int fd = sparse_file(task);

	return fd < 0 ? -1 : fault_loop(task, fd, MAP_PRIVATE, true);
}
WIS_TEST(page_fault2,
	 .base.help = "first write to a page of a private mapping of the task's own file",
	 .task_bytes = 2 * MAPPED);

/*
 * As page_fault1, for a shared mapping of the task's own file: the page of the page cache becomes writable.
 */
static int run_page_fault3(const struct task *task)
{
	int fd = sparse_file(task);

	return fd < 0 ? -1 : fault_loop(task, fd, MAP_SHARED, true);
}
WIS_TEST(page_fault3,
	 .base.help = "first write to a page of a shared mapping of the task's own file",
	 .task_bytes = MAPPED);

/*
 * As page_fault2, but each page is read: it is mapped from the page cache, often with its neighbours.
 */
static int run_page_fault4(const struct task *task)
{
	int fd = sparse_file(task);

	return fd < 0 ? -1 : fault_loop(task, fd, MAP_PRIVATE, false);
}
WIS_TEST(page_fault4,
	 .base.help = "first read of a page of a private mapping of the task's own file",
	 .task_bytes = MAPPED);

static inline int mmap_loop(const struct task *task, int fd, int flags)
{
	struct ops ops = task->ops;

	task_start(task);
	do {
		char *memory = map(fd, MAPPED, flags);

		if (memory == MAP_FAILED)
			return task_fail(task, "mmap");
		munmap(memory, MAPPED);
	} while (ops_done(&ops, 1));
	return 0;
}

/*
 * One operation is mmap() and munmap() of 128 MiB of anonymous memory that is not touched.
 */
static int run_mmap1(const struct task *task)
{
	return mmap_loop(task, -1, MAP_PRIVATE | MAP_ANONYMOUS);
}
WIS_TEST(mmap1, .base.help = "mmap() and munmap() of 128 MiB of anonymous memory");

/*
 * As mmap1, for a private mapping of the task's own file.
 */
static int run_mmap2(const struct task *task)
{
	int fd = sparse_file(task);

	return fd < 0 ? -1 : mmap_loop(task, fd, MAP_PRIVATE);
}
WIS_TEST(mmap2, .base.help = "mmap() and munmap() of 128 MiB of the task's own file");

/*
 * The heap grows by a page and shrinks by it: two operations, two brk(). Threads share the heap, and each
 * sets its end where it found it: after the start, when nobody allocates any more.
 */
static int run_brk1(const struct task *task)
{
	struct ops ops = task->ops;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *end;

	task_start(task);
	end = sbrk(0);
	do {
		if (brk(end + page) || brk(end))
			return task_fail(task, "brk");
	} while (ops_done(&ops, 2));
	return 0;
}
WIS_TEST(brk1, .base.help = "one brk() that makes the heap a page larger or smaller");

/*
 * As brk1, above an extra page that the task put between the old end of the heap and its own.
 */
static int run_brk2(const struct task *task)
{
	struct ops ops = task->ops;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *end;

	task_start(task);
	end = (char *)sbrk((intptr_t)page) + page;
	do {
		if (brk(end + page) || brk(end))
			return task_fail(task, "brk");
	} while (ops_done(&ops, 2));
	return 0;
}
WIS_TEST(brk2, .base.help = "one brk() a page up or down, above a page of the task's own");

/* The empty asm uses the pointer: without it the compiler drops both calls. */
static inline int malloc_loop(const struct task *task, size_t size)
{
	struct ops ops = task->ops;

	task_start(task);
	do {
		void *memory = malloc(size);

		__asm__ volatile("" : : "r"(memory) : "memory");
		if (!memory)
			return task_fail(task, "malloc");
		free(memory);
	} while (ops_done(&ops, 1));
	return 0;
}

/*
 * One operation is malloc() and free() of 128 MiB: the C library maps and unmaps it.
 */
static int run_malloc1(const struct task *task)
{
	return malloc_loop(task, (size_t)128 << 20);
}
WIS_TEST(malloc1, .base.help = "malloc() and free() of 128 MiB", .counted_ops = 10000);

/*
 * One operation is malloc() and free() of 1 KiB: the C library keeps it, the kernel is not entered.
 */
static int run_malloc2(const struct task *task)
{
	return malloc_loop(task, 1024);
}
WIS_TEST(malloc2, .base.help = "malloc() and free() of 1 KiB");

struct region {
	int fd; /* -1: anonymous */
	int flags;
	size_t size;
	char left; /* what is in a page after it was dropped */
};

/* Writes a page, drops it from the page tables, looks at it again; page after page, then a new mapping. */
static inline int flush_loop(const struct task *task, struct region region)
{
	struct ops ops = task->ops;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	bool more = true;

	task_start(task);
	while (more) {
		volatile char *memory = map(region.fd, region.size, region.flags);

		if (memory == MAP_FAILED)
			return task_fail(task, "mmap");
		for (size_t at = 0; at < region.size && more; at += page) {
			void *here = (void *)(uintptr_t)(memory + at);

			memory[at] = 1;
			if (madvise(here, page, MADV_DONTNEED))
				return task_fail(task, "madvise");
			errno = EIO;
			if (memory[at] != region.left)
				return task_fail(task, "page does not hold what it should");
			more = ops_done(&ops, 1);
		}
		munmap((void *)(uintptr_t)memory, region.size);
	}
	return 0;
}

/*
 * One operation, on a private mapping of 128 MiB of the task's own file: write a page, MADV_DONTNEED it (a
 * TLB flush, on all CPUs that run the process), read it again (it is the file's once more: 0).
 */
static int run_tlb_flush1(const struct task *task)
{
	int fd = sparse_file(task);
	struct region region = {.fd = fd, .flags = MAP_PRIVATE, .size = MAPPED};

	return fd < 0 ? -1 : flush_loop(task, region);
}
WIS_TEST(tlb_flush1,
	 .base.help = "write, MADV_DONTNEED and read of a page of a private file mapping",
	 .task_bytes = MAPPED, .counted_ops = 10000);

/*
 * As tlb_flush1, on 1 MiB of anonymous memory.
 */
static int run_tlb_flush2(const struct task *task)
{
	struct region region = {
		.fd = -1, .flags = MAP_PRIVATE | MAP_ANONYMOUS, .size = (size_t)1 << 20};

	return flush_loop(task, region);
}
WIS_TEST(tlb_flush2, .base.help = "write, MADV_DONTNEED and read of a page of anonymous memory");

/*
 * As tlb_flush1, on a shared mapping: the page keeps what was written.
 */
static int run_tlb_flush3(const struct task *task)
{
	int fd = sparse_file(task);
	struct region region = {.fd = fd, .flags = MAP_SHARED, .size = MAPPED, .left = 1};

	return fd < 0 ? -1 : flush_loop(task, region);
}
WIS_TEST(tlb_flush3,
	 .base.help = "write, MADV_DONTNEED and read of a page of a shared file mapping",
	 .task_bytes = MAPPED);
