/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_VM_ARCH_H
#define LAB_VM_ARCH_H
/*
 * The seam for further architectures: what QEMU and the guest's kernel want to be told of this one.
 * The first serial port is the console, the second carries the data (guest_system.c opens it).
 */
#include "base/util.h"

struct vm_arch {
	const char *name; /* as people call it */
	const char *qemu; /* program */
	const char *package; /* of Debian, that has it */
	const char *machine; /* -machine */
	const char *cpu_kvm, *cpu_tcg, *cpu_exact; /* -cpu; exact: without sources of randomness */
	/*
	 * Words of the kernel's command line. The first sign of life should come early, crashes of the early
	 * boot be seen, and a busy host not be taken for broken timer hardware.
	 */
	const char *append, *append_tcg;
};

extern const struct vm_arch vm_x86_64;

#endif
