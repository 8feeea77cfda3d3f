// SPDX-License-Identifier: GPL-2.0-only
#include "model/matrix.h"

#include "model/rule_0day_names.h"

void matrix_init(struct matrix *matrix, const struct set *set)
{
	*matrix = (struct matrix){.set = set, .columns_nr = set ? set->runs_nr : 0};
	matrix->column = xcalloc((size_t)matrix->columns_nr, sizeof(*matrix->column));
	for (int i = 0; i < matrix->columns_nr; i++)
		matrix->column[i] = i;
}

void matrix_release(struct matrix *matrix)
{
	free(matrix->column);
	*matrix = (struct matrix){0};
}

bool matrix_has_incomplete(const struct matrix *matrix)
{
	return matrix_find(matrix, INCOMPLETE_RUN) != NULL;
}

void matrix_drop_incomplete(struct matrix *matrix)
{
	const struct set_metric *state = matrix_find(matrix, INCOMPLETE_RUN);
	int kept = 0;

	matrix->complete = true;
	if (!state)
		return;
	for (int i = 0; i < matrix->columns_nr; i++)
		if (number_cmp(state->value[matrix->column[i]], number_int(1)) != 0)
			matrix->column[kept++] = matrix->column[i];
	matrix->columns_nr = kept;
}

const struct set_metric *matrix_find(const struct matrix *matrix, const char *metric)
{
	if (!matrix->set || (matrix->complete && streq(metric, INCOMPLETE_RUN)))
		return NULL;
	return set_find(matrix->set, metric);
}

int matrix_get(const struct matrix *matrix, const struct set_metric *metric, struct number *values)
{
	int have = 0;

	for (int i = 0; i < matrix->columns_nr; i++) {
		values[i] = number_int(0);
		if (!metric || metric->value[matrix->column[i]].kind == NUMBER_NONE)
			continue;
		values[i] = metric->value[matrix->column[i]];
		have++;
	}
	return have;
}
