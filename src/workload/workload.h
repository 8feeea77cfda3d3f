/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WORKLOAD_WORKLOAD_H
#define WORKLOAD_WORKLOAD_H
/*
 * A workload is a testcase: a family of tests with one driver. Adding one is a struct workload and a line in
 * workload.c's table.
 */
#include "base/err.h"
#include "base/strlist.h"
#include "measure/child.h"
#include "model/plan.h"

struct workload_test {
	const char *name;
	const char *help; /* one line: what one operation is */
};

struct workload {
	const char *testcase;
	const char *help;
	const struct workload_test *const *tests;
	int tests_nr; /* 0: a test is whatever the user says (command) */
	bool hidden; /* globs do not find it unless they name its testcase (the fakes) */
	const char *const *params; /* names of the parameters it takes, NULL-terminated */
	const char *const *
		metrics; /* NULL-terminated: the KPI(s), without the testcase's prefix; "%s" is the test */

	/*
	 * Completes the job's parameters with defaults for a machine of so many CPUs, and refuses what the
	 * workload does not take (unknown parameter, bad number). The machine need not be this one.
	 */
	int (*complete)(struct job *job, struct pool *pool, int cpus, struct err *err);

	/*
	 * Refuses a complete job that cannot run on this machine (one NUMA node, too little memory); the message
	 * says what to do. NULL: all can.
	 */
	int (*check)(const struct job *job, struct err *err);

	/* A complete job that has nothing to do on a machine of one NUMA node. NULL: none has. */
	bool (*needs_nodes)(const struct job *job);

	/*
	 * In the child; calls child_begin()/child_end()/child_value(...). Returns the exit status. NULL: the
	 * job's argv is what runs.
	 */
	int (*run)(const struct job *job, struct child_io *io);

	double (*expected_s)(const struct job *job); /* how long a run takes, about; 0: not known */

	/*
	 * For the fake workload in this one's place: reports the metrics that run() would, as if `value` had
	 * been measured. NULL: none.
	 */
	void (*report_fake)(const struct job *job, double value, struct child_io *io);
};

const struct workload *workload_find(const char *testcase); /* NULL if there is none */
const struct workload *const *workload_all(int *nr);

/* NULL if the workload has no such test. */
const struct workload_test *workload_find_test(const struct workload *workload, const char *name);

/* Completes the job for this machine, and checks that it can run here. */
int workload_prepare(const struct workload *workload, struct job *job, struct pool *pool,
		     struct err *err);

/*
 * "will-it-scale/sched_yield", a glob ("will-it-scale/page_fault*"), or a testcase's name for all of it:
 * appends "testcase/test" strings, without doubles. Nothing meant: -1, and the message lists what is near.
 */
int workload_expand(const char *pattern, struct strlist *out, struct err *err);

#endif
