// SPDX-License-Identifier: GPL-2.0-only
#include "render/table.h"

#include "base/printable.h"

#include <stdarg.h>

void table_init(struct table *table, const char *align)
{
	*table = (struct table){.align = align};
}

void table_release(struct table *table)
{
	for (int i = 0; i < table->cells_nr; i++)
		strbuf_release(&table->cells[i]);
	free(table->cells);
	*table = (struct table){0};
}

void table_add(struct table *table, const char *text)
{
	GROW(table->cells, table->cells_nr, table->cells_alloc);
	strbuf_init(&table->cells[table->cells_nr]);
	add_printable(&table->cells[table->cells_nr++], text && *text ? text : "-", false);
}

void table_addf(struct table *table, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	table_add(table, text);
	free(text);
}

static int width(const struct strbuf *cell)
{
	int nr = 0;

	for (size_t i = 0; i < cell->len; i++)
		nr += ((unsigned char)cell->buf[i] & 0xc0) != 0x80;
	return nr;
}

static int column_width(const struct table *table, int column, int columns)
{
	int widest = 0;

	for (int i = column; i < table->cells_nr; i += columns)
		if (width(&table->cells[i]) > widest)
			widest = width(&table->cells[i]);
	return widest;
}

void table_print(FILE *out, const struct table *table, int indent)
{
	int columns = (int)strlen(table->align);
	int *widths;

	if (!columns)
		return;
	widths = xcalloc((size_t)columns, sizeof(*widths));
	for (int c = 0; c < columns; c++)
		widths[c] = column_width(table, c, columns);
	for (int i = 0; i < table->cells_nr; i++) {
		int c = i % columns;
		int pad = widths[c] - width(&table->cells[i]);
		bool right = table->align[c] == 'r';

		fprintf(out, "%*s", c ? 2 : indent, "");
		fprintf(out, "%*s%s", right ? pad : 0, "", table->cells[i].buf);
		if (c == columns - 1)
			fputc('\n', out);
		else
			fprintf(out, "%*s", right ? 0 : pad, "");
	}
	free(widths);
}
