/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_CAMPAIGN_H
#define LAB_CAMPAIGN_H
/* What `perfcmp collect` does: a plan from what the user asked for, then run after run, each stored as it ends. */
#include "base/err.h"
#include "lab/one_run.h"
#include "model/plan.h"
#include "model/run.h"

struct store;

struct campaign_config {
	/* what to run: tests (patterns), or a command */
	const struct strlist *tests;
	char *const *argv;
	const char *command_name; /* the command's name as a test; NULL: made from argv */

	/* parameters; empty or NULL: the workload's default */
	const struct strlist *nr_task; /* "16", "50%" of cpus */
	const struct strlist *modes;
	const struct strlist *params; /* "key=value" */
	const char *runtime, *warmup, *affinity;
	int cpus; /* of the machine that is tested */
	bool deterministic; /* it is one whose time is instructions */

	int iterations;
	enum plan_order order;
	uint64_t seed;

	/* who is measured */
	struct commit commit;
	const char *machine; /* NULL: the host name */
	struct one_run_config
		run; /* timeout_s 0: a built-in test gets ten times what it should take */
};

struct campaign_observer {
	void *data;
	/* boot: of plan->boots; again for the same one, if its machine was lost and runs are missing */
	void (*boot_begins)(void *data, const struct plan *plan, int boot);
	void (*boot_ticks)(void *data, double elapsed_s); /* about four times a second */
	void (*run_begins)(void *data, const struct plan *plan, int place);
	void (*run_ticks)(void *data, double elapsed_s);
	void (*run_ended)(void *data, const struct run *run);
	void (*note)(void *data, const char *text); /* what is worth knowing beside the runs */
};

struct campaign_result {
	int stored, failed; /* failed: of the stored ones */
	bool stopped; /* config->run.stop was set; the run under way is not stored */
};

/*
 * Tests -> jobs with complete parameters, in order. Refuses unknown tests, options and parameters that no
 * chosen test takes, and tests that do not fit this machine. plan must be zeroed.
 */
int campaign_plan(const struct campaign_config *config, struct plan *plan, struct err *err);

/*
 * The first half of it, for a guest: jobs with complete parameters for a machine of config->cpus CPUs, in no order.
 * What does not fit the guest otherwise (nodes, memory) it refuses itself.
 */
int campaign_jobs(const struct campaign_config *config, struct plan *plan, struct err *err);

/*
 * After how many seconds a test is hung if the user says nothing: slow machines and swapping are no hang, and a
 * thousand tasks take their time to start and to end. 0: never, nobody knows how long it should take.
 */
double campaign_timeout_s(const struct job *job);

struct campaign {
	const struct campaign_config *config;
	const struct campaign_observer *observer;
	struct store *store;
};

/* -1 if a run cannot be started or stored; what was stored before stays. */
int campaign_run(const struct campaign *campaign, const struct plan *plan,
		 struct campaign_result *result, struct err *err);

#endif
