/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RENDER_TABLE_H
#define RENDER_TABLE_H
/*
 * Text cells in aligned columns; knows nothing of what they mean. Columns are as wide as their widest cell
 * (in characters, not bytes), two blanks apart; the last column is never padded. Cells are made safe to
 * print (base/printable.h).
 */
#include "base/strbuf.h"

struct table {
	const char
		*align; /* one letter a column: 'l' or 'r'; its length is the number of columns */
	struct strbuf *cells;
	int cells_nr, cells_alloc;
};

void table_init(struct table *table, const char *align);
void table_add(struct table *table,
	       const char *text); /* the next cell, row by row; NULL or empty: "-" */
void table_addf(struct table *table, const char *fmt, ...) PRINTF_LIKE(2, 3);
void table_print(FILE *out, const struct table *table, int indent);
void table_release(struct table *table);

#endif
