// SPDX-License-Identifier: GPL-2.0-only
/*
 * boot KERNEL NODES MEMORY-MIB [deterministic] [--vm-file FILE]... [-- COMMAND ARG...]
 *
 * For the tests: boots the kernel in a machine, and is itself the guest's first program, which tells over the
 * data port what it finds there. `panic` as COMMAND lets the guest's kernel panic. What happens is printed, then
 * the console.
 */
#include "lab/initramfs.h"
#include "lab/vm.h"
#include "lab/vm_arch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* ---- In the guest: standard output is the data port */

static void print_file(const char *path)
{
	FILE *file = fopen(path, "re");
	char line[256] = "";

	if (file) {
		if (fgets(line, sizeof(line), file))
			line[strcspn(line, "\n")] = '\0';
		fclose(file);
	}
	printf("%s: %s\n", path, file ? line : "is not there");
}

static void run_command(char *const *argv)
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		execvp(argv[0], argv);
		printf("%s: %s\n", argv[0], strerrordesc_np(errno));
		fflush(stdout);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	printf("command: exit status %d\n", WEXITSTATUS(status));
}

/* The plan is the command's words, each with its NUL. */
static void read_plan(struct strlist *words)
{
	FILE *file = fopen("/plan", "re");
	char text[4096];
	size_t len = file ? fread(text, 1, sizeof(text), file) : 0;

	for (size_t at = 0; at < len; at += strlen(text + at) + 1)
		strlist_add(words, text + at);
	if (file)
		fclose(file);
}

static void panic_guest(void)
{
	int fd = open("/proc/sysrq-trigger", O_WRONLY | O_CLOEXEC);

	fflush(stdout);
	tcdrain(STDOUT_FILENO);
	if (fd < 0 || write(fd, "c", 1) != 1)
		puts("sysrq does not work");
}

static int guest(void)
{
	struct strlist words = {0};
	int port;

	mount("dev", "/dev", "devtmpfs", 0, NULL);
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sys", "/sys", "sysfs", 0, NULL);
	port = open(VM_ARCH->data_tty, O_RDWR | O_NOCTTY | O_CLOEXEC);
	dup2(port, STDOUT_FILENO);
	printf("cpus: %d\n", get_nprocs());
	print_file("/sys/devices/system/node/online");
	print_file("/proc/cmdline");
	print_file("/proc/uptime");
	read_plan(&words);
	strlist_add(&words, ""); /* its place becomes the NULL */
	words.v[words.nr - 1] = NULL;
	if (words.v[0] && streq(words.v[0], "panic"))
		panic_guest();
	else if (words.v[0])
		run_command(words.v);
	fflush(stdout);
	tcdrain(STDOUT_FILENO);
	reboot(RB_POWER_OFF);
	return 1;
}

/* ---- On the host */

struct wanted {
	struct vm_config vm;
	struct initramfs_config initramfs;
	struct strlist files;
	struct strbuf plan;
};

static int failed(const struct err *err)
{
	fprintf(stderr, "%s\n", err->msg);
	return 1;
}

static void read_options(struct wanted *wanted, int argc, char **argv)
{
	int i;

	for (i = 4; i < argc && !streq(argv[i], "--"); i++) {
		if (streq(argv[i], "deterministic"))
			wanted->vm.deterministic = true;
		else if (streq(argv[i], "--vm-file") && i + 1 < argc)
			strlist_add(&wanted->files, argv[++i]);
	}
	if (i + 1 < argc && !streq(argv[i + 1], "panic"))
		wanted->initramfs.argv = argv + i + 1;
	for (i++; i < argc; i++)
		strbuf_add(&wanted->plan, argv[i], strlen(argv[i]) + 1);
}

static int read_arguments(struct wanted *wanted, int argc, char **argv, struct err *err)
{
	int64_t nodes, mib;

	if (argc < 4 || !parse_i64(argv[2], &nodes) || !parse_i64(argv[3], &mib))
		return err_set(err, "usage: boot KERNEL NODES MEMORY-MIB ...");
	wanted->vm.kernel = argv[1];
	wanted->vm.accel = VM_TCG;
	wanted->vm.cpus = wanted->vm.nodes = (int)nodes;
	wanted->vm.memory_bytes = mib << 20;
	read_options(wanted, argc, argv);
	wanted->initramfs.files = &wanted->files;
	wanted->initramfs.plan = wanted->plan.buf;
	wanted->initramfs.plan_length = wanted->plan.len;
	return 0;
}

static void print_data(const struct vm *vm)
{
	char part[4096];
	ssize_t got = read(vm->data_fd[VM_SERIAL], part, sizeof(part));

	for (ssize_t i = 0; i < got; i++)
		if (part[i] != '\r')
			putchar(part[i]);
}

static int watch(struct vm *vm)
{
	const unsigned last = VM_EVENT_EXIT | VM_EVENT_BROKEN | VM_EVENT_TIME;
	unsigned events;

	do {
		events = vm_wait(vm, 300, NULL);
		if (events & VM_EVENT_DATA)
			print_data(vm);
		if (events & VM_EVENT_PANIC)
			printf("panic: %s\n", vm->why);
	} while ((events & VM_EVENT_DATA) || !(events & last));
	printf("end: %s\n-- console\n%s", events & VM_EVENT_TIME ? "nothing more" : vm->why,
	       vm->console.buf);
	return vm->end == VM_POWERED_OFF ? 0 : 1;
}

static int boot(struct wanted *wanted, struct err *err)
{
	struct vm vm = {0};
	int64_t bytes;
	int status = -1;

	if (vm_check_image(wanted->vm.kernel, err) < 0 || vm_check_config(&wanted->vm, err) < 0 ||
	    vm_check_qemu(NULL, err) < 0)
		return -1;
	wanted->vm.initrd_fd = initramfs_make(&wanted->initramfs, &bytes, err);
	if (wanted->vm.initrd_fd < 0)
		return -1;
	if (initramfs_check_fit(wanted->vm.initrd_fd, bytes, wanted->vm.memory_bytes, err) == 0 &&
	    vm_start(&vm, &wanted->vm, err) == 0)
		status = watch(&vm);
	vm_stop(&vm);
	close(wanted->vm.initrd_fd);
	return status;
}

int main(int argc, char **argv)
{
	struct wanted wanted = {.plan = STRBUF_INIT};
	struct err err;
	int status;

	if (getpid() == 1)
		return guest();
	status = read_arguments(&wanted, argc, argv, &err);
	if (status == 0)
		status = boot(&wanted, &err);
	if (status < 0)
		status = failed(&err);
	strlist_release(&wanted.files);
	strbuf_release(&wanted.plan);
	return status;
}
