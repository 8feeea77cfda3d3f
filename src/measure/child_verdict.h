/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEASURE_CHILD_VERDICT_H
#define MEASURE_CHILD_VERDICT_H
/* How a child's end reads: status, exit code, signal and reason of the result. */
#include "measure/child.h"

enum child_ending {
	CHILD_ENDED_ITSELF,
	CHILD_STOPPED, /* by us, because of the stop flag */
	CHILD_TIMED_OUT, /* by us, after its time limit */
};

struct child_end {
	enum child_ending ending;
	pid_t pid;
	bool exited; /* false: it hangs in the kernel and was given up */
	bool reaped; /* wait_status is known */
	int wait_status; /* as wait4() gave it */
	int exec_errno; /* the program could not be executed, or 0 */
	const char *program; /* its name */
	const char *failure; /* text of child_fail(), or "" */
	double timeout_s;
};

void child_verdict(const struct child_end *end, struct child_result *result);

#endif
