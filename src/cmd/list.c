// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/cmd.h"
#include "render/table.h"
#include "store/store.h"

struct list_args {
	const char *db;
};

#define ARG(member) offsetof(struct list_args, member)
static const struct opt opts[] = {
	OPT_ROW_DB(db),
};

static int run(char **argv);
const struct command cmd_list = {
	.name = "list",
	.synopsis = "list [options] [commits|machines|tests|runs|metrics]",
	.summary = "Lists what is in the database (default: commits).",
	.example = "perfcmp list\nperfcmp list runs",
	.opts = opts,
	.opts_nr = ARRAY_SIZE(opts),
	.run = run,
};

enum {
	DAY_SIZE = 20,
	ID_SHOWN = 12
};

static const char *day(int64_t ns, char buf[DAY_SIZE])
{
	time_t seconds = (time_t)(ns / NS_PER_S);
	struct tm tm;

	if (!ns || !gmtime_r(&seconds, &tm))
		return "-";
	strftime(buf, DAY_SIZE, "%Y-%m-%d %H:%M", &tm);
	return buf;
}

static int add_commit(const struct list_commit *row, void *data)
{
	struct table *table = data;
	char last[DAY_SIZE];

	table_add(table, row->commit.name);
	table_addf(table, "%d", row->runs);
	table_addf(table, "%d", row->failed);
	table_add(table, day(row->last_ns, last));
	table_add(table, row->release);
	table_add(table, row->commit.subject);
	return 0;
}

/* 0: not known */
static void add_count(struct table *table, int count)
{
	if (count)
		table_addf(table, "%d", count);
	else
		table_add(table, NULL);
}

static int add_machine(const struct list_machine *row, void *data)
{
	struct table *table = data;

	table_add(table, row->machine.name);
	table_addf(table, "%d", row->runs);
	table_add(table, row->machine.kind);
	add_count(table, row->machine.cpus);
	add_count(table, row->machine.nodes);
	if (row->machine.memory_bytes)
		table_addf(table, "%.1f GiB", (double)row->machine.memory_bytes / (1 << 30));
	else
		table_add(table, NULL);
	table_add(table, row->machine.cpu_model);
	return 0;
}

static int add_test(const struct list_test *row, void *data)
{
	struct table *table = data;

	table_addf(table, "%s/%s", row->testcase, row->test);
	table_addf(table, "%d", row->commits);
	table_addf(table, "%d", row->runs);
	table_add(table, row->params);
	return 0;
}

static int add_run(const struct list_run *row, void *data)
{
	struct table *table = data;
	char start[DAY_SIZE];

	table_addf(table, "%.*s", ID_SHOWN, row->id);
	table_add(table, row->commit);
	table_addf(table, "%s/%s", row->testcase, row->test);
	table_addf(table, "%d", row->iteration);
	table_add(table, day(row->start_ns, start));
	if (row->wall_s > 0)
		table_addf(table, "%.1f", row->wall_s);
	else
		table_add(table, NULL);
	table_addf(table, "%s%s%s", run_status_name(row->status), row->reason ? ": " : "",
		   row->reason ? row->reason : "");
	table_add(table, row->machine);
	table_add(table, row->params);
	return 0;
}

static int add_metric(const struct list_metric *row, void *data)
{
	struct table *table = data;

	table_addf(table, "%d", row->runs);
	table_add(table, row->metric);
	return 0;
}

static int list_commits(struct store *store, struct table *table, struct err *err)
{
	return store_list_commits(store, add_commit, table, err);
}

static int list_machines(struct store *store, struct table *table, struct err *err)
{
	return store_list_machines(store, add_machine, table, err);
}

static int list_tests(struct store *store, struct table *table, struct err *err)
{
	return store_list_tests(store, add_test, table, err);
}

static int list_runs(struct store *store, struct table *table, struct err *err)
{
	return store_list_runs(store, add_run, table, err);
}

static int list_metrics(struct store *store, struct table *table, struct err *err)
{
	return store_list_metrics(store, add_metric, table, err);
}

static const struct listing {
	const char *what, *align;
	const char *headings[10];
	int (*fill)(struct store *store, struct table *table, struct err *err);
} listings[] = {
	{"commits",
	 "lrrlll",
	 {"COMMIT", "RUNS", "FAILED", "LAST (UTC)", "KERNEL", "SUBJECT"},
	 list_commits},
	{"machines",
	 "lrlrrrl",
	 {"MACHINE", "RUNS", "KIND", "CPUS", "NODES", "MEMORY", "CPU"},
	 list_machines},
	{"tests", "lrrl", {"TEST", "COMMITS", "RUNS", "PARAMETERS"}, list_tests},
	{"runs",
	 "lllrlrlll",
	 {"RUN", "COMMIT", "TEST", "ITERATION", "START (UTC)", "SECONDS", "STATUS", "MACHINE",
	  "PARAMETERS"},
	 list_runs},
	{"metrics", "rl", {"RUNS", "METRIC"}, list_metrics},
};

static const struct listing *find_listing(const struct opts_rest *rest, struct err *err)
{
	const char *what = rest->args_nr ? rest->args[0] : "commits";

	for (size_t i = 0; i < ARRAY_SIZE(listings); i++)
		if (streq(listings[i].what, what) && rest->args_nr <= 1)
			return &listings[i];
	err_set(err, "list %s: takes one of commits, machines, tests, runs, metrics",
		rest->args[rest->args_nr - 1]);
	return NULL;
}

static int run_list(const struct list_args *args, const struct opts_rest *rest)
{
	const struct listing *listing;
	struct store *store;
	struct table table;
	struct err err;
	int status = EXIT_DONE;

	listing = find_listing(rest, &err);
	if (!listing)
		return cmd_usage(&err);
	store = cmd_open_store(args->db, false);
	if (!store)
		return EXIT_FAILED;
	table_init(&table, listing->align);
	for (int i = 0; listing->headings[i]; i++)
		table_add(&table, listing->headings[i]);
	if (listing->fill(store, &table, &err))
		status = cmd_failed(&err);
	else
		table_print(stdout, &table, 0);
	table_release(&table);
	store_close(store);
	return status;
}

static int run(char **argv)
{
	struct list_args args = {0};
	struct opts_rest rest;
	int status;

	if (cmd_parse(&cmd_list, argv, &args, &rest, &status))
		status = cmd_finish(run_list(&args, &rest));
	opts_release(&cmd_list, &args);
	return status;
}
