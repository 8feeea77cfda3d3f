/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_VM_PRIVATE_H
#define LAB_VM_PRIVATE_H
/* Between vm.c (start, stop), vm_watch.c (what happens meanwhile) and vm_console.c (what the guest prints). */
#include "lab/qmp.h"
#include "lab/vm.h"
#include "lab/vm_process.h"
#include "measure/ring.h"

struct vm_private {
	struct vm_process process;
	struct qmp qmp;
	struct ring errors; /* the end of what QEMU complained of */
	int console_fd, qmp_fd; /* -1: not open */
	bool data_ended[VM_LINES];
	bool kvm, broken, panicked;
	size_t searched; /* bytes of the console, up to the end of a line */
	int64_t started_ns;
};

/* Reads what is there; true: something new. */
bool vm_console_take(struct vm *vm);
/* Appends what the guest printed, as struct vm promises it. */
void vm_console_add(struct vm *vm, const char *data, size_t len);
/*
 * Looks for a panic in the lines that are whole and were not looked at yet (ended: also in the last one, however it
 * ends). True: a first one is found, and why is its line.
 */
bool vm_console_panicked(struct vm *vm, bool ended);

#endif
