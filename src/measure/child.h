/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEASURE_CHILD_H
#define MEASURE_CHILD_H
/*
 * The child process that does the work of one run: a function of ours, or a program. It is started without a
 * shell, in a process group of its own, with LC_ALL=C, signals at their defaults, stdin from /dev/null, no
 * other files open, and its output caught. It dies with us (PR_SET_PDEATHSIG; its own children have to see to
 * that themselves), and whatever it leaves behind is killed, also what left its process group or session (we
 * are its subreaper while it runs).
 *
 * The measured part: a function calls child_begin() and child_end() around it; each returns when the parent
 * has done its `begin` or `end` callback (counters on, off). For a program it is from just before exec to exit.
 * Messages go over a SOCK_SEQPACKET pair, one packet each (child_wire.h).
 */
#include "base/err.h"
#include "base/strbuf.h"
#include "model/number.h"
#include "model/run.h"

#include <signal.h>
#include <sys/resource.h>

struct child_io; /* the child's end */

/*
 * Called in the child, by the workload. After child_fail() the function should return. Processes forked by the
 * child may send values, samples and warnings too, but only one process calls child_begin() and child_end().
 * Text and metric names longer than 1000 bytes are cut.
 */
void child_begin(struct child_io *io);
void child_end(struct child_io *io);
void child_value(struct child_io *io, const char *metric, struct number value);
void child_sample(struct child_io *io, const char *metric, double time_s, double value);
void child_warn(struct child_io *io, const char *fmt, ...) PRINTF_LIKE(2, 3);
void child_fail(struct child_io *io, const char *fmt, ...)
	PRINTF_LIKE(2, 3); /* becomes the run's reason; the first one counts */

/* Called in the parent; data is child_spec.data. Any of them may be NULL. */
struct child_callbacks {
	void (*started)(void *data, pid_t pid); /* the child waits: open per-task counters now */
	void (*begin)(void *data);
	void (*end)(void *data); /* also when the child died inside the measured part */
	void (*value)(void *data, const char *metric, struct number value);
	void (*sample)(void *data, const char *metric, double time_s, double value);
	void (*warning)(void *data, const char *text);
	void (*tick)(void *data, double elapsed_s); /* about four times a second */
};

struct child_spec {
	/* one of both */
	int (*function)(const void *arg,
			struct child_io *io); /* its return value is the exit status */
	char *const *argv; /* program, found in PATH */
	const void *arg;

	double timeout_s; /* 0: none. Then SIGTERM, and SIGKILL two seconds later, to the whole group */
	size_t output_max; /* bytes of output kept (the last ones); 0: 64 KiB */
	/* 1: end the child now (SIGTERM, SIGKILL two seconds later); above: SIGKILL at once; may be NULL */
	const volatile sig_atomic_t *stop;
	const struct child_callbacks *callbacks; /* may be NULL */
	void *data;
};

struct child_result {
	enum run_status status;
	bool stopped; /* because of *stop; the status is RUN_KILLED then */
	int exit_code, signal;
	struct strbuf reason; /* one line; empty if RUN_OK */
	struct strbuf
		output; /* stdout and stderr, as they came; the end of it if longer than output_max */
	struct rusage rusage; /* of the child and all descendants it waited for */
	double wall_s; /* from release to exit */
};
void child_result_release(struct child_result *result);

/*
 * -1 only if no child could be started at all; a program that cannot be executed is RUN_FAILED with exit code
 * 127 and a reason. result needs no initialisation; the caller releases it after a return of 0.
 * Not to be called from two threads at once, nor while another thread starts processes (it would take those
 * for ours). Children that the calling program had before are left alone.
 */
int child_run(const struct child_spec *spec, struct child_result *result, struct err *err);

#endif
