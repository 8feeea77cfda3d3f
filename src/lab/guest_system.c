// SPDX-License-Identifier: GPL-2.0-only
#include "lab/guest_system.h"

#include "base/strbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <unistd.h>

/* In order: some are below others. Not /tmp: files of the user's may be below it, and the root is memory. */
static const struct mount_point {
	const char *path, *type;
	unsigned long flags;
	const char *options;
	bool required;
} mount_points[] = {
	{"/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL, true},
	{"/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL, true},
	{"/dev", "devtmpfs", MS_NOSUID, "mode=0755", true},
	{"/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "mode=0620,ptmxmode=0666", false},
	{"/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777", false},
	{"/sys/kernel/debug", "debugfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL, false},
	{"/sys/kernel/tracing", "tracefs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL, false},
};

static const struct {
	const char *path, *target;
} links[] = {
	{"/dev/fd", "/proc/self/fd"},
	{"/dev/stdin", "/proc/self/fd/0"},
	{"/dev/stdout", "/proc/self/fd/1"},
	{"/dev/stderr", "/proc/self/fd/2"},
};

static const struct {
	const char *name, *value;
} environment[] = {
	{"PATH", "/bin:/usr/bin:/sbin:/usr/sbin:/usr/local/bin"},
	{"HOME", "/"},
	{"TMPDIR", "/tmp"},
};

static int mount_all(struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(mount_points); i++) {
		const struct mount_point *m = &mount_points[i];

		mkdir(m->path, 0755);
		if (mount(m->type, m->path, m->type, m->flags, m->options) == 0 || !m->required)
			continue;
		/* EBUSY: the kernel mounted it itself (CONFIG_DEVTMPFS_MOUNT) */
		if (errno != EBUSY)
			return err_set_errno(err, errno, "mounting %s on %s", m->type, m->path);
	}
	return 0;
}

/* False: it cannot be opened, or there is no need to. */
static bool open_lowest(const char *path, int flags)
{
	int fd = open(path, flags | O_NOCTTY);

	if (fd > STDERR_FILENO)
		close(fd);
	return fd >= 0 && fd < STDERR_FILENO;
}

/*
 * An initramfs without /dev/console gives the first process no open files, and so does a kernel without a console.
 * The log of such a kernel is all there is; its early console prints it.
 */
static void open_console(void)
{
	if (fcntl(STDERR_FILENO, F_GETFD) >= 0)
		return;
	while (open_lowest("/dev/console", O_RDWR))
		;
	if (fcntl(STDERR_FILENO, F_GETFD) < 0)
		open_lowest("/dev/null", O_RDONLY);
	while (fcntl(STDERR_FILENO, F_GETFD) < 0 && open_lowest("/dev/kmsg", O_WRONLY))
		;
}

int guest_system_setup(struct err *err)
{
	umask(022);
	if (mount_all(err))
		return -1;
	mkdir("/tmp", 01777);
	chmod("/tmp", 01777);
	for (size_t i = 0; i < ARRAY_SIZE(links); i++)
		if (symlink(links[i].target, links[i].path) && errno != EEXIST)
			return err_set_errno(err, errno, "%s", links[i].path);
	for (size_t i = 0; i < ARRAY_SIZE(environment); i++)
		setenv(environment[i].name, environment[i].value, 1);
	open_console();
	return 0;
}

int guest_system_read(const char *path, struct strbuf *out, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char part[65536];
	ssize_t got;

	if (fd < 0)
		return err_set_errno(err, errno, "%s", path);
	while ((got = read(fd, part, sizeof(part))) > 0)
		strbuf_add(out, part, (size_t)got);
	if (got < 0)
		err_set_errno(err, errno, "%s", path);
	close(fd);
	return got < 0 ? -1 : 0;
}

/* Note: not dprintf(), which asks for the position in the file; the kernel's log has none. */
void guest_system_say(const char *text)
{
	char *line = xasprintf("perfcmp: %s\n", text);
	size_t length = strlen(line), done = 0;
	ssize_t written;

	while (done < length && (written = write(STDERR_FILENO, line + done, length - done)) > 0)
		done += (size_t)written;
	free(line);
}

/* Where power cannot be switched off, a reset ends the machine as well: it is started without reboots. */
void guest_system_power_off(void)
{
	sync();
	reboot(RB_POWER_OFF);
	reboot(RB_AUTOBOOT);
	for (;;)
		pause();
}
