// SPDX-License-Identifier: GPL-2.0-only
/* What can be wrong with the file: each time one line that names it and says what to do, and nothing is lost. */
#include "store_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void write_file(const char *path, const void *bytes, size_t len)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
}

static void open_fails(const char *path, enum store_mode mode, const char *message)
{
	struct err err = {""};
	struct store *store = store_open(path, mode, &err);

	if (store || !strstr(err.msg, message) || strchr(err.msg, '\n'))
		fail_msg("%s: '%s' does not say '%s'", path, store ? "opened" : err.msg, message);
	if (*path && !strstr(err.msg, path))
		fail_msg("'%s' does not name %s", err.msg, path);
}

static void both_fail(const char *path, const char *message)
{
	open_fails(path, STORE_READ, message);
	open_fails(path, STORE_WRITE, message);
}

static void add_runs(const char *path, const char *commit, int nr)
{
	struct store *store = must_open(path, STORE_WRITE);

	for (int i = 0; i < nr; i++) {
		struct run run;

		make_run(&run, commit);
		for (int m = 0; m < 300; m++)
			run_set(&run, pool_printf(&run.pool, "metric.%d", m),
				number_float(m / 7.0 + i));
		add_and_release(store, &run);
	}
	store_close(store);
}

static int count_run(const struct list_run *row, void *data)
{
	(void)row;
	(*(int *)data)++;
	return 0;
}

static int runs_in(const char *path)
{
	struct store *store = must_open(path, STORE_READ);
	struct err err;
	int nr = 0;

	must(store_list_runs(store, count_run, &nr, &err), &err);
	store_close(store);
	return nr;
}

static void a_text_file_is_no_database_however_long_it_is(void **state)
{
	static const size_t sizes[] = {1, 15, 16, 100, 512, 4096, 100000};
	static char text[100000];

	(void)state;
	memset(text, 'x', sizeof(text));
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct stat st;

		write_file("notes.txt", text, sizes[i]);
		both_fail("notes.txt", "not a perfcmp database: name another file with --db");
		assert_int_equal(stat("notes.txt", &st), 0);
		assert_int_equal(st.st_size, sizes[i]);
	}
}

static void a_header_alone_is_damage(void **state)
{
	char page[4096] = "SQLite format 3";

	(void)state;
	for (size_t len = 16; len <= sizeof(page); len *= 4) {
		write_file("cut.db", page, len);
		both_fail("cut.db", "cut.db: ");
	}
}

static void the_database_of_another_program_is_left_alone(void **state)
{
	(void)state;
	free(ask("other.db", "CREATE TABLE notes (text)"));
	both_fail("other.db", "a database of another program");
	free(ask("ids.db", "PRAGMA application_id = 252006673"));
	both_fail("ids.db", "a database of another program");
	assert_answer("other.db", "SELECT count(*) FROM sqlite_schema", "1");
	assert_answer("other.db", "PRAGMA journal_mode", "delete");
}

static void a_newer_schema_asks_for_an_upgrade(void **state)
{
	(void)state;
	add_runs("runs.db", "base", 1);
	free(ask("runs.db", "PRAGMA user_version = 40"));
	both_fail("runs.db", "runs.db: schema 40 is newer than this perfcmp (2): upgrade perfcmp");
	free(ask("runs.db", "PRAGMA user_version = 0"));
	both_fail("runs.db", "damaged: it has tables, but no schema number");
	free(ask("runs.db", "PRAGMA user_version = 2"));
	assert_int_equal(runs_in("runs.db"), 1);
}

static void the_schema_says_what_it_is(void **state)
{
	(void)state;
	add_runs("runs.db", "base", 1);
	assert_answer("runs.db", "PRAGMA application_id", "1885564272"); /* "pcmp" */
	assert_answer("runs.db", "PRAGMA user_version", "2");
	assert_answer("runs.db", "PRAGMA journal_mode", "wal");
	assert_answer("runs.db",
		      "SELECT count(*) FROM pragma_table_list WHERE schema = 'main'"
		      " AND name NOT LIKE 'sqlite%' AND NOT strict",
		      "0");
	assert_int_equal(access("runs.db-wal", F_OK), -1); /* closed cleanly: one file */
	assert_int_equal(access("runs.db-shm", F_OK), -1);
}

static void an_empty_file_becomes_a_database_when_written(void **state)
{
	(void)state;
	write_file("empty.db", "", 0);
	open_fails("empty.db", STORE_READ, "no database yet: run \"perfcmp collect\" or");
	free(ask("vacant.db", "VACUUM")); /* a header, no tables */
	open_fails("vacant.db", STORE_READ, "run \"perfcmp collect\"");
	add_runs("empty.db", "base", 2);
	add_runs("vacant.db", "base", 3);
	assert_int_equal(runs_in("empty.db"), 2);
	assert_int_equal(runs_in("vacant.db"), 3);
}

static void names_that_are_no_file_are_refused(void **state)
{
	(void)state;
	assert_int_equal(mkdir("folder", 0777), 0);
	both_fail("folder", "is a folder");
	assert_int_equal(mkfifo("pipe", 0666), 0);
	both_fail("pipe", "is no ordinary file");
	both_fail("", "the database has no name");
	write_file("file", "x", 1);
	both_fail("file/runs.db", "Not a directory");
	assert_int_equal(symlink("loop", "loop"), 0);
	both_fail("loop", "Too many levels");
}

static void folders_are_made_for_writing_only(void **state)
{
	(void)state;
	open_fails("a/b c/runs.db", STORE_READ, "no database yet");
	assert_int_equal(access("a", F_OK), -1);
	add_runs("a/b c/runs.db", "base", 1);
	add_runs("a/b c/more.db", "base", 1);
	assert_int_equal(runs_in("a/b c/runs.db"), 1);
	write_file("plain", "x", 1);
	open_fails("plain/x/runs.db", STORE_WRITE, "plain");
}

/* Names that SQLite would take for something else. */
static void strange_names_are_files_all_the_same(void **state)
{
	static const char *const names[] = {":memory:", "file:x?mode=memory", "a%41#b?c", "x;y'z",
					    "-db",	"\xff\xfe.db"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct stat st;

		add_runs(names[i], "base", 1);
		assert_int_equal(runs_in(names[i]), 1);
		if (stat(names[i], &st) || st.st_size == 0)
			fail_msg("%s is not there", names[i]);
	}
}

static void the_default_place_follows_option_then_environment(void **state)
{
	static const struct {
		const char *option, *db, *data, *home, *path;
	} cases[] = {
		{"x.db", "y.db", "/data", "/home/u", "x.db"},
		{"", "y.db", "/data", "/home/u", ""}, /* and is refused */
		{NULL, "y.db", "/data", "/home/u", "y.db"},
		{NULL, "", "/data", "/home/u", "/data/perfcmp/perfcmp.db"},
		{NULL, NULL, "/data", "/home/u", "/data/perfcmp/perfcmp.db"},
		{NULL, NULL, "relative", "/home/u", "/home/u/.local/share/perfcmp/perfcmp.db"},
		{NULL, NULL, NULL, "/home/u", "/home/u/.local/share/perfcmp/perfcmp.db"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *const names[] = {"PERFCMP_DB", "XDG_DATA_HOME", "HOME"};
		const char *const values[] = {cases[i].db, cases[i].data, cases[i].home};
		char *path;

		for (int k = 0; k < 3; k++)
			assert_int_equal(
				values[k] ? setenv(names[k], values[k], 1) : unsetenv(names[k]), 0);
		path = store_default_path(cases[i].option);
		assert_string_equal(path, cases[i].path);
		free(path);
	}
	unsetenv("PERFCMP_DB");
	unsetenv("XDG_DATA_HOME");
}

/* Runs test() as a user whom file permissions stop; its failures are told on standard error. */
static void as_ordinary_user(void (*test)(void))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		if (geteuid() == 0 &&
		    (setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534)))
			_exit(2);
		test();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void child_expects(bool right, const char *what)
{
	if (!right) {
		fprintf(stderr, "not so: %s\n", what);
		_exit(1);
	}
}

static void child_open_fails(const char *path, enum store_mode mode, const char *message)
{
	struct err err = {""};
	struct store *store = store_open(path, mode, &err);

	if (store || !strstr(err.msg, message))
		fprintf(stderr, "'%s' does not say '%s'\n", err.msg, message);
	child_expects(!store && strstr(err.msg, message), message);
}

static int child_count(const char *path)
{
	struct err err = {""};
	struct store *store = store_open(path, STORE_READ, &err);
	int nr = 0;

	child_expects(store, err.msg);
	child_expects(!store_list_runs(store, count_run, &nr, &err), err.msg);
	store_close(store);
	return nr;
}

static void user_in_a_read_only_folder(void)
{
	child_expects(child_count("runs.db") == 3, "three runs are read");
	child_open_fails("runs.db", STORE_WRITE, "cannot be written (Permission denied)");
	child_open_fails("new.db", STORE_WRITE, "cannot be written (Permission denied)");
	child_open_fails("a/new.db", STORE_WRITE,
			 "a: the folder cannot be made: Permission denied");
	child_open_fails("secret.db", STORE_READ, "cannot be read: Permission denied");
	child_open_fails("secret/runs.db", STORE_READ, "cannot be reached: Permission denied");
}

static void a_read_only_folder_can_be_read_and_not_written(void **state)
{
	(void)state;
	add_runs("runs.db", "base", 3);
	add_runs("secret.db", "base", 1);
	assert_int_equal(mkdir("secret", 0700), 0);
	assert_int_equal(chmod("secret.db", 0), 0);
	assert_int_equal(chmod("secret", 0), 0);
	assert_int_equal(chmod("runs.db", 0444), 0);
	assert_int_equal(chmod(".", 0555), 0);
	as_ordinary_user(user_in_a_read_only_folder);
	assert_int_equal(chmod("runs.db", 0666), 0); /* the file may, the folder may not */
	as_ordinary_user(user_in_a_read_only_folder);
	assert_int_equal(chmod(".", 0755), 0);
	assert_int_equal(access("runs.db-shm", F_OK), -1);
}

static void copy_file(const char *from, const char *to)
{
	static char bytes[1 << 20];
	FILE *in = fopen(from, "re");
	size_t len;

	assert_non_null(in);
	len = fread(bytes, 1, sizeof(bytes), in);
	fclose(in);
	assert_in_range(len, 1, sizeof(bytes) - 1);
	write_file(to, bytes, len);
}

/* What a process that was killed leaves: a run that is only in the -wal file. */
static void leave_a_wal(bool shm)
{
	struct store *store = must_open("live.db", STORE_WRITE);
	struct run run;

	make_run(&run, "base");
	add_and_release(store, &run);
	copy_file("live.db", "runs.db");
	copy_file("live.db-wal", "runs.db-wal");
	if (shm)
		copy_file("live.db-shm", "runs.db-shm");
	store_close(store);
	assert_int_equal(chmod(".", 0555), 0);
}

static void user_meets_a_wal(void)
{
	child_open_fails("runs.db", STORE_READ, "its newest changes wait in runs.db-wal");
}

static void user_meets_a_wal_and_its_index(void)
{
	child_expects(child_count("runs.db") == 1, "the run in the -wal file is read");
}

static void changes_that_cannot_be_read_are_not_passed_over(void **state)
{
	(void)state;
	leave_a_wal(false);
	as_ordinary_user(user_meets_a_wal);
	assert_int_equal(chmod(".", 0755), 0);
	assert_int_equal(runs_in("runs.db"), 1); /* who may write reads it */
}

static void changes_that_can_be_read_are(void **state)
{
	(void)state;
	leave_a_wal(true);
	as_ordinary_user(user_meets_a_wal_and_its_index);
	assert_int_equal(chmod(".", 0755), 0);
}

static int to_child[2], to_parent[2];

static void user_reads_while_others_write(void)
{
	struct err err = {""};
	struct store *store = store_open("runs.db", STORE_READ, &err);
	int nr = 0;
	char c;

	child_expects(store, err.msg);
	child_expects(store_list_runs(store, count_run, &nr, &err) == 0, err.msg);
	child_expects(write(to_parent[1], "x", 1) == 1 && read(to_child[0], &c, 1) == 1, "turns");
	child_expects(store_list_runs(store, count_run, &nr, &err) &&
			      strstr(err.msg, "runs.db: was changed while it was read"),
		      "the change is noticed");
	store_close(store);
}

static void a_change_under_a_reader_without_locks_is_noticed(void **state)
{
	pid_t pid;
	int status;
	char c;

	(void)state;
	add_runs("runs.db", "base", 1);
	assert_int_equal(chmod(".", 0555), 0);
	assert_int_equal(pipe(to_child) | pipe(to_parent), 0);
	pid = fork();
	if (pid == 0) {
		as_ordinary_user(user_reads_while_others_write);
		_exit(0);
	}
	assert_int_equal(read(to_parent[0], &c, 1), 1);
	assert_int_equal(chmod(".", 0755), 0);
	add_runs("runs.db", "new", 1);
	assert_int_equal(write(to_child[1], "x", 1), 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

enum {
	PAGE = 2048 /* bytes of a database page */
};

/* What a page is overwritten with. */
enum harm {
	HARM_ZERO,
	HARM_ONES,
	HARM_NOISE,
	HARM_ANOTHER_PAGE,
	HARM_CUT,
	HARM_NR
};

static void harm_page(const char *path, enum harm harm, off_t page, off_t pages)
{
	char bytes[PAGE];
	int fd = open(path, O_RDWR | O_CLOEXEC);

	assert_true(fd >= 0);
	memset(bytes, harm == HARM_ONES ? 0xff : 0, sizeof(bytes));
	if (harm == HARM_NOISE)
		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = (char)((i * 2654435761u + (size_t)page) >> 13);
	if (harm == HARM_ANOTHER_PAGE)
		assert_int_equal(pread(fd, bytes, sizeof(bytes), (page + 7) % pages * PAGE), PAGE);
	if (harm == HARM_CUT)
		assert_int_equal(ftruncate(fd, page * PAGE + 100), 0);
	else
		assert_int_equal(pwrite(fd, bytes, sizeof(bytes), page * PAGE), PAGE);
	close(fd);
}

/* Loads all of commit "new"; false with a message, or the sum of everything measured. */
static bool load_sum(const char *path, double *sum, struct err *err)
{
	struct store *store = store_open(path, STORE_READ, err);
	struct set_list list = {0};
	bool loaded = store && store_load_sets(store, "new", NULL, &list, err) == 0;

	*sum = 0;
	for (int i = 0; loaded && i < list.nr; i++)
		for (int m = 0; m < list.v[i].metrics_nr; m++)
			for (int r = 0; r < list.v[i].runs_nr; r++)
				*sum += number_double(list.v[i].metrics[m].value[r]);
	set_list_release(&list);
	store_close(store);
	return loaded;
}

/* 1: the damage was told in one line; 0: the numbers are the right ones. Others are a failure. */
static int check_harm(enum harm harm, int page, int pages, double right)
{
	struct err err = {""};
	double sum;

	copy_file("runs.db", "harmed.db");
	harm_page("harmed.db", harm, page, pages);
	if (!load_sum("harmed.db", &sum, &err)) {
		if (!starts_with(err.msg, "harmed.db: ") || strchr(err.msg, '\n'))
			fail_msg("page %d, harm %d: %s", page, harm, err.msg);
		return 1;
	}
	if (sum < right || sum > right)
		fail_msg("page %d, harm %d: %g, not %g", page, harm, sum, right);
	return 0;
}

/*
 * Each page in turn is damaged in each way. It is told, or it does not matter for what was asked; but the
 * numbers are never others.
 */
static void a_damaged_page_is_told_or_does_not_matter(void **state)
{
	int told = 0, pages;
	double right;
	struct stat st;
	struct err err;

	(void)state;
	add_runs("runs.db", "base", 20);
	add_runs("runs.db", "new", 20);
	assert_true(load_sum("runs.db", &right, &err));
	assert_int_equal(stat("runs.db", &st), 0);
	pages = (int)(st.st_size / PAGE);
	for (int harm = 0; harm < HARM_NR; harm++)
		for (int page = 0; page < pages; page++)
			told += check_harm((enum harm)harm, page, pages, right);
	assert_true(told > pages); /* of all the ways */
}

static void a_missing_index_or_table_is_damage(void **state)
{
	(void)state;
	add_runs("runs.db", "base", 1);
	free(ask("runs.db", "DROP TABLE run_values"));
	both_fail("runs.db", "damaged: no such table: ");
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)
	const struct CMUnitTest tests[] = {
		IN_FOLDER(a_text_file_is_no_database_however_long_it_is),
		IN_FOLDER(a_header_alone_is_damage),
		IN_FOLDER(the_database_of_another_program_is_left_alone),
		IN_FOLDER(a_newer_schema_asks_for_an_upgrade),
		IN_FOLDER(the_schema_says_what_it_is),
		IN_FOLDER(an_empty_file_becomes_a_database_when_written),
		IN_FOLDER(names_that_are_no_file_are_refused),
		IN_FOLDER(folders_are_made_for_writing_only),
		IN_FOLDER(strange_names_are_files_all_the_same),
		IN_FOLDER(the_default_place_follows_option_then_environment),
		IN_FOLDER(a_read_only_folder_can_be_read_and_not_written),
		IN_FOLDER(changes_that_cannot_be_read_are_not_passed_over),
		IN_FOLDER(changes_that_can_be_read_are),
		IN_FOLDER(a_change_under_a_reader_without_locks_is_noticed),
		IN_FOLDER(a_damaged_page_is_told_or_does_not_matter),
		IN_FOLDER(a_missing_index_or_table_is_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
