// SPDX-License-Identifier: GPL-2.0-only
#include "store/db.h"
#include "base/strbuf.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	TIMEOUT_MS = 10000,
	RETRY_MS = 20
};

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

int db_timeout_ms(void)
{
	const char *text = getenv("PERFCMP_DB_TIMEOUT");
	double seconds;

	if (text && parse_double(text, &seconds) && seconds >= 0 && seconds < 1e6)
		return (int)(seconds * 1000);
	return TIMEOUT_MS;
}

const char *db_path(const struct db *db)
{
	return db->path;
}

bool db_writable(const struct db *db)
{
	return !sqlite3_db_readonly(db->handle, "main");
}

bool db_in_transaction(const struct db *db)
{
	return !sqlite3_get_autocommit(db->handle);
}

int64_t db_last_id(const struct db *db)
{
	return sqlite3_last_insert_rowid(db->handle);
}

/* The folder of a path; caller frees. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return xstrdup(".");
	return xstrndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* Why the file or its folder cannot be written, as an errno; 0 if it is not known. */
static int why_not_writable(const char *path)
{
	char *folder = folder_of(path);
	int errnum = 0;

	if ((access(path, W_OK) && errno != ENOENT) || access(folder, W_OK | X_OK))
		errnum = errno;
	free(folder);
	return errnum;
}

static int not_writable(const struct db *db, struct err *err)
{
	int errnum = why_not_writable(db->path);
	const char *reason = errnum ? strerrordesc_np(errnum) : NULL;

	return err_set(err, "%s: cannot be written (%s): name a file in another folder with --db",
		       db->path, reason ? reason : "the file or its folder is read-only");
}

/* The error of the last SQLite call, whose result was rc, for a person. Returns -1. */
static int failed(const struct db *db, int rc, struct err *err)
{
	const char *text = db->handle ? sqlite3_errmsg(db->handle) : sqlite3_errstr(rc);
	int errnum = db->handle ? sqlite3_system_errno(db->handle) : 0;

	if ((rc & 0xff) == SQLITE_IOERR && (errnum == ENOSPC || errnum == EDQUOT))
		rc = SQLITE_FULL;
	switch (rc & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return err_set(err,
			       "%s: locked by another process for %g s: try again when it is done",
			       db->path, db_timeout_ms() / 1000.0);
	case SQLITE_FULL:
		return err_set(
			err,
			"%s: the disk is full: what was stored before is intact, make room and "
			"try again",
			db->path);
	case SQLITE_NOTADB:
		return err_set(err, "%s: not a database: name another file with --db", db->path);
	case SQLITE_CORRUPT:
		return db_damaged(db, err, "%s", text);
	case SQLITE_READONLY:
		return not_writable(db, err);
	case SQLITE_CANTOPEN:
		if (why_not_writable(db->path))
			return not_writable(db, err);
		break;
	}
	if (errnum)
		return err_set_errno(err, errnum, "%s: %s", db->path, text);
	return err_set(err, "%s: %s", db->path, text);
}

int db_damaged(const struct db *db, struct err *err, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	err_set(err,
		"%s: damaged: %s: restore a copy, or rescue what is readable with "
		"\"sqlite3 FILE .recover\"",
		db->path, text);
	free(text);
	return -1;
}

/* The path as a URI, so that ":memory:" and the like are files, too; caller frees. */
static char *path_uri(const char *path, bool immutable)
{
	struct strbuf uri = STRBUF_INIT;

	strbuf_addstr(&uri, *path == '/' ? "file:" : "file:./");
	for (; *path; path++) {
		if (strchr("%?#", *path))
			strbuf_addf(&uri, "%%%02x", (unsigned)*path);
		else
			strbuf_addch(&uri, *path);
	}
	if (immutable)
		strbuf_addstr(&uri, "?immutable=1");
	return strbuf_detach(&uri);
}

/* Opens the file and reads its first page, which is where most of what can be wrong shows. */
static int connect_db(struct db *db)
{
	int create = db->write ? SQLITE_OPEN_CREATE : 0;
	int flags = db->immutable ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | create;
	char *uri = path_uri(db->path, db->immutable);
	int rc = sqlite3_open_v2(uri, &db->handle, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
				 NULL);

	free(uri);
	if (rc != SQLITE_OK)
		return rc;
	sqlite3_extended_result_codes(db->handle, 1);
	sqlite3_busy_timeout(db->handle, db_timeout_ms());
	return sqlite3_exec(db->handle,
			    "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL;"
			    "PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;"
			    "SELECT count(*) FROM sqlite_schema",
			    NULL, NULL, NULL);
}

/* Bytes of changes that wait beside the file. */
static off_t wal_size(const struct db *db)
{
	char *wal = xasprintf("%s-wal", db->path);
	struct stat st;
	off_t size = stat(wal, &st) ? 0 : st.st_size;

	free(wal);
	return size;
}

/*
 * A database that is written to needs a lock file beside it even to be read. Where that cannot be made, the
 * file alone is read, which is right as long as nothing waits in the -wal file.
 */
static int connect_without_locks(struct db *db, int rc, struct err *err)
{
	int code = rc & 0xff;

	if (db->write || (code != SQLITE_CANTOPEN && code != SQLITE_READONLY &&
			  code != SQLITE_IOERR && code != SQLITE_FULL))
		return failed(db, rc, err);
	if (wal_size(db))
		return err_set(
			err,
			"%s: its newest runs wait in %s-wal, which cannot be used here: copy "
			"both files into a folder that can be written",
			db->path, db->path);
	sqlite3_close(db->handle);
	db->handle = NULL;
	db->immutable = true;
	if (stat(db->path, &db->opened))
		return err_set_errno(err, errno, "%s", db->path);
	rc = connect_db(db);
	return rc == SQLITE_OK ? 0 : failed(db, rc, err);
}

struct db *db_open(const char *path, bool write, struct err *err)
{
	struct db *db = xcalloc(1, sizeof(*db));
	int rc;

	db->path = xstrdup(path);
	db->write = write;
	rc = connect_db(db);
	if (rc != SQLITE_OK && connect_without_locks(db, rc, err))
		goto fail;
	if (write && !db_writable(db)) {
		not_writable(db, err);
		goto fail;
	}
	return db;
fail:
	db_close(db);
	return NULL;
}

void db_close(struct db *db)
{
	if (!db)
		return;
	for (int i = 0; i < STMT_NR; i++) {
		assert(!db->stmt[i].s || !sqlite3_stmt_busy(db->stmt[i].s));
		sqlite3_finalize(db->stmt[i].s);
	}
	assert(!db->handle || !sqlite3_next_stmt(db->handle, NULL));
	sqlite3_close_v2(db->handle);
	free(db->path);
	free(db);
}

int db_prepare(struct db *db, struct err *err)
{
	for (int i = 0; i < STMT_NR; i++) {
		int rc = sqlite3_prepare_v3(db->handle, stmt_sql[i], -1, SQLITE_PREPARE_PERSISTENT,
					    &db->stmt[i].s, NULL);

		if (rc == SQLITE_ERROR) /* no such table, no such column */
			return db_damaged(db, err, "%s", sqlite3_errmsg(db->handle));
		if (rc != SQLITE_OK)
			return failed(db, rc, err);
		db->stmt[i].db = db;
	}
	return 0;
}

int db_exec(struct db *db, const char *sql, struct err *err)
{
	int rc = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : failed(db, rc, err);
}

/* Changing the journal mode does not wait for a lock in all cases, hence the loop. */
int db_use_wal(struct db *db, struct err *err)
{
	int64_t end = clock_ns() + db_timeout_ms() * INT64_C(1000000);
	int rc;

	do {
		rc = sqlite3_exec(db->handle, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
		if ((rc & 0xff) != SQLITE_BUSY)
			break;
		usleep(RETRY_MS * 1000);
	} while (clock_ns() < end);
	return rc == SQLITE_OK ? 0 : failed(db, rc, err);
}

int db_query_int(struct db *db, const char *sql, int64_t *out, struct err *err)
{
	sqlite3_stmt *s;
	int rc = sqlite3_prepare_v2(db->handle, sql, -1, &s, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_step(s);
	if (rc == SQLITE_ROW)
		*out = sqlite3_column_int64(s, 0);
	else
		failed(db, rc, err);
	sqlite3_finalize(s);
	return rc == SQLITE_ROW ? 0 : -1;
}

int db_begin_read(struct db *db, struct err *err)
{
	if (db_in_transaction(db))
		return 0;
	db->reading = db_exec(db, "BEGIN", err) == 0;
	return db->reading ? 0 : -1;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

int db_end_read(struct db *db, struct err *err)
{
	struct err ignored;
	struct stat now;
	int status = 0;

	if (db->reading && db_in_transaction(db))
		status = db_exec(db, "COMMIT", err ? err : &ignored);
	db->reading = false;
	if (db->immutable &&
	    (stat(db->path, &now) || !same_file(&now, &db->opened) || wal_size(db)))
		return err_set(err ? err : &ignored, "%s: was changed while it was read: try again",
			       db->path);
	return status;
}

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
		failed(stmt->db, rc, err);
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
