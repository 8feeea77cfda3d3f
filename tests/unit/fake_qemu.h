/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_FAKE_QEMU_H
#define UNIT_FAKE_QEMU_H
/*
 * A QEMU that does as the last word of -append tells it. It is the test's own program: with
 * .qemu = "/proc/self/exe", main() calls fake_qemu() when it was given arguments.
 */
#include "base/strbuf.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

struct fake_qemu {
	int console, qmp, port; /* port: of virtio, -1 without; data: the standard files */
	const char *initrd, *what;
};

static inline void fake_says(int fd, const char *text)
{
	for (size_t len = strlen(text); len > 0;) {
		ssize_t sent = write(fd, text, len);

		if (sent < 0)
			_exit(9);
		text += sent;
		len -= (size_t)sent;
	}
}

/* Waits until all that was said through a pipe is read: what is said elsewhere then is seen later. */
static inline void fake_is_heard(int fd)
{
	int left = 0;

	while (ioctl(fd, FIONREAD, &left) == 0 && left > 0)
		usleep(1000);
}

/* Until the watcher has sent a line with this word in it. */
static inline void fake_hears(int fd, const char *word)
{
	char line[256];
	size_t len = 0;

	do {
		if (len == sizeof(line) - 1 || recv(fd, line + len, 1, 0) != 1)
			_exit(8);
		line[++len] = '\0';
		if (line[len - 1] == '\n' && !strstr(line, word))
			len = 0;
	} while (len == 0 || line[len - 1] != '\n');
}

static inline void __attribute__((noreturn)) fake_sleeps(void)
{
	for (;;)
		pause();
}

static inline void fake_stops(const struct fake_qemu *q, const char *status)
{
	char *answer =
		xasprintf("{\"return\": {\"status\": \"%s\", \"running\": false}}\r\n", status);

	fake_says(q->qmp, "{\"event\": \"STOP\"}\r\n");
	fake_hears(q->qmp, "query-status");
	fake_says(q->qmp, answer);
	free(answer);
	fake_sleeps();
}

/* What it was given: open descriptors, environment, limits, the initrd's text. */
static inline void fake_tells_all(const struct fake_qemu *q)
{
	struct strbuf text = STRBUF_INIT;
	struct rlimit core;
	struct dirent *entry;
	DIR *dir = opendir("/proc/self/fd");
	char initrd[64] = "";
	int fd = open(q->initrd, O_RDONLY | O_CLOEXEC), files = 0;

	if (!dir || fd < 0 || read(fd, initrd, sizeof(initrd) - 1) < 0)
		_exit(7);
	close(fd);
	while ((entry = readdir(dir)) != NULL)
		files += entry->d_name[0] != '.';
	closedir(dir);
	getrlimit(RLIMIT_CORE, &core);
	strbuf_addf(&text, "files %d core %d leader %d locale %s initrd %s\n", files - 1,
		    (int)core.rlim_cur, getpgrp() == getpid(), getenv("LC_ALL"), initrd);
	fake_says(q->console, text.buf);
	strbuf_release(&text);
	fake_sleeps();
}

static inline void fake_chatters(const struct fake_qemu *q)
{
	for (int i = 0; i < 100000; i++) {
		char line[64];

		snprintf(line, sizeof(line), "line %06d of many\r\n", i);
		fake_says(q->console, line);
	}
}

static inline void fake_panics(const struct fake_qemu *q)
{
	fake_says(q->console, "[    1.0] before\r\n[    2.345678] Kernel panic - not ");
	fake_says(q->console, "syncing: sysrq triggered crash\r\n[    2.4] Call Trace:\r\n");
	fake_says(q->qmp, "{\"event\": \"SHUTDOWN\", \"data\": {\"reason\": \"guest-reset\"}}\r\n");
}

/* What unpacks a kernel, of an image that is damaged. */
static inline void __attribute__((noreturn)) fake_halts(const struct fake_qemu *q)
{
	fake_says(q->console, "Probing EDD... ok\r\n\nZSTD-compressed data is corrupt\n\n");
	fake_says(q->console, " -- System halted");
	fake_sleeps();
}

static inline void fake_powers_off(const struct fake_qemu *q)
{
	fake_says(q->console, "\001hello\033[0m\r\n\tworld \xff\r\n");
	fake_says(STDOUT_FILENO, "four");
	if (q->port >= 0)
		fake_says(q->port, "fives");
	fake_says(q->qmp,
		  "{\"event\": \"SHUTDOWN\", \"data\": {\"reason\": \"guest-shutdown\"}}\r\n");
}

static inline int fake_complains(void)
{
	fputs("qemu-system-x86_64: warning: this and that\n"
	      "Could not access KVM kernel module: No such file or directory\n"
	      "qemu-system-x86_64: failed to initialize kvm: No such file or directory\n",
	      stderr);
	return 1;
}

static inline void fake_begins(const struct fake_qemu *q)
{
	fake_says(q->qmp, "{\"QMP\": {}}\r\n");
	fake_hears(q->qmp, "query-status");
	fake_says(
		q->qmp,
		"{\"return\": {}}\r\n{\"return\": {\"status\": \"running\", \"running\": true}}\r\n");
}

static inline int fake_does(const struct fake_qemu *q)
{
	if (streq(q->what, "complain"))
		return fake_complains();
	if (streq(q->what, "abort")) {
		fputs("qemu: kvm.c:1: Assertion failed\n", stderr);
		fflush(stderr);
		signal(SIGABRT, SIG_DFL);
		kill(getpid(), SIGABRT);
	}
	fake_begins(q);
	if (streq(q->what, "internal-error") || streq(q->what, "paused"))
		fake_stops(q, q->what);
	if (streq(q->what, "tell"))
		fake_tells_all(q);
	if (streq(q->what, "chatter"))
		fake_chatters(q);
	if (streq(q->what, "panic"))
		fake_panics(q);
	if (streq(q->what, "halt"))
		fake_halts(q);
	if (streq(q->what, "power-off"))
		fake_powers_off(q);
	if (streq(q->what, "hang"))
		fake_sleeps();
	return 0;
}

static inline int fake_qemu_fd(const char *text)
{
	const char *fd = text + strlen(text);
	int64_t number = -1;

	while (fd > text && fd[-1] >= '0' && fd[-1] <= '9')
		fd--;
	return parse_i64(fd, &number) ? (int)number : -1;
}

/* What is on its command line. */
static inline void fake_qemu_read(struct fake_qemu *q, int argc, char **argv)
{
	*q = (struct fake_qemu){-1, -1, -1, "", ""};
	signal(SIGPIPE, SIG_IGN);
	for (int i = 1; i < argc; i++) {
		if (starts_with(argv[i], "file,id=console"))
			q->console = fake_qemu_fd(argv[i]);
		else if (starts_with(argv[i], "socket,id=qmp"))
			q->qmp = fake_qemu_fd(argv[i]);
		else if (starts_with(argv[i], "socket,id=port"))
			q->port = fake_qemu_fd(argv[i]);
		else if (streq(argv[i], "-initrd"))
			q->initrd = argv[i + 1];
		else if (streq(argv[i], "-append"))
			q->what = strrchr(argv[i + 1], ' ') + 1;
	}
}

static inline int fake_qemu(int argc, char **argv)
{
	struct fake_qemu q;

	fake_qemu_read(&q, argc, argv);
	return fake_does(&q);
}

#endif
