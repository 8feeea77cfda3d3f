// SPDX-License-Identifier: GPL-2.0-only
#include "store/schema.h"
#include "store/db.h"

extern const char schema_sql[]; /* the files in schemas/, one after the other */

/* What a database says about itself. */
struct identity {
	int64_t application, version, tables;
};

/* At one moment: while another process makes the database, the three change together. */
static int read_identity(struct db *db, struct identity *out, struct err *err)
{
	if (db_begin_read(db, err))
		return -1;
	if (db_query_int(db, "PRAGMA application_id", &out->application, err) ||
	    db_query_int(db, "PRAGMA user_version", &out->version, err) ||
	    db_query_int(db, "SELECT count(*) FROM sqlite_schema", &out->tables, err)) {
		db_end_read(db, NULL);
		return -1;
	}
	return db_end_read(db, err);
}

/* The text of a step up to the next one; NULL if there is no such step. Caller frees. */
static char *step_sql(int step)
{
	char *mark = xasprintf("\n-- schema %d\n", step);
	const char *start = strstr(schema_sql, mark);
	const char *end;

	free(mark);
	if (!start)
		return NULL;
	mark = xasprintf("\n-- schema %d\n", step + 1);
	end = strstr(start, mark);
	free(mark);
	return end ? xstrndup(start, (size_t)(end - start)) : xstrdup(start);
}

int schema_newest(void)
{
	int newest = 0;
	char *sql;

	while ((sql = step_sql(newest + 1))) {
		free(sql);
		newest++;
	}
	return newest;
}

static int climb(struct db *db, int64_t from, struct err *err)
{
	int status = 0;

	for (int step = (int)from + 1; status == 0 && step <= schema_newest(); step++) {
		char *sql = step_sql(step);

		status = db_exec(db, sql, err);
		free(sql);
	}
	return status;
}

static int write_identity(struct db *db, struct err *err)
{
	char *sql = xasprintf("PRAGMA application_id = %d; PRAGMA user_version = %d",
			      SCHEMA_APPLICATION_ID, schema_newest());
	int status = db_exec(db, sql, err);

	free(sql);
	return status;
}

static bool is_fresh(const struct identity *id)
{
	return id->application == 0 && id->version == 0 && id->tables == 0;
}

/* 1: it is on an older step, 0: nothing to do */
static int check_identity(const struct db *db, const struct identity *id, struct err *err)
{
	if (is_fresh(id))
		return 1;
	if (id->application != SCHEMA_APPLICATION_ID)
		return err_set(err,
			       "%s: a database of another program: name another file with --db",
			       db_path(db));
	if (id->version > schema_newest())
		return err_set(err,
			       "%s: schema %lld is newer than this perfcmp (%d): upgrade perfcmp",
			       db_path(db), (long long)id->version, schema_newest());
	if (id->version < 1)
		return db_damaged(db, err, "it has tables, but no schema number");
	return id->version < schema_newest();
}

/*
 * Small pages: a run's values fill whole pages but for the rest of the last one, which costs half a page on
 * average. With pages of 4096 bytes a run of 300 values could take half as much again.
 */
static int use_small_pages(struct db *db, struct err *err)
{
	return db_exec(db, "PRAGMA page_size = 2048", err); /* of a file that is not made yet */
}

/* Inside the transaction the database may look different: another process may have been quicker. */
static int upgrade(struct db *db, struct err *err)
{
	struct err ignored;
	struct identity id;
	int status;

	if (use_small_pages(db, err) || db_use_wal(db, err) || db_exec(db, "BEGIN IMMEDIATE", err))
		return -1;
	status = read_identity(db, &id, err);
	if (status == 0)
		status = check_identity(db, &id, err);
	if (status > 0)
		status = climb(db, id.version, err) || write_identity(db, err) ? -1 : 0;
	if (status == 0)
		status = db_exec(db, "COMMIT", err);
	if (db_in_transaction(db))
		db_exec(db, "ROLLBACK", &ignored);
	return status;
}

int schema_prepare(struct db *db, bool make, struct err *err)
{
	struct identity id;
	int status;

	if (read_identity(db, &id, err))
		return -1;
	if (is_fresh(&id) && !make)
		return err_set(
			err,
			"%s: holds no runs yet: run \"perfcmp collect\" or \"perfcmp import\" "
			"first, or name another file with --db",
			db_path(db));
	status = check_identity(db, &id, err);
	if (status <= 0)
		return status;
	if (!db_writable(db))
		return err_set(
			err,
			"%s: schema %lld is older than this perfcmp's (%d) and the file cannot "
			"be written: copy it into a folder that can",
			db_path(db), (long long)id.version, schema_newest());
	return upgrade(db, err);
}
