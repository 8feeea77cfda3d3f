// SPDX-License-Identifier: GPL-2.0-only
#include "render/table.h"

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

/* Length of the UTF-8 sequence at s; 0 if it is none (overlong forms and surrogates are none). */
static int utf8_length(const unsigned char *s)
{
	static const struct {
		unsigned char first, last, second_first, second_last;
		int length;
	} forms[] = {
		{0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
		{0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
		{0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
		{0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
	};

	if (*s < 0x80)
		return 1;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		int at = 2;

		if (*s < forms[i].first || *s > forms[i].last)
			continue;
		if (s[1] < forms[i].second_first || s[1] > forms[i].second_last)
			return 0;
		while (at < forms[i].length && (s[at] & 0xc0) == 0x80)
			at++;
		return at == forms[i].length ? at : 0;
	}
	return 0;
}

static bool is_control(const unsigned char *s, int length)
{
	if (length == 1)
		return *s < 0x20 || *s == 0x7f;
	return length == 2 && *s == 0xc2 && s[1] < 0xa0; /* U+0080 to U+009F */
}

static const unsigned char *add_sequence(struct strbuf *out, const unsigned char *s, int length)
{
	strbuf_add(out, s, (size_t)length);
	return s + length;
}

void add_printable(struct strbuf *out, const char *text, bool keep_lines)
{
	const unsigned char *s = (const unsigned char *)text;

	while (*s) {
		int length = utf8_length(s);

		if (keep_lines && (*s == '\n' || *s == '\t'))
			strbuf_addch(out, *s++);
		else if (length && !is_control(s, length))
			s = add_sequence(out, s, length);
		else
			strbuf_addf(out, "\\x%02x", *s++);
	}
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
	int *widths = xcalloc((size_t)columns, sizeof(*widths));

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
