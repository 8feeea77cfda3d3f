/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_VM_ARGS_H
#define LAB_VM_ARGS_H
/* QEMU's command line, as a pure function of what is wanted. */
#include "base/strlist.h"
#include "lab/vm.h"

struct vm_arch;

/* Descriptors that QEMU inherits, by their numbers there. The data port of the serial line is its standard files. */
struct vm_fds {
	int console, qmp, initrd;
	int port; /* -1 without virtio */
};

/* Appends all words, the program's name first. */
void vm_args(struct strlist *args, const struct vm_arch *arch, const struct vm_config *config,
	     const struct vm_fds *fds);

#endif
