// SPDX-License-Identifier: GPL-2.0-only
/* Finding commits, loading sets, the lists; and that none of what diff needs scans the history. */
#include "store/statements.h"
#include "store_fixture.h"

static void add(struct store *store, const char *commit, const char *hash, const char *release)
{
	struct run run;

	make_run(&run, commit);
	run.commit.hash = hash;
	run.kernel.release = release;
	if (release && strstr(release, "-g"))
		run.kernel.hash = strstr(release, "-g") + 2;
	add_and_release(store, &run);
}

static void a_name_finds_its_commit(void **state)
{
	static const struct {
		const char *name, *found, *message; /* found, or why not */
	} cases[] = {
		{"base", "base", NULL},
		{"base-2", "base-2", NULL},
		{"v6.12", "v6.12", NULL},
		/* the name comes before the hash of another, an exact hash before a longer one */
		{"abcdef12", "abcdef12", NULL},
		{"0123456789abcdef0123456789abcdef01234567", "v6.12", NULL},
		{"0123", "v6.12", NULL},
		{"0123456789abcdef01", "v6.12", NULL},
		{"12345", "123456789abc", NULL}, /* a hash that is the name */
		{"6.12.1-rc2", "my patch", NULL}, /* releases */
		{"6.12.0-00005-g0ede61d8589c", "patched", NULL},
		{"0ede61d8589c", "patched", NULL}, /* the hash in a release */
		{"0ede", "patched", NULL},
		{"0ede61d8589c00112233445566778899aabbccdd", "patched",
		 NULL}, /* known to 12 digits */
		{"abcd", NULL, "commit 'abcd' is ambiguous: it could be 'abcdef12', 'other'"},
		{"6.1.0", NULL, "commit '6.1.0' is ambiguous: it could be 'base', 'base-2'"},
		{"012", NULL, "unknown commit '012'"}, /* too short */
		{"dead", NULL, "unknown commit 'dead'"}, /* of a label, not of a hash */
		{"bas", NULL, "unknown commit 'bas': near are 'base"},
		{"bsae", NULL, "near are 'base'"},
		{"v6.13", NULL, "near are 'v6.12'"},
		{"0ede61d8589d", NULL, "unknown commit"},
		{"completely-different-name", NULL, "there are "},
		{"", NULL, "unknown commit ''"},
		{"a%s%n\n'\"", NULL, "unknown commit"},
	};
	struct store *store = must_open("runs.db", STORE_WRITE);

	(void)state;
	add(store, "base", NULL, "6.1.0");
	add(store, "base-2", NULL, "6.1.0");
	add(store, "v6.12", "0123456789abcdef0123456789abcdef01234567", NULL);
	add(store, "abcdef12", NULL, NULL);
	add(store, "other", "abcdef12", NULL);
	add(store, "123456789abc", NULL, NULL);
	add(store, "my patch", NULL, "6.12.1-rc2");
	add(store, "patched", NULL, "6.12.0-00005-g0ede61d8589c");
	add(store, "dead-beef", NULL, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct pool pool = {0};
		struct commit commit;
		struct err err = {""};
		int status = store_find_commit(store, cases[i].name, &pool, &commit, &err);

		if (cases[i].found && (status || !streq(commit.name, cases[i].found)))
			fail_msg("'%s': %s", cases[i].name, status ? err.msg : commit.name);
		if (!cases[i].found && (status != 1 || !strstr(err.msg, cases[i].message)))
			fail_msg("'%s': %s", cases[i].name, status ? err.msg : commit.name);
		pool_release(&pool);
	}
	store_close(store);
}

static void at_most_five_names_are_listed(void **state)
{
	struct store *store = must_open("runs.db", STORE_WRITE);
	struct pool pool = {0};
	struct commit commit;
	struct err err;

	(void)state;
	for (int i = 0; i < 9; i++) {
		char name[32];

		snprintf(name, sizeof(name), "label-%d", i);
		add(store, name, NULL, "6.1.0");
	}
	assert_int_equal(store_find_commit(store, "6.1.0", &pool, &commit, &err), 1);
	assert_non_null(strstr(err.msg, "'label-4', ..."));
	assert_null(strstr(err.msg, "label-5"));
	assert_int_equal(store_find_commit(store, "label", &pool, &commit, &err), 1);
	assert_non_null(strstr(err.msg, "'label-8', 'label-7', 'label-6', 'label-5', 'label-4' ("));
	pool_release(&pool);
	store_close(store);
}

/* Two tests, two machines, three runs stored against the order of their start. */
static void fill_for_sets(struct store *store)
{
	static const struct {
		const char *commit, *machine, *test, *governor;
		int64_t start_ns;
		enum run_status status;
		const char *metrics; /* a letter each; the value is the start */
	} given[] = {
		{"base", "box", "read1", "performance", 30, RUN_OK, "ab"},
		{"base", "box", "read1", "performance", 10, RUN_OK, "cb"},
		{"base", "box", "read1", "powersave", 20, RUN_FAILED, ""},
		{"base", "box", "read1", "performance", 30, RUN_OK, "a"},
		{"base", "box", "write1", "performance", 5, RUN_OK, "a"},
		{"base", "laptop", "read1", "performance", 40, RUN_OK, "a"},
		{"new", "box", "read1", "performance", 1, RUN_OK, "z"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(given); i++) {
		struct run run;

		make_run(&run, given[i].commit);
		run.machine.name = given[i].machine;
		run.test = given[i].test;
		run.boot_id = "boot";
		run.start_ns = given[i].start_ns;
		run.iteration = (int)i;
		run.status = given[i].status;
		run.kernel.release = i == 5 ? "6.12.1" : i == 3 ? "6.12.0" : NULL;
		params_set(&run.params, &run.pool, "nr_task", "16");
		params_set(&run.facts, &run.pool, "governor", given[i].governor);
		for (const char *m = given[i].metrics; *m; m++)
			run_set(&run, pool_strndup(&run.pool, m, 1), number_int(given[i].start_ns));
		add_and_release(store, &run);
	}
}

/* " c=10,-,-,-": the name, and the value of each run */
static void describe_metric(const struct set_metric *metric, int runs, struct strbuf *out)
{
	strbuf_addf(out, " %s=", metric->name);
	for (int r = 0; r < runs; r++) {
		char text[32];

		number_format(metric->value[r], text, sizeof(text));
		strbuf_addf(out, "%s%s", r ? "," : "", *text ? text : "-");
	}
}

/* "box case/read1: c=10,-,-,- b=10,-,30,-; box case/write1: ..." */
static void describe_sets(const struct set_list *list, struct strbuf *out)
{
	for (int i = 0; i < list->nr; i++) {
		const struct set *set = &list->v[i];

		strbuf_addf(out, "%s%s %s/%s:", i ? "; " : "", set->key.machine, set->key.testcase,
			    set->key.test);
		for (int m = 0; m < set->metrics_nr; m++)
			describe_metric(&set->metrics[m], set->runs_nr, out);
	}
}

static void check_sets(struct store *store, const struct store_filter *filter, const char *expected)
{
	struct strbuf text = STRBUF_INIT;
	struct set_list list = {0};
	struct err err;

	must(store_load_sets(store, "base", filter, &list, &err), &err);
	describe_sets(&list, &text);
	assert_string_equal(text.buf, expected);
	strbuf_release(&text);
	set_list_release(&list);
}

static void sets_have_runs_by_start_and_metrics_as_they_came(void **state)
{
	struct store *store = must_open("runs.db", STORE_WRITE);
	struct param machine_param = {"nr_task", "16"}, fact = {"governor", "powersave"};
	struct param neither = {"governor", "schedutil"};
	struct params where = {&machine_param, 1, 0}, where_fact = {&fact, 1, 0},
		      where_neither = {&neither, 1, 0};

	(void)state;
	fill_for_sets(store);
	/* runs of read1 on box start at 10, 20 (failed), 30 and 30: the last two as stored */
	check_sets(store, NULL,
		   "box case/write1: a=5; box case/read1: c=10,-,-,- b=10,-,30,- a=-,-,30,30; "
		   "laptop case/read1: a=40");
	check_sets(store, &(struct store_filter){.machine = "laptop"}, "laptop case/read1: a=40");
	check_sets(store, &(struct store_filter){.machine = "lap"}, "");
	check_sets(store, &(struct store_filter){.test = "case/w*"}, "box case/write1: a=5");
	check_sets(store, &(struct store_filter){.test = "case/w"}, "");
	check_sets(store, &(struct store_filter){.test = "*/write?", .where = &where},
		   "box case/write1: a=5");
	check_sets(store, &(struct store_filter){.where = &where_fact}, "box case/read1:");
	check_sets(store, &(struct store_filter){.where = &where_neither}, "");
	store_close(store);
}

static void a_set_knows_its_runs_and_the_list_its_commit(void **state)
{
	struct store *store = must_open("runs.db", STORE_WRITE);
	struct set_list list = {0};
	const struct set *set;
	struct err err;

	(void)state;
	fill_for_sets(store);
	add(store, "base", "0123456789ab", NULL);
	must(store_load_sets(store, "base", NULL, &list, &err), &err);
	assert_string_equal(list.commit.name, "base");
	assert_string_equal(list.commit.hash, "0123456789ab");
	assert_null(list.commit.subject);
	assert_string_equal(list.kernel.release, "6.12.1"); /* of the newest run that has one */
	set = &list.v[2]; /* start_ns 0: the one just added is the first */
	assert_string_equal(set->key.test, "read1");
	assert_string_equal(params_get(&set->key.params, "nr_task"), "16");
	assert_int_equal(set->runs_nr, 4);
	assert_int_equal(set->runs[1].status, RUN_FAILED);
	assert_string_equal(set->runs[1].boot_id, "boot");
	assert_int_equal(strlen(set->runs[1].id), 32);
	assert_string_equal(params_get(&set->runs[1].facts, "governor"), "powersave");
	set_list_release(&list);

	assert_int_equal(store_load_sets(store, "nobody", NULL, &list, &err), -1);
	assert_non_null(strstr(err.msg, "no commit named 'nobody'"));
	set_list_release(&list);
	store_close(store);
}

static void a_run_stored_before_is_a_twin(void **state)
{
	struct store *store = must_open("runs.db", STORE_WRITE);
	struct run run;
	struct err err;

	(void)state;
	for (int imported = 0; imported < 2; imported++) {
		must(store_begin(store, &err), &err);
		for (int i = 0; i < 2; i++) { /* two equal runs: no twins within a transaction */
			make_run(&run, "base");
			run_set(&run, "a", number_int(1));
			run_set(&run, "b", number_float(1));
			assert_int_equal(store_has_twin(store, &run, &err), imported);
			add_and_release(store, &run);
		}
		must(store_commit(store, &err), &err);
	}
	make_run(&run, "base");
	assert_int_equal(store_has_twin(store, &run, &err), 0); /* no values */
	run_set(&run, "b", number_float(1));
	run_set(&run, "a", number_int(1));
	assert_int_equal(store_has_twin(store, &run, &err), 0); /* another order */
	run_release(&run);
	make_run(&run, "base");
	run_set(&run, "a", number_int(1));
	run_set(&run, "b", number_float(1));
	assert_int_equal(store_has_twin(store, &run, &err), 1);
	run.machine.name = "another";
	assert_int_equal(store_has_twin(store, &run, &err), 0);
	run.machine.name = "box";
	params_set(&run.params, &run.pool, "k", "v");
	assert_int_equal(store_has_twin(store, &run, &err), 0);
	run_release(&run);
	store_close(store);
}

static int put_commit(const struct list_commit *row, void *data)
{
	strbuf_addf(data, "%s %s %d/%d %d-%d;", row->commit.name, row->release ? row->release : "-",
		    row->failed, row->runs, (int)row->first_ns, (int)row->last_ns);
	return 0;
}

static int put_machine(const struct list_machine *row, void *data)
{
	strbuf_addf(data, "%s %d;", row->machine.name, row->runs);
	return 0;
}

static int put_test(const struct list_test *row, void *data)
{
	strbuf_addf(data, "%s/%s %s %d %d;", row->testcase, row->test, row->params, row->commits,
		    row->runs);
	return 0;
}

static int put_run(const struct list_run *row, void *data)
{
	strbuf_addf(data, "%s %s %s/%s %s %s %d;", row->commit, row->machine, row->testcase,
		    row->test, row->params, run_status_name(row->status), (int)row->start_ns);
	return row->start_ns == 20; /* enough */
}

static int put_metric(const struct list_metric *row, void *data)
{
	strbuf_addf(data, "%s %d;", row->metric, row->runs);
	return 0;
}

static void check_list(struct strbuf *text, const char *expected)
{
	assert_string_equal(text->buf, expected);
	strbuf_reset(text);
}

static void lists_count_what_is_there(void **state)
{
	struct store *store = must_open("runs.db", STORE_WRITE);
	struct strbuf text = STRBUF_INIT;
	struct err err;

	(void)state;
	fill_for_sets(store);
	must(store_list_commits(store, put_commit, &text, &err), &err);
	check_list(&text, "new - 0/1 1-1;base 6.12.1 1/6 5-40;");
	must(store_list_machines(store, put_machine, &text, &err), &err);
	check_list(&text, "box 6;laptop 1;");
	must(store_list_tests(store, put_test, &text, &err), &err);
	check_list(&text, "case/read1 nr_task=16 2 6;case/write1 nr_task=16 1 1;");
	must(store_list_runs(store, put_run, &text, &err), &err);
	check_list(&text, "new box case/read1 nr_task=16 ok 1;base box case/write1 nr_task=16 ok 5;"
			  "base box case/read1 nr_task=16 ok 10;"
			  "base box case/read1 nr_task=16 failed 20;");
	must(store_list_metrics(store, put_metric, &text, &err), &err);
	check_list(&text, "a 4;b 2;c 1;z 1;");
	store_close(store);
	strbuf_release(&text);
}

/* SQLite's own word for what it would do: SCAN is a walk over a whole table. */
static void check_plan(sqlite3 *db, const char *sql)
{
	char *explain = xasprintf("EXPLAIN QUERY PLAN %s", sql);
	sqlite3_stmt *stmt;

	if (sqlite3_prepare_v2(db, explain, -1, &stmt, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		const char *detail = (const char *)sqlite3_column_text(stmt, 3);

		if (strstr(detail, "SCAN"))
			fail_msg("%s: %s", sql, detail);
	}
	sqlite3_finalize(stmt);
	free(explain);
}

static void what_diff_and_collect_need_is_found_by_index(void **state)
{
	static const enum stmt_id needed[] = {
		STMT_FIND_COMMIT,
		STMT_COMPLETE_COMMIT,
		STMT_FIND_KERNEL,
		STMT_FIND_MACHINE,
		STMT_FIND_BOOT,
		STMT_FIND_TEST,
		STMT_FIND_METRIC,
		STMT_FIND_EVENT,
		STMT_FIND_RUN,
		STMT_FIND_TWIN,
		STMT_METRIC_NAME,
		STMT_RUNS_OF_COMMIT,
		STMT_TEST,
		STMT_BOOT,
		STMT_VALUES,
		STMT_RUNS_BY_UID,
		STMT_RUN,
		STMT_SERIES,
		STMT_COUNTERS,
		STMT_WARNINGS,
		STMT_COMMIT_BY_NAME,
		STMT_COMMITS_BY_HASH,
		STMT_COMMITS_BY_RELEASE,
		STMT_COMMITS_BY_PREFIX,
		STMT_FIND_FACT,
		STMT_FACTS,
	};
	sqlite3 *db;

	(void)state;
	store_close(must_open("runs.db", STORE_WRITE));
	assert_int_equal(sqlite3_open("runs.db", &db), SQLITE_OK);
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++)
		check_plan(db, stmt_sql[needed[i]]);
	sqlite3_close(db);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)
	const struct CMUnitTest tests[] = {
		IN_FOLDER(a_name_finds_its_commit),
		IN_FOLDER(at_most_five_names_are_listed),
		IN_FOLDER(sets_have_runs_by_start_and_metrics_as_they_came),
		IN_FOLDER(a_set_knows_its_runs_and_the_list_its_commit),
		IN_FOLDER(a_run_stored_before_is_a_twin),
		IN_FOLDER(lists_count_what_is_there),
		IN_FOLDER(what_diff_and_collect_need_is_found_by_index),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
