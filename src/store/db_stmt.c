// SPDX-License-Identifier: GPL-2.0-only
#include "store/db_impl.h"

#include <assert.h>
#include <math.h>

struct stmt *db_use(struct db *db, enum stmt_id id)
{
	struct stmt *stmt = &db->stmt[id];

	stmt_done(stmt);
	return stmt;
}

/* Binding fails only where a statement and its user disagree, or memory is out. */
static void bound(int rc)
{
	if (rc == SQLITE_NOMEM)
		out_of_memory();
	assert(rc == SQLITE_OK);
}

void stmt_text(struct stmt *stmt, const char *s)
{
	bound(sqlite3_bind_text(stmt->s, ++stmt->bound, s, -1, SQLITE_STATIC));
}

void stmt_int(struct stmt *stmt, int64_t n)
{
	bound(sqlite3_bind_int64(stmt->s, ++stmt->bound, n));
}

void stmt_real(struct stmt *stmt, double d)
{
	bound(sqlite3_bind_double(stmt->s, ++stmt->bound, d));
}

void stmt_blob(struct stmt *stmt, const void *bytes, size_t len)
{
	bound(sqlite3_bind_blob64(stmt->s, ++stmt->bound, bytes, len, SQLITE_STATIC));
}

int stmt_step(struct stmt *stmt, struct err *err)
{
	int rc = sqlite3_step(stmt->s);

	if (rc == SQLITE_ROW)
		return 1;
	if (rc != SQLITE_DONE)
		db_failed(stmt->db, rc, err);
	stmt_done(stmt);
	return rc == SQLITE_DONE ? 0 : -1;
}

int stmt_run(struct stmt *stmt, struct err *err)
{
	int status = stmt_step(stmt, err);

	stmt_done(stmt);
	return status < 0 ? -1 : 0;
}

void stmt_done(struct stmt *stmt)
{
	sqlite3_reset(stmt->s);
	sqlite3_clear_bindings(stmt->s);
	stmt->bound = 0;
}

const char *row_text(struct stmt *stmt, int column)
{
	return (const char *)sqlite3_column_text(stmt->s, column);
}

const char *row_name(struct stmt *stmt, int column)
{
	const char *text = row_text(stmt, column);

	return text ? text : "";
}

int64_t row_int(struct stmt *stmt, int column)
{
	return sqlite3_column_int64(stmt->s, column);
}

int row_id(struct stmt *stmt, int column, int64_t *out, struct err *err)
{
	*out = row_int(stmt, column);
	return *out >= 1 ? 0 : db_damaged(stmt->db, err, "%lld as an id", (long long)*out);
}

int row_small(struct stmt *stmt, int column, int *out, struct err *err)
{
	int64_t n = row_int(stmt, column);

	*out = (int)n;
	return *out == n ? 0 : db_damaged(stmt->db, err, "%lld is out of range", (long long)n);
}

double row_real(struct stmt *stmt, int column)
{
	return row_null(stmt, column) ? (double)NAN : sqlite3_column_double(stmt->s, column);
}

const void *row_blob(struct stmt *stmt, int column, size_t *len)
{
	const void *bytes = sqlite3_column_blob(stmt->s, column);

	*len = bytes ? (size_t)sqlite3_column_bytes(stmt->s, column) : 0;
	return bytes;
}

bool row_null(struct stmt *stmt, int column)
{
	return sqlite3_column_type(stmt->s, column) == SQLITE_NULL;
}
