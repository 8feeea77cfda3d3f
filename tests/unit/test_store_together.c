// SPDX-License-Identifier: GPL-2.0-only
/* Several processes on one database, and processes that die in the middle of writing. */
#include "store_fixture.h"

#include <signal.h>
#include <sys/wait.h>

enum {
	VALUES = 60
};

/* A run whose values prove that it is whole: each is the iteration. In child processes, too: no assertion. */
static void add_whole_run(struct store *store, int iteration)
{
	struct run run;
	struct err err;
	int status;

	make_run(&run, "base");
	run.iteration = iteration;
	for (int i = 0; i < VALUES; i++) {
		const char *metric = pool_printf(&run.pool, "metric.%d", i);

		run_set(&run, metric, number_int(iteration));
		if (i < 10)
			run_add_sample(&run, metric, 1, iteration);
	}
	strlist_add(&run.warnings, "the last thing stored");
	status = store_add_run(store, &run, &err);
	run_release(&run);
	if (status) {
		fprintf(stderr, "%s\n", err.msg);
		_exit(1);
	}
}

static int check_whole(const struct list_run *row, void *data)
{
	struct store *store = ((void **)data)[0];
	struct run run = {0};
	struct err err;

	must(store_load_run(store, row->id, &run, &err), &err);
	assert_int_equal(run.values_nr, VALUES);
	for (int i = 0; i < VALUES; i++)
		assert_true(run.values[i].value.i == run.iteration);
	assert_int_equal(run.series_nr, 10);
	assert_int_equal(run.warnings.nr, 1);
	run_release(&run);
	(*(int *)((void **)data)[1])++;
	return 0;
}

/* All runs are whole, and SQLite finds nothing wrong; the number of runs. */
static int check_all(const char *path)
{
	struct store *store = must_open(path, STORE_READ);
	int runs = 0;
	void *data[] = {store, &runs};
	struct err err;

	must(store_list_runs(store, check_whole, data, &err), &err);
	store_close(store);
	assert_answer(path, "PRAGMA integrity_check", "ok");
	assert_answer(path, "SELECT count(*) FROM pragma_foreign_key_check", "0");
	return runs;
}

/* Starts a process that does work(), and dies of a failed assertion only. */
static pid_t start(void (*work)(int), int argument)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		work(argument);
		_exit(0);
	}
	return pid;
}

static void join(pid_t pid, int expected)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, expected);
}

static struct store *child_open(void)
{
	struct err err;
	struct store *store = store_open("runs.db", STORE_WRITE, &err);

	if (!store) {
		fprintf(stderr, "%s\n", err.msg);
		_exit(1);
	}
	return store;
}

static void make_and_add(int number)
{
	struct store *store = child_open();

	for (int i = 0; i < 5; i++)
		add_whole_run(store, number * 5 + i);
	store_close(store);
}

static void processes_that_make_the_database_together_all_succeed(void **state)
{
	(void)state;
	for (int round = 0; round < 6; round++) {
		pid_t pids[6];

		remove("runs.db");
		for (size_t i = 0; i < ARRAY_SIZE(pids); i++)
			pids[i] = start(make_and_add, (int)i);
		for (size_t i = 0; i < ARRAY_SIZE(pids); i++)
			join(pids[i], 0);
		assert_int_equal(check_all("runs.db"), 30);
	}
}

static void add_until_killed(int number)
{
	struct store *store = child_open();

	for (int i = number * 100000;; i++)
		add_whole_run(store, i);
}

static void import_until_killed(int number)
{
	struct store *store = child_open();
	struct err err;

	for (int i = number * 100000;; i++) {
		if (i % 7 == 0 && (store_begin(store, &err)))
			_exit(1);
		add_whole_run(store, i);
		if (i % 7 == 6 && store_commit(store, &err))
			_exit(1);
	}
}

/* Whether the killed process came as far as the tables. */
static bool is_made(const char *path)
{
	struct err err;
	struct store *store = store_open(path, STORE_READ, &err);

	if (!store && !strstr(err.msg, "run \"perfcmp collect\""))
		fail_msg("%s", err.msg);
	store_close(store);
	return store;
}

/*
 * Killed after 0, 2, 4 ... 40 ms: while the file is made, in transactions, between them, in checkpoints. A
 * slow machine gets more time, until some runs are stored.
 */
static int kill_often(void (*work)(int), int multiple)
{
	int runs = 0;

	for (int round = 0; round <= 20 || (runs == 0 && round < 500); round++) {
		pid_t pid = start(work, round * 7);
		int now;

		usleep((useconds_t)round * 2000);
		assert_int_equal(kill(pid, SIGKILL), 0);
		join(pid, SIGKILL);
		now = is_made("runs.db") ? check_all("runs.db") : 0;
		assert_true(now >= runs); /* nothing stored is lost */
		assert_int_equal(now % multiple, 0);
		runs = now;
	}
	return runs;
}

static void a_killed_process_leaves_whole_runs_only(void **state)
{
	(void)state;
	assert_true(kill_often(add_until_killed, 1) > 0);
}

static void a_killed_import_leaves_whole_transactions_only(void **state)
{
	(void)state;
	assert_true(kill_often(import_until_killed, 7) > 0);
}

/* A connection that holds the lock for writing. */
static sqlite3 *lock(const char *path)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	return db;
}

static void a_locked_database_is_waited_for_and_then_told(void **state)
{
	struct store *store;
	struct run run;
	struct err err;
	sqlite3 *db;
	int64_t start_ns;

	(void)state;
	setenv("PERFCMP_DB_TIMEOUT", "0.3", 1);
	store = must_open("runs.db", STORE_WRITE);
	db = lock("runs.db");
	start_ns = clock_ns();
	make_run(&run, "base");
	assert_int_equal(store_add_run(store, &run, &err), -1);
	assert_string_equal(err.msg, "runs.db: locked by another process for 0.3 s: try again when "
				     "it is done");
	assert_in_range(clock_ns() - start_ns, 250000000, 5000000000);
	assert_int_equal(store_begin(store, &err), -1);
	sqlite3_close(db);
	add_and_release(store, &run); /* the same run, now that it can be */
	store_close(store);
	unsetenv("PERFCMP_DB_TIMEOUT");
	assert_answer("runs.db", "SELECT count(*) FROM runs", "1");
}

static void a_database_locked_as_a_whole_is_told(void **state)
{
	struct err err;
	sqlite3 *db;

	(void)state;
	store_close(must_open("runs.db", STORE_WRITE));
	setenv("PERFCMP_DB_TIMEOUT", "0.1", 1);
	assert_int_equal(sqlite3_open("runs.db", &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE", NULL,
				      NULL, NULL),
			 SQLITE_OK);
	assert_null(store_open("runs.db", STORE_READ, &err));
	assert_string_equal(err.msg, "runs.db: locked by another process for 0.1 s: try again when "
				     "it is done");
	assert_null(store_open("runs.db", STORE_WRITE, &err));
	assert_non_null(strstr(err.msg, "locked by another process"));
	sqlite3_close(db);
	unsetenv("PERFCMP_DB_TIMEOUT");
	store_close(must_open("runs.db", STORE_READ));
}

static void hold_the_lock(int ready)
{
	sqlite3 *db;

	if (sqlite3_open("runs.db", &db) || sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) ||
	    write(ready, "x", 1) != 1)
		_exit(1);
	usleep(300000);
	sqlite3_close(db);
}

static void a_lock_given_up_in_time_costs_time_only(void **state)
{
	int ready[2];
	pid_t pid;
	char c;

	(void)state;
	store_close(must_open("runs.db", STORE_WRITE));
	assert_int_equal(pipe(ready), 0);
	pid = start(hold_the_lock, ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	make_and_add(0);
	join(pid, 0);
	assert_int_equal(check_all("runs.db"), 5);
}

/* A reader has one state of the database, whatever is stored meanwhile. */
static void a_writer_does_not_wait_for_readers(void **state)
{
	struct store *reader, *writer;
	struct set_list list = {0};
	struct err err;

	(void)state;
	make_and_add(0);
	reader = must_open("runs.db", STORE_READ);
	must(store_load_sets(reader, "base", NULL, &list, &err), &err);
	assert_int_equal(list.v[0].runs_nr, 5);
	set_list_release(&list);
	writer = must_open("runs.db", STORE_WRITE);
	must(store_begin(writer, &err), &err);
	add_whole_run(writer, 77);
	must(store_load_sets(reader, "base", NULL, &list, &err), &err);
	assert_int_equal(list.v[0].runs_nr, 5); /* not yet */
	set_list_release(&list);
	must(store_commit(writer, &err), &err);
	must(store_load_sets(reader, "base", NULL, &list, &err), &err);
	assert_int_equal(list.v[0].runs_nr, 6);
	set_list_release(&list);
	must(store_load_sets(writer, "base", NULL, &list, &err), &err);
	add_whole_run(writer, 78); /* reading has left no transaction open */
	set_list_release(&list);
	store_close(writer);
	store_close(reader);
	assert_int_equal(check_all("runs.db"), 7);
}

/* What is read within a transaction includes what it has written, and reading does not end it. */
static void a_transaction_reads_what_it_wrote(void **state)
{
	struct store *store = must_open("runs.db", STORE_WRITE);
	struct set_list list = {0};
	struct err err;

	(void)state;
	must(store_begin(store, &err), &err);
	add_whole_run(store, 1);
	must(store_load_sets(store, "base", NULL, &list, &err), &err);
	assert_int_equal(list.v[0].runs_nr, 1);
	set_list_release(&list);
	add_whole_run(store, 2);
	must(store_commit(store, &err), &err);
	store_close(store);
	assert_int_equal(check_all("runs.db"), 2);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)
	const struct CMUnitTest tests[] = {
		IN_FOLDER(processes_that_make_the_database_together_all_succeed),
		IN_FOLDER(a_killed_process_leaves_whole_runs_only),
		IN_FOLDER(a_killed_import_leaves_whole_transactions_only),
		IN_FOLDER(a_locked_database_is_waited_for_and_then_told),
		IN_FOLDER(a_database_locked_as_a_whole_is_told),
		IN_FOLDER(a_lock_given_up_in_time_costs_time_only),
		IN_FOLDER(a_writer_does_not_wait_for_readers),
		IN_FOLDER(a_transaction_reads_what_it_wrote),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
