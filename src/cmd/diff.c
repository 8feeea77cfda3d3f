// SPDX-License-Identifier: GPL-2.0-only
#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "model/compare.h"
#include "render/zero_day.h"
#include "store/store.h"

#include <math.h>

enum {
	COMMITS_MAX = 8
};

struct diff_args {
	const char *db, *test, *machine;
	int rule, order;
	bool all, kpi, more;
	double profile_threshold;
	struct strlist metric, exclude, where;
};

static const char *const rules[] = {"0day", NULL};
static const char *const orders[] = {"name", "count", NULL};

#define ARG(member) offsetof(struct diff_args, member)
static const struct opt opts[] = {
	OPT_ROW_DB(db),
	OPT_ROW_CHOICE("rule", rule, rules, "which rows are shown: the kernel test robot's rule"),
	OPT_ROW_FLAG("all", all, "every metric, whatever the rule says"),
	OPT_ROW_FLAG(
		"kpi", kpi,
		"only the tests' own metrics, without their time.*;\nwith --all changed or not"),
	OPT_ROW_FLAG("more", more, "also metrics on the robot's deny list"),
	OPT_ROW_LIST("metric", metric, "GLOB", "only metrics whose name matches (repeatable)"),
	OPT_ROW_LIST("exclude", exclude, "GLOB", "no metrics whose name matches (repeatable)"),
	OPT_ROW_TEXT("test", test, "GLOB", "only these tests: will-it-scale/page_fault*"),
	OPT_ROW_TEXT("machine", machine, "NAME", "only runs of this machine"),
	OPT_ROW_LIST("where", where, "K=V",
		     "only runs with this parameter or fact: nr_task=16,\nthp=never (repeatable)"),
	OPT_ROW_NUMBER("profile-threshold", profile_threshold, "PCT", 0, 100,
		       "show profile rows above PCT on either side,\nchanged or not"),
	OPT_ROW_CHOICE("order", order, orders,
		       "of families: tests first, or by their number of rows\n"
		       "as in the robot's mails of 2023 to 2025"),
};

static int run(char **argv);
const struct command cmd_diff = {
	.name = "diff",
	.synopsis = "diff [options] BASE NEW [NEW...]",
	.summary = "Compares commits: the kernel test robot's table.",
	.help = "BASE and NEW name a commit: its label, its git hash (abbreviated or not) or the release\n"
		"of its kernel. Two to eight commits, each compared with BASE. Runs are compared where\n"
		"machine, test and parameters are the same. The table goes to standard output, notes\n"
		"(KPIs the rule does not show, groups one side lacks) to standard error. Exit status 2:\n"
		"an unknown commit, or nothing in common.",
	.example = "perfcmp diff v6.12 my-patch\n"
		   "perfcmp diff --all --metric 'perf-stat.*' --where nr_task=2 v6.12 my-patch",
	.opts = opts,
	.opts_nr = ARRAY_SIZE(opts),
	.run = run,
};

/* The sets of every commit named on the command line, base first. */
struct sides {
	struct pool pool;
	struct set_list lists[COMMITS_MAX];
	int nr;
};

static void sides_release(struct sides *sides)
{
	for (int i = 0; i < sides->nr; i++)
		set_list_release(&sides->lists[i]);
	pool_release(&sides->pool);
}

/* 1: a name that is no commit's */
static int sides_load(struct sides *sides, struct store *store, const struct store_filter *filter,
		      char **names, struct err *err)
{
	for (; *names; names++) {
		struct set_list *list = &sides->lists[sides->nr];
		struct commit commit;
		int status = store_find_commit(store, *names, &sides->pool, &commit, err);

		if (status)
			return status;
		sides->nr++;
		if (store_load_sets(store, commit.name, filter, list, err))
			return -1;
	}
	return 0;
}

/* What each commit has, when there is nothing to compare. */
static int nothing_in_common(const struct sides *sides)
{
	cmd_note(
		"perfcmp: nothing to compare: no machine, test and parameters that %s and another commit have",
		sides->lists[0].commit.name);
	for (int i = 0; i < sides->nr; i++) {
		const struct set_list *list = &sides->lists[i];

		cmd_note("%s has%s", list->commit.name, list->nr ? ":" : " no runs of that kind");
		for (int k = 0; k < list->nr; k++) {
			struct strbuf text = STRBUF_INIT;

			group_key_describe(&text, &list->v[k].key);
			cmd_note("  %s: %d runs", text.buf, list->v[k].runs_nr);
			strbuf_release(&text);
		}
	}
	return EXIT_USAGE;
}

static void note_kpi(const struct row *row, int commits_nr)
{
	struct strbuf text = STRBUF_INIT;

	zero_day_row(&text, row, commits_nr);
	cmd_note("  %.*s", (int)text.len - 1, text.buf);
	strbuf_release(&text);
}

static void note_group(const struct comparison *comparison, const struct group *group)
{
	struct strbuf text = STRBUF_INIT;

	group_key_describe(&text, &group->key);
	if (!group->rows_nr)
		cmd_note("%s: nothing above the threshold (--all shows every row)", text.buf);
	if (group->hidden_kpis_nr)
		cmd_note("%s: not shown by the rule:", text.buf);
	for (int i = 0; i < group->hidden_kpis_nr; i++)
		note_kpi(&group->hidden_kpis[i], comparison->commits_nr);
	strbuf_release(&text);
}

static int compare_and_print(struct sides *sides, const struct compare_options *options)
{
	struct comparison comparison = {0};
	int status = EXIT_DONE;

	compare(&comparison, sides->lists, sides->nr, options);
	if (!comparison.groups_nr) {
		status = nothing_in_common(sides);
	} else {
		zero_day_render(stdout, &comparison);
		fflush(stdout);
		for (int i = 0; i < comparison.groups_nr; i++)
			note_group(&comparison, &comparison.groups[i]);
		for (int i = 0; i < comparison.warnings.nr; i++)
			cmd_note("note: %s", comparison.warnings.v[i]);
	}
	comparison_release(&comparison);
	return status;
}

static int load_and_compare(struct store *store, const struct store_filter *filter, char **names,
			    const struct diff_args *args)
{
	struct compare_options options = {
		.rule = RULE_0DAY,
		.order = (enum row_order)args->order,
		.all = args->all,
		.kpi = args->kpi,
		.more = args->more,
		.has_profile_threshold = !isnan(args->profile_threshold),
		.profile_threshold = args->profile_threshold,
		.metric = &args->metric,
		.exclude = &args->exclude,
	};
	struct sides sides = {0};
	struct err err;
	int status = sides_load(&sides, store, filter, names, &err);

	if (status)
		status = status > 0 ? cmd_usage(&err) : cmd_failed(&err);
	else
		status = compare_and_print(&sides, &options);
	sides_release(&sides);
	return status;
}

static int run_diff(const struct diff_args *args, const struct opts_rest *rest)
{
	struct pool pool = {0};
	struct params where = {0};
	struct store_filter filter = {
		.test = args->test, .machine = args->machine, .where = &where};
	struct store *store = NULL;
	struct err err;
	int status = EXIT_FAILED;

	if (rest->args_nr < 2 || rest->args_nr > COMMITS_MAX) {
		err_set(&err,
			"diff compares two to %d commits, not %d: see perfcmp diff --help, perfcmp list",
			COMMITS_MAX, rest->args_nr);
		return cmd_usage(&err);
	}
	if (cmd_params("where", &args->where, &pool, &where, &err))
		status = cmd_usage(&err);
	else if ((store = cmd_open_store(args->db, false)))
		status = load_and_compare(store, &filter, rest->args, args);
	store_close(store);
	params_release(&where);
	pool_release(&pool);
	return status;
}

static int run(char **argv)
{
	struct diff_args args = {.profile_threshold = (double)NAN};
	struct opts_rest rest;
	int status;

	if (cmd_parse(&cmd_diff, argv, &args, &rest, &status))
		status = cmd_finish(run_diff(&args, &rest));
	opts_release(&cmd_diff, &args);
	return status;
}
