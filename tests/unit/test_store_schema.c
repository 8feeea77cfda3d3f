// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ladder of schemas, on one of three steps that belongs to this test: the source is included, and finds
 * this schema_sql instead of the real one.
 */
#include "store/schema.c" // NOLINT(bugprone-suspicious-include): as said above
#include "store_fixture.h"

#include <sys/wait.h>

/* Each step notes that it was done, so that twice would show. */
const char schema_sql[] =
	"-- SPDX\n-- schema 1\n"
	"CREATE TABLE done (step INTEGER);\nINSERT INTO done VALUES (1);\n"
	"-- SPDX\n-- schema 2\n-- schema 20 is none\n"
	"INSERT INTO done VALUES (2);\nALTER TABLE done ADD COLUMN note TEXT;\n"
	"-- SPDX\n-- schema 3\n"
	"INSERT INTO done VALUES (3, 'third');\nINSERT INTO checked VALUES (1);\n";

static const char made_by_an_older_one[] =
	"PRAGMA journal_mode = WAL; PRAGMA application_id = 1885564272; PRAGMA user_version = 1;"
	"CREATE TABLE done (step INTEGER); INSERT INTO done VALUES (1)";

static void make_old(bool can_climb)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open("old.db", &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, made_by_an_older_one, NULL, NULL, NULL), SQLITE_OK);
	if (can_climb) /* what step 3 needs */
		assert_int_equal(sqlite3_exec(db, "CREATE TABLE checked (x)", NULL, NULL, NULL), 0);
	sqlite3_close(db);
}

static int prepare(bool write, struct err *err)
{
	struct db *db = db_open("old.db", write, err);
	int status = db ? schema_prepare(db, write, err) : -1;

	db_close(db);
	return status;
}

static void the_newest_step_is_found(void **state)
{
	(void)state;
	assert_int_equal(schema_newest(), 3);
}

static void an_older_database_climbs_the_missing_steps(void **state)
{
	struct err err;

	(void)state;
	for (int write = 0; write < 2; write++) { /* who reads may take it up as well */
		make_old(true);
		must(prepare(write, &err), &err);
		assert_answer("old.db", "SELECT group_concat(step) FROM done", "1,2,3");
		assert_answer("old.db", "PRAGMA user_version", "3");
		must(prepare(write, &err), &err);
		assert_answer("old.db", "SELECT count(*) FROM done", "3");
		assert_int_equal(remove("old.db"), 0);
	}
}

static void a_step_that_fails_undoes_all_of_them(void **state)
{
	struct err err;

	(void)state;
	make_old(false);
	assert_int_equal(prepare(true, &err), -1);
	assert_non_null(strstr(err.msg, "old.db: no such table: checked"));
	assert_answer("old.db", "SELECT group_concat(step) FROM done", "1");
	assert_answer("old.db", "SELECT count(*) FROM pragma_table_info('done')", "1");
	assert_answer("old.db", "PRAGMA user_version", "1");
}

static pid_t start_upgrade(bool write)
{
	struct err err;
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	if (prepare(write, &err) == 0)
		_exit(0);
	fprintf(stderr, "%s\n", err.msg);
	_exit(1);
}

static void processes_that_upgrade_together_do_it_once(void **state)
{
	(void)state;
	for (int round = 0; round < 10; round++) {
		pid_t pids[6];
		int status;

		make_old(true);
		for (size_t i = 0; i < ARRAY_SIZE(pids); i++)
			pids[i] = start_upgrade(i % 2);
		for (size_t i = 0; i < ARRAY_SIZE(pids); i++) {
			assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
			assert_int_equal(status, 0);
		}
		assert_answer("old.db", "SELECT group_concat(step) FROM done", "1,2,3");
		assert_int_equal(remove("old.db"), 0);
	}
}

static void an_older_database_that_cannot_be_written_is_told(void **state)
{
	struct err err;
	int status;
	pid_t pid;

	(void)state;
	make_old(true);
	assert_int_equal(chmod("old.db", 0444) | chmod(".", 0555), 0);
	pid = fork();
	if (pid == 0) {
		if (geteuid() == 0 &&
		    (setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534)))
			_exit(2);
		status = prepare(false, &err);
		_exit(status == -1 && strstr(err.msg,
					     "old.db: schema 1 is older than this perfcmp's (3) "
					     "and the file cannot be written")
			      ? 0
			      : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(chmod(".", 0755), 0);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)
	const struct CMUnitTest tests[] = {
		IN_FOLDER(the_newest_step_is_found),
		IN_FOLDER(an_older_database_climbs_the_missing_steps),
		IN_FOLDER(a_step_that_fails_undoes_all_of_them),
		IN_FOLDER(processes_that_upgrade_together_do_it_once),
		IN_FOLDER(an_older_database_that_cannot_be_written_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
