// SPDX-License-Identifier: GPL-2.0-only
#include "import/csv_rows.h"
#include "base/strbuf.h"

#include <csv.h>
#include <errno.h>
#include <stdarg.h>

enum {
	ROW_MAX = 1 << 20, /* bytes; more is a quote left open */
	NAMED_MAX = 5 /* complaints of a kind that are told one by one */
};

const char *csv_file_name(const char *path)
{
	return streq(path, "-") ? "standard input" : path;
}

static struct complaint *find_complaint(struct csv_complaints *complaints, const char *kind)
{
	for (int i = 0; i < complaints->nr; i++)
		if (streq(complaints->v[i].kind, kind))
			return &complaints->v[i];
	GROW(complaints->v, complaints->nr, complaints->alloc);
	complaints->v[complaints->nr] = (struct complaint){.kind = kind};
	return &complaints->v[complaints->nr++];
}

void csv_complain(struct csv_complaints *complaints, int line, const char *kind, const char *fmt,
		  ...)
{
	va_list ap;
	char *text;

	if (++find_complaint(complaints, kind)->nr > NAMED_MAX)
		return;
	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	strlist_addf(complaints->warnings, "%s:%d: %s", complaints->file, line, text);
	free(text);
}

void csv_complaints_end(struct csv_complaints *complaints)
{
	for (int i = 0; i < complaints->nr; i++) {
		const struct complaint *complaint = &complaints->v[i];

		if (complaint->nr > NAMED_MAX)
			strlist_addf(complaints->warnings, "%s: %d more %s", complaints->file,
				     complaint->nr - NAMED_MAX, complaint->kind);
	}
	free(complaints->v);
	*complaints = (struct csv_complaints){0};
}

struct reader {
	FILE *file;
	struct csv_parser parser;
	struct csv_complaints *complaints;
	csv_row_fn row;
	void *data;
	struct err *err;

	struct strbuf text; /* of the line being read, its end included */
	int line; /* its number, from 1 */
	int row_line; /* where the row under way began */
	size_t row_len; /* bytes of it so far; 0: none is under way */

	struct strbuf fields; /* of the row, each ended by a NUL */
	size_t *start; /* of each field in fields */
	int start_nr, start_alloc;
	const char **field;
	int field_alloc;
	bool has_nul;
	bool failed; /* row() did */
};

static void row_reset(struct reader *reader)
{
	strbuf_reset(&reader->fields);
	reader->start_nr = 0;
	reader->row_len = 0;
	reader->has_nul = false;
}

/* libcsv: a field is complete */
static void end_field(void *bytes, size_t len, void *data)
{
	struct reader *reader = data;

	GROW(reader->start, reader->start_nr, reader->start_alloc);
	reader->start[reader->start_nr++] = reader->fields.len;
	reader->has_nul |= len && memchr(bytes, '\0', len);
	strbuf_add(&reader->fields, bytes, len);
	strbuf_addch(&reader->fields, '\0');
}

static void give_row(struct reader *reader)
{
	struct csv_row row = {.line = reader->row_line};

	for (int i = 0; i < reader->start_nr; i++) {
		GROW(reader->field, row.nr, reader->field_alloc);
		reader->field[row.nr++] = reader->fields.buf + reader->start[i];
	}
	row.field = reader->field;
	if (reader->row(reader->data, &row, reader->err))
		reader->failed = true;
}

/* libcsv: a row is complete */
static void end_row(int end, void *data)
{
	struct reader *reader = data;

	(void)end;
	if (reader->has_nul)
		csv_complain(reader->complaints, reader->row_line, "rows with a NUL byte",
			     "a NUL byte: the row is left out");
	else
		give_row(reader);
	row_reset(reader);
}

static void start_parser(struct reader *reader)
{
	if (csv_init(&reader->parser, CSV_STRICT | CSV_STRICT_FINI))
		out_of_memory();
}

/* A quote where none may be costs its row; how much a quote over several lines has eaten nobody knows. */
static int skip_damaged_row(struct reader *reader)
{
	if (csv_error(&reader->parser) != CSV_EPARSE)
		out_of_memory();
	if (reader->row_line != reader->line)
		return err_set(reader->err,
			       "%s:%d: a quote opened in this row is closed wrongly in line %d",
			       reader->complaints->file, reader->row_line, reader->line);
	csv_complain(
		reader->complaints, reader->row_line, "rows with a stray quote",
		"a quote in a field that does not begin and end with one: the row is left out");
	csv_free(&reader->parser);
	start_parser(reader);
	row_reset(reader);
	return 0;
}

/* The next line into text, whatever ends it; false at the end of the file, or if it is too long. */
static bool read_line(struct reader *reader)
{
	struct strbuf *text = &reader->text;
	int c = 0;

	strbuf_reset(text);
	while (c != '\n' && text->len <= ROW_MAX && (c = getc_unlocked(reader->file)) != EOF) {
		strbuf_addch(text, c);
		if (c != '\r')
			continue;
		c = getc_unlocked(reader->file);
		if (c == '\n')
			strbuf_addch(text, c);
		else
			ungetc(c, reader->file);
		break;
	}
	reader->line++;
	return text->len > 0;
}

static bool is_blank(const struct strbuf *text)
{
	return strspn(text->buf, " \t\r\n") == text->len;
}

static bool is_cut(const struct strbuf *text)
{
	return text->buf[text->len - 1] != '\n' && text->buf[text->len - 1] != '\r';
}

static int skip_byte_order_mark(struct reader *reader)
{
	struct strbuf *text = &reader->text;

	if (text->len >= 2 &&
	    (!memcmp(text->buf, "\xff\xfe", 2) || !memcmp(text->buf, "\xfe\xff", 2)))
		return err_set(reader->err, "%s: is UTF-16 text: write it as UTF-8",
			       reader->complaints->file);
	if (starts_with(text->buf, "\xef\xbb\xbf")) {
		text->len -= 3;
		memmove(text->buf, text->buf + 3, text->len + 1);
	}
	return 0;
}

static int skip_cut_row(struct reader *reader, int line)
{
	csv_complain(
		reader->complaints, line, "rows cut short",
		"the file ends inside this line: the row is left out (if it is whole, end it with "
		"a newline)");
	row_reset(reader);
	return 0;
}

/*
 * The file ends in a later line of a row. Where a quote is open still it may have been open from the beginning,
 * and have eaten good rows: that is not to be passed over.
 */
static int end_in_row(struct reader *reader)
{
	if (csv_fini(&reader->parser, NULL, NULL, NULL) == 0)
		return skip_cut_row(reader, reader->line - 1);
	return err_set(reader->err, "%s:%d: a quote that begins in this row is never closed",
		       reader->complaints->file, reader->row_line);
}

static int parse_line(struct reader *reader)
{
	struct strbuf *text = &reader->text;

	if (reader->line == 1 && skip_byte_order_mark(reader))
		return -1;
	if (!reader->row_len) {
		reader->row_line = reader->line;
		if (is_blank(text))
			return 0;
	}
	reader->row_len += text->len;
	if (reader->row_len > ROW_MAX)
		return err_set(reader->err,
			       "%s:%d: a row of more than a megabyte: is a quote left open there?",
			       reader->complaints->file, reader->row_line);
	if (is_cut(text) && reader->row_line == reader->line)
		return skip_cut_row(reader, reader->line);
	if (csv_parse(&reader->parser, text->buf, text->len, end_field, end_row, reader) !=
	    text->len)
		return skip_damaged_row(reader);
	return reader->failed ? -1 : 0;
}

static int read_file(struct reader *reader)
{
	const char *name = reader->complaints->file;
	int status = 0;

	while (status == 0 && read_line(reader))
		status = parse_line(reader);
	if (status == 0 && ferror(reader->file))
		return err_set_errno(reader->err, errno, "%s: cannot be read", name);
	if (status == 0 && reader->row_len)
		return end_in_row(reader);
	return status;
}

int csv_rows_read(const char *path, csv_row_fn row, void *data, struct csv_complaints *complaints,
		  struct err *err)
{
	struct reader reader = {.complaints = complaints,
				.row = row,
				.data = data,
				.err = err,
				.text = STRBUF_INIT,
				.fields = STRBUF_INIT};
	int status;

	reader.file = streq(path, "-") ? stdin : fopen(path, "re");
	if (!reader.file)
		return err_set_errno(err, errno, "%s: cannot be read", path);
	start_parser(&reader);
	status = read_file(&reader);
	csv_free(&reader.parser);
	if (reader.file != stdin)
		fclose(reader.file);
	strbuf_release(&reader.text);
	strbuf_release(&reader.fields);
	free(reader.start);
	free(reader.field);
	return status;
}
