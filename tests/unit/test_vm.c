// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/vm.h"

#include "fake_qemu.h"
#include "lab/vm_private.h"

#include <errno.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

static struct vm_config config_for(const char *what, enum vm_accel accel)
{
	return (struct vm_config){
		.qemu = "/proc/self/exe",
		.kernel = "k",
		.accel = accel,
		.cpus = 1,
		.nodes = 1,
		.memory_bytes = 256 << 20,
		.append = what,
	};
}

static void start_config(struct vm *vm, struct vm_config *config)
{
	struct err err = {{0}};

	config->initrd_fd = memfd_create("initrd", MFD_CLOEXEC);
	assert_true(config->initrd_fd >= 0);
	assert_int_equal(write(config->initrd_fd, "packed", 6), 6);
	assert_int_equal(vm_start(vm, config, &err), 0);
	close(config->initrd_fd);
}

static void start(struct vm *vm, const char *what, enum vm_accel accel)
{
	struct vm_config config = config_for(what, accel);

	start_config(vm, &config);
}

/* Waits until one of `wanted` happens; everything that did. */
static unsigned until(struct vm *vm, unsigned wanted)
{
	int64_t deadline = clock_ns() + 60 * 1000000000LL;
	unsigned all = 0;

	while (!(all & wanted) && clock_ns() < deadline)
		all |= vm_wait(vm, 10, NULL);
	return all;
}

static int open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int files = 0;

	assert_non_null(dir);
	while (readdir(dir))
		files++;
	closedir(dir);
	return files;
}

static void a_qemu_that_ends_at_once_says_why(void **state)
{
	static const struct {
		const char *what, *why;
	} cases[] = {
		{"complain",
		 "QEMU ended with exit status 1: failed to initialize kvm: No such file or directory"},
		{"abort", "QEMU was killed by signal 6 (Aborted): kvm.c:1: Assertion failed"},
		{"end", "QEMU ended with exit status 0"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct vm vm;

		start(&vm, cases[i].what, VM_KVM);
		assert_int_equal(until(&vm, VM_EVENT_EXIT), VM_EVENT_EXIT);
		assert_string_equal(vm.why, cases[i].why);
		assert_int_equal(vm.end, VM_RUNS);
		assert_false(vm.alive);
		assert_int_equal(vm_wait(&vm, 1, NULL), VM_EVENT_EXIT); /* and still */
		vm_stop(&vm);
		assert_null(vm.private);
	}
}

static void a_guest_that_is_stopped_is_noticed_at_once(void **state)
{
	static const char *const status[] = {"internal-error", "paused"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(status); i++) {
		char *why = xasprintf("QEMU stopped the guest: %s", status[i]);
		struct vm vm;

		start(&vm, status[i], VM_TCG);
		assert_int_equal(until(&vm, VM_EVENT_BROKEN), VM_EVENT_BROKEN);
		assert_string_equal(vm.why, why);
		vm_stop(&vm);
		free(why);
	}
}

/* The clock is turned, so that nobody has to wait. */
static void only_kvm_has_to_show_life_soon(void **state)
{
	static const struct {
		const char *what;
		int64_t age_s;
		enum vm_accel accel;
		unsigned wanted;
	} cases[] = {
		{"hang", VM_LIFE_S - 9, VM_KVM, VM_EVENT_TIME},
		{"hang", VM_LIFE_S, VM_KVM, VM_EVENT_BROKEN},
		{"hang", VM_LIFE_S, VM_TCG, VM_EVENT_TIME},
		{"tell", VM_LIFE_S, VM_KVM, VM_EVENT_TIME},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct vm vm;

		start(&vm, cases[i].what, cases[i].accel);
		if (streq(cases[i].what, "tell"))
			assert_int_equal(until(&vm, VM_EVENT_CONSOLE), VM_EVENT_CONSOLE);
		vm.private->started_ns -= cases[i].age_s * 1000000000;
		assert_int_equal(vm_wait(&vm, 0.3, NULL), cases[i].wanted);
		assert_int_equal(vm.alive, streq(cases[i].what, "tell"));
		if (cases[i].wanted == VM_EVENT_BROKEN)
			assert_string_equal(vm.why,
					    "no sign of life from the guest within 10 seconds");
		vm_stop(&vm);
	}
}

static void a_panic_is_told_once_with_its_line(void **state)
{
	struct vm vm;

	(void)state;
	start(&vm, "panic", VM_TCG);
	assert_true(until(&vm, VM_EVENT_PANIC) & VM_EVENT_CONSOLE);
	assert_string_equal(vm.why, "Kernel panic - not syncing: sysrq triggered crash");
	assert_false(until(&vm, VM_EVENT_EXIT) & VM_EVENT_PANIC);
	assert_string_equal(vm.why, "Kernel panic - not syncing: sysrq triggered crash");
	assert_int_equal(vm.end, VM_RESET);
	assert_string_equal(vm.console.buf,
			    "[    1.0] before\n[    2.345678] Kernel panic - not syncing: sysrq "
			    "triggered crash\n[    2.4] Call Trace:\n");
	vm_stop(&vm);
}

/* Its last line has no end. */
static void an_image_that_cannot_be_unpacked_is_told_with_the_complaint(void **state)
{
	struct vm vm;

	(void)state;
	start(&vm, "halt", VM_TCG);
	until(&vm, VM_EVENT_PANIC);
	assert_string_equal(
		vm.why, "the kernel's image cannot be unpacked: ZSTD-compressed data is corrupt");
	assert_int_equal(vm_wait(&vm, 0.5, NULL), VM_EVENT_TIME);
	vm_stop(&vm);
}

static void what_was_sent_before_the_end_is_there_at_the_end(void **state)
{
	char data[8] = "";
	struct vm vm;

	(void)state;
	start(&vm, "power-off", VM_TCG);
	assert_true(until(&vm, VM_EVENT_EXIT) & VM_EVENT_DATA);
	assert_string_equal(vm.why, "the guest powered off");
	assert_int_equal(vm.end, VM_POWERED_OFF);
	assert_string_equal(vm.console.buf, "hello[0m\n\tworld ?\n"); /* no control characters */
	for (int i = 0; i < VM_LINES; i++) {
		assert_true(vm_wait(&vm, 1, NULL) & VM_EVENT_DATA); /* until all is read */
		memset(data, 0, sizeof(data));
		assert_int_equal(read(vm.data_fd[i], data, sizeof(data)), 4 + i);
		assert_string_equal(data, i == VM_SERIAL ? "four" : "fives");
	}
	assert_int_equal(vm_wait(&vm, 1, NULL), VM_EVENT_EXIT);
	vm_stop(&vm);
}

static void the_last_of_a_long_console_is_kept(void **state)
{
	const char *last = "line 099999 of many\n";
	struct vm vm;

	(void)state;
	start(&vm, "chatter", VM_TCG);
	until(&vm, VM_EVENT_EXIT);
	assert_int_equal(vm.console_dropped + vm.console.len, 100000 * strlen(last));
	assert_true(vm.console.len <= VM_CONSOLE_MAX && vm.console.len > VM_CONSOLE_MAX / 2 - 64);
	assert_true(starts_with(vm.console.buf, "line 0"));
	assert_true(ends_with(vm.console.buf, last));
	vm_stop(&vm);
}

/* Standard input and output (the serial line) and error, three channels, the initramfs, whatever we have open. */
static void qemu_gets_what_it_needs_and_no_more(void **state)
{
	int before = open_files(), stray = open("/dev/null", O_RDONLY); /* not close-on-exec */
	struct vm vm;

	(void)state;
	assert_true(stray >= 0);
	start(&vm, "tell", VM_TCG);
	until(&vm, VM_EVENT_CONSOLE);
	assert_string_equal(vm.console.buf, "files 7 core 0 leader 1 locale C initrd packed\n");
	vm_stop(&vm);
	close(stray);
	assert_int_equal(open_files(), before);
}

static void a_deterministic_machine_has_one_line(void **state)
{
	struct vm_config config = config_for("tell", VM_TCG);
	struct vm vm;

	(void)state;
	config.deterministic = true;
	start_config(&vm, &config);
	assert_true(vm.data_fd[VM_SERIAL] >= 0);
	assert_int_equal(vm.data_fd[VM_VIRTIO], -1);
	until(&vm, VM_EVENT_CONSOLE);
	assert_string_equal(vm.console.buf, "files 6 core 0 leader 1 locale C initrd packed\n");
	vm_stop(&vm);
}

static void a_qemu_that_is_not_there_leaves_nothing(void **state)
{
	struct vm_config config = config_for("hang", VM_TCG);
	struct err err = {{0}};
	int before = open_files();
	struct vm vm;

	(void)state;
	config.qemu = "/nonexistent/qemu";
	assert_int_equal(vm_start(&vm, &config, &err), -1);
	assert_string_equal(err.msg,
			    "/nonexistent/qemu: cannot be started: No such file or directory");
	assert_null(vm.private);
	vm_stop(&vm);
	config.initrd_fd = -1;
	assert_int_equal(vm_start(&vm, &config, &err), -1);
	assert_string_equal(err.msg, "cannot start QEMU: no initramfs: Bad file descriptor");
	assert_int_equal(open_files(), before);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static volatile sig_atomic_t stopped;

static void stop_it(int sig)
{
	stopped = sig;
}

static void a_stop_ends_the_waiting(void **state)
{
	int64_t begin = clock_ns();
	pid_t pid;
	struct vm vm;

	(void)state;
	signal(SIGALRM, stop_it);
	start(&vm, "hang", VM_TCG);
	pid = vm.pid;
	alarm(1);
	assert_int_equal(vm_wait(&vm, 60, &stopped), 0);
	assert_true(clock_ns() - begin < 20 * 1000000000LL);
	vm_stop(&vm);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
}

/* A process that starts a guest and is killed before it can stop it. */
static void qemu_dies_with_us(void **state)
{
	pid_t middle, qemu = 0;
	int fd[2], status;

	(void)state;
	prctl(PR_SET_CHILD_SUBREAPER, 1); /* its end is ours to see */
	assert_int_equal(pipe2(fd, O_CLOEXEC), 0);
	middle = fork();
	if (middle == 0) {
		struct vm vm;

		start(&vm, "tell", VM_TCG);
		until(&vm, VM_EVENT_CONSOLE);
		if (write(fd[1], &vm.pid, sizeof(vm.pid)) == sizeof(vm.pid))
			fake_sleeps();
		_exit(1);
	}
	close(fd[1]);
	assert_int_equal(read(fd[0], &qemu, sizeof(qemu)), sizeof(qemu));
	close(fd[0]);
	kill(middle, SIGKILL);
	assert_int_equal(waitpid(middle, &status, 0), middle);
	assert_int_equal(waitpid(qemu, &status, 0), qemu);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
}

static void a_guest_that_never_was_can_be_stopped(void **state)
{
	struct vm vm = {0};

	(void)state;
	vm_stop(&vm);
	vm_stop(&vm);
	assert_int_equal(vm.pid, 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_qemu_that_ends_at_once_says_why),
		cmocka_unit_test(a_guest_that_is_stopped_is_noticed_at_once),
		cmocka_unit_test(only_kvm_has_to_show_life_soon),
		cmocka_unit_test(a_panic_is_told_once_with_its_line),
		cmocka_unit_test(an_image_that_cannot_be_unpacked_is_told_with_the_complaint),
		cmocka_unit_test(what_was_sent_before_the_end_is_there_at_the_end),
		cmocka_unit_test(the_last_of_a_long_console_is_kept),
		cmocka_unit_test(qemu_gets_what_it_needs_and_no_more),
		cmocka_unit_test(a_deterministic_machine_has_one_line),
		cmocka_unit_test(a_qemu_that_is_not_there_leaves_nothing),
		cmocka_unit_test(a_stop_ends_the_waiting),
		cmocka_unit_test(qemu_dies_with_us),
		cmocka_unit_test(a_guest_that_never_was_can_be_stopped),
	};

	if (argc > 1)
		return fake_qemu(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
