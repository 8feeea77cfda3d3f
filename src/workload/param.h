/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WORKLOAD_PARAM_H
#define WORKLOAD_PARAM_H
/*
 * Reading a job's parameters. What is refused is refused with what is allowed. The caller has put defaults in
 * for what the user did not give.
 */
#include "base/err.h"
#include "model/plan.h"

/* Refuses a parameter that is not among the names. */
int param_check_names(const struct job *job, const char *const *names, struct err *err);

void param_default(struct job *job, struct pool *pool, const char *key, const char *value);

struct param_range {
	double min, max;
};

int param_whole(const struct job *job, const char *key, struct param_range range, int64_t *out,
		struct err *err);
int param_number(const struct job *job, const char *key, struct param_range range, double *out,
		 struct err *err);

/* *out: index into choices, which ends with NULL. */
int param_choice(const struct job *job, const char *key, const char *const *choices, int *out,
		 struct err *err);

/*
 * "3G", "512M", "64K" or bytes; powers of 1024; at least min, at most PARAM_BYTES_MAX: more than a machine has, and
 * so little that a size times a number of tasks is no overflow.
 */
#define PARAM_BYTES_MAX (INT64_C(1) << 50)
int param_bytes(const struct job *job, const char *key, int64_t min, int64_t *out, struct err *err);

#endif
