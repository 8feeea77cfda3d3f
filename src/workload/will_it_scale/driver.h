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
	double warmup_s, runtime_s;
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
 * Warm-up, then child_begin(), a sample of all counts a second, child_end(); reports the metrics through io.
 * Returns the exit status; if it is not 0 child_fail() was called.
 */
int wis_drive(const struct wis_config *config, struct child_io *io);

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
