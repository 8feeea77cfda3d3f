/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef STORE_DB_IMPL_H
#define STORE_DB_IMPL_H
/* What db.c, db_stmt.c and db_error.c share, and nobody else: the only files that know SQLite. */
#include "store/db.h"

#include <sqlite3.h>
#include <sys/stat.h>

struct stmt {
	struct db *db;
	sqlite3_stmt *s;
	int bound; /* parameters so far */
};

struct db {
	sqlite3 *handle;
	char *path;
	struct stmt stmt[STMT_NR];
	bool write;
	bool reading; /* between db_begin_read() and db_end_read() */
	bool immutable; /* read without locks */
	struct stat opened; /* the file as it was then, if immutable */
};

/* The error of the last SQLite call, whose result was rc, for a person. Returns -1. */
int db_failed(const struct db *db, int rc, struct err *err);

/* "FILE: cannot be written (reason): ...". Returns -1. */
int db_not_writable(const struct db *db, struct err *err);

#endif
