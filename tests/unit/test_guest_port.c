// SPDX-License-Identifier: GPL-2.0-only
/* The guest's choice of a line, in a tree with /sys and /dev as kernels have them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/guest_port.h"

#include "fake_root.h"

#include <fcntl.h>
#include <pty.h>
#include <termios.h>

#define DRIVER "/sys/bus/virtio/drivers/virtio_console"
#define PORTS "/sys/class/virtio-ports"

static void the_port_with_our_name_is_taken(void **state)
{
	static const struct fake_file files[] = {
		{DRIVER "/virtio0/name", ""},
		{PORTS "/vport0p0/name", "com.somebody.else\n"},
		{PORTS "/vport0p3/name", "org.perfcmp.data\n"},
		{"/dev/vport0p0", ""},
		{NULL, NULL},
	};
	char *root = fake_root_new(files);
	char *node = xasprintf("%s/dev/vport0p3", root);
	struct stat want, got;
	struct err err = {""};
	int fd;

	(void)state;
	assert_int_equal(mkfifo(node, 0600), 0);
	fd = guest_port_open(VM_VIRTIO, root, &err);
	assert_true(fd >= 0);
	assert_int_equal(stat(node, &want), 0);
	assert_int_equal(fstat(fd, &got), 0);
	assert_int_equal(got.st_ino, want.st_ino);
	assert_true(fcntl(fd, F_GETFL) & O_NONBLOCK);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	close(fd);
	free(node);
	fake_root_remove(root);
}

/* With a driver and no device, or neither, there is nothing to wait for. */
static void where_no_port_can_come_none_is_waited_for(void **state)
{
	static const struct fake_file cases[][2] = {
		{{"/sys/kernel/x", ""}, {NULL, NULL}},
		{{DRIVER "/bind", ""}, {NULL, NULL}},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *root = fake_root_new(cases[i]);
		int64_t before_ns = clock_ns();
		struct err err = {""};

		assert_int_equal(guest_port_open(VM_VIRTIO, root, &err), -1);
		assert_string_equal(err.msg, "no virtio port: no driver, or no device");
		assert_true(clock_ns() - before_ns < (int64_t)GUEST_PORT_WAIT_MS * 1000000 / 2);
		fake_root_remove(root);
	}
}

static void a_port_that_does_not_show_is_given_up(void **state)
{
	static const struct fake_file files[] = {
		{DRIVER "/virtio0/name", ""},
		{PORTS "/vport0p1/name", "com.somebody.else\n"},
		{NULL, NULL},
	};
	char *root = fake_root_new(files);
	struct err err = {""};

	(void)state;
	assert_int_equal(guest_port_open(VM_VIRTIO, root, &err), -1);
	assert_string_equal(err.msg, "the virtio port org.perfcmp.data did not show within 5 s");
	fake_root_remove(root);
}

static void the_serial_port_is_made_raw(void **state)
{
	static const struct fake_file files[] = {{"/dev/null", ""}, {NULL, NULL}};
	char *root = fake_root_new(files);
	char *node = xasprintf("%s/dev/ttyS1", root), name[64];
	struct termios settings;
	struct err err = {""};
	int fd, ours, theirs;

	(void)state;
	assert_int_equal(openpty(&ours, &theirs, name, NULL, NULL), 0);
	assert_int_equal(symlink(name, node), 0);
	fd = guest_port_open(VM_SERIAL, root, &err);
	assert_true(fd >= 0);
	assert_int_equal(tcgetattr(theirs, &settings), 0);
	assert_false(settings.c_lflag & (ECHO | ICANON | ISIG));
	assert_false(settings.c_oflag & OPOST);
	assert_true(fcntl(fd, F_GETFL) & O_NONBLOCK);
	close(fd);
	close(ours);
	close(theirs);
	free(node);
	fake_root_remove(root);
}

/* The kernel makes nodes for ports that the machine lacks. */
static void a_serial_port_that_is_none_is_refused(void **state)
{
	static const struct fake_file files[] = {{"/dev/ttyS1", ""}, {NULL, NULL}};
	static const struct fake_file none[] = {{"/dev/null", ""}, {NULL, NULL}};
	char *root = fake_root_new(files);
	struct err err = {""};

	(void)state;
	assert_int_equal(guest_port_open(VM_SERIAL, root, &err), -1);
	assert_true(ends_with(err.msg, "/dev/ttyS1: Inappropriate ioctl for device"));
	fake_root_remove(root);
	root = fake_root_new(none);
	assert_int_equal(guest_port_open(VM_SERIAL, root, &err), -1);
	assert_true(ends_with(err.msg, "/dev/ttyS1: No such file or directory"));
	fake_root_remove(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_port_with_our_name_is_taken),
		cmocka_unit_test(where_no_port_can_come_none_is_waited_for),
		cmocka_unit_test(a_port_that_does_not_show_is_given_up),
		cmocka_unit_test(the_serial_port_is_made_raw),
		cmocka_unit_test(a_serial_port_that_is_none_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
