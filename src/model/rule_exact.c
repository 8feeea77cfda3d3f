// SPDX-License-Identifier: GPL-2.0-only
#include "model/rule_exact.h"

#include "model/rule_0day_names.h"
#include "model/stats.h"

#include <math.h>

/* Per cent of the base from which on a difference is worth a row. */
static const double performance_percent = 1, other_percent = 5;

/* 600.01 - 600 is a little less than 0.01. */
static const double rounding = 1e-9;

static bool all_deterministic(const struct matrix *matrix)
{
	for (int i = 0; i < matrix->columns_nr; i++)
		if (!matrix->set->runs[matrix->column[i]].deterministic)
			return false;
	return matrix->columns_nr > 0;
}

bool rule_exact_applies(const struct matrix *base, const struct matrix *new)
{
	return all_deterministic(base) && all_deterministic(new);
}

bool rule_exact_is_instructions(const char *metric)
{
	return streq(metric_info(metric)->unit, "instructions/op");
}

static double mean_of(const struct matrix *matrix, const char *metric, struct number *values)
{
	if (!matrix->columns_nr)
		return 0;
	matrix_get(matrix, matrix_find(matrix, metric), values);
	return stats_mean(values, matrix->columns_nr);
}

static bool large_enough(const char *metric, double base, double new)
{
	double delta = fabs(new - base), max = fmax(fabs(base), fabs(new));
	double percent = rule_0day_is_performance(metric) ? performance_percent : other_percent;

	if (rule_exact_is_instructions(metric))
		return delta > metric_info(metric)->floor - rounding;
	if (!(delta > 0) || rule_0day_below_floor(metric, max, delta))
		return false;
	return !(fabs(base) > 0) || 100 * delta / fabs(base) >= percent;
}

static void examine(struct metric_names *shown, const struct compare_columns *columns, int new,
		    const char *metric)
{
	bool failure = rule_0day_is_failure(metric);
	const struct matrix *matrices = failure ? columns->all : columns->complete;
	double base_mean = mean_of(&matrices[0], metric, columns->scratch);
	double new_mean = mean_of(&matrices[new], metric, columns->scratch);

	if (failure ? fabs(new_mean - base_mean) > 0 : large_enough(metric, base_mean, new_mean))
		metric_names_add(shown, metric);
}

void rule_exact_select(struct metric_names *shown, const struct compare_columns *columns, int new,
		       const struct compare_options *options)
{
	const struct set *sets[] = {columns->all[new].set, columns->all[0].set};

	for (size_t i = 0; i < ARRAY_SIZE(sets); i++)
		for (int k = 0; k < sets[i]->metrics_nr; k++) {
			const char *metric = sets[i]->metrics[k].name;

			if (options->more || !rule_0day_denied(metric))
				examine(shown, columns, new, metric);
		}
}
