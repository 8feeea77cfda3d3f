// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a stored value costs in bytes and time, and what the comparison of two commits reads:
 *	bench_store [FOLDER]
 * 1. 1000 runs of 1000 metrics, a million values: bytes of the whole file a value. Thirds of the metrics are
 *    whole numbers (counts around 10^9), measured decimals (two places) and floats of full length.
 * 2. The same values in rows of SQLite, one a value, as the obvious schema would have them: bytes, and the time
 *    to read all of them, beside ours.
 * 3. Two commits of 10 runs of 5000 metrics among 1000 other commits: time from the file to both sets; and
 *    among none, to show that the history costs nothing.
 */
#include "base/strbuf.h"
#include "store/store.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	RUNS = 1000,
	METRICS = 1000,
	OTHERS = 1000,
	SIDE_RUNS = 10,
	SIDE_METRICS = 5000,
	TURNS = 15
};

static uint64_t seed = 0x9e3779b97f4a7c15;

static uint64_t random_bits(void) /* xorshift64 */
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static double random_share(void)
{
	return (double)(random_bits() >> 11) / 0x1p53;
}

static struct number random_value(int metric)
{
	if (metric % 3 == 0)
		return number_int((int64_t)(1e9 * (1 + random_share())));
	if (metric % 3 == 1)
		return number_float((double)(int)(10000 * random_share()) / 100);
	return number_float(100 * random_share());
}

_Noreturn static void failed(const char *what)
{
	fprintf(stderr, "bench_store: %s\n", what);
	exit(1);
}

static void add_runs(struct store *store, const char *commit, int runs, int metrics)
{
	struct err err;

	for (int r = 0; r < runs; r++) {
		struct run run;

		run_init(&run);
		run.commit.name = commit;
		run.machine.name = "box";
		run.testcase = "will-it-scale";
		run.test = "sched_yield";
		run.iteration = r + 1;
		params_set(&run.params, &run.pool, "nr_task", "16");
		params_set(&run.facts, &run.pool, "cpufreq_governor", "performance");
		for (int m = 0; m < metrics; m++)
			run_set(&run, pool_printf(&run.pool, "some-family.of_metrics.number_%d", m),
				random_value(m));
		if (store_add_run(store, &run, &err))
			failed(err.msg);
		run_release(&run);
	}
}

static struct store *open_store(const char *path, enum store_mode mode)
{
	struct err err;
	struct store *store = store_open(path, mode, &err);

	if (!store)
		failed(err.msg);
	return store;
}

static struct store *begin(const char *path)
{
	struct store *store = open_store(path, STORE_WRITE);
	struct err err;

	if (store_begin(store, &err))
		failed(err.msg);
	return store;
}

static void commit_and_close(struct store *store)
{
	struct err err;

	if (store_commit(store, &err))
		failed(err.msg);
	store_close(store);
}

static double size_of(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		failed(path);
	return (double)st.st_size;
}

/* Seconds to read one commit's values from the file; *nr is their number. */
static double load(const char *path, const char *commit, int64_t *nr)
{
	int64_t start_ns = clock_ns();
	struct store *store = open_store(path, STORE_READ);
	struct set_list list = {0};
	struct err err;
	double seconds;

	if (store_load_sets(store, commit, NULL, &list, &err))
		failed(err.msg);
	seconds = (double)(clock_ns() - start_ns) / 1e9;
	*nr = 0;
	for (int i = 0; i < list.nr; i++)
		*nr += (int64_t)list.v[i].metrics_nr * list.v[i].runs_nr;
	set_list_release(&list);
	store_close(store);
	return seconds;
}

static double fastest_load(const char *path, const char *commit, int64_t *nr)
{
	double best = load(path, commit, nr);

	for (int i = 1; i < TURNS; i++) {
		double seconds = load(path, commit, nr);

		if (seconds < best)
			best = seconds;
	}
	return best;
}

static void sql(sqlite3 *db, const char *text)
{
	if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK)
		failed(sqlite3_errmsg(db));
}

static void make_rows(const char *path)
{
	sqlite3 *db;
	sqlite3_stmt *add;

	if (sqlite3_open(path, &db) != SQLITE_OK)
		failed(path);
	sql(db, "CREATE TABLE runs (id INTEGER PRIMARY KEY);"
		"CREATE TABLE metrics (id INTEGER PRIMARY KEY, name TEXT UNIQUE);"
		"CREATE TABLE run_values (run_id INTEGER, metric_id INTEGER, value,"
		" PRIMARY KEY (run_id, metric_id)) WITHOUT ROWID; BEGIN");
	if (sqlite3_prepare_v2(db, "INSERT INTO run_values VALUES (?, ?, ?)", -1, &add, NULL))
		failed(sqlite3_errmsg(db));
	for (int i = 0; i < RUNS * METRICS; i++) {
		struct number value = random_value(i % METRICS);

		sqlite3_bind_int(add, 1, i / METRICS + 1);
		sqlite3_bind_int(add, 2, i % METRICS + 1);
		if (value.kind == NUMBER_INT)
			sqlite3_bind_int64(add, 3, value.i);
		else
			sqlite3_bind_double(add, 3, value.d);
		if (sqlite3_step(add) != SQLITE_DONE)
			failed(sqlite3_errmsg(db));
		sqlite3_reset(add);
	}
	sqlite3_finalize(add);
	sql(db, "COMMIT");
	sqlite3_close(db);
}

static double read_rows(const char *path)
{
	int64_t start_ns = clock_ns(), rows = 0;
	double sum = 0;
	sqlite3 *db;
	sqlite3_stmt *all;

	if (sqlite3_open(path, &db) != SQLITE_OK ||
	    sqlite3_prepare_v2(db, "SELECT run_id, metric_id, value FROM run_values", -1, &all,
			       NULL))
		failed(path);
	for (; sqlite3_step(all) == SQLITE_ROW; rows++)
		sum += sqlite3_column_double(all, 2) + sqlite3_column_int(all, 0) +
		       sqlite3_column_int(all, 1);
	sqlite3_finalize(all);
	sqlite3_close(db);
	if (rows != (int64_t)RUNS * METRICS || sum < 0)
		failed("rows are missing");
	return (double)(clock_ns() - start_ns) / 1e9;
}

static void bench_size(void)
{
	int64_t start_ns, nr;
	double stored_s, packed_s, rows_s;
	struct store *store;

	start_ns = clock_ns();
	store = begin("packed.db");
	add_runs(store, "base", RUNS, METRICS);
	commit_and_close(store);
	stored_s = (double)(clock_ns() - start_ns) / 1e9;
	packed_s = fastest_load("packed.db", "base", &nr);
	make_rows("rows.db");
	rows_s = read_rows("rows.db");
	printf("stored: %lld values in %.2f s\n", (long long)nr, stored_s);
	printf("size: %.2f bytes a value (at most 12 wanted); in rows: %.2f; ratio %.2f\n",
	       size_of("packed.db") / (double)nr, size_of("rows.db") / (double)nr,
	       size_of("packed.db") / size_of("rows.db"));
	printf("load all: %.0f ms; only to step over the rows: %.0f ms; ratio %.2f\n",
	       1000 * packed_s, 1000 * rows_s, packed_s / rows_s);
}

static double bench_sides(const char *path, int others)
{
	struct store *store = begin(path);
	double seconds;
	int64_t nr;

	for (int i = 0; i < others; i++) {
		char name[32];

		snprintf(name, sizeof(name), "other-%d", i);
		add_runs(store, name, 2, 200);
	}
	add_runs(store, "base", SIDE_RUNS, SIDE_METRICS);
	add_runs(store, "new", SIDE_RUNS, SIDE_METRICS);
	commit_and_close(store);
	seconds = fastest_load(path, "base", &nr);
	seconds += fastest_load(path, "new", &nr);
	if (nr != (int64_t)SIDE_RUNS * SIDE_METRICS)
		failed("values are missing");
	return seconds;
}

static void bench_history(void)
{
	double alone = bench_sides("alone.db", 0);
	double among = bench_sides("among.db", OTHERS);

	printf("two commits of %d runs of %d metrics: %.1f ms alone, %.1f ms among %d others (at most "
	       "50 wanted); ratio %.2f\n",
	       SIDE_RUNS, SIDE_METRICS, 1000 * alone, 1000 * among, OTHERS, among / alone);
}

int main(int argc, char **argv)
{
	static const char *const files[] = {"packed.db", "rows.db", "alone.db", "among.db"};
	char folder[] = "/tmp/perfcmp-bench.XXXXXX";

	if (chdir(argc > 1 ? argv[1] : mkdtemp(folder)))
		failed("no folder to work in");
	bench_size();
	bench_history();
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		remove(files[i]);
	if (argc == 1)
		rmdir(folder);
	return 0;
}
