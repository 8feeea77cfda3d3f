// SPDX-License-Identifier: GPL-2.0-only
#include "store/once.h"

/* The row in runs, which refers to all that is stored once. */
static int add_head(struct store *store, const struct run *run, int64_t *id, struct err *err)
{
	int64_t commit, boot, test;
	struct stmt *stmt;

	if (once_commit(store, &run->commit, true, &commit, err) < 0 ||
	    once_boot(store, run, true, &boot, err) < 0 ||
	    once_test(store, run, true, &test, err) < 0)
		return -1;
	stmt = db_use(store->db, STMT_ADD_RUN);
	stmt_text(stmt, run->id);
	stmt_int(stmt, commit);
	stmt_int(stmt, test);
	stmt_int(stmt, boot);
	stmt_int(stmt, run->start_ns);
	stmt_real(stmt, run->wall_s);
	stmt_int(stmt, run->iteration);
	stmt_text(stmt, run_status_name(run->status));
	stmt_int(stmt, run->exit_code);
	stmt_int(stmt, run->signal);
	stmt_text(stmt, run->reason);
	stmt_text(stmt, run->last_output);
	if (stmt_run(stmt, err))
		return -1;
	*id = db_last_id(store->db);
	return 0;
}

static int add_fact(struct store *store, int64_t run_id, struct param *fact, struct err *err)
{
	struct params one = {fact, 1, 0};
	struct strbuf text = STRBUF_INIT;
	struct stmt *stmt;
	int64_t id;
	int status;

	params_to_text(&text, &one);
	status = names_id(&store->facts, text.buf, true, &id, err);
	strbuf_release(&text);
	if (status < 0)
		return -1;
	stmt = db_use(store->db, STMT_ADD_RUN_FACT);
	stmt_int(stmt, run_id);
	stmt_int(stmt, id);
	return stmt_run(stmt, err);
}

/* 1; 0: a metric is not there, and add is false; -1 */
static int pack_values(struct store *store, const struct run *run, bool add, struct strbuf *out,
		       struct err *err)
{
	struct packer packer = {.out = out};

	for (int i = 0; i < run->values_nr; i++) {
		const struct run_value *value = &run->values[i];
		int64_t id;
		int status = names_id(&store->metrics, value->metric, add, &id, err);

		if (status <= 0)
			return status;
		pack_value(&packer, id, value->value);
	}
	pack_seal(out);
	return 1;
}

static int add_values(struct store *store, const struct run *run, int64_t id, struct err *err)
{
	struct strbuf packed = STRBUF_INIT;
	int status = pack_values(store, run, true, &packed, err);

	if (status > 0) {
		struct stmt *stmt = db_use(store->db, STMT_ADD_VALUES);

		stmt_int(stmt, id);
		stmt_blob(stmt, packed.buf, packed.len);
		status = stmt_run(stmt, err);
	}
	strbuf_release(&packed);
	return status;
}

static int add_one_series(struct store *store, int64_t run_id, int place,
			  const struct run_series *series, struct err *err)
{
	struct strbuf packed = STRBUF_INIT;
	struct stmt *stmt;
	int64_t metric;
	int status;

	if (names_id(&store->metrics, series->metric, true, &metric, err) < 0)
		return -1;
	pack_series(&packed, series->time_s, series->value, series->nr);
	stmt = db_use(store->db, STMT_ADD_SERIES);
	stmt_int(stmt, run_id);
	stmt_int(stmt, place);
	stmt_int(stmt, metric);
	stmt_blob(stmt, packed.buf, packed.len);
	status = stmt_run(stmt, err);
	strbuf_release(&packed);
	return status;
}

static int add_counter(struct store *store, int64_t run_id, int place,
		       const struct run_counter *counter, struct err *err)
{
	struct stmt *stmt;
	int64_t event;

	if (names_id(&store->events, counter->event, true, &event, err) < 0)
		return -1;
	stmt = db_use(store->db, STMT_ADD_COUNTER);
	stmt_int(stmt, run_id);
	stmt_int(stmt, place);
	stmt_int(stmt, event);
	stmt_int(stmt, (int64_t)counter->value);
	stmt_int(stmt, (int64_t)counter->enabled_ns);
	stmt_int(stmt, (int64_t)counter->running_ns);
	return stmt_run(stmt, err);
}

static int add_warning(struct store *store, int64_t run_id, int place, const char *text,
		       struct err *err)
{
	struct stmt *stmt = db_use(store->db, STMT_ADD_WARNING);

	stmt_int(stmt, run_id);
	stmt_int(stmt, place);
	stmt_text(stmt, text);
	return stmt_run(stmt, err);
}

static int add_place(struct store *store, const struct campaign_place *place, int64_t run_id,
		     struct err *err)
{
	struct stmt *stmt = db_use(store->db, STMT_ADD_CAMPAIGN_RUN);

	stmt_int(stmt, place->campaign);
	stmt_int(stmt, place->place);
	stmt_int(stmt, run_id);
	return stmt_run(stmt, err);
}

static int add_parts(struct store *store, const struct run *run, const struct campaign_place *place,
		     struct err *err)
{
	int64_t id;

	if (add_head(store, run, &id, err) || add_values(store, run, id, err))
		return -1;
	if (place && add_place(store, place, id, err))
		return -1;
	for (int i = 0; i < run->facts.nr; i++)
		if (add_fact(store, id, &run->facts.v[i], err))
			return -1;
	for (int i = 0; i < run->series_nr; i++)
		if (add_one_series(store, id, i, &run->series[i], err))
			return -1;
	for (int i = 0; i < run->counters_nr; i++)
		if (add_counter(store, id, i, &run->counters[i], err))
			return -1;
	for (int i = 0; i < run->warnings.nr; i++)
		if (add_warning(store, id, i, run->warnings.v[i], err))
			return -1;
	return 0;
}

/* What the schema would refuse, said in words that tell whose run it is. */
static int check_run(struct store *store, const struct run *run, struct err *err)
{
	struct stmt *stmt;
	int status;

	if (!run->commit.name || !run->machine.name || !run->testcase || !run->test)
		return err_set(err,
			       "run %s has no commit, machine or test: it cannot be stored in %s",
			       run->id, db_path(store->db));
	if (strlen(run->id) != sizeof(run->id) - 1)
		return err_set(err, "run id '%s' has not 32 digits: it cannot be stored in %s",
			       run->id, db_path(store->db));
	stmt = db_use(store->db, STMT_FIND_RUN);
	stmt_text(stmt, run->id);
	status = stmt_step(stmt, err);
	stmt_done(stmt);
	if (status > 0)
		return err_set(err, "%s: run %s is stored already", db_path(store->db), run->id);
	return status;
}

/* Undoes the run, and forgets the ids of names that came with it. */
static void undo(struct store *store)
{
	static const char back_to_run[] = "ROLLBACK TO run; RELEASE run";
	struct err ignored; /* the error that led here is the one to tell */

	if (db_in_transaction(store->db))
		db_exec(store->db, store->bulk ? back_to_run : "ROLLBACK", &ignored);
	store_forget_names(store);
}

static int add_run(struct store *store, const struct run *run, const struct campaign_place *place,
		   struct err *err)
{
	if (db_has_moved(store->db))
		return err_set(
			err,
			"%s: was removed or replaced while it was open: nothing can be stored in it",
			db_path(store->db));
	if (store->bulk && !db_in_transaction(store->db)) /* undone whole after an error */
		return err_set(err, "%s: nothing more can be stored after an error",
			       db_path(store->db));
	if (db_exec(store->db, store->bulk ? "SAVEPOINT run" : "BEGIN IMMEDIATE", err))
		return -1;
	if (check_run(store, run, err) == 0 && add_parts(store, run, place, err) == 0 &&
	    db_exec(store->db, store->bulk ? "RELEASE run" : "COMMIT", err) == 0)
		return 0;
	undo(store);
	return -1;
}

int store_add_run(struct store *store, const struct run *run, struct err *err)
{
	return add_run(store, run, NULL, err);
}

int store_add_campaign_run(struct store *store, const struct campaign_place *place,
			   const struct run *run, struct err *err)
{
	return add_run(store, run, place, err);
}

static int find_twin(struct store *store, const struct run *run, const struct strbuf *packed,
		     struct err *err)
{
	int64_t commit, test;
	struct stmt *stmt;
	int status = once_test(store, run, false, &test, err);

	if (status > 0)
		status = once_commit(store, &run->commit, false, &commit, err);
	if (status <= 0)
		return status;
	stmt = db_use(store->db, STMT_FIND_TWIN);
	stmt_int(stmt, commit);
	stmt_int(stmt, test);
	stmt_int(stmt, store->bulk ? store->old_runs : INT64_MAX);
	stmt_blob(stmt, packed->buf, packed->len);
	stmt_text(stmt, run->machine.name);
	status = stmt_step(stmt, err);
	stmt_done(stmt);
	return status;
}

int store_has_twin(struct store *store, const struct run *run, struct err *err)
{
	struct strbuf packed = STRBUF_INIT;
	int status = run->values_nr ? pack_values(store, run, false, &packed, err) : 0;

	if (status > 0)
		status = find_twin(store, run, &packed, err);
	strbuf_release(&packed);
	return status;
}
