/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MODEL_PARAMS_H
#define MODEL_PARAMS_H
/*
 * Parameters of a run (nr_task=16, mode=process) and facts about it (cpufreq_governor=performance):
 * key=value pairs, each key once, sorted bytewise by "key=value" as the heading of a 0-day table wants them.
 */
#include "base/pool.h"

struct param {
	const char *key, *value;
};
struct params {
	struct param *v;
	int nr, alloc;
};

/* Strings are copied into the pool; the array is heap memory. An equal key is replaced. */
void params_set(struct params *params, struct pool *pool, const char *key, const char *value);
const char *params_get(const struct params *params, const char *key); /* NULL if not there */
bool params_equal(const struct params *a, const struct params *b);
void params_release(struct params *params); /* the array; the strings belong to the pool */
void params_copy(struct params *to, struct pool *pool, const struct params *from);

/* "key=value" split at the first '='; false if there is no '=' or no key. key and value point into pool. */
bool param_split(struct pool *pool, const char *text, struct param *out);

#endif
