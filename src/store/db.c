// SPDX-License-Identifier: GPL-2.0-only
#include "store/db.h"
#include "base/strbuf.h"
#include "store/db_impl.h"

#include <assert.h>
#include <errno.h>
#include <unistd.h>

enum {
	TIMEOUT_MS = 60000, /* a finished run is worth waiting for */
	RETRY_MS = 20
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

bool db_has_moved(const struct db *db)
{
	int moved = 0;

	sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
	return moved;
}

bool db_in_transaction(const struct db *db)
{
	return !sqlite3_get_autocommit(db->handle);
}

int64_t db_last_id(const struct db *db)
{
	return sqlite3_last_insert_rowid(db->handle);
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

/* The file beside the database in which changes wait, as its ending; NULL if there is none. */
static const char *waiting_changes(const struct db *db)
{
	static const char *const endings[] = {"-wal", "-journal"};
	const char *waiting = NULL;

	for (size_t i = 0; !waiting && i < ARRAY_SIZE(endings); i++) {
		char *path = xasprintf("%s%s", db->path, endings[i]);
		struct stat st;

		if (stat(path, &st) == 0 && st.st_size > 0)
			waiting = endings[i];
		free(path);
	}
	return waiting;
}

/*
 * A database that is written to needs a lock file beside it even to be read. Where that cannot be made, the
 * file alone is read, which is right as long as no changes wait beside it.
 */
static int connect_without_locks(struct db *db, int rc, struct err *err)
{
	const char *waiting = waiting_changes(db);
	int code = rc & 0xff;

	if (db->write || (code != SQLITE_CANTOPEN && code != SQLITE_READONLY &&
			  code != SQLITE_IOERR && code != SQLITE_FULL))
		return db_failed(db, rc, err);
	if (waiting)
		return err_set(
			err,
			"%s: its newest changes wait in %s%s, which cannot be used here: copy "
			"both files into a folder that can be written",
			db->path, db->path, waiting);
	sqlite3_close(db->handle);
	db->handle = NULL;
	db->immutable = true;
	if (stat(db->path, &db->opened))
		return err_set_errno(err, errno, "%s", db->path);
	rc = connect_db(db);
	return rc == SQLITE_OK ? 0 : db_failed(db, rc, err);
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
		db_not_writable(db, err);
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
			return db_failed(db, rc, err);
		db->stmt[i].db = db;
	}
	return 0;
}

int db_exec(struct db *db, const char *sql, struct err *err)
{
	int rc = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : db_failed(db, rc, err);
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
	return rc == SQLITE_OK ? 0 : db_failed(db, rc, err);
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
		db_failed(db, rc, err);
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
	    (stat(db->path, &now) || !same_file(&now, &db->opened) || waiting_changes(db)))
		return err_set(err ? err : &ignored, "%s: was changed while it was read: try again",
			       db->path);
	return status;
}
