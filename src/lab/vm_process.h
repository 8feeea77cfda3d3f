/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_VM_PROCESS_H
#define LAB_VM_PROCESS_H
/*
 * The process of QEMU: without a shell, in a process group of its own (a Ctrl-C is ours alone), killed by the
 * kernel when we die, without a core file, and no descriptor but those it is given.
 */
#include "base/err.h"

#include <sys/types.h>

struct vm_process {
	pid_t pid; /* 0: none */
	int pidfd; /* readable when it has ended */
	int stderr_fd; /* what it complains of; non-blocking */
	bool ended; /* and was reaped; */
	int wait_status; /* then; -1: not known */
};

/* Descriptors of the caller's, which stay its own; all above the standard ones. */
struct vm_process_files {
	int in, out; /* become the standard ones */
	const int *kept; /* keep their numbers */
	int kept_nr;
};

/* argv[0] is found in PATH. -1: it could not be started; the message says what to do. */
int vm_process_start(struct vm_process *process, char *const *argv,
		     const struct vm_process_files *files, struct err *err);

/* Reaps it if it has ended. */
bool vm_process_ended(struct vm_process *process);

/* Kills it, reaps it, closes what is ours; process may be zeroed, and is so afterwards. */
void vm_process_kill(struct vm_process *process);

#endif
