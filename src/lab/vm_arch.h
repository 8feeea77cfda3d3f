/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_VM_ARCH_H
#define LAB_VM_ARCH_H
/*
 * The seam for further architectures: what QEMU and the guest's kernel want to be told of this one, and what the
 * guest finds there. The image's head is vm_image.c's. Two lines lead to the guest (enum vm_line): the second serial
 * port (the first is the console), and a virtio port, which is faster and needs a driver that not every kernel has
 * built in.
 */
#include "base/util.h"

struct vm_arch {
	const char *name; /* as people call it */
	const char *qemu; /* program */
	const char *package; /* of Debian, that has it */
	const char *machine; /* -machine */
	const char *cpu_kvm, *cpu_tcg, *cpu_exact; /* -cpu; exact: without sources of randomness */
	const char *virtio; /* -device that virtio ports are plugged into */
	/*
	 * Words of the kernel's command line. The first sign of life should come early, crashes of the early
	 * boot be seen, and a busy host not be taken for broken timer hardware. early: the console of the early
	 * boot; early_only: where there will be no other.
	 */
	const char *append, *append_tcg, *append_early, *append_early_only;
	/* In the guest */
	const char *data_tty; /* the second serial port */
	int elf_machine; /* of its modules */
	/* Drivers, ended by NULL, that may be modules: of the serial ports (the first is the console's), of virtio */
	const char *const *serial_modules, *const *virtio_modules;
};

extern const struct vm_arch vm_x86_64;

/* What this program was compiled for, and with it the guest whose first program it is. */
#if defined(__x86_64__)
#define VM_ARCH (&vm_x86_64)
#else
#error "machines of this architecture are not described yet"
#endif

/* The name of the virtio port, the same on all. */
#define VM_PORT_NAME "org.perfcmp.data"

#endif
