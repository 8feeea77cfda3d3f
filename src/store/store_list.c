// SPDX-License-Identifier: GPL-2.0-only
#include "store/store_impl.h"

/* status: of the last step. A caller that wants no more rows is no error. */
static int end_list(struct store *store, struct stmt *row, int status, struct err *err)
{
	stmt_done(row);
	return status < 0 ? -1 : db_end_read(store->db, err);
}

int store_list_commits(struct store *store, int (*row)(const struct list_commit *, void *),
		       void *data, struct err *err)
{
	struct stmt *stmt = db_use(store->db, STMT_LIST_COMMITS);
	int status, stop = 0;

	while ((status = stmt_step(stmt, err)) > 0 && !stop) {
		struct list_commit commit = {
			.commit = {row_name(stmt, 0), row_text(stmt, 1), row_text(stmt, 2)},
			.runs = (int)row_int(stmt, 3),
			.failed = (int)row_int(stmt, 4),
			.first_ns = row_int(stmt, 5),
			.last_ns = row_int(stmt, 6),
			.release = row_text(stmt, 7),
		};

		stop = row(&commit, data);
	}
	return end_list(store, stmt, status, err);
}

int store_list_machines(struct store *store, int (*row)(const struct list_machine *, void *),
			void *data, struct err *err)
{
	struct stmt *stmt = db_use(store->db, STMT_LIST_MACHINES);
	int status, stop = 0;

	while ((status = stmt_step(stmt, err)) > 0 && !stop) {
		struct list_machine machine = {
			.machine = {.name = row_name(stmt, 0),
				    .kind = row_text(stmt, 1),
				    .cpu_model = row_text(stmt, 2),
				    .memory_bytes = row_int(stmt, 5)},
			.runs = (int)row_int(stmt, 6),
		};

		if (row_small(stmt, 3, &machine.machine.cpus, err) ||
		    row_small(stmt, 4, &machine.machine.nodes, err)) {
			status = -1;
			break;
		}
		stop = row(&machine, data);
	}
	return end_list(store, stmt, status, err);
}

/* "key=value key=value" of parameters as they are stored; caller frees. */
static char *params_shown(const char *text)
{
	struct strbuf out = STRBUF_INIT;
	struct params params = {0};
	struct pool pool = {0};

	params_from_text(&params, &pool, text);
	for (int i = 0; i < params.nr; i++)
		strbuf_additem(&out, " ", "%s=%s", params.v[i].key, params.v[i].value);
	params_release(&params);
	pool_release(&pool);
	return strbuf_detach(&out);
}

int store_list_tests(struct store *store, int (*row)(const struct list_test *, void *), void *data,
		     struct err *err)
{
	struct stmt *stmt = db_use(store->db, STMT_LIST_TESTS);
	int status, stop = 0;

	while ((status = stmt_step(stmt, err)) > 0 && !stop) {
		char *params = params_shown(row_name(stmt, 2));
		struct list_test test = {
			.testcase = row_name(stmt, 0),
			.test = row_name(stmt, 1),
			.params = params,
			.commits = (int)row_int(stmt, 3),
			.runs = (int)row_int(stmt, 4),
		};

		stop = row(&test, data);
		free(params);
	}
	return end_list(store, stmt, status, err);
}

/* What row() returned; *status is -1 if the row is damaged. */
static int give_run(struct stmt *stmt, int (*row)(const struct list_run *, void *), void *data,
		    int *status, struct err *err)
{
	char *params = params_shown(row_name(stmt, 4));
	struct list_run run = {
		.id = row_name(stmt, 0),
		.commit = row_name(stmt, 1),
		.testcase = row_name(stmt, 2),
		.test = row_name(stmt, 3),
		.params = params,
		.machine = row_name(stmt, 5),
		.reason = row_text(stmt, 6),
		.status = RUN_FAILED, /* if it has none, which only damage can do */
		.start_ns = row_int(stmt, 9),
		.wall_s = row_real(stmt, 10),
	};
	int stop = -1;

	run_status_parse(row_name(stmt, 7), &run.status);
	if (row_small(stmt, 8, &run.iteration, err))
		*status = -1;
	else
		stop = row(&run, data);
	free(params);
	return stop;
}

int store_list_runs(struct store *store, int (*row)(const struct list_run *, void *), void *data,
		    struct err *err)
{
	struct stmt *stmt = db_use(store->db, STMT_LIST_RUNS);
	int status, stop = 0;

	while (!stop && (status = stmt_step(stmt, err)) > 0)
		stop = give_run(stmt, row, data, &status, err);
	return end_list(store, stmt, status, err);
}

/* How many runs have a metric: counted by its place in the list of those met so far. */
struct counting {
	struct strmap place;
	int *runs;
	int nr, alloc;
};

static void count_value(void *data, const char *metric, struct number value)
{
	struct counting *counting = data;
	int place = strmap_get(&counting->place, metric, -1);

	(void)value;
	if (place < 0) {
		place = counting->nr;
		GROW(counting->runs, counting->nr, counting->alloc);
		counting->runs[counting->nr++] = 0;
		strmap_put(&counting->place, metric, place);
	}
	counting->runs[place]++;
}

static int count_metrics(struct store *store, struct counting *counting, struct err *err)
{
	struct stmt *stmt = db_use(store->db, STMT_LIST_VALUES);
	int status;

	while ((status = stmt_step(stmt, err)) > 0) {
		int64_t run;

		if (row_id(stmt, 0, &run, err) ||
		    store_read_values(store, run, count_value, counting, err)) {
			status = -1;
			break;
		}
	}
	stmt_done(stmt);
	return status;
}

static int list_counted(struct store *store, const struct counting *counting,
			int (*row)(const struct list_metric *, void *), void *data, struct err *err)
{
	struct stmt *stmt = db_use(store->db, STMT_LIST_METRICS);
	int status, stop = 0;

	while ((status = stmt_step(stmt, err)) > 0 && !stop) {
		struct list_metric metric = {.metric = row_name(stmt, 0)};
		int place = strmap_get(&counting->place, metric.metric, -1);

		if (place < 0 || !counting->runs) /* it was sampled only */
			continue;
		metric.runs = counting->runs[place];
		stop = row(&metric, data);
	}
	return end_list(store, stmt, status, err);
}

int store_list_metrics(struct store *store, int (*row)(const struct list_metric *, void *),
		       void *data, struct err *err)
{
	struct counting counting = {0};
	int status;

	if (db_begin_read(store->db, err))
		return -1;
	status = count_metrics(store, &counting, err);
	if (status == 0)
		status = list_counted(store, &counting, row, data, err);
	else
		db_end_read(store->db, NULL);
	strmap_release(&counting.place);
	free(counting.runs);
	return status;
}
