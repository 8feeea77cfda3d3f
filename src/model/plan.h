/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MODEL_PLAN_H
#define MODEL_PLAN_H
/*
 * struct job: one test with one set of parameters, ready to be run. struct plan: which jobs, how often, in
 * which order. Pure: made from what the user asked for; what a test takes is told by the caller.
 */
#include "base/err.h"
#include "base/strlist.h"
#include "model/params.h"

struct job {
	const char *testcase, *test;
	struct params params; /* nr_task, mode, mem, loops, runtime ...: all the workload reads */
	char *const *argv; /* testcase "command": the user's command, NULL-terminated; else NULL */
	bool deterministic; /* the machine's time is instructions: count operations, not seconds */
	double expected_s; /* how long a run should take; 0: not known */
};

enum {
	PLAN_NR_TASK_MAX = 4096, /* tasks of a test */
	PLAN_RUNS_MAX = 1000000, /* of a plan; jobs and boots, too */
};

/* A parameter and the values it shall have in turn; several axes give every combination. */
struct plan_axis {
	const char *key;
	const struct strlist *values;
};

enum plan_order {
	PLAN_INTERLEAVE, /* A B C A B C: slow drift of the machine meets all tests alike */
	PLAN_SEQUENTIAL, /* A A B B C C */
	PLAN_RANDOM, /* shuffled, by seed */
};

/* One boot of one kernel, and the runs that are done in it: nr of plan.runs, from first on. */
struct plan_boot {
	int kernel; /* as the caller counts them */
	int number; /* of this kernel's boots, from 1 */
	int first, nr;
};

struct plan_run {
	int job; /* index into jobs */
	int iteration; /* from 1 */
};

/* Owns everything in it; zeroed: empty. */
struct plan {
	struct pool pool;
	struct job *jobs;
	int jobs_nr, jobs_alloc;
	struct plan_run *runs;
	int runs_nr, runs_alloc;
	struct plan_boot *boots; /* empty where no kernel is booted */
	int boots_nr, boots_alloc;
};
void plan_release(struct plan *plan);

/*
 * Adds the test once for each combination of the axes' values (an axis without values does not count). -1: there
 * would be more than PLAN_RUNS_MAX jobs.
 */
struct plan_test {
	const char *testcase, *test;
	const struct plan_axis *axes;
	int axes_nr;
};
int plan_add_jobs(struct plan *plan, const struct plan_test *test, struct err *err);

/* Fills runs: each job `iterations` times. -1: more than PLAN_RUNS_MAX. */
int plan_order_runs(struct plan *plan, int iterations, enum plan_order order, uint64_t seed,
		    struct err *err);

/*
 * Fills boots and runs: each kernel `boots` times, each job `iterations` times a boot. Boots of the kernels
 * alternate (A B A B) unless order says otherwise; within a boot the jobs do. -1: more than PLAN_RUNS_MAX runs.
 */
struct plan_boots {
	int kernels, boots, iterations;
	enum plan_order order;
	uint64_t seed;
};
int plan_order_boots(struct plan *plan, const struct plan_boots *how, struct err *err);

/* The boot in which a run (its place in runs) is done; NULL: none is booted. */
const struct plan_boot *plan_boot_of(const struct plan *plan, int place);

/*
 * "16" or "50%" of `cpus` (rounded down, at least 1), in decimal. -1: neither a whole number from 1 to
 * PLAN_NR_TASK_MAX nor a percentage above 0.
 */
int plan_nr_task(const char *text, int cpus, char out[16], struct err *err);

#endif
