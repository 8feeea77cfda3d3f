// SPDX-License-Identifier: GPL-2.0-only
#include "model/compare_row.h"

#include "model/rule_0day_names.h"
#include "model/stats.h"

#include <math.h>

/* The robot divides by this where the base is 0; so 0 -> 0 is -100%. */
static const double tiny_base = 1e-100;

static bool is_zero(double x)
{
	return !(fabs(x) > 0) && !isnan(x);
}

static struct cell empty_cell(void)
{
	return (struct cell){
		.mean = NAN,
		.sd_percent = NAN,
		.change = NAN,
		.failures = NAN,
	};
}

/* The robot takes -1 for the deviation of a single run, which shows when the mean is negative, too. */
static double sd_percent(const struct number *values, int nr, double mean)
{
	double sd = nr > 1 ? stats_sd_population(values, nr, mean) : -1;

	if (nr == 1 && !(mean < 0))
		return (double)NAN;
	return is_zero(mean) ? sd : 100 * sd / mean;
}

static struct cell ordinary_cell(const struct matrix *matrix, const char *metric,
				 struct number *values)
{
	struct cell cell = empty_cell();

	cell.runs = matrix->columns_nr;
	if (!cell.runs)
		return cell;
	cell.n = matrix_get(matrix, matrix_find(matrix, metric), values);
	cell.mean = stats_mean(values, cell.runs);
	if (cell.n)
		cell.sd_percent = sd_percent(values, cell.runs, cell.mean);
	return cell;
}

static double relative_change(double mean, double base, bool points)
{
	if (points)
		return mean - base;
	if (is_zero(base))
		base = tiny_base;
	return 100 * (mean - base) / base;
}

static void fill_ordinary(struct row *row, const struct compare_columns *columns)
{
	for (int i = 0; i < columns->nr; i++) {
		struct cell *cell = &row->cells[i];

		*cell = ordinary_cell(&columns->complete[i], row->metric, columns->scratch);
		if (i > 0)
			cell->change = relative_change(cell->mean, row->cells[0].mean, row->points);
	}
}

/* Each column's failures are divided by the runs of the one to its left (that has any), as the robot does. */
static void fill_failure(struct row *row, const struct compare_columns *columns)
{
	double base_rate = 0;
	int runs_left = 0;

	for (int i = 0; i < columns->nr; i++) {
		const struct matrix *matrix = &columns->all[i];
		struct cell *cell = &row->cells[i];

		*cell = empty_cell();
		cell->runs = matrix->columns_nr;
		if (!cell->runs)
			continue;
		cell->n = matrix_get(matrix, matrix_find(matrix, row->metric), columns->scratch);
		cell->mean = stats_mean(columns->scratch, cell->runs);
		cell->failures = stats_sum(columns->scratch, cell->runs);
		if (i == 0)
			base_rate = cell->failures / cell->runs;
		else
			cell->change = 100 * (cell->failures / runs_left - base_rate);
		runs_left = cell->runs;
	}
}

struct row compare_row(struct pool *pool, const char *metric, bool exact,
		       const struct compare_columns *columns)
{
	struct row row = {
		.metric = pool_strdup(pool, metric),
		.failure = rule_0day_is_failure(metric),
		.points = exact || metric_in_points(metric),
		.exact = exact,
		.kpi = metric_info(metric)->kpi,
		.cells = pool_alloc(pool, (size_t)columns->nr * sizeof(*row.cells)),
	};

	if (row.failure)
		fill_failure(&row, columns);
	else
		fill_ordinary(&row, columns);
	return row;
}
