/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_VM_H
#define LAB_VM_H
/*
 * One virtual machine: QEMU, started without a shell, all its channels inherited socket pairs (no socket and
 * no temporary file on disk), watched through QMP. It dies with us. The seam for a second architecture is
 * struct vm_arch: machine type, console, data port.
 */
#include "base/err.h"
#include "base/strbuf.h"

#include <signal.h>
#include <sys/types.h>

enum vm_accel { VM_AUTO, VM_KVM, VM_TCG };

struct vm_config {
	const char *qemu;   /* --qemu; NULL: qemu-system-x86_64 in PATH */
	const char *kernel; /* image */
	int initrd_fd;
	enum vm_accel accel; /* VM_KVM or VM_TCG here; auto is vm_session's */
	int cpus, nodes;
	int64_t memory_bytes;
	const char *append; /* more words for the kernel's command line; NULL: none */
	bool deterministic; /* -icount shift=0,sleep=off, fixed clock, no random seeds, one CPU */
};

/* bzImage of x86: looks at the image's head. Others (arm64, ELF, gzip) are told apart and refused by name. */
int vm_check_image(const char *path, struct err *err);
/* QEMU is there and runs. */
int vm_check_qemu(const char *qemu, struct err *err);
/* Several CPUs or nodes with deterministic; more nodes than CPUs; memory that the nodes cannot share; ... */
int vm_check_config(const struct vm_config *config, struct err *err);
/* "vm-2cpu-2node-1024M-kvm": the machine's name in the store, also where its emulation differs. */
void vm_machine_name(struct strbuf *out, const struct vm_config *config);

struct vm {
	pid_t pid;
	int pidfd;
	int console_fd, data_fd, qmp_fd; /* our ends; non-blocking */
	struct strbuf console;           /* the last lines, capped */
	/* ... private state of vm.c below */
};

enum vm_event {
	VM_EVENT_DATA = 1,      /* data_fd has something to read */
	VM_EVENT_EXIT = 2,      /* QEMU is gone */
	VM_EVENT_BROKEN = 4,    /* QMP: internal error, or paused: it will never go on */
	VM_EVENT_PANIC = 8,     /* QMP: guest panicked, or the console says so */
	VM_EVENT_TIME = 16,     /* the timeout passed */
	VM_EVENT_CONSOLE = 32,  /* something new on the console */
};

int vm_start(struct vm *vm, const struct vm_config *config, struct err *err);
/* Waits for something, at most timeout_s; reads console and QMP itself. A set of vm_event. */
int vm_wait(struct vm *vm, double timeout_s, const volatile sig_atomic_t *stop);
/* Kills it if need be, reaps it, closes everything. vm may be zeroed. */
void vm_stop(struct vm *vm);

#endif
