/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MODEL_SET_H
#define MODEL_SET_H
/*
 * struct set: all runs of one commit in one group (same machine, test, parameters), as a matrix
 * metric x run: what compare works on. LKP calls it a matrix. Runs that failed are columns too.
 */
#include "base/pool.h"
#include "base/strmap.h"
#include "model/number.h"
#include "model/params.h"
#include "model/run.h"

struct strbuf;

struct group_key {
	const char *machine, *testcase, *test;
	struct params params;
};
bool group_key_equal(const struct group_key *a, const struct group_key *b);

/* For messages: "will-it-scale/sched_yield on lkp-skl-fpga01 (mode=process nr_task=16)" */
void group_key_describe(struct strbuf *out, const struct group_key *key);

struct set_run {
	const char *id, *boot_id;
	enum run_status status;
	bool deterministic; /* its machine was: its numbers have no noise */
	bool emulated; /* its machine was, and not deterministic */
	struct params facts;
};

struct set_metric {
	const char *name;
	struct number *value; /* runs_nr of them; NUMBER_NONE where the run has none */
};

struct set {
	struct group_key key;
	struct set_run *runs;
	int runs_nr, runs_alloc;
	struct set_metric *metrics; /* in the order in which the runs brought them */
	int metrics_nr, metrics_alloc;
	struct strmap index; /* metric name -> its place in metrics */
};

/* All sets of one commit. Owns everything in them; strings are in the pool. Zeroed: empty. */
struct set_list {
	struct pool pool;
	struct commit commit;
	struct kernel kernel;
	struct set *v;
	int nr, alloc;
};

void set_list_release(struct set_list *list);

/* The set of that group, made at need. The key is copied. Valid until the next call: sets move. */
struct set *set_list_get(struct set_list *list, const struct group_key *key);

/*
 * Adds a run (a column, every metric NUMBER_NONE) and returns its number; its strings and facts are copied
 * into the pool. Then set_put() fills it; a NUMBER_NONE changes nothing.
 */
int set_add_run(struct set_list *list, struct set *set, const struct set_run *run);
void set_put(struct set_list *list, struct set *set, int run, const char *metric,
	     struct number value);

/*
 * What the kernel test robot does while it accumulates the results of runs: a metric that is the whole number 0
 * in every run that has it is dropped. Only in sets that were collected (every run has a boot); what was
 * imported has been accumulated by whoever made it.
 */
void set_list_drop_zeros(struct set_list *list);

/* NULL if the set has no such metric. */
const struct set_metric *set_find(const struct set *set, const char *metric);

#endif
