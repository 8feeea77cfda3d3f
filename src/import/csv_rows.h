/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef IMPORT_CSV_ROWS_H
#define IMPORT_CSV_ROWS_H
/*
 * The rows of a CSV file, one by one, each with the number of its line. csv_rows.c is the only user of libcsv.
 *
 * RFC 4180 is taken strictly: fields in double quotes may hold commas, quotes ("") and line ends; a quote
 * elsewhere makes the row damaged. Lines end with LF, CRLF or CR; empty lines are skipped; blanks around a
 * field that is not quoted are no part of it; a UTF-8 byte order mark is skipped. Bytes need not be UTF-8.
 */
#include "base/err.h"
#include "base/strlist.h"

struct csv_row {
	int line; /* where it begins, from 1 */
	int nr;
	const char *const *field;
};

/*
 * What is wrong with rows, told in warnings that name the line: the first few of each kind, the others are
 * counted. text says what a row lacks and what becomes of it.
 */
struct csv_complaints {
	const char *file;
	struct strlist *warnings;
	struct complaint {
		const char *kind; /* "more rows without a value" */
		int nr;
	} * v;
	int nr, alloc;
};
void csv_complain(struct csv_complaints *complaints, int line, const char *kind, const char *fmt,
		  ...) PRINTF_LIKE(4, 5);
void csv_complaints_end(struct csv_complaints *complaints); /* adds the counts, releases the rest */

/*
 * Calls row() for each row of the file; "-" is standard input. -1 from row() ends the reading. Damaged rows
 * (a stray quote, a NUL byte) are skipped with a complaint, and so is the last row if the file does not end with
 * a line end. Errors: the file cannot be read, a quote that is closed wrongly in a later line, one that is open
 * at the end of the file and began in an earlier line, a row of more than a megabyte.
 */
typedef int (*csv_row_fn)(void *data, const struct csv_row *row, struct err *err);
int csv_rows_read(const char *path, csv_row_fn row, void *data, struct csv_complaints *complaints,
		  struct err *err);

/* The name messages call the file by: the path, "standard input" for "-". */
const char *csv_file_name(const char *path);

#endif
