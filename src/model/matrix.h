/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MODEL_MATRIX_H
#define MODEL_MATRIX_H
/*
 * A set as the kernel test robot sees it: metric x run, where a value that a run does not have is the whole
 * number 0 (not "no data"). Runs that did not complete can be taken out. The set must outlive it.
 * Note: a metric that is the whole number 0 in every run is one like any other here; see set_list_drop_zeros().
 */
#include "model/set.h"

struct matrix {
	const struct set *set; /* NULL: the commit has no such group */
	int *column; /* the runs it consists of, as numbers of set->runs */
	int columns_nr;
	bool complete; /* incomplete runs, and the metric that says so, are not in it */
};

void matrix_init(struct matrix *matrix, const struct set *set); /* set may be NULL */
void matrix_release(struct matrix *matrix);

/* Some run may be incomplete: the matrix has the metric last_state.is_incomplete_run. */
bool matrix_has_incomplete(const struct matrix *matrix);

/* Takes out the runs whose last_state.is_incomplete_run is 1, and that metric. */
void matrix_drop_incomplete(struct matrix *matrix);

/* NULL if no run of the set has the metric. */
const struct set_metric *matrix_find(const struct matrix *matrix, const char *metric);

/* Fills values[columns_nr], all 0 if metric is NULL; returns how many runs have it. metric is of matrix->set. */
int matrix_get(const struct matrix *matrix, const struct set_metric *metric, struct number *values);

#endif
