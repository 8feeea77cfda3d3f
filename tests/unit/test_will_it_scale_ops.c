// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a test's loop asks of the kernel: each test runs twice under ptrace, with more operations the second
 * time. The difference is what the operations cost, to the last system call, whatever comes before and after.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "workload/will_it_scale/test.h"

#include "workload/crew.h"
#include "workload/will_it_scale/scratch.h"
#include "workload/will_it_scale/will_it_scale.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* After sys/ptrace.h, whose names it shares: only the struct is wanted. */
#include <linux/ptrace.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifdef SYS_access
#define NR_ACCESS SYS_access
#else
#define NR_ACCESS SYS_faccessat
#endif
#ifdef SYS_unlink
#define NR_UNLINK SYS_unlink
#else
#define NR_UNLINK SYS_unlinkat
#endif
#ifdef SYS_poll
#define NR_POLL SYS_poll
#else
#define NR_POLL SYS_ppoll
#endif

enum {
	KINDS_MAX = 3,
	ANY = -1, /* argument of a call */
};

/* One system call of an operation. alt: another number for the same (of another C library), or 0. */
struct kind {
	long nr, alt;
	int arg; /* this argument has that value, ANY: no matter */
	uint64_t value;
};

/* From `from` to `to` operations makes kinds[i] happen calls[i] times more. */
struct expected {
	const char *test;
	int from, to;
	struct kind kinds[KINDS_MAX];
	int calls[KINDS_MAX];
	bool others; /* other system calls may happen as well */
	bool needs_own_malloc; /* a sanitizer's is another */
};

/* Braces alone on their lines would double the length of what follows. */
/* clang-format off */
#define KIND(nr) {nr, 0, ANY, 0}
#define KIND_OR(nr, alt) {nr, alt, ANY, 0}
#define KIND_WITH(nr, arg, value) {nr, 0, arg, value}
/* An operation is one of each kind. */
#define EACH1(test, a) {test, 100, 400, {a}, {300}, false, false}
#define EACH2(test, a, b) {test, 100, 400, {a, b}, {300, 300}, false, false}
#define EACH3(test, a, b, c) {test, 100, 400, {a, b, c}, {300, 300, 300}, false, false}
/* An operation is no system call; the kind is one that might have been. */
#define NONE(test, a) {test, 100, 400, {a}, {0}, false, false}
/* clang-format on */

#define MIB128 ((uint64_t)128 << 20)
#define MAP128 KIND_WITH(SYS_mmap, 1, MIB128)
#define UNMAP128 KIND_WITH(SYS_munmap, 1, MIB128)
#define FUTEX(operation) KIND_WITH(SYS_futex, 1, operation)
#define STAT KIND_OR(SYS_newfstatat, SYS_fstat)
#define OPEN(flags) KIND_WITH(SYS_openat, 2, flags)
#define READ(bytes) KIND_WITH(SYS_read, 2, bytes)
#define WRITE(bytes) KIND_WITH(SYS_write, 2, bytes)
#define SEEK(offset) KIND_WITH(SYS_lseek, 1, offset)
#define CLOSE KIND(SYS_close)
#define LOCK KIND_WITH(SYS_fcntl, 1, F_SETLKW)
#define DROP KIND_WITH(SYS_madvise, 2, MADV_DONTNEED)
#define GROW_FILE KIND_WITH(SYS_fallocate, 3, 8192)

static const struct expected table[] = {
	EACH1("access1", KIND(NR_ACCESS)),
	EACH1("access2", KIND(NR_ACCESS)),
	EACH1("brk1", KIND(SYS_brk)),
	EACH1("brk2", KIND(SYS_brk)),
	{"context_switch1", 100, 400, {WRITE(1), READ(1)}, {150, 150}, false, false},
	EACH2("dup1", KIND(SYS_dup), CLOSE),
	EACH2("eventfd1", WRITE(8), READ(8)),
	/* cut to nothing after each 1 MiB */
	{"fallocate1", 128, 640, {GROW_FILE, KIND(SYS_ftruncate)}, {512, 4}, false, false},
	{"fallocate2", 128, 640, {GROW_FILE, KIND(SYS_ftruncate)}, {512, 4}, false, false},
	EACH1("fstat1", STAT),
	EACH1("fstat2", STAT),
	EACH1("futex1", FUTEX(FUTEX_WAKE)),
	EACH1("futex2", FUTEX(FUTEX_WAIT)),
	EACH1("futex3", FUTEX(FUTEX_WAKE_PRIVATE)),
	EACH1("futex4", FUTEX(FUTEX_WAIT_PRIVATE)),
	EACH1("getppid1", KIND(SYS_getppid)),
	EACH1("lock1", LOCK),
	EACH1("lock2", LOCK),
	EACH1("lseek1", SEEK(0)),
	EACH1("lseek2", SEEK(0)),
	{"malloc1", 100, 400, {KIND(SYS_mmap), KIND(SYS_munmap)}, {300, 300}, false, true},
	{"malloc2", 100, 400, {KIND(SYS_brk)}, {0}, false, true},
	EACH2("mmap1", MAP128, UNMAP128),
	EACH2("mmap2", MAP128, UNMAP128),
	EACH2("open1", OPEN(O_RDWR), CLOSE),
	EACH2("open2", OPEN(O_RDWR), CLOSE),
	EACH2("open3", OPEN(O_RDWR), CLOSE),
	/* 128 MiB are 32768 pages: one more mapping from 100 operations to 32868 */
	{"page_fault1", 100, 32868, {MAP128, UNMAP128}, {1, 1}, false, false},
	{"page_fault2", 100, 32868, {MAP128, UNMAP128}, {1, 1}, false, false},
	{"page_fault3", 100, 32868, {MAP128, UNMAP128}, {1, 1}, false, false},
	{"page_fault4", 100, 32868, {MAP128, UNMAP128}, {1, 1}, false, false},
	EACH2("pipe1", WRITE(1), READ(1)),
	EACH1("poll1", KIND_WITH(NR_POLL, 1, 1)),
	EACH1("poll2", KIND_WITH(NR_POLL, 1, 128)),
	NONE("posix_semaphore1", KIND(SYS_futex)),
	EACH1("pread1", KIND_WITH(SYS_pread64, 2, 4096)),
	EACH1("pread2", KIND_WITH(SYS_pread64, 3, 0)),
	EACH1("pread3", KIND_WITH(SYS_pread64, 3, 4096)),
	NONE("pthread_mutex1", KIND(SYS_futex)),
	NONE("pthread_mutex2", KIND(SYS_futex)),
	NONE("pthread_mutex3", KIND(SYS_futex)),
	NONE("pthread_mutex4", KIND(SYS_futex)),
	NONE("pthread_mutex5", KIND(SYS_futex)),
	EACH1("pwrite1", KIND_WITH(SYS_pwrite64, 2, 4096)),
	EACH1("pwrite2", KIND_WITH(SYS_pwrite64, 3, 0)),
	EACH1("pwrite3", KIND_WITH(SYS_pwrite64, 3, 4096)),
	/* 256 reads, one that finds the end, one step back */
	{"read1", 257, 771, {READ(4096), SEEK(0)}, {514, 2}, false, false},
	{"read2", 257, 771, {READ(4096), SEEK(0)}, {514, 2}, false, false},
	EACH2("readseek1", SEEK(0), READ(4096)),
	EACH2("readseek2", SEEK(0), READ(4096)),
	EACH2("readseek3", SEEK(4096), READ(4096)),
	EACH1("sched_yield", KIND(SYS_sched_yield)),
	{"signal1",
	 100,
	 400,
	 {KIND_WITH(SYS_tgkill, 2, SIGUSR1), KIND(SYS_rt_sigreturn)},
	 {300, 300},
	 true,
	 false},
	EACH1("stat1", STAT),
	EACH1("stat2", STAT),
	{"threadspawn1", 100, 400, {KIND_OR(SYS_clone3, SYS_clone)}, {300}, true, true},
	EACH1("tlb_flush1", DROP),
	/* 1 MiB is 256 pages: one more mapping from 100 operations to 356 */
	{"tlb_flush2",
	 100,
	 356,
	 {DROP, KIND(SYS_mmap), KIND(SYS_munmap)},
	 {256, 1, 1},
	 false,
	 false},
	EACH1("tlb_flush3", DROP),
	EACH2("unix1", WRITE(1), READ(1)),
	EACH3("unlink1", OPEN(O_RDWR | O_CREAT), CLOSE, KIND(NR_UNLINK)),
	EACH3("unlink2", OPEN(O_RDWR | O_CREAT), CLOSE, KIND(NR_UNLINK)),
	{"write1", 256, 768, {WRITE(4096), SEEK(0)}, {512, 2}, false, false},
	EACH2("writeseek1", SEEK(0), WRITE(4096)),
	EACH2("writeseek2", SEEK(0), WRITE(4096)),
	EACH2("writeseek3", SEEK(4096), WRITE(4096)),
};

/* What one run of a test did. */
struct traced {
	long all;
	long kinds[KINDS_MAX];
	uint64_t ops;
};

struct tracer {
	struct crew crew;
	struct scratch scratch;
	uint64_t *ops; /* shared memory */
};

static void tracer_init(struct tracer *tracer)
{
	struct err err;

	tracer->ops = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (scratch_create(&tracer->scratch, &err) || tracer->ops == MAP_FAILED ||
	    crew_init(&tracer->crew, &err))
		fail_msg("cannot set up");
}

static void tracer_release(struct tracer *tracer)
{
	crew_release(&tracer->crew);
	scratch_remove(&tracer->scratch);
	munmap(tracer->ops, 4096);
}

/* Task 1 of 2, so that its place in shared files is not the start. */
static void run_traced(const struct tracer *tracer, const struct wis_test *test, uint64_t limit)
{
	struct task task = {
		.test = test,
		.ops = {.count = tracer->ops, .limit = limit},
		.nr = 1,
		.nr_tasks = 2,
		.folder = tracer->scratch.folder,
		.board = tracer->crew.board,
	};

	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(77);
	raise(SIGSTOP);
	_exit(test->run(&task) ? 1 : 0);
}

static void note_call(struct traced *traced, const struct expected *expected,
		      const struct ptrace_syscall_info *info)
{
	traced->all++;
	for (int i = 0; i < KINDS_MAX; i++) {
		const struct kind *kind = &expected->kinds[i];
		long nr = (long)info->entry.nr;

		if (kind->nr == 0 && kind->alt == 0 && kind->arg == 0)
			return; /* no more kinds */
		if ((nr == kind->nr || (kind->alt && nr == kind->alt)) &&
		    (kind->arg == ANY || info->entry.args[kind->arg] == kind->value))
			traced->kinds[i]++;
	}
}

/*
 * Lets the process run to its end, stopping at each system call. Returns its wait status. Calls count from the
 * start line on, where the process waits for a futex: the names of temporary files are random, and so is what
 * it takes to find them.
 */
static int trace(pid_t pid, struct crew *crew, const struct expected *expected,
		 struct traced *traced)
{
	struct ptrace_syscall_info info;
	int status, deliver = 0;
	bool started = false;

	waitpid(pid, &status, 0);
	if (!WIFSTOPPED(status))
		return status;
	ptrace(PTRACE_SETOPTIONS, pid, NULL,
	       (void *)(uintptr_t)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL));
	for (;;) {
		ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(uintptr_t)deliver);
		waitpid(pid, &status, 0);
		if (!WIFSTOPPED(status))
			return status;
		deliver = WSTOPSIG(status);
		if (deliver != (SIGTRAP | 0x80))
			continue;
		deliver = 0;
		if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, (void *)sizeof(info), &info) <= 0 ||
		    info.op != PTRACE_SYSCALL_INFO_ENTRY)
			continue;
		if (started)
			note_call(traced, expected, &info);
		else if (info.entry.nr == SYS_futex) {
			started = true;
			crew_start(crew);
		}
	}
}

/* False: tracing is not allowed here. */
static bool run_once(const struct expected *expected, int ops, struct traced *traced)
{
	const struct wis_test *test = (const struct wis_test *)workload_find_test(
		&will_it_scale_workload, expected->test);
	struct tracer tracer = {0};
	struct err err;
	pid_t pid;
	int status;

	*traced = (struct traced){0};
	tracer_init(&tracer);
	if (test->prepare && test->prepare(tracer.scratch.folder, 2, &err))
		fail_msg("%s", err.msg);
	pid = fork();
	if (pid == 0)
		run_traced(&tracer, test, (uint64_t)ops);
	status = trace(pid, &tracer.crew, expected, traced);
	traced->ops = *tracer.ops;
	tracer_release(&tracer);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		return false;
	if (status)
		fail_msg("%s: status %x", expected->test, status);
	return true;
}

static void check(const struct expected *e)
{
	struct traced few = {0}, many = {0};
	long expected_calls = 0;

	if (!run_once(e, e->from, &few) || !run_once(e, e->to, &many)) {
		print_message("ptrace is not permitted here\n");
		skip();
	}
	assert_int_equal(few.ops, e->from);
	assert_int_equal(many.ops, e->to);
	for (int i = 0; i < KINDS_MAX; i++) {
		if (many.kinds[i] - few.kinds[i] != e->calls[i])
			fail_msg("%s: %ld calls of kind %d, expected %d", e->test,
				 many.kinds[i] - few.kinds[i], i, e->calls[i]);
		expected_calls += e->calls[i];
	}
	if (!e->others && many.all - few.all != expected_calls)
		fail_msg("%s: %ld system calls in all, expected %ld", e->test, many.all - few.all,
			 expected_calls);
}

static void test_each_operation_is_these_system_calls_and_no_others(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
#ifdef SANITIZED
		if (table[i].needs_own_malloc)
			continue;
#endif
		check(&table[i]);
	}
}

static void test_every_test_is_in_the_table(void **state)
{
	(void)state;
	for (int i = 0; i < will_it_scale_workload.tests_nr; i++) {
		const char *name = will_it_scale_workload.tests[i]->name;
		bool found = streq(name, "read3") || streq(name, "read4"); /* O_DIRECT */

		for (size_t k = 0; k < ARRAY_SIZE(table); k++)
			found = found || streq(name, table[k].test);
		if (!found)
			fail_msg("%s is not checked", name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_operation_is_these_system_calls_and_no_others),
		cmocka_unit_test(test_every_test_is_in_the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
