/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MODEL_RULE_EXACT_H
#define MODEL_RULE_EXACT_H
/*
 * Which metrics of a deterministic machine are shown. Its numbers have no noise: one run a side is enough, and
 * whatever differs has a cause. So only the size of the difference decides: of instructions an operation the floor
 * in the catalogue of metrics (0.01), of anything else 1% or 5% and the absolute floors, as of the 0-day rule.
 */
#include "model/compare_row.h"
#include "model/rule_0day.h"

/* All runs of both sides are of deterministic machines, and there are some. */
bool rule_exact_applies(const struct matrix *base, const struct matrix *new);

/* The metric is a number of instructions: compared, and printed, to the third decimal place. */
bool rule_exact_is_instructions(const char *metric);

/* Adds the metrics to show for column `new` of the columns against their base. */
void rule_exact_select(struct metric_names *shown, const struct compare_columns *columns, int new,
		       const struct compare_options *options);

#endif
