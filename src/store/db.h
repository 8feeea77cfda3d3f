/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef STORE_DB_H
#define STORE_DB_H
/*
 * A connection to one SQLite file, with its statements prepared from one table (statements.h). db.c, db_stmt.c
 * and db_error.c are the only files that know sqlite3.h. Every error is told as "FILE: what is wrong: what to do".
 */
#include "base/err.h"
#include "store/statements.h"

struct db;
struct stmt;

/*
 * Opens the file, and proves that it can be read. write: it is made if there is none, and an error if it
 * cannot be written. Otherwise a file on a read-only medium is read without locks, as long as no changes
 * wait in a file beside it.
 * Note: a reader opens for writing too, where it may: only such a connection clears -wal and -shm away.
 */
struct db *db_open(const char *path, bool write, struct err *err);

/* Statements that were forgotten in use, or not finalized, are a bug: an assertion in debug builds. */
void db_close(struct db *db);

/* Prepares all statements; the tables must be there. After it db_use() may be called. */
int db_prepare(struct db *db, struct err *err);

const char *db_path(const struct db *db);
bool db_writable(const struct db *db);
bool db_has_moved(
	const struct db *db); /* the file was removed, renamed or replaced since it was opened */
bool db_in_transaction(const struct db *db);
int64_t db_last_id(const struct db *db); /* of the row added last */
int db_timeout_ms(void); /* how long a locked database is waited for */

int db_exec(struct db *db, const char *sql, struct err *err);

/* Makes the file a WAL one; two processes may do so together. */
int db_use_wal(struct db *db, struct err *err);

/* The first column of the first row as a whole number. Not for values from outside: sql is fixed text. */
int db_query_int(struct db *db, const char *sql, int64_t *out, struct err *err);

/*
 * One state of the file for several queries. db_end_read() fails if the file is read without locks and was
 * changed meanwhile; it may be called after an error too (err: NULL then). Inside a transaction both do
 * nothing else.
 */
int db_begin_read(struct db *db, struct err *err);
int db_end_read(struct db *db, struct err *err);

/* "FILE: damaged: text", with advice. Returns -1. */
int db_damaged(const struct db *db, struct err *err, const char *fmt, ...) PRINTF_LIKE(3, 4);

/*
 * A statement: db_use() it, bind its parameters from the first to the last, step. Text and blobs must live
 * until the statement is done. It is done when stmt_step() returned 0 or -1, or with stmt_done().
 */
struct stmt *db_use(struct db *db, enum stmt_id id);
void stmt_text(struct stmt *stmt, const char *s); /* NULL binds NULL */
void stmt_int(struct stmt *stmt, int64_t n);
void stmt_real(struct stmt *stmt, double d);
void stmt_blob(struct stmt *stmt, const void *bytes, size_t len);
int stmt_step(struct stmt *stmt, struct err *err); /* 1: a row, 0: no more, -1 */
int stmt_run(struct stmt *stmt, struct err *err); /* for statements without rows: 0 or -1 */
void stmt_done(struct stmt *stmt);

/* Columns of the row, from 0. Text and blobs live until the next step. */
const char *row_text(struct stmt *stmt, int column); /* NULL if it is NULL */
const char *row_name(struct stmt *stmt,
		     int column); /* "" if it is NULL, which only damage can make it */
int64_t row_int(struct stmt *stmt, int column);
/* An id, which is 1 at least, and a number that fits into an int; else -1: that is damage. */
int row_id(struct stmt *stmt, int column, int64_t *out, struct err *err);
int row_small(struct stmt *stmt, int column, int *out, struct err *err);
double row_real(struct stmt *stmt, int column); /* NAN if it is NULL */
const void *row_blob(struct stmt *stmt, int column, size_t *len);
bool row_null(struct stmt *stmt, int column);

#endif
