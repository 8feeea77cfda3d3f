/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_SESSION_H
#define LAB_SESSION_H
/*
 * One boot of a guest, from QEMU's start to its end: the conversation with lab/guest.h. Runs come out one by
 * one as they arrive; what goes wrong in the guest is a result, not an error.
 */
#include "base/err.h"
#include "base/strlist.h"
#include "lab/vm.h"

struct guest_plan;
struct run;

struct session_config {
	struct vm_config vm; /* accel: VM_KVM or VM_TCG; initrd_fd is made here */
	const struct guest_plan *plan;
	const struct strlist *files; /* --vm-file */
	const char *modules_folder; /* as in struct modules_config */
	const struct strlist *modules; /* --vm-module */
	char *const *argv; /* the user's command, or NULL */
	double boot_timeout_s; /* until the guest says hello */
	double silence_s; /* without a word from a guest that said hello */
	const volatile sig_atomic_t *stop;

	/* place: guest_run.place, of the run in guest_plan.runs */
	void *data;
	void (*boot_ticks)(void *data, double elapsed_s); /* until the guest says hello */
	void (*run_begins)(void *data, int place);
	void (*run_ticks)(void *data, double elapsed_s);
	/* Takes the run (stores it); the guest is told that it arrived only when this returned 0. */
	int (*run_ended)(void *data, int place, struct run *run, struct err *err);
};

enum session_end {
	/*
	 * The guest does no more runs. Some may be missing: a kernel that oopsed, in the last run or before it, or
	 * a process that does not die would spoil those that follow.
	 */
	SESSION_DONE,
	SESSION_STOPPED, /* *stop */
	SESSION_NO_ACCEL, /* KVM is there and cannot run a guest */
	SESSION_LOST, /* panic, hang, no boot: reason, and which run was under way */
};

struct session_result {
	enum session_end end;
	bool booted; /* the guest said hello */
	int place; /* of the run under way when it was lost; -1: none */
	struct strbuf reason; /* one line */
	struct strbuf console; /* its last lines */
	struct run *trouble; /* dmesg.* values of the run under way; NULL: none */
};
void session_result_release(struct session_result *result);

/* -1: QEMU does not get as far as a guest, a run could not be stored. result needs no initialisation and is to be released. */
int session_run(const struct session_config *config, struct session_result *result,
		struct err *err);

#endif
