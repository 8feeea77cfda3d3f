/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_VM_H
#define LAB_VM_H
/*
 * One virtual machine: QEMU, started without a shell, all its channels inherited pipes and socket pairs (no socket and
 * no temporary file on disk), watched through QMP. It dies with us. The seam for a second architecture is
 * struct vm_arch (vm_arch.h): QEMU's name, machine type, processor, console.
 */
#include "base/err.h"
#include "base/strbuf.h"

#include <signal.h>
#include <sys/types.h>

enum vm_accel {
	VM_AUTO,
	VM_KVM,
	VM_TCG
};

struct vm_config {
	const char *qemu; /* --qemu; NULL: qemu-system-x86_64 in PATH */
	const char *kernel; /* image */
	int initrd_fd; /* of initramfs_make(); stays the caller's */
	enum vm_accel accel; /* VM_KVM or VM_TCG: VM_AUTO is resolved before (lab/boots.h) */
	int cpus, nodes;
	int64_t memory_bytes;
	const char *append; /* more words for the kernel's command line; NULL: none */
	bool deterministic; /* -icount shift=0,sleep=off, fixed clock, no random seeds, one CPU */
	bool early_console_only; /* the kernel has no other before it loads modules */
};

/*
 * The image's head is looked at: a whole bzImage of x86-64 is taken. Others (arm64, ELF, gzip ...) are told
 * apart and refused by name.
 */
int vm_check_image(const char *path, struct err *err);
/* The release in a bzImage's head ("6.1.0-57-cloud-amd64"), the caller frees it; NULL if it tells none. */
char *vm_image_release(const char *path);
/* QEMU is there and runs; qemu as in struct vm_config. */
int vm_check_qemu(const char *qemu, struct err *err);
/* Several CPUs or nodes with deterministic; more nodes than CPUs; memory that the nodes cannot share; ... */
int vm_check_config(const struct vm_config *config, struct err *err);
/* Not a deterministic one: when QEMU looks into a queue is not determined by what the guest does. */
bool vm_has_virtio(const struct vm_config *config);
/*
 * Appends "vm-2cpu-2node-1024M-kvm": the machine's name in the store, also where its emulation differs ("kvm",
 * "tcg", "icount" if deterministic).
 */
void vm_machine_name(struct strbuf *out, const struct vm_config *config);

/* The lines between host and guest; the guest chooses one (lab/guest_port.h). */
enum vm_line {
	VM_SERIAL,
	VM_VIRTIO,
	VM_LINES
};

enum vm_end {
	VM_RUNS, /* or QEMU ended without telling of the guest */
	VM_POWERED_OFF, /* by the guest */
	VM_RESET, /* by the guest: what a panic ends in, and a triple fault */
};

/*
 * A guest under way. Zeroed: none (so that vm_stop() may be called for it). `private` is for vm*.c
 * alone.
 */
struct vm {
	pid_t pid;
	/*
	 * Our ends, non-blocking; read from data_fd with read(), write to answer_fd, which may be the same, with
	 * send() and MSG_NOSIGNAL. -1: the machine has no such line
	 */
	int data_fd[VM_LINES], answer_fd[VM_LINES];
	/*
	 * What the guest printed, without control characters other than '\n' and '\t'. The last part of it, from
	 * the beginning of a line on; console_dropped: bytes that were before that.
	 */
	struct strbuf console;
	uint64_t console_dropped;
	bool alive; /* the guest has given a sign of life: something was printed, or came through a line */
	enum vm_end end;
	char why[400]; /* after VM_EVENT_EXIT, _BROKEN, _PANIC: what is the matter, one line */

	struct vm_private *private;
};

enum vm_event {
	VM_EVENT_DATA = 1, /* a line has something to read; until that is read, again and again */
	VM_EVENT_EXIT =
		2, /* QEMU is gone; console and data_fd still have what came before; again and again */
	/*
	 * It will never go on: internal error, paused, or a guest under KVM that gave no sign of life within
	 * VM_LIFE_S; again and again.
	 */
	VM_EVENT_BROKEN = 4,
	VM_EVENT_PANIC = 8, /* the console, or QMP, says so; once. The reset that ends it follows */
	VM_EVENT_TIME = 16, /* timeout_s passed, and nothing else happened */
	VM_EVENT_CONSOLE = 32, /* something new on the console */
};

enum {
	VM_LIFE_S = 10,
	VM_CONSOLE_MAX = 1 << 20, /* at least half of it is kept */
};

/* vm needs no initialisation; after -1 it is zeroed. */
int vm_start(struct vm *vm, const struct vm_config *config, struct err *err);
/* Waits for something, at most timeout_s; a set of vm_event, 0 if *stop became non-zero (stop may be NULL). */
unsigned vm_wait(struct vm *vm, double timeout_s, const volatile sig_atomic_t *stop);
/* Kills it if need be, reaps it, closes everything, frees the console. vm may be zeroed, and is so afterwards. */
void vm_stop(struct vm *vm);

#endif
