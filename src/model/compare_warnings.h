/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MODEL_COMPARE_WARNINGS_H
#define MODEL_COMPARE_WARNINGS_H
/* What the reader of a group should know beside its numbers. */
#include "model/compare_row.h"

/*
 * Appends to out->warnings: runs that are left out or too few for the rule, machines that are emulated, deterministic,
 * or two under one name, results that a run lacks. The rows of the group are made.
 */
void compare_warn(struct comparison *out, const struct group *group,
		  const struct compare_columns *columns, const struct compare_options *options);

#endif
