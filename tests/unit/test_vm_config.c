// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/vm_args.h"

#include "fake_root.h"
#include "lab/vm_arch.h"

static const int64_t mib = 1 << 20;

static const struct vm_config two_nodes = {
	.kernel = "bzImage",
	.accel = VM_TCG,
	.cpus = 2,
	.nodes = 2,
	.memory_bytes = 1024LL << 20,
};

static const struct vm_fds fds = {.console = 10, .qmp = 12, .initrd = 13, .port = 14};

static char *command_line(const struct vm_config *config)
{

	struct strbuf text = STRBUF_INIT;
	struct strlist args = {0};

	vm_args(&args, &vm_x86_64, config, &fds);
	for (int i = 0; i < args.nr; i++)
		strbuf_addf(&text, "%s%s", i ? "\n" : "", args.v[i]);
	strlist_release(&args);
	return strbuf_detach(&text);
}

/* The whole of it, once: an option more or less is a different machine. */
static void two_nodes_make_this_command_line(void **state)
{
	char *line = command_line(&two_nodes);

	(void)state;
	assert_string_equal(
		line,
		"qemu-system-x86_64\n-name\nperfcmp\n-no-user-config\n-nodefaults\n-no-reboot\n"
		"-display\nnone\n-net\nnone\n-machine\nq35\n-accel\ntcg\n-cpu\nmax\n"
		"-smp\n2,sockets=2,cores=1,threads=1\n-m\n1024M\n"
		"-object\nmemory-backend-ram,id=memory0,size=512M\n"
		"-numa\nnode,nodeid=0,cpus=0-0,memdev=memory0\n"
		"-object\nmemory-backend-ram,id=memory1,size=512M\n"
		"-numa\nnode,nodeid=1,cpus=1-1,memdev=memory1\n"
		"-chardev\nfile,id=console,path=/proc/self/fd/10\n-serial\nchardev:console\n"
		"-chardev\nstdio,id=data,signal=off\n-serial\nchardev:data\n"
		"-chardev\nsocket,id=qmp,fd=12\n-mon\nchardev=qmp,mode=control\n"
		"-device\nvirtio-serial-pci,max_ports=2\n-chardev\nsocket,id=port,fd=14\n"
		"-device\nvirtserialport,chardev=port,name=org.perfcmp.data\n"
		"-kernel\nbzImage\n-initrd\n/proc/self/fd/13\n-append\n"
		"console=ttyS0 loglevel=5 panic=-1 cryptomgr.notests earlyprintk=ttyS0 "
		"no_timer_check");
	free(line);
}

struct change {
	enum vm_accel accel;
	int cpus, nodes, mib;
	const char *append, *qemu;
	const char *want; /* lines that are there */
	const char *want_not; /* NULL: nothing in particular */
	bool deterministic, early_console_only;
};

static void what_is_asked_for_is_on_the_command_line(void **state)
{
	static const struct change changes[] = {
		{VM_KVM, 1, 1, 512, NULL, NULL,
		 "\n-accel\nkvm\n-cpu\nhost,migratable=off\n-smp\n1,sockets=1,cores=1,threads=1\n"
		 "-m\n512M\n-chardev\n",
		 "no_timer_check", false, false},
		{VM_TCG, 4, 2, 1024, NULL, NULL,
		 "\n-smp\n4,sockets=2,cores=2,threads=1\n-m\n1024M\n-object\n"
		 "memory-backend-ram,id=memory0,size=512M\n-numa\n"
		 "node,nodeid=0,cpus=0-1,memdev=memory0\n-object\n"
		 "memory-backend-ram,id=memory1,size=512M\n-numa\n"
		 "node,nodeid=1,cpus=2-3,memdev=memory1\n-chardev\n",
		 "-icount", false, false},
		{VM_TCG, 3, 2, 1001, NULL, NULL,
		 "\n-smp\n3,sockets=3,cores=1,threads=1\n-m\n1001M\n-object\n"
		 "memory-backend-ram,id=memory0,size=501M\n-numa\n"
		 "node,nodeid=0,cpus=0-1,memdev=memory0\n-object\n"
		 "memory-backend-ram,id=memory1,size=500M\n-numa\n"
		 "node,nodeid=1,cpus=2-2,memdev=memory1\n-chardev\n",
		 "-icount", false, false},
		{VM_TCG, 1, 1, 256, NULL, NULL,
		 "\n-cpu\nmax,-rdrand,-rdseed\n-icount\nshift=0,sleep=off\n-seed\n1\n-rtc\n"
		 "base=2024-01-01T00:00:00,clock=vm\n-smp\n",
		 "-numa", true, false},
		{VM_TCG, 1, 1, 256, NULL, NULL, " nokaslr norandmaps random.trust_cpu=off",
		 "virtio", true, false},
		{VM_TCG, 1, 1, 256, "mitigations=off a=\"b c\"", NULL,
		 "no_timer_check mitigations=off a=\"b c\"", "nokaslr", false, false},
		{VM_KVM, 1, 1, 256, "x", NULL, "cryptomgr.notests earlyprintk=ttyS0 x", NULL, false,
		 false},
		{VM_TCG, 1, 1, 256, NULL, "/opt/qemu", "/opt/qemu\n-name\n", "x86_64", false,
		 false},
		{VM_TCG, 1, 1, 256, NULL, NULL, " earlyprintk=ttyS0,keep no_timer_check",
		 "earlyprintk=ttyS0 ", false, true},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		const struct change *c = &changes[i];
		struct vm_config config = {
			.qemu = c->qemu,
			.kernel = "k",
			.accel = c->accel,
			.cpus = c->cpus,
			.nodes = c->nodes,
			.memory_bytes = c->mib * mib,
			.append = c->append,
			.deterministic = c->deterministic,
			.early_console_only = c->early_console_only,
		};
		char *line = command_line(&config);

		if (!strstr(line, c->want))
			fail_msg("%zu: %s", i, line);
		if (c->want_not && strstr(line, c->want_not))
			fail_msg("%zu: %s", i, line);
		free(line);
	}
}

static void machines_that_cannot_be_are_refused(void **state)
{
	char too_long[1502];
	const struct {
		struct vm_config config;
		const char *message; /* NULL: fine */
	} cases[] = {
		{two_nodes, NULL},
		{{.cpus = 1, .nodes = 1, .memory_bytes = 128 * mib}, NULL},
		{{.cpus = 1, .nodes = 1, .memory_bytes = 128 * mib, .deterministic = true}, NULL},
		{{.cpus = 255, .nodes = 4, .memory_bytes = 4096 * mib}, NULL},
		{{.cpus = 0, .nodes = 1, .memory_bytes = 512 * mib},
		 "--vm-cpus: a guest has 1 to 255 CPUs, not 0"},
		{{.cpus = 256, .nodes = 1, .memory_bytes = 512 * mib},
		 "--vm-cpus: a guest has 1 to 255 CPUs, not 256"},
		{{.cpus = 1, .nodes = 0, .memory_bytes = 512 * mib},
		 "--vm-nodes: a guest has at least one node, not 0"},
		{{.cpus = 2, .nodes = 3, .memory_bytes = 512 * mib},
		 "--vm-nodes: 3 nodes need at least as many CPUs, not 2 (--vm-cpus)"},
		{{.cpus = 1, .nodes = 1, .memory_bytes = 127 * mib},
		 "--vm-mem: 127 MiB are not enough: a guest needs 128"},
		{{.cpus = 1, .nodes = 1, .memory_bytes = 512 * mib + 1},
		 "--vm-mem: 536870913 bytes are no whole number of MiB"},
		{{.cpus = 4, .nodes = 4, .memory_bytes = 255 * mib},
		 "--vm-mem: 255 MiB are not enough for 4 nodes: each needs 64"},
		{{.cpus = 2, .nodes = 1, .memory_bytes = 512 * mib, .deterministic = true},
		 "--deterministic needs one CPU, the order in which 2 CPUs run is never the same "
		 "twice: leave out --vm-cpus 2"},
		{{.cpus = 1, .nodes = 2, .memory_bytes = 512 * mib, .deterministic = true},
		 "--deterministic needs one CPU and with it one node: leave out --vm-nodes 2"},
		{{.cpus = 1,
		  .nodes = 1,
		  .memory_bytes = 512 * mib,
		  .deterministic = true,
		  .accel = VM_KVM},
		 "--deterministic needs emulation, a processor's time is never the same twice: leave "
		 "out --accel kvm"},
		{{.cpus = 1, .nodes = 1, .memory_bytes = 512 * mib, .append = "a\nb"},
		 "--append: has a line end or another control character"},
		{{.cpus = 1, .nodes = 1, .memory_bytes = 512 * mib, .append = too_long},
		 "--append: is longer than the 1500 characters a kernel takes"},
	};

	(void)state;
	memset(too_long, 'x', sizeof(too_long) - 1);
	too_long[sizeof(too_long) - 1] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct err err = {{0}};

		assert_int_equal(vm_check_config(&cases[i].config, &err),
				 cases[i].message ? -1 : 0);
		assert_string_equal(err.msg, cases[i].message ? cases[i].message : "");
	}
}

static void a_machine_is_named_for_what_it_is(void **state)
{
	const struct {
		struct vm_config config;
		const char *name;
	} cases[] = {
		{two_nodes, "vm-2cpu-2node-1024M-tcg"},
		{{.cpus = 4, .nodes = 1, .memory_bytes = 2048 * mib, .accel = VM_KVM},
		 "vm-4cpu-1node-2048M-kvm"},
		{{.cpus = 1,
		  .nodes = 1,
		  .memory_bytes = 512 * mib,
		  .accel = VM_TCG,
		  .deterministic = true},
		 "vm-1cpu-1node-512M-icount"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf name = STRBUF_INIT;

		vm_machine_name(&name, &cases[i].config);
		assert_string_equal(name.buf, cases[i].name);
		strbuf_release(&name);
	}
}

/* A program of that text in a folder of its own; both are gone afterwards. */
static int check_qemu(const char *text, struct err *err)
{
	const struct fake_file files[] = {{"/qemu", text}, {NULL, NULL}};
	char *root = fake_root_new(files);
	char *path = xasprintf("%s/qemu", root);
	int status;

	assert_int_equal(chmod(path, 0700), 0);
	*err = (struct err){{0}};
	status = vm_check_qemu(path, err);
	free(path);
	fake_root_remove(root);
	return status;
}

static void a_qemu_that_does_not_work_is_told(void **state)
{
	struct err err = {{0}};

	(void)state;
	assert_int_equal(check_qemu("#!/bin/sh\necho QEMU emulator version 1.0\n", &err), 0);
	assert_int_equal(check_qemu("#!/bin/sh\necho GNU ed 1.19\n", &err), -1);
	assert_non_null(strstr(err.msg, "/qemu: is no QEMU (--qemu)"));
	assert_int_equal(check_qemu("#!/bin/sh\nexit 3\n", &err), -1);
	assert_non_null(strstr(err.msg, "/qemu: does not work (--qemu): exit status 3"));
	assert_int_equal(vm_check_qemu("no-such-qemu", &err), -1);
	assert_string_equal(err.msg,
			    "no-such-qemu: cannot be started: install QEMU (Debian package "
			    "qemu-system-x86) or name it with --qemu");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_nodes_make_this_command_line),
		cmocka_unit_test(what_is_asked_for_is_on_the_command_line),
		cmocka_unit_test(machines_that_cannot_be_are_refused),
		cmocka_unit_test(a_machine_is_named_for_what_it_is),
		cmocka_unit_test(a_qemu_that_does_not_work_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
