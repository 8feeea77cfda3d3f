/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MODEL_COMPARE_ROW_H
#define MODEL_COMPARE_ROW_H
/* One row of a comparison, computed; and the order of rows. */
#include "model/compare.h"
#include "model/matrix.h"

/* One group as the commits have it; base first. */
struct compare_columns {
	int nr;
	struct matrix *all; /* every run: what failure rows are computed from */
	struct matrix *complete; /* without incomplete runs: all other rows */
	struct number *scratch; /* room for the values of the longest */
};

/* exact: as in struct row */
struct row compare_row(struct pool *pool, const char *metric, bool exact,
		       const struct compare_columns *columns);

/*
 * Failures first; then by the number of rows of the family (a test's counts as 0 with ORDER_NAME); then by
 * name, profiles only by its first two parts; then by change. Equal rows keep their order.
 */
void compare_sort_rows(struct row *rows, int rows_nr, int cells_nr, enum row_order order);

#endif
