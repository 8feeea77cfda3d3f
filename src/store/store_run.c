// SPDX-License-Identifier: GPL-2.0-only
#include "store/store_impl.h"

static void put_value(void *data, const char *metric, struct number value)
{
	run_set(data, metric, value);
}

static int read_one_series(struct store *store, struct stmt *row, struct run *run, struct err *err)
{
	const char *metric = names_name(&store->metrics, row_int(row, 0), err);
	struct run_series *series;
	const void *bytes;
	size_t len;
	int nr;

	if (!metric)
		return -1;
	GROW(run->series, run->series_nr, run->series_alloc);
	series = &run->series[run->series_nr];
	*series = (struct run_series){.metric = pool_strdup(&run->pool, metric)};
	bytes = row_blob(row, 1, &len);
	nr = unpack_series(bytes, len, &series->time_s, &series->value);
	if (nr < 0)
		return db_damaged(store->db, err, "samples of a run that make no sense");
	series->nr = series->alloc = nr;
	run->series_nr++;
	return 0;
}

static int read_counter(struct store *store, struct stmt *row, struct run *run, struct err *err)
{
	(void)store;
	(void)err;
	run_add_counter(run, &(struct run_counter){
				     .event = row_name(row, 0),
				     .value = (uint64_t)row_int(row, 1),
				     .enabled_ns = (uint64_t)row_int(row, 2),
				     .running_ns = (uint64_t)row_int(row, 3),
			     });
	return 0;
}

static int read_warning(struct store *store, struct stmt *row, struct run *run, struct err *err)
{
	(void)store;
	(void)err;
	strlist_add(&run->warnings, row_name(row, 0));
	return 0;
}

/* What a run has many of: a statement, and what to do with a row of it. */
static const struct part {
	enum stmt_id stmt;
	int (*read)(struct store *store, struct stmt *row, struct run *run, struct err *err);
} parts[] = {
	{STMT_SERIES, read_one_series},
	{STMT_COUNTERS, read_counter},
	{STMT_WARNINGS, read_warning},
};

static int read_part(struct store *store, const struct part *part, int64_t id, struct run *run,
		     struct err *err)
{
	struct stmt *row = db_use(store->db, part->stmt);
	int status;

	stmt_int(row, id);
	while ((status = stmt_step(row, err)) > 0) {
		status = part->read(store, row, run, err);
		if (status)
			break;
	}
	stmt_done(row);
	return status;
}

/* row: of STMT_RUN */
static int read_head(struct store *store, struct stmt *row, struct run *run, struct err *err)
{
	struct group_key key = {0};
	struct store_boot boot;
	int64_t test, boot_row;

	snprintf(run->id, sizeof(run->id), "%s", row_name(row, 0));
	run->start_ns = row_int(row, 3);
	run->wall_s = row_real(row, 4);
	if (!run_status_parse(row_name(row, 6), &run->status))
		return db_damaged(store->db, err, "run %s has no status", run->id);
	run->reason = pool_strdup(&run->pool, row_text(row, 9));
	run->last_output = pool_strdup(&run->pool, row_text(row, 10));
	run->commit.name = pool_strdup(&run->pool, row_name(row, 11));
	run->commit.hash = pool_strdup(&run->pool, row_text(row, 12));
	run->commit.subject = pool_strdup(&run->pool, row_text(row, 13));
	if (row_small(row, 5, &run->iteration, err) || row_small(row, 7, &run->exit_code, err) ||
	    row_small(row, 8, &run->signal, err) || row_id(row, 1, &test, err) ||
	    row_id(row, 2, &boot_row, err))
		return -1;
	if (store_read_boot(store, boot_row, &run->pool, &boot, err) ||
	    store_read_test(store, test, &run->pool, &key, err))
		return -1;
	run->testcase = key.testcase;
	run->test = key.test;
	run->params = key.params;
	run->boot_id = boot.boot_id;
	run->machine = boot.machine;
	run->kernel = boot.kernel;
	return 0;
}

static int read_run(struct store *store, int64_t id, struct run *run, struct err *err)
{
	struct stmt *row = db_use(store->db, STMT_RUN);
	int status;

	stmt_int(row, id);
	status = stmt_step(row, err);
	if (status == 0)
		return db_damaged(store->db, err, "a run whose commit is not there");
	if (status < 0)
		return -1;
	status = read_head(store, row, run, err);
	stmt_done(row);
	if (status == 0)
		status = store_read_facts(store, id, &run->pool, &run->facts, err);
	if (status == 0)
		status = store_read_values(store, id, put_value, run, err);
	for (size_t i = 0; status == 0 && i < ARRAY_SIZE(parts); i++)
		status = read_part(store, &parts[i], id, run, err);
	return status;
}

/* The one run whose id begins like that; 1: there is none, or more than one. */
static int find_run(struct store *store, const char *prefix, int64_t *id, struct err *err)
{
	struct stmt *stmt = db_use(store->db, STMT_RUNS_BY_UID);
	struct strbuf found = STRBUF_INIT;
	int nr = 0, status;

	stmt_text(stmt, prefix);
	while ((status = stmt_step(stmt, err)) > 0) {
		if (row_id(stmt, 0, id, err)) {
			status = -1;
			break;
		}
		strbuf_additem(&found, ", ", "%.16s", row_name(stmt, 1));
		nr++;
	}
	stmt_done(stmt);
	if (status == 0 && nr != 1) {
		if (nr)
			err_set(err, "run '%s' is ambiguous: %s: give more digits", prefix,
				found.buf);
		else
			err_set(err, "unknown run '%s': see perfcmp list runs", prefix);
		status = 1;
	}
	strbuf_release(&found);
	return status;
}

int store_load_run(struct store *store, const char *id, struct run *run, struct err *err)
{
	int64_t row_id = 0;
	int status;

	if (strlen(id) < 4 || id[strspn(id, "0123456789abcdef")]) {
		err_set(err,
			"unknown run '%s': give four or more digits of its id, see perfcmp list "
			"runs",
			id);
		return 1;
	}
	if (db_begin_read(store->db, err))
		return -1;
	status = find_run(store, id, &row_id, err);
	if (status == 0)
		status = read_run(store, row_id, run, err);
	if (status) {
		db_end_read(store->db, NULL);
		return status;
	}
	return db_end_read(store->db, err);
}
