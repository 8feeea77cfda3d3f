/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WORKLOAD_WILL_IT_SCALE_DRIVER_H
#define WORKLOAD_WILL_IT_SCALE_DRIVER_H
/*
 * The driver, as the public suite's: N tasks, processes or threads, are bound to cores, set up what they need
 * and start together. Each counts its operations on a cache line of its own; the driver only reads them.
 */
#include "measure/child.h"
#include "workload/will_it_scale/placement.h"
#include "workload/will_it_scale/test.h"

struct wis_config {
	const struct wis_test *test;
	int nr_task;
	bool thread;
	enum affinity affinity;
	double warmup_s, runtime_s; /* a timed run */
	uint64_t warmup_ops, ops; /* a counted run, of each task; ops 0: a timed one */
	bool deterministic; /* of a counted run: the machine's time is instructions */
};

/* From a job with all parameters. */
int wis_config_parse(struct wis_config *config, const struct job *job, struct err *err);

/* What the measured part gave. */
struct wis_result {
	uint64_t *ops; /* nr_task of them: each task's operations */
	double elapsed_s; /* from the first sample to the last */
	double idle_percent; /* of all CPUs; NAN if it is not known */
};

/*
 * A timed run: warm-up, then child_begin(), a sample of all counts a second, child_end(); reports the metrics through io.
 * Returns the exit status; if it is not 0 child_fail() was called. A counted run: wis_drive_counted().
 */
int wis_drive(const struct wis_config *config, struct child_io *io);

/*
 * Every task does warmup_ops and then `ops` operations, a few more where one step is several. The metrics are those
 * of a timed run of the time that it took, and in a deterministic machine
 *
 *	will-it-scale.instructions_per_op          instructions executed, by whatever ran, / operations of all tasks
 *	will-it-scale.instructions_per_op.median   ... of the median lap: without timer ticks and other rare work;
 *	                                           of one task; its laps are the samples of the metric above
 *	will-it-scale.instructions_per_op.user     ... of the task's own code, single-stepped afterwards
 *	will-it-scale.instructions_per_op.kernel   the median less that
 *
 * The last two where the operation is one process's alone.
 */
int wis_drive_counted(const struct wis_config *config, struct child_io *io, struct err *err);

/* Instructions in user mode of one operation of a test in one process, behind its warm-up; NAN: cannot be told. */
double wis_user_instructions(const struct wis_config *config);

/*
 * Every task does `ops` operations (or a few more, if one step is several) and ends; nothing is timed.
 * counts: nr_task of them, what each task counted.
 */
int wis_drive_ops(const struct wis_config *config, uint64_t ops, uint64_t *counts, struct err *err);

/* The metrics of a result, and the warning if a task did nothing. */
void wis_report(const struct wis_config *config, const struct wis_result *result,
		struct child_io *io);

/* Name of the metric whose samples are the operations per second of all tasks: "will-it-scale.16.processes". */
void wis_total_metric(const struct wis_config *config, char *name, size_t size);

#endif
