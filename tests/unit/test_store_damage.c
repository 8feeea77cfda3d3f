// SPDX-License-Identifier: GPL-2.0-only
/*
 * Databases that SQLite finds sound, with ids and numbers in them that no run can have brought: told as damage
 * before they are used.
 */
#include "store_fixture.h"

#include <inttypes.h>
#include <limits.h>

static const char db_file[] = "runs.db";

static void fill_run(struct run *run)
{
	make_run(run, "base");
	run->machine.cpus = 4;
	run->boot_id = "boot";
	params_set(&run->params, &run->pool, "nr_task", "4");
	params_set(&run->facts, &run->pool, "smt", "off");
	run_set(run, "case.ops", number_int(7));
	run_set(run, "case.seconds", number_float(0.5));
	run_add_sample(run, "case.ops", 1, 7);
	run_add_counter(run, &(struct run_counter){"cycles", 10, 5, 5});
	strlist_add(&run->warnings, "doubtful");
}

/* A database of one run, whose id is returned; caller frees. */
static char *make_database(void)
{
	struct store *store = must_open(db_file, STORE_WRITE);
	struct run run;
	char *id;

	fill_run(&run);
	id = xstrdup(run.id);
	add_and_release(store, &run);
	store_close(store);
	return id;
}

static void harm(const char *sql)
{
	sqlite3 *db;
	char *message = NULL;

	assert_int_equal(sqlite3_open(db_file, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
		fail_msg("%s: %s", sql, message);
	sqlite3_close(db);
}

static int take_commit(const struct list_commit *row, void *data)
{
	(void)data;
	return row->commit.name == NULL;
}

static int take_machine(const struct list_machine *row, void *data)
{
	(void)data;
	return row->machine.name == NULL;
}

static int take_test(const struct list_test *row, void *data)
{
	(void)data;
	return row->params == NULL;
}

static int take_run(const struct list_run *row, void *data)
{
	(void)data;
	return row->id == NULL;
}

static int take_metric(const struct list_metric *row, void *data)
{
	(void)data;
	return row->metric == NULL;
}

static int list_all(struct store *store, struct err *err)
{
	if (store_list_commits(store, take_commit, NULL, err) ||
	    store_list_machines(store, take_machine, NULL, err) ||
	    store_list_tests(store, take_test, NULL, err) ||
	    store_list_runs(store, take_run, NULL, err))
		return -1;
	return store_list_metrics(store, take_metric, NULL, err);
}

static int find_base(struct store *store, struct err *err)
{
	struct pool pool = {0};
	struct commit commit;
	int status = store_find_commit(store, "base", &pool, &commit, err);

	pool_release(&pool);
	return status;
}

static int load_base(struct store *store, struct err *err)
{
	struct set_list list = {0};
	int status = store_load_sets(store, "base", NULL, &list, err);

	set_list_release(&list);
	return status;
}

static const char *run_id;

static int load_one(struct store *store, struct err *err)
{
	struct run run = {0};
	int status = store_load_run(store, run_id, &run, err);

	run_release(&run);
	return status;
}

static int look_for_twin(struct store *store, struct err *err)
{
	struct run run;
	int status;

	fill_run(&run);
	status = store_has_twin(store, &run, err);
	run_release(&run);
	return status < 0 ? -1 : 0;
}

static int add_another(struct store *store, struct err *err)
{
	struct run run;
	int status;

	fill_run(&run);
	status = store_add_run(store, &run, err);
	run_release(&run);
	return status;
}

/* Everything that reads ids; true if one of them told of damage, and no other error came. */
static bool damage_is_told(const char *harmed_by)
{
	static int (*const uses[])(struct store *, struct err *) = {
		list_all, find_base, load_base, load_one, look_for_twin, add_another,
	};
	struct store *store = must_open(db_file, STORE_WRITE);
	bool told = false;

	for (size_t i = 0; i < ARRAY_SIZE(uses); i++) {
		struct err err;

		if (uses[i](store, &err) == 0)
			continue;
		if (!strstr(err.msg, "runs.db: damaged: "))
			fail_msg("%s: %s", harmed_by, err.msg);
		told = true;
	}
	store_close(store);
	return told;
}

static void check_harm(const char *sql, bool told)
{
	char *id = make_database();

	run_id = id;
	harm(sql);
	if (damage_is_told(sql) != told)
		fail_msg("%s: %s", sql, told ? "not told" : "told as damage");
	free(id);
	assert_int_equal(remove(db_file), 0);
}

/* Every table with an id, and the column that refers to it: both are changed, so that they still fit. */
static const struct {
	const char *table, *referring, *column;
	bool name; /* of a name, whose ids have an end */
	bool packed; /* the id stands in packed values as well */
} ids[] = {
	{"commits", "runs", "commit_id", false, false},
	{"tests", "runs", "test_id", false, false},
	{"boots", "runs", "boot_id", false, false},
	{"machines", "boots", "machine_id", false, false},
	{"kernels", "boots", "kernel_id", false, false},
	{"metrics", "series", "metric_id", true, true},
	{"events", "counters", "event_id", true, false},
	{"facts", "run_facts", "fact_id", true, false},
};

static void check_id(size_t i, int64_t id, bool told)
{
	char *sql = xasprintf("UPDATE %s SET id = %" PRId64 " WHERE id = 1;"
			      "UPDATE %s SET %s = %" PRId64 " WHERE %s = 1",
			      ids[i].table, id, ids[i].referring, ids[i].column, id, ids[i].column);

	check_harm(sql, told);
	free(sql);
}

static void ids_below_one_are_damage(void **state)
{
	static const int64_t values[] = {0, -100000, INT64_MIN};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		for (size_t k = 0; k < ARRAY_SIZE(values); k++)
			check_id(i, values[k], true);
}

static void huge_ids_take_no_memory(void **state)
{
	static const int64_t values[] = {(1 << 20) + 1, INT64_C(1) << 40, INT64_MAX};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		for (size_t k = 0; k < ARRAY_SIZE(values); k++)
			check_id(i, values[k],
				 ids[i].packed || (ids[i].name && values[k] == INT64_MAX));
}

static void check_run_id(int64_t id, bool told)
{
	static const char *const tables[] = {"run_values", "series", "counters", "run_facts",
					     "warnings"};
	struct strbuf sql = STRBUF_INIT;

	strbuf_addf(&sql, "UPDATE runs SET id = %" PRId64 ";", id);
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		strbuf_addf(&sql, "UPDATE %s SET run_id = %" PRId64 ";", tables[i], id);
	check_harm(sql.buf, told);
	strbuf_release(&sql);
}

static void ids_of_runs_below_one_are_damage(void **state)
{
	(void)state;
	check_run_id(0, true);
	check_run_id(-5, true);
	check_run_id(INT64_MIN, true);
	check_run_id(INT64_C(1) << 40, false);
}

static void a_name_beyond_what_values_can_refer_to_is_damage(void **state)
{
	(void)state;
	/* of a metric that a new run brings again: its packed values could not hold the id */
	check_harm("UPDATE metrics SET id = 9223372036854775807 WHERE name = 'case.seconds'", true);
	check_harm("INSERT INTO metrics VALUES (9223372036854775807, 'other')", false);
	check_harm("INSERT INTO metrics VALUES (-100000, 'x');"
		   "UPDATE series SET metric_id = -100000",
		   true);
	check_harm("UPDATE series SET metric_id = 5000", true);
}

static void references_to_nothing_are_damage(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		char *sql = xasprintf("DELETE FROM %s WHERE id = 1", ids[i].table);
		bool unseen = streq(ids[i].table, "commits") || streq(ids[i].table, "events") ||
			      streq(ids[i].table, "facts");

		if (!unseen) /* a commit is unknown then, the others are left out by a join */
			check_harm(sql, true);
		free(sql);
	}
}

static void numbers_that_do_not_fit_are_damage(void **state)
{
	static const struct {
		const char *table, *column;
	} columns[] = {
		{"runs", "iteration"}, {"runs", "exit_code"}, {"runs", "signal"},
		{"machines", "cpus"},  {"machines", "nodes"},
	};
	static const int64_t values[] = {(int64_t)INT_MAX + 1, INT64_MIN};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		for (size_t k = 0; k < ARRAY_SIZE(values); k++) {
			char *sql = xasprintf("UPDATE %s SET %s = %" PRId64, columns[i].table,
					      columns[i].column, values[k]);

			check_harm(sql, true);
			free(sql);
		}
	}
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)
	const struct CMUnitTest tests[] = {
		IN_FOLDER(ids_below_one_are_damage),
		IN_FOLDER(huge_ids_take_no_memory),
		IN_FOLDER(ids_of_runs_below_one_are_damage),
		IN_FOLDER(a_name_beyond_what_values_can_refer_to_is_damage),
		IN_FOLDER(references_to_nothing_are_damage),
		IN_FOLDER(numbers_that_do_not_fit_are_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
