// SPDX-License-Identifier: GPL-2.0-only
#include "store/store_impl.h"

#include <fnmatch.h>

int store_read_test(struct store *store, int64_t id, struct pool *pool, struct group_key *out,
		    struct err *err)
{
	struct stmt *stmt = db_use(store->db, STMT_TEST);
	int status;

	stmt_int(stmt, id);
	status = stmt_step(stmt, err);
	if (status == 0)
		return db_damaged(store->db, err, "a run of test %lld, which is not there",
				  (long long)id);
	if (status < 0)
		return -1;
	out->testcase = pool_strdup(pool, row_name(stmt, 0));
	out->test = pool_strdup(pool, row_name(stmt, 1));
	params_from_text(&out->params, pool, row_name(stmt, 2));
	stmt_done(stmt);
	return 0;
}

int store_read_boot(struct store *store, int64_t id, struct pool *pool, struct store_boot *out,
		    struct err *err)
{
	struct stmt *stmt = db_use(store->db, STMT_BOOT);
	int status;

	stmt_int(stmt, id);
	status = stmt_step(stmt, err);
	if (status == 0)
		return db_damaged(store->db, err, "a run of boot %lld, which is not there",
				  (long long)id);
	if (status < 0)
		return -1;
	out->boot_id = pool_strdup(pool, row_text(stmt, 0));
	out->machine = (struct machine){
		.name = pool_strdup(pool, row_name(stmt, 1)),
		.kind = pool_strdup(pool, row_text(stmt, 2)),
		.cpu_model = pool_strdup(pool, row_text(stmt, 3)),
		.memory_bytes = row_int(stmt, 6),
	};
	out->kernel = (struct kernel){
		.release = pool_strdup(pool, row_text(stmt, 7)),
		.version = pool_strdup(pool, row_text(stmt, 8)),
		.cmdline = pool_strdup(pool, row_text(stmt, 9)),
		.hash = pool_strdup(pool, row_text(stmt, 10)),
	};
	status = row_small(stmt, 4, &out->machine.cpus, err);
	if (status == 0)
		status = row_small(stmt, 5, &out->machine.nodes, err);
	stmt_done(stmt);
	return status;
}

int store_read_facts(struct store *store, int64_t run_id, struct pool *pool, struct params *out,
		     struct err *err)
{
	struct stmt *stmt = db_use(store->db, STMT_FACTS);
	int status;

	stmt_int(stmt, run_id);
	while ((status = stmt_step(stmt, err)) > 0)
		params_from_text(out, pool, row_name(stmt, 0));
	return status;
}

static int unpack_all(struct store *store, struct unpacker *in, store_value_fn value, void *data,
		      struct err *err)
{
	struct number number;
	int64_t id;
	int status;

	while ((status = unpack_value(in, &id, &number)) > 0) {
		const char *metric = names_name(&store->metrics, id, err);

		if (!metric)
			return -1;
		value(data, metric, number);
	}
	return status ? db_damaged(store->db, err, "values of a run that make no sense") : 0;
}

int store_read_values(struct store *store, int64_t run_id, store_value_fn value, void *data,
		      struct err *err)
{
	struct stmt *stmt = db_use(store->db, STMT_VALUES);
	struct unpacker in = {0};
	int64_t inner;
	size_t len;
	int status;

	stmt_int(stmt, run_id);
	status = stmt_step(stmt, err);
	if (status < 0)
		return -1;
	if (status == 0)
		return db_damaged(store->db, err, "a run without its values");
	in.at = row_blob(stmt, 0, &len);
	inner = pack_unseal(in.at, len);
	if (inner < 0) {
		status = db_damaged(store->db, err, "values of a run have changed");
	} else {
		in.end = in.at + inner;
		status = unpack_all(store, &in, value, data, err);
	}
	stmt_done(stmt);
	return status;
}

/* A commit on its way into the sets. */
struct loading {
	struct store *store;
	const struct store_filter *filter;
	struct set_list *out;
	struct set *set; /* of the run being read */
	int column;
};

/* One of its runs, without the values. */
struct column {
	struct pool pool;
	struct group_key key;
	struct store_boot boot;
	struct set_run run;
	int64_t id;
};

static bool holds(const struct params *params, const struct param *wanted)
{
	const char *value = params_get(params, wanted->key);

	return value && streq(value, wanted->value);
}

static bool filter_takes(const struct store_filter *filter, const struct group_key *key,
			 const struct params *facts)
{
	bool takes = true;

	if (!filter)
		return true;
	if (filter->machine && !streq(filter->machine, key->machine))
		return false;
	if (filter->test) {
		char *name = xasprintf("%s/%s", key->testcase, key->test);

		takes = fnmatch(filter->test, name, 0) == 0;
		free(name);
	}
	for (int i = 0; takes && filter->where && i < filter->where->nr; i++)
		takes = holds(&key->params, &filter->where->v[i]) ||
			holds(facts, &filter->where->v[i]);
	return takes;
}

static void put_value(void *data, const char *metric, struct number value)
{
	struct loading *load = data;

	set_put(load->out, load->set, load->column, metric, value);
}

static void put_kernel(struct set_list *list, const struct kernel *kernel)
{
	if (!kernel->release)
		return;
	list->kernel = (struct kernel){
		.release = pool_strdup(&list->pool, kernel->release),
		.version = pool_strdup(&list->pool, kernel->version),
		.cmdline = pool_strdup(&list->pool, kernel->cmdline),
		.hash = pool_strdup(&list->pool, kernel->hash),
	};
}

/* All of a run but its values: its group, and its column there. */
static int read_column(struct loading *load, struct stmt *row, struct column *out, struct err *err)
{
	int64_t test, boot;

	if (row_id(row, 0, &out->id, err) || row_id(row, 2, &test, err) ||
	    row_id(row, 3, &boot, err))
		return -1;
	if (store_read_test(load->store, test, &out->pool, &out->key, err) ||
	    store_read_boot(load->store, boot, &out->pool, &out->boot, err) ||
	    store_read_facts(load->store, out->id, &out->pool, &out->run.facts, err))
		return -1;
	out->run.id = row_name(row, 1);
	out->run.boot_id = out->boot.boot_id;
	out->run.deterministic =
		out->boot.machine.kind && streq(out->boot.machine.kind, MACHINE_DETERMINISTIC);
	out->run.emulated =
		out->boot.machine.kind && streq(out->boot.machine.kind, MACHINE_EMULATED);
	out->key.machine = out->boot.machine.name;
	if (!run_status_parse(row_name(row, 4), &out->run.status))
		return db_damaged(load->store->db, err, "run %s has no status", out->run.id);
	return 0;
}

/* row: of STMT_RUNS_OF_COMMIT */
static int load_run(struct loading *load, struct stmt *row, struct err *err)
{
	struct column column = {0};
	int status = read_column(load, row, &column, err);

	if (status == 0 && filter_takes(load->filter, &column.key, &column.run.facts)) {
		put_kernel(load->out, &column.boot.kernel);
		load->set = set_list_get(load->out, &column.key);
		load->column = set_add_run(load->out, load->set, &column.run);
		status = store_read_values(load->store, column.id, put_value, load, err);
	}
	params_release(&column.key.params);
	params_release(&column.run.facts);
	pool_release(&column.pool);
	return status;
}

static int load_runs(struct loading *load, int64_t commit, struct err *err)
{
	struct stmt *row = db_use(load->store->db, STMT_RUNS_OF_COMMIT);
	int status, runs = 0;

	stmt_int(row, commit);
	while ((status = stmt_step(row, err)) > 0) {
		status = load_run(load, row, err);
		if (status)
			break;
		runs++;
	}
	stmt_done(row);
	if (status == 0 && runs == 0) /* it came with a run */
		return db_damaged(load->store->db, err, "commit %s has no runs",
				  load->out->commit.name);
	return status;
}

/* 1: *id and the list's commit are set; 0: no such commit; -1 */
static int load_commit(struct store *store, const char *name, struct set_list *list, int64_t *id,
		       struct err *err)
{
	struct stmt *stmt = db_use(store->db, STMT_COMMIT_BY_NAME);
	int status;

	stmt_text(stmt, name);
	status = stmt_step(stmt, err);
	if (status > 0) {
		if (row_id(stmt, 0, id, err))
			status = -1;
		list->commit.name = pool_strdup(&list->pool, row_name(stmt, 1));
		list->commit.hash = pool_strdup(&list->pool, row_text(stmt, 2));
		list->commit.subject = pool_strdup(&list->pool, row_text(stmt, 3));
	}
	stmt_done(stmt);
	return status;
}

int store_load_sets(struct store *store, const char *commit_name, const struct store_filter *filter,
		    struct set_list *out, struct err *err)
{
	struct loading load = {.store = store, .filter = filter, .out = out};
	int64_t commit = 0;
	int status;

	if (db_begin_read(store->db, err))
		return -1;
	status = load_commit(store, commit_name, out, &commit, err);
	if (status > 0)
		status = load_runs(&load, commit, err);
	else if (status == 0)
		status = err_set(err, "%s: no commit named '%s'", db_path(store->db), commit_name);
	if (status) {
		db_end_read(store->db, NULL);
		return -1;
	}
	return db_end_read(store->db, err);
}
