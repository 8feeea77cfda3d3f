/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef IMPORT_CSV_H
#define IMPORT_CSV_H
/*
 * Format "csv": one value a row, columns commit, run, metric and value in any order, named by the first row;
 * other columns are ignored with a warning.
 *
 * The rows of a run (same commit, same run) need not be together; runs are taken over in the order in which
 * they first appear, the metrics of a run in the order of its rows. An iteration is the number of the run
 * within its commit. The kind of a value is that of number_parse(). Its start is not known (0).
 *
 * With a warning: a value that is no number (empty, nan, inf, text) is missing, the other values count; of a
 * value given twice the last counts; a row with too few or too many columns, or an empty commit, run or
 * metric, is left out. Errors: a needed column is missing, a value with a decimal comma, no run at all.
 *
 * Memory: the text is read in passing; a value takes 24 bytes until the end of the file.
 */
#include "import/import.h"

int import_csv(const char *path, const struct import_options *options, import_sink sink, void *data,
	       struct strlist *warnings, struct err *err);

#endif
