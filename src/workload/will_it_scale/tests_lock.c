// SPDX-License-Identifier: GPL-2.0-only
/* Tests of futexes, mutexes, semaphores and file locks. */
#include "workload/will_it_scale/test.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The futex is on the task's stack: nobody else uses it, so a wake finds nobody. */
static inline int futex_loop(const struct task *task, int operation)
{
	struct ops ops = task->ops;
	uint32_t word;

	task_start(task);
	do {
		word = 0;
		syscall(SYS_futex, &word, operation, 1, NULL, NULL, 0);
	} while (ops_done(&ops, 1));
	return 0;
}

/*
 * One operation is one FUTEX_WAKE of a futex nobody waits on, shared (the kernel looks up its page).
 */
static int run_futex1(const struct task *task)
{
	return futex_loop(task, FUTEX_WAKE);
}
WIS_TEST(futex1, .base.help = "one FUTEX_WAKE that finds nobody");

/*
 * One operation is one FUTEX_WAIT for the value 1 on a futex that is 0, shared: returns EAGAIN at once.
 */
static int run_futex2(const struct task *task)
{
	return futex_loop(task, FUTEX_WAIT);
}
WIS_TEST(futex2, .base.help = "one FUTEX_WAIT that does not wait, the value being another");

/*
 * As futex1, for a futex private to the process.
 */
static int run_futex3(const struct task *task)
{
	return futex_loop(task, FUTEX_WAKE_PRIVATE);
}
WIS_TEST(futex3, .base.help = "one private FUTEX_WAKE that finds nobody");

/*
 * As futex2, for a futex private to the process.
 */
static int run_futex4(const struct task *task)
{
	return futex_loop(task, FUTEX_WAIT_PRIVATE);
}
WIS_TEST(futex4, .base.help = "one private FUTEX_WAIT that does not wait, the value being another");

/* Threads share it; processes have a copy each. */
static pthread_mutex_t common = PTHREAD_MUTEX_INITIALIZER;

/*
 * One operation is lock and unlock of a mutex that all threads share. Processes have one each: no contention.
 */
static int run_pthread_mutex1(const struct task *task)
{
	struct ops ops = task->ops;

	task_start(task);
	do {
		pthread_mutex_lock(&common);
		pthread_mutex_unlock(&common);
	} while (ops_done(&ops, 1));
	return 0;
}
WIS_TEST(pthread_mutex1, .base.help = "lock and unlock of a mutex shared by the threads");

/*
 * One operation is lock and unlock of a mutex of the task's own: never contended, the kernel is not entered.
 */
static int run_pthread_mutex2(const struct task *task)
{
	pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
	struct ops ops = task->ops;

	task_start(task);
	do {
		pthread_mutex_lock(&own);
		pthread_mutex_unlock(&own);
	} while (ops_done(&ops, 1));
	return 0;
}
WIS_TEST(pthread_mutex2, .base.help = "lock and unlock of a mutex of the task's own");

/* Volatile: the compiler would see that nobody reads them. */
static volatile uint64_t common_value;
static _Thread_local volatile uint64_t thread_value;

static inline int mutex_update_loop(const struct task *task, volatile uint64_t *value)
{
	struct ops ops = task->ops;

	task_start(task);
	do {
		pthread_mutex_lock(&common);
		*value += 1;
		pthread_mutex_unlock(&common);
	} while (ops_done(&ops, 1));
	return 0;
}

/*
 * As pthread_mutex1, with an increment of one variable of all threads under the lock.
 */
static int run_pthread_mutex3(const struct task *task)
{
	return mutex_update_loop(task, &common_value);
}
WIS_TEST(pthread_mutex3,
	 .base.help = "lock of a shared mutex, update of a global variable, unlock");

/*
 * As pthread_mutex1, with an increment of a variable on the task's stack under the lock.
 */
static int run_pthread_mutex4(const struct task *task)
{
	volatile uint64_t value = 0;

	return mutex_update_loop(task, &value);
}
WIS_TEST(pthread_mutex4, .base.help = "lock of a shared mutex, update of a local variable, unlock");

/*
 * As pthread_mutex1, with an increment of a thread-local variable under the lock.
 */
static int run_pthread_mutex5(const struct task *task)
{
	return mutex_update_loop(task, &thread_value);
}
WIS_TEST(pthread_mutex5,
	 .base.help = "lock of a shared mutex, update of a thread-local variable, unlock");

/*
 * One operation is sem_wait() and sem_post() of a semaphore of the task's own, at 1: the kernel is not entered.
 */
static int run_posix_semaphore1(const struct task *task)
{
	struct ops ops = task->ops;
	sem_t own;

	sem_init(&own, 0, 1);
	task_start(task);
	do {
		sem_wait(&own);
		sem_post(&own);
	} while (ops_done(&ops, 1));
	return 0;
}
WIS_TEST(posix_semaphore1, .base.help = "wait and post of a POSIX semaphore of the task's own");

/* The system call changes nothing in the struct, so the loop need not fill it again. */
static inline int lock_loop(const struct task *task, int fd)
{
	struct flock take = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
	struct flock drop = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_len = 1};
	struct ops ops = task->ops;

	if (fd < 0)
		return -1;
	task_start(task);
	do {
		if (fcntl(fd, F_SETLKW, &take) || fcntl(fd, F_SETLKW, &drop))
			return task_fail(task, "fcntl(F_SETLKW)");
	} while (ops_done(&ops, 2));
	return 0;
}

/*
 * A write lock of the first byte of the task's own file, and its release, are two operations.
 */
static int run_lock1(const struct task *task)
{
	return lock_loop(task, task_temp_file(task, 0));
}
WIS_TEST(lock1, .base.help = "one fcntl() that locks or unlocks a byte of the task's own file");

/*
 * As lock1, all tasks locking the same byte of the same file: processes wait for one another.
 */
static int run_lock2(const struct task *task)
{
	return lock_loop(task, task_shared_file(task, O_RDWR));
}
WIS_TEST(lock2, .base.help = "one fcntl() that locks or unlocks a byte of a file all tasks share",
	 .prepare = wis_prepare_empty);
