// SPDX-License-Identifier: GPL-2.0-only
#include "workload/crew.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	NAP_NS = 1000 * 1000, /* while somebody writes down a reason */
	REASON_NAPS_MAX = 1000, /* who writes it may have been killed */
};

enum board_failed {
	NOBODY_FAILED,
	REASON_COMING,
	REASON_WRITTEN,
};

struct crew_board {
	uint32_t ready; /* how many wait at the start line */
	uint32_t started; /* a futex: how often the line was opened */
	int arrived; /* an eventfd: somebody came to the line */
	uint32_t failed; /* enum board_failed */
	char reason[512];
};

static volatile sig_atomic_t asked_to_end;

/* SIGCHLD has a handler so that it ends a sleep. */
static void on_signal(int signal)
{
	if (signal != SIGCHLD)
		asked_to_end = signal;
}

/* Handled signals come in await() only: one that came between a check and a sleep would be slept over. */
static void handle_signals(void (*handler)(int))
{
	static const int signals[] = {SIGCHLD, SIGTERM, SIGINT};
	struct sigaction action = {.sa_handler = handler};
	sigset_t set;

	sigemptyset(&action.sa_mask);
	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		sigaction(signals[i], &action, NULL);
		sigaddset(&set, signals[i]);
	}
	sigprocmask(handler == SIG_DFL ? SIG_UNBLOCK : SIG_BLOCK, &set, NULL);
}

/* Until the monotonic clock shows that time, or a signal comes, or something is to be read from fd (-1: none). */
static void await(int fd, int64_t until_ns)
{
	int64_t left = until_ns - clock_ns();
	struct timespec timeout = {.tv_sec = left / NS_PER_S, .tv_nsec = left % NS_PER_S};
	struct pollfd poll = {.fd = fd, .events = POLLIN};
	sigset_t none;

	sigemptyset(&none);
	if (left > 0)
		ppoll(&poll, 1, &timeout, &none);
}

int crew_init(struct crew *crew, struct err *err)
{
	struct crew_board *board;

	*crew = (struct crew){0};
	board = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	if (board == MAP_FAILED)
		return err_set_errno(err, errno, "shared memory");
	crew->board = board;
	board->arrived = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (board->arrived < 0)
		return err_set_errno(err, errno, "eventfd");
	asked_to_end = 0;
	handle_signals(on_signal);
	/* Helpers whose task ended become our children, so that nobody is left behind uncounted. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	return 0;
}

static void nap(void)
{
	nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
}

static void wait_for_reason(struct crew_board *board)
{
	for (int i = 0; i < REASON_NAPS_MAX; i++) {
		if (__atomic_load_n(&board->failed, __ATOMIC_ACQUIRE) != REASON_COMING)
			return;
		nap();
	}
}

int crew_fail(struct crew_board *board, const char *fmt, ...)
{
	uint32_t nobody = NOBODY_FAILED;
	va_list ap;

	if (__atomic_compare_exchange_n(&board->failed, &nobody, REASON_COMING, false,
					__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
		va_start(ap, fmt);
		vsnprintf(board->reason, sizeof(board->reason), fmt, ap);
		va_end(ap);
		__atomic_store_n(&board->failed, REASON_WRITTEN, __ATOMIC_RELEASE);
	}
	/* A caller that ends its process must not cut off a thread that is still writing. */
	wait_for_reason(board);
	return -1;
}

/* In a new process. Its parent may be gone before it could ask to die with it. */
static void die_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
}

int crew_add(struct crew *crew, crew_work *work, void *arg, struct err *err)
{
	pid_t parent = getpid(), pid = fork();

	if (pid < 0)
		return err_set_errno(err, errno,
				     "cannot start process %d: lower nr_task or raise `ulimit -u`",
				     crew->nr + 1);
	if (pid == 0) {
		die_with(parent);
		handle_signals(SIG_DFL);
		_exit(work(crew->board, arg));
	}
	GROW(crew->pids, crew->nr, crew->alloc);
	crew->pids[crew->nr++] = pid;
	return 0;
}

int crew_fork_helper(void (*work)(void *arg), void *arg)
{
	pid_t parent = getpid(), pid = fork();

	if (pid < 0)
		return -1;
	if (pid == 0) {
		die_with(parent);
		work(arg);
		_exit(0);
	}
	return 0;
}

static long futex(uint32_t *at, int operation, uint32_t value)
{
	return syscall(SYS_futex, at, operation, value, NULL, NULL, 0);
}

void crew_wait_start(struct crew_board *board)
{
	uint32_t started = __atomic_load_n(&board->started, __ATOMIC_ACQUIRE);

	__atomic_add_fetch(&board->ready, 1, __ATOMIC_ACQ_REL);
	eventfd_write(board->arrived, 1);
	while (__atomic_load_n(&board->started, __ATOMIC_ACQUIRE) == started)
		futex(&board->started, FUTEX_WAIT, started);
}

void crew_start(struct crew *crew)
{
	struct crew_board *board = crew->board;

	__atomic_store_n(&board->ready, 0, __ATOMIC_RELEASE);
	__atomic_add_fetch(&board->started, 1, __ATOMIC_ACQ_REL);
	futex(&board->started, FUTEX_WAKE, INT_MAX);
}

/* Writes down why a process ended that should not have, or not so. */
static int explain_end(struct crew_board *board, int status)
{
	int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	const char *name = signal ? sigabbrev_np(signal) : NULL, *hint = "";

	if (signal == SIGBUS)
		hint = ": is the file system of $TMPDIR full?";
	else if (signal == SIGKILL)
		hint = ": out of memory?";
	if (name)
		return crew_fail(board, "a task was killed by SIG%s%s", name, hint);
	if (signal)
		return crew_fail(board, "a task was killed by real-time signal %d", signal);
	return crew_fail(board, "a task ended by itself with status %d", WEXITSTATUS(status));
}

static bool is_member(struct crew *crew, pid_t pid)
{
	for (int i = 0; i < crew->nr; i++) {
		if (crew->pids[i] == pid) {
			crew->pids[i] = 0;
			return true;
		}
	}
	return false;
}

static int failure(struct crew *crew, struct err *err)
{
	struct crew_board *board = crew->board;

	if (asked_to_end)
		return err_set(err, "ended by SIG%s", sigabbrev_np(asked_to_end));
	if (__atomic_load_n(&board->failed, __ATOMIC_ACQUIRE) == NOBODY_FAILED)
		return 0;
	wait_for_reason(board);
	return err_set(err, "%s", board->reason);
}

/* Reaps one process (or none if WNOHANG is in flags and none ended); 0: nobody is left, or nobody ended. */
static pid_t reap(struct crew *crew, int flags, bool may_end)
{
	int status;
	pid_t pid = waitpid(-1, &status, flags);

	if (pid <= 0)
		return pid < 0 && errno == EINTR ? -1 : 0;
	if (is_member(crew, pid) && (status || !may_end))
		explain_end(crew->board, status);
	return pid;
}

static int check(struct crew *crew, bool may_end, struct err *err)
{
	while (reap(crew, WNOHANG, may_end) > 0)
		;
	return failure(crew, err);
}

int crew_wait_ready(struct crew *crew, int nr, struct err *err)
{
	struct crew_board *board = crew->board;
	eventfd_t arrivals;

	while (__atomic_load_n(&board->ready, __ATOMIC_ACQUIRE) < (uint32_t)nr) {
		if (check(crew, false, err))
			return -1;
		await(board->arrived, clock_ns() + NS_PER_S);
		eventfd_read(board->arrived, &arrivals);
	}
	return 0;
}

int crew_sleep_until(struct crew *crew, int64_t deadline_ns, struct err *err)
{
	while (clock_ns() < deadline_ns) {
		if (check(crew, false, err))
			return -1;
		await(-1, deadline_ns);
	}
	return check(crew, false, err);
}

static bool anybody_left(const struct crew *crew)
{
	for (int i = 0; i < crew->nr; i++)
		if (crew->pids[i])
			return true;
	return false;
}

int crew_wait_end(struct crew *crew, struct err *err)
{
	while (check(crew, true, err) == 0) {
		if (!anybody_left(crew))
			return 0;
		await(-1, clock_ns() + NS_PER_S);
	}
	return -1;
}

void crew_kill(struct crew *crew)
{
	for (int i = 0; i < crew->nr; i++)
		if (crew->pids[i])
			kill(crew->pids[i], SIGKILL);
	while (crew->nr && reap(crew, 0, true) != 0)
		;
}

void crew_release(struct crew *crew)
{
	if (!crew->board)
		return;
	crew_kill(crew);
	handle_signals(SIG_DFL);
	if (crew->board->arrived >= 0)
		close(crew->board->arrived);
	munmap(crew->board, sizeof(*crew->board));
	free(crew->pids);
	*crew = (struct crew){0};
}
