// SPDX-License-Identifier: GPL-2.0-only
#include "base/printable.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "model/metric.h"
#include "model/run.h"
#include "render/table.h"
#include "store/store.h"

struct show_args {
	const char *db;
};

#define ARG(member) offsetof(struct show_args, member)
static const struct opt opts[] = {
	OPT_ROW_DB(db),
};

static int run(char **argv);
const struct command cmd_show = {
	.name = "show",
	.synopsis = "show [options] RUN",
	.summary = "Prints everything of one run.",
	.help = "RUN is its id, or the beginning of it: see perfcmp list runs.",
	.example = "perfcmp show 4f1c09b2",
	.opts = opts,
	.opts_nr = ARRAY_SIZE(opts),
	.run = run,
};

static void section(const char *title)
{
	printf("\n%s\n", title);
}

static void add_pair(struct table *table, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	table_add(table, name);
	table_add(table, value);
}

static void add_number(struct table *table, const char *name, int64_t value)
{
	char text[32];

	if (!value)
		return;
	snprintf(text, sizeof(text), "%lld", (long long)value);
	add_pair(table, name, text);
}

static void add_start(struct table *table, const struct run *run)
{
	time_t seconds = (time_t)(run->start_ns / NS_PER_S);
	char text[40];
	struct tm tm;

	if (run->start_ns && gmtime_r(&seconds, &tm) &&
	    strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm))
		add_pair(table, "start", text);
}

static void add_status(struct table *table, const struct run *run)
{
	table_add(table, "status");
	table_addf(table, "%s%s%s", run_status_name(run->status), run->reason ? ": " : "",
		   run->reason ? run->reason : "");
}

static void add_kernel_and_machine(struct table *table, const struct run *run)
{
	add_pair(table, "kernel", run->kernel.release);
	add_pair(table, "kernel version", run->kernel.version);
	add_pair(table, "kernel hash", run->kernel.hash);
	add_pair(table, "command line", run->kernel.cmdline);
	add_pair(table, "machine", run->machine.name);
	add_pair(table, "kind of machine", run->machine.kind);
	add_pair(table, "cpu", run->machine.cpu_model);
	add_number(table, "cpus", run->machine.cpus);
	add_number(table, "nodes", run->machine.nodes);
	add_number(table, "memory (MiB)", run->machine.memory_bytes >> 20);
	add_pair(table, "boot", run->boot_id);
}

static void show_head(const struct run *run)
{
	struct table table;

	table_init(&table, "ll");
	add_pair(&table, "run", run->id);
	add_pair(&table, "commit", run->commit.name);
	add_pair(&table, "commit hash", run->commit.hash);
	add_pair(&table, "subject", run->commit.subject);
	table_add(&table, "test");
	table_addf(&table, "%s/%s", run->testcase, run->test);
	add_number(&table, "iteration", run->iteration);
	add_status(&table, run);
	add_start(&table, run);
	if (run->wall_s > 0) {
		table_add(&table, "seconds");
		table_addf(&table, "%.2f", run->wall_s);
	}
	add_kernel_and_machine(&table, run);
	table_print(stdout, &table, 0);
	table_release(&table);
}

static void show_params(const char *title, const struct params *params)
{
	struct table table;

	if (!params->nr)
		return;
	section(title);
	table_init(&table, "ll");
	for (int i = 0; i < params->nr; i++)
		add_pair(&table, params->v[i].key, params->v[i].value);
	table_print(stdout, &table, 2);
	table_release(&table);
}

static void show_values(const struct run *run)
{
	struct table table;

	if (!run->values_nr)
		return;
	section("values");
	table_init(&table, "rll");
	for (int i = 0; i < run->values_nr; i++) {
		char text[40];

		number_format(run->values[i].value, text, sizeof(text));
		table_add(&table, text);
		table_add(&table, run->values[i].metric);
		table_add(&table, metric_info(run->values[i].metric)->unit);
	}
	table_print(stdout, &table, 2);
	table_release(&table);
}

static void show_counters(const struct run *run)
{
	struct table table;

	if (!run->counters_nr)
		return;
	section("counters (as read, time enabled and running summed over CPUs)");
	table_init(&table, "rrrrl");
	table_add(&table, "COUNT");
	table_add(&table, "ENABLED ms");
	table_add(&table, "RUNNING ms");
	table_add(&table, "SHARE");
	table_add(&table, "EVENT");
	for (int i = 0; i < run->counters_nr; i++) {
		const struct run_counter *counter = &run->counters[i];

		table_addf(&table, "%llu", (unsigned long long)counter->value);
		table_addf(&table, "%.1f", (double)counter->enabled_ns / 1e6);
		table_addf(&table, "%.1f", (double)counter->running_ns / 1e6);
		table_addf(&table, "%.0f%%",
			   counter->enabled_ns ? 100.0 * (double)counter->running_ns /
							 (double)counter->enabled_ns
					       : 0.0);
		table_add(&table, counter->event);
	}
	table_print(stdout, &table, 2);
	table_release(&table);
}

static void show_one_series(const struct run_series *series)
{
	struct strbuf name = STRBUF_INIT;

	add_printable(&name, series->metric, false);
	printf("  %s:", name.buf);
	for (int i = 0; i < series->nr; i++)
		printf(" %.10g", series->value[i]);
	putchar('\n');
	strbuf_release(&name);
}

static void show_series(const struct run *run)
{
	if (!run->series_nr)
		return;
	section("samples over time");
	for (int i = 0; i < run->series_nr; i++)
		show_one_series(&run->series[i]);
}

/* Text of several lines, each indented. */
static void show_lines(const char *text)
{
	struct strbuf safe = STRBUF_INIT;
	struct strlist lines = {0};

	add_printable(&safe, text, true);
	strlist_split(&lines, safe.buf, '\n');
	for (int i = 0; i < lines.nr; i++)
		printf("  %s\n", lines.v[i]);
	strlist_release(&lines);
	strbuf_release(&safe);
}

static void show_run(const struct run *run)
{
	show_head(run);
	show_params("parameters", &run->params);
	show_params("facts", &run->facts);
	show_values(run);
	show_counters(run);
	show_series(run);
	if (run->warnings.nr)
		section("warnings");
	for (int i = 0; i < run->warnings.nr; i++)
		show_lines(run->warnings.v[i]);
	if (run->last_output) {
		section("last output");
		show_lines(run->last_output);
	}
}

static int run_show(const struct show_args *args, const struct opts_rest *rest)
{
	struct store *store;
	struct run shown = {0};
	struct err err;
	int status;

	if (rest->args_nr != 1) {
		err_set(&err, "show wants the id of one run: see perfcmp list runs");
		return cmd_usage(&err);
	}
	store = cmd_open_store(args->db, false);
	if (!store)
		return EXIT_FAILED;
	status = store_load_run(store, rest->args[0], &shown, &err);
	if (status)
		status = status > 0 ? cmd_usage(&err) : cmd_failed(&err);
	else
		show_run(&shown);
	run_release(&shown);
	store_close(store);
	return status;
}

static int run(char **argv)
{
	struct show_args args = {0};
	struct opts_rest rest;
	int status;

	if (cmd_parse(&cmd_show, argv, &args, &rest, &status))
		status = cmd_finish(run_show(&args, &rest));
	opts_release(&cmd_show, &args);
	return status;
}
