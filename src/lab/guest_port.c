// SPDX-License-Identifier: GPL-2.0-only
#include "lab/guest_port.h"

#include "base/pool.h"
#include "lab/vm_arch.h"
#include "measure/sysfile.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

enum {
	STEP_MS = 5,
};

static int open_port(const char *path)
{
	return open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
}

/* The kernel makes nodes for more serial ports than there are; those cannot be set up. */
static int make_raw(int fd, const char *path, struct err *err)
{
	struct termios settings;

	if (tcgetattr(fd, &settings))
		return err_set_errno(err, errno, "%s", path);
	cfmakeraw(&settings);
	settings.c_cflag |= CLOCAL | CREAD;
	settings.c_cflag &= ~(tcflag_t)CRTSCTS;
	cfsetspeed(&settings, B115200);
	if (tcsetattr(fd, TCSANOW, &settings))
		return err_set_errno(err, errno, "%s", path);
	return 0;
}

static int open_serial(const char *root, struct err *err)
{
	char *path = xasprintf("%s%s", root, VM_ARCH->data_tty);
	int fd = open_port(path);

	if (fd < 0)
		err_set_errno(err, errno, "%s", path);
	if (fd >= 0 && make_raw(fd, path, err)) {
		close(fd);
		fd = -1;
	}
	free(path);
	return fd;
}

/* What is looked for in a folder of the kernel's, and what was found. */
struct search {
	struct pool pool;
	const char *root;
	const char *found; /* NULL: not yet */
};

static void look_at_device(void *data, const char *name)
{
	struct search *s = data;

	if (starts_with(name, "virtio"))
		s->found = pool_strdup(&s->pool, name);
}

static void look_at_port(void *data, const char *name)
{
	struct search *s = data;
	const char *called =
		sysfile_read(&s->pool, s->root, "/sys/class/virtio-ports/%s/name", name);

	if (called && streq(called, VM_PORT_NAME))
		s->found = pool_printf(&s->pool, "%s/dev/%s", s->root, name);
}

/* The driver has a device, so that ports will show. */
static bool has_ports(const char *root)
{
	struct search s = {.root = root};
	bool found;

	sysfile_list(root, "/sys/bus/virtio/drivers/virtio_console", look_at_device, &s);
	found = s.found != NULL;
	pool_release(&s.pool);
	return found;
}

static int open_named(const char *root)
{
	struct search s = {.root = root};
	int fd = -1;

	sysfile_list(root, "/sys/class/virtio-ports", look_at_port, &s);
	if (s.found)
		fd = open_port(s.found);
	pool_release(&s.pool);
	return fd;
}

/* Until the host has its end open a port takes nothing, and looks like one that was closed. */
static bool is_connected(int fd)
{
	struct pollfd pfd = {.fd = fd, .events = POLLOUT};

	return poll(&pfd, 1, 0) == 1 && (pfd.revents & POLLOUT) && !(pfd.revents & POLLHUP);
}

static int open_virtio(const char *root, struct err *err)
{
	int64_t until_ns = clock_ns() + (int64_t)GUEST_PORT_WAIT_MS * 1000000;
	int fd = -1;

	if (!has_ports(root))
		return err_set(err, "no virtio port: no driver, or no device");
	for (;;) {
		if (fd < 0)
			fd = open_named(root);
		if (fd >= 0 && is_connected(fd))
			return fd;
		if (clock_ns() >= until_ns)
			break;
		poll(NULL, 0, STEP_MS);
	}
	if (fd >= 0)
		close(fd);
	return err_set(err, "the virtio port %s did not show within %d s", VM_PORT_NAME,
		       GUEST_PORT_WAIT_MS / 1000);
}

int guest_port_open(enum vm_line line, const char *root, struct err *err)
{
	return line == VM_VIRTIO ? open_virtio(root, err) : open_serial(root, err);
}

int guest_port(struct err *err)
{
	struct err why;
	int fd = guest_port_open(VM_VIRTIO, "", &why);

	if (fd < 0)
		fd = guest_port_open(VM_SERIAL, "", err);
	if (fd < 0)
		err_prefix(err, "no line to the host: %s; no second serial port", why.msg);
	return fd;
}
