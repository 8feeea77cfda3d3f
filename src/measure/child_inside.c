// SPDX-License-Identifier: GPL-2.0-only
#include "measure/child_wire.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	EXIT_NO_EXEC = 127, /* as the shells do */
	EXIT_NO_PARENT = 126,
};

/* A parent that is gone is noticed by PR_SET_PDEATHSIG, so a failing send needs no care. */
static void send_message(const struct child_io *io, const struct child_message *message)
{
	char packet[CHILD_PACKET_MAX];
	size_t len = child_message_encode(message, packet);

	while (send(io->sock, packet, len, MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
}

static void send_type(const struct child_io *io, enum child_message_type type)
{
	struct child_message message = {.type = type};

	send_message(io, &message);
}

static void wait_for_answer(const struct child_io *io)
{
	ssize_t got;
	char answer;

	do
		got = recv(io->sock, &answer, 1, 0);
	while (got < 0 && errno == EINTR);
	if (got <= 0)
		_exit(EXIT_NO_PARENT);
}

void child_begin(struct child_io *io)
{
	send_type(io, CHILD_BEGIN);
	wait_for_answer(io);
}

void child_end(struct child_io *io)
{
	send_type(io, CHILD_END);
	wait_for_answer(io);
}

void child_value(struct child_io *io, const char *metric, struct number value)
{
	struct child_message message = {.type = CHILD_VALUE, .value = value};

	snprintf(message.text, sizeof(message.text), "%s", metric);
	send_message(io, &message);
}

void child_sample(struct child_io *io, const char *metric, double time_s, double value)
{
	struct child_message message = {
		.type = CHILD_SAMPLE, .time_s = time_s, .value = number_float(value)};

	snprintf(message.text, sizeof(message.text), "%s", metric);
	send_message(io, &message);
}

void child_warn(struct child_io *io, const char *fmt, ...)
{
	struct child_message message = {.type = CHILD_WARN};
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(message.text, sizeof(message.text), fmt, ap);
	va_end(ap);
	send_message(io, &message);
}

void child_fail(struct child_io *io, const char *fmt, ...)
{
	struct child_message message = {.type = CHILD_FAIL};
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(message.text, sizeof(message.text), fmt, ap);
	va_end(ap);
	send_message(io, &message);
}

static void reset_signals(void)
{
	struct sigaction action = {.sa_handler = SIG_DFL};
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		sigaction(i, &action, NULL); /* SIGKILL and SIGSTOP refuse: they need none */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Where an old container's filter forbids close_range(2). */
static void close_listed_but(int keep)
{
	DIR *dir = opendir("/proc/self/fd");
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		int64_t fd;

		if (parse_i64(entry->d_name, &fd) && fd > 2 && fd != keep && fd != dirfd(dir))
			close((int)fd);
	}
	if (dir)
		closedir(dir);
}

static void close_all_but(int keep)
{
	if (keep > 3)
		close_range(3, (unsigned)keep - 1, 0);
	if (close_range((unsigned)keep + 1, ~0u, 0) < 0)
		close_listed_but(keep);
}

/* In: nothing, out and err: the pipe. Returns the socket's number, which may have to make room. */
static int set_files(int sock, int output)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	sock = fcntl(sock, F_DUPFD_CLOEXEC, 3);
	output = fcntl(output, F_DUPFD_CLOEXEC, 3);
	if (null < 0 || sock < 0 || output < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
		return -1;
	/* dup2() onto itself, where our parent ran without a standard input, leaves close-on-exec set */
	fcntl(STDIN_FILENO, F_SETFD, 0);
	close_all_but(sock);
	return sock;
}

static void set_up(struct child_io *io, int sock, int output, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* it died before the line above */
		_exit(EXIT_NO_PARENT);
	setpgid(0, 0);
	reset_signals();
	setenv("LC_ALL", "C", 1);
	io->sock = set_files(sock, output);
	if (io->sock >= 0)
		return;
	io->sock = sock;
	child_fail(io, "cannot set up the test's files: %s", err_reason(errno));
	_exit(EXIT_NO_EXEC);
}

void child_inside(const struct child_spec *spec, int sock, int output, pid_t parent)
{
	static char stdout_buf[BUFSIZ]; /* line by line: a crash loses no whole line */
	struct child_message no_exec = {.type = CHILD_NO_EXEC};
	struct child_io io;
	int status;

	set_up(&io, sock, output, parent);
	send_type(&io, CHILD_READY);
	wait_for_answer(&io);
	if (spec->function) {
		setvbuf(stdout, stdout_buf, _IOLBF, sizeof(stdout_buf));
		status = spec->function(spec->arg, &io);
		fflush(stdout);
		_exit(status);
	}
	execvp(spec->argv[0], spec->argv);
	no_exec.errnum = errno;
	send_message(&io, &no_exec);
	_exit(EXIT_NO_EXEC);
}
