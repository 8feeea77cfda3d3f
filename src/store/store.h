/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef STORE_STORE_H
#define STORE_STORE_H
/*
 * The database: one SQLite file, but no caller can tell. Everything that ever was measured goes in as a
 * struct run, and comes out as one, or as a struct set_list of one commit. A seam: another implementation
 * (a database server of a lab) fits behind these functions.
 */
#include "base/err.h"
#include "base/strlist.h"
#include "model/run.h"
#include "model/set.h"

struct store;

enum store_mode {
	STORE_READ, /* must exist and hold something; works in a read-only folder */
	STORE_WRITE, /* made at need, with its folders */
};

/*
 * Errors, each naming the file and what to do: no such file, not a perfcmp database, newer schema, damaged,
 * not writable, locked by another process for too long, disk full. An older schema is migrated, in either
 * mode; if the file cannot be written, that is an error.
 * A locked database is waited for 10 s, or $PERFCMP_DB_TIMEOUT seconds.
 */
struct store *store_open(const char *path, enum store_mode mode, struct err *err);
void store_close(struct store *store);

/* --db, else $PERFCMP_DB, else $XDG_DATA_HOME/perfcmp/perfcmp.db. option may be NULL. Caller frees. */
char *store_default_path(const char *option);

/*
 * One run, whole, in one transaction: it is stored or it is not, and once stored it survives a power cut. A
 * run whose id is there already is refused. Between store_begin() and store_commit() many runs make one
 * transaction (import); store_close() without store_commit() drops them.
 */
int store_add_run(struct store *store, const struct run *run, struct err *err);
int store_begin(struct store *store, struct err *err);
int store_commit(struct store *store, struct err *err);

/*
 * Is there a run of the same commit, machine, test and parameters with the same values in the same order? 1,
 * 0 or -1. After store_begin() only runs stored before it count: a file that is imported a second time shows
 * here, equal runs within it do not. A run without values has no twin.
 */
int store_has_twin(struct store *store, const struct run *run, struct err *err);

/* Which commit and which groups to read; NULL members do not limit. */
struct store_filter {
	const char *test; /* glob on "testcase/test" */
	const char *machine; /* exact name */
	const struct params
		*where; /* each must be a parameter or a fact of the run with that value */
};

/*
 * name: a commit's name, its git hash, the release or git hash of a kernel that ran it, or an abbreviation
 * (4 hex digits or more) of a hash; a label is not abbreviated, "base" must not find "base-2". A full hash
 * finds a commit of which only its beginning (7 digits or more) is known. What is exact wins over what is
 * not, a name over the rest. The strings of *out are in pool. 1: unknown or ambiguous, the message lists what
 * is near; -1: the database cannot be read.
 */
int store_find_commit(struct store *store, const char *name, struct pool *pool, struct commit *out,
		      struct err *err);

/*
 * Every run of that commit, as sets: reads that commit's runs only. Columns in order of start time (then of
 * storing), sets in that of their first run; metrics in the order in which the runs brought them. kernel is
 * that of the newest run whose kernel is known. out must be zeroed; release it after an error as well.
 */
int store_load_sets(struct store *store, const char *commit_name, const struct store_filter *filter,
		    struct set_list *out, struct err *err);

/*
 * One run in full, by its id or an unambiguous beginning of it (4 digits or more). run must be zeroed;
 * release it after an error as well. 1: unknown or ambiguous; -1: the database cannot be read.
 */
int store_load_run(struct store *store, const char *id, struct run *run, struct err *err);

/*
 * Rows for `perfcmp list`: each callback gets one row; strings live until it returns. A non-zero return value
 * of the callback ends the listing, which is no error. Order: commits and runs by start time, the others by
 * name.
 */
struct list_commit {
	struct commit commit;
	const char *release; /* of its newest run's kernel; NULL if not known */
	int runs, failed;
	int64_t first_ns, last_ns;
};
struct list_machine {
	struct machine machine;
	int runs;
};
struct list_test {
	const char *testcase, *test;
	const char *params; /* "mode=process nr_task=16", in the runs' rows too */
	int commits, runs;
};
struct list_run {
	const char *id, *commit, *testcase, *test, *params, *machine, *reason;
	enum run_status status;
	int iteration;
	int64_t start_ns;
	double wall_s;
};
struct list_metric {
	const char *metric;
	int runs; /* that have it */
};
int store_list_commits(struct store *store, int (*row)(const struct list_commit *, void *),
		       void *data, struct err *err);
int store_list_machines(struct store *store, int (*row)(const struct list_machine *, void *),
			void *data, struct err *err);
int store_list_tests(struct store *store, int (*row)(const struct list_test *, void *), void *data,
		     struct err *err);
int store_list_runs(struct store *store, int (*row)(const struct list_run *, void *), void *data,
		    struct err *err);
int store_list_metrics(struct store *store, int (*row)(const struct list_metric *, void *),
		       void *data, struct err *err);

#endif
