/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H
/* Results measured by other tools -> struct run. A format is a file beside this one and a line in import.c's table. */
#include "base/err.h"
#include "base/strlist.h"
#include "model/run.h"

struct import_options {
	const char *machine; /* NULL: "imported" */
	const char *testcase,
		*test; /* NULL: "imported", the file's name without folder and ending */
	const struct params *params;
	const char *subject; /* of the commit; NULL: not known */
};

/* Takes a finished run; the importer releases it afterwards. -1 with err set ends the import. */
typedef int (*import_sink)(void *data, struct run *run, struct err *err);

struct import_format {
	const char *name, *help;
	/*
	 * path "-": standard input. Messages name file and line. What can be skipped is skipped with a
	 * warning; what would make wrong numbers, or no run at all, is an error. After an error some runs may
	 * have gone to the sink already: it should undo them.
	 */
	int (*read)(const char *path, const struct import_options *options, import_sink sink,
		    void *data, struct strlist *warnings, struct err *err);
};
const struct import_format *import_find(const char *name); /* NULL if there is none */
const struct import_format *import_all(int *nr);

#endif
