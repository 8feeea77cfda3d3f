/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef STORE_FIXTURE_H
#define STORE_FIXTURE_H
/* What the tests of the store share: a folder of their own, short runs, reading with other eyes. */
#include "base/strbuf.h"
#include "store/store.h"

#include <errno.h>
#include <ftw.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* A folder for the test, left and removed by leave_folder(). */
static inline int enter_folder(void **state)
{
	char folder[] = "/tmp/perfcmp-store.XXXXXX";

	if (!mkdtemp(folder) || chdir(folder) || chmod(folder, 0755))
		return -1;
	*state = xstrdup(folder);
	return 0;
}

static inline int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline int leave_folder(void **state)
{
	char *folder = *state;
	int status = chdir("/") || nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);

	free(folder);
	return status;
}

static inline struct store *must_open(const char *path, enum store_mode mode)
{
	struct err err;
	struct store *store = store_open(path, mode, &err);

	if (!store)
		fail_msg("%s", err.msg);
	return store;
}

static inline void must(int status, const struct err *err)
{
	if (status)
		fail_msg("%s", err->msg);
}

/* A complete run of commit, with nothing else said about it. */
static inline void make_run(struct run *run, const char *commit)
{
	run_init(run);
	run->commit.name = commit;
	run->machine.name = "box";
	run->testcase = "case";
	run->test = "test";
	run->iteration = 1;
}

static inline void add_and_release(struct store *store, struct run *run)
{
	struct err err;

	must(store_add_run(store, run, &err), &err);
	run_release(run);
}

/* The first column of the first row, asked of SQLite itself; caller frees. */
static inline char *ask(const char *path, const char *sql)
{
	sqlite3 *db;
	sqlite3_stmt *stmt;
	char *answer = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	if (sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_text(stmt, 0))
		answer = xstrdup((const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return answer;
}

static inline void assert_answer(const char *path, const char *sql, const char *expected)
{
	char *answer = ask(path, sql);

	if (!answer || !streq(answer, expected))
		fail_msg("%s: %s, expected %s", sql, answer ? answer : "nothing", expected);
	free(answer);
}

#endif
