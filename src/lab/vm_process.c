// SPDX-License-Identifier: GPL-2.0-only
#include "lab/vm_process.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	EXIT_NO_EXEC = 127,
	GIVE_UP_MS = 10000, /* a process that hangs in the kernel does not die */
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* ---- In the child, between fork and exec */

static void reset_signals(void)
{
	struct sigaction action = {.sa_handler = SIG_DFL};
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		sigaction(i, &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Everything is closed by exec but the standard ones and those to be kept. */
static int set_files(int errors, const struct vm_process_files *files)
{
	if (dup2(files->in, STDIN_FILENO) < 0 || dup2(files->out, STDOUT_FILENO) < 0 ||
	    dup2(errors, STDERR_FILENO) < 0)
		return -1;
	if (close_range(STDERR_FILENO + 1, ~0u, CLOSE_RANGE_CLOEXEC) < 0)
		for (int fd = STDERR_FILENO + 1; fd < (int)sysconf(_SC_OPEN_MAX); fd++)
			fcntl(fd, F_SETFD, FD_CLOEXEC);
	for (int i = 0; i < files->kept_nr; i++)
		if (fcntl(files->kept[i], F_SETFD, 0) < 0)
			return -1;
	return 0;
}

struct ends {
	int errors[2], failure[2]; /* pipes; [0]: ours */
};

static void __attribute__((noreturn))
inside(char *const *argv, const struct ends *ends, const struct vm_process_files *files)
{
	struct rlimit no_core = {0, 0};
	int why;

	setpgid(0, 0);
	reset_signals();
	setrlimit(RLIMIT_CORE, &no_core);
	setenv("LC_ALL", "C", 1);
	if (set_files(ends->errors[1], files) == 0)
		execvp(argv[0], argv);
	why = errno;
	while (write(ends->failure[1], &why, sizeof(why)) < 0 && errno == EINTR)
		;
	_exit(EXIT_NO_EXEC);
}

/* ---- In the parent */

static int connect_ends(struct ends *ends, struct err *err)
{
	if (pipe2(ends->errors, O_CLOEXEC) == 0 && pipe2(ends->failure, O_CLOEXEC) == 0 &&
	    fcntl(ends->errors[0], F_SETFL, O_NONBLOCK) == 0)
		return 0;
	return err_set_errno(err, errno, "cannot start QEMU: no pipe to it");
}

/* Nothing comes, and the other end is closed, when the program runs. */
static int executed(const struct ends *ends)
{
	int why = 0;
	ssize_t got;

	do
		got = read(ends->failure[0], &why, sizeof(why));
	while (got < 0 && errno == EINTR);
	return got == sizeof(why) ? why : 0;
}

static int start(struct vm_process *process, char *const *argv, struct ends *ends,
		 const struct vm_process_files *files)
{
	pid_t parent = getpid();

	process->pid = fork();
	if (process->pid < 0) {
		process->pid = 0;
		return errno;
	}
	if (process->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent) /* it died before the line above */
			_exit(EXIT_NO_EXEC);
		inside(argv, ends, files);
	}
	close_fd(&ends->errors[1]);
	close_fd(&ends->failure[1]);
	process->pidfd = (int)syscall(SYS_pidfd_open, process->pid, 0);
	process->stderr_fd = ends->errors[0];
	ends->errors[0] = -1;
	return executed(ends);
}

int vm_process_start(struct vm_process *process, char *const *argv,
		     const struct vm_process_files *files, struct err *err)
{
	struct ends ends = {{-1, -1}, {-1, -1}};
	int why, status = connect_ends(&ends, err);

	*process = (struct vm_process){.pidfd = -1, .stderr_fd = -1};
	if (status == 0) {
		why = start(process, argv, &ends, files);
		if (why)
			status = err_set_errno(err, why, "%s: cannot be started", argv[0]);
	}
	for (int i = 0; i < 2; i++) {
		close_fd(&ends.errors[i]);
		close_fd(&ends.failure[i]);
	}
	if (status < 0)
		vm_process_kill(process);
	return status;
}

bool vm_process_ended(struct vm_process *process)
{
	pid_t got;

	if (process->ended || !process->pid)
		return true;
	do
		got = waitpid(process->pid, &process->wait_status, WNOHANG);
	while (got < 0 && errno == EINTR);
	if (got < 0) /* whoever started us may have left SIGCHLD ignored */
		process->wait_status = -1;
	process->ended = got != 0;
	return process->ended;
}

static void wait_for_end(struct vm_process *process)
{
	struct pollfd poll_fd = {.fd = process->pidfd, .events = POLLIN};

	for (int ms = 0; ms < GIVE_UP_MS && !vm_process_ended(process); ms += 50)
		poll(&poll_fd, 1, 50);
}

/*
 * Note: not asked to quit first: it has nothing to save, and everything it holds ends with it.
 */
void vm_process_kill(struct vm_process *process)
{
	if (process->pid) {
		if (!process->ended) {
			kill(process->pid, SIGKILL); /* ours until it is reaped */
			wait_for_end(process);
		}
		close_fd(&process->pidfd);
		close_fd(&process->stderr_fd);
	}
	*process = (struct vm_process){.pidfd = -1, .stderr_fd = -1};
}
