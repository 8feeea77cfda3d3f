// SPDX-License-Identifier: GPL-2.0-only
#include "store/db_impl.h"

#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

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

int db_not_writable(const struct db *db, struct err *err)
{
	int errnum = why_not_writable(db->path);
	const char *reason = errnum ? err_reason(errnum) : "the file or its folder is read-only";

	return err_set(err, "%s: cannot be written (%s): name a file in another folder with --db",
		       db->path, reason);
}

/* The errno behind a failed access to the file; 0: there is none. */
static int system_error(const struct db *db, int rc)
{
	int code = rc & 0xff;

	return db->handle && (code == SQLITE_IOERR || code == SQLITE_CANTOPEN)
		       ? sqlite3_system_errno(db->handle)
		       : 0;
}

int db_failed(const struct db *db, int rc, struct err *err)
{
	const char *text = db->handle ? sqlite3_errmsg(db->handle) : sqlite3_errstr(rc);
	int errnum = system_error(db, rc);

	switch (errnum == ENOSPC || errnum == EDQUOT ? SQLITE_FULL : rc & 0xff) {
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
		return db_not_writable(db, err);
	case SQLITE_CANTOPEN:
		if (why_not_writable(db->path))
			return db_not_writable(db, err);
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
