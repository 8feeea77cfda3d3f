/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MODEL_RUN_H
#define MODEL_RUN_H
/*
 * struct run: what one execution of one test produced, whoever measured it. Filled by lab (measured here) or
 * import (measured by other tools), written and read by store. It owns everything in it: strings are in its
 * pool, arrays are heap memory that run_release() frees. A zeroed struct run is empty.
 */
#include "base/pool.h"
#include "base/strlist.h"
#include "base/strmap.h"
#include "model/number.h"
#include "model/params.h"

struct commit {
	const char *
		name; /* what the user calls it: a hash, tag or label; never NULL in a complete run */
	const char *hash; /* git hash, full or abbreviated, NULL if not known */
	const char *subject; /* first line of the commit message, NULL if not known */
};

struct kernel {
	const char *release; /* uname -r; NULL if not known (imported) */
	const char *version; /* uname -v */
	const char *cmdline; /* /proc/cmdline */
	const char *hash; /* of a "-g<hash>" in the release, NULL if there is none */
};

/* The kind of an emulated machine without noise: one nanosecond of its time is one instruction. */
#define MACHINE_DETERMINISTIC "deterministic"
#define MACHINE_EMULATED "emulated"

struct machine {
	const char *name; /* 0-day: tbox_group */
	const char *
		kind; /* "real", "kvm", MACHINE_EMULATED, MACHINE_DETERMINISTIC, "vm" (a guest we did not
			  start), "unknown" */
	const char *cpu_model; /* NULL if not known */
	int cpus, nodes; /* online; 0 if not known */
	int64_t memory_bytes; /* 0 if not known */
};

enum run_status {
	RUN_OK, /* complete; the only one whose values enter averages */
	RUN_FAILED, /* ended by itself with an error */
	RUN_KILLED, /* ended by a signal */
	RUN_TIMEOUT, /* stopped by us after its time limit */
};
const char *run_status_name(enum run_status status); /* "ok", "failed", "killed", "timeout" */
bool run_status_parse(const char *name, enum run_status *out);

struct run_value {
	const char *metric;
	struct number value;
};

/* A perf event over the measured part, as read: not scaled. running < enabled: it was multiplexed. */
struct run_counter {
	const char *event;
	uint64_t value, enabled_ns, running_ns;
};

/* Samples of a metric inside the run, in order of time; sample k was taken at time_s[k] after the measured part began. */
struct run_series {
	const char *metric;
	int nr, alloc;
	double *time_s, *value;
};

struct run {
	struct pool pool;
	char id[33]; /* 32 hex digits, random, globally unique */
	struct commit commit;
	struct kernel kernel;
	struct machine machine;
	const char *boot_id;
	const char *testcase, *test; /* "will-it-scale", "sched_yield" */
	struct params params;
	struct params
		facts; /* what may bias it: cpufreq_governor, smt, thp, aslr, load_start, ... */
	int64_t start_ns; /* since 1970 */
	double wall_s; /* of the whole run, warm-up included */
	int iteration; /* from 1 */

	enum run_status status;
	int exit_code; /* of the test, 0 if it was killed */
	int signal; /* that killed it, or 0 */
	const char *reason; /* one line: why it is not RUN_OK; NULL if it is */
	const char *last_output; /* last lines a failed test printed, NULL if none */

	struct run_value *values; /* in the order measured; each metric once */
	int values_nr, values_alloc;
	struct strmap index; /* metric -> its place in values */
	struct run_counter *counters;
	int counters_nr, counters_alloc;
	struct run_series *series; /* in the order in which they began */
	int series_nr, series_alloc;
	struct strmap series_index; /* as index, for series; may lag behind */
	struct strlist warnings;
};

void run_init(struct run *run); /* zeroed, with a fresh id */
void run_release(struct run *run);

/* metric is copied into the run's pool. A metric that is there already gets the new value. */
void run_set(struct run *run, const char *metric, struct number value);
struct number run_get(const struct run *run, const char *metric); /* NUMBER_NONE if not there */
void run_add_counter(struct run *run, const struct run_counter *counter);
/* Appends one sample to the metric's series, which is made at need. */
void run_add_sample(struct run *run, const char *metric, double time_s, double value);

#endif
