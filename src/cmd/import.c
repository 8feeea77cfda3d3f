// SPDX-License-Identifier: GPL-2.0-only
#include "import/import.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "store/store.h"

struct import_args {
	const char *db, *machine, *test, *subject;
	struct strlist params;
};

#define ARG(member) offsetof(struct import_args, member)
static const struct opt opts[] = {
	OPT_ROW_DB(db),
	OPT_ROW_TEXT("machine", machine, "NAME", "where it was measured (default: imported)"),
	OPT_ROW_TEXT("test", test, "TESTCASE/TEST",
		     "what was measured (default: imported/ and the first\nfile's name)"),
	OPT_ROW_LIST("param", params, "K=V", "a parameter of all these runs (repeatable)"),
	OPT_ROW_TEXT("subject", subject, "TEXT", "first line of the commit's message"),
};

static int run(char **argv);
const struct command cmd_import = {
	.name = "import",
	.synopsis = "import [options] FORMAT FILE...",
	.summary = "Takes results measured by other tools into the database.",
	.help = "FORMAT csv: columns commit,run,metric,value with that heading, one value a line; no line\n"
		"means no value. A value without a decimal point is a whole number and stays one. FILE -\n"
		"is standard input. All files of one call are imported, or none of them.",
	.example =
		"perfcmp import csv --machine lkp-skl-fpga01 --test will-it-scale/sched_yield \\\n"
		"        --param nr_task=16 --param mode=process results.csv",
	.opts = opts,
	.opts_nr = ARRAY_SIZE(opts),
	.run = run,
};

struct importing {
	struct store *store;
	struct pool pool;
	const char *test; /* of the first run */
	int runs, twins; /* twins: the same values are stored already */
};

static int add_run(void *data, struct run *run, struct err *err)
{
	struct importing *importing = data;

	const char *test = importing->test;

	/* All files of one call are the same test unless they are told apart. */
	if (test)
		run->test = pool_strdup(&run->pool, test);
	else
		importing->test = pool_strdup(&importing->pool, run->test);
	importing->runs++;
	importing->twins += store_has_twin(importing->store, run, err) == 1;
	return store_add_run(importing->store, run, err);
}

static int import_files(const struct import_format *format, const struct import_options *options,
			char **files, struct importing *importing, struct err *err)
{
	struct strlist warnings = {0};
	int status = store_begin(importing->store, err);

	for (; status == 0 && *files; files++)
		status = format->read(*files, options, add_run, importing, &warnings, err);
	for (int i = 0; i < warnings.nr; i++)
		cmd_note("warning: %s", warnings.v[i]);
	strlist_release(&warnings);
	if (importing->twins)
		cmd_note(
			"warning: the values of %d of these runs are stored already: imported twice?",
			importing->twins);
	return status ? -1 : store_commit(importing->store, err);
}

/* "testcase/test" into its two halves. */
static int split_test(struct pool *pool, const char *text, struct import_options *options,
		      struct err *err)
{
	const char *slash = text ? strchr(text, '/') : NULL;

	if (!text)
		return 0;
	if (!slash || slash == text || !slash[1])
		return err_set(err, "--test %s: write it as TESTCASE/TEST", text);
	options->testcase = pool_strndup(pool, text, (size_t)(slash - text));
	options->test = pool_strdup(pool, slash + 1);
	return 0;
}

static int make_options(const struct import_args *args, struct pool *pool, struct params *params,
			struct import_options *options, struct err *err)
{
	if (cmd_params("param", &args->params, pool, params, err))
		return -1;
	*options = (struct import_options){
		.machine = args->machine, .subject = args->subject, .params = params};
	return split_test(pool, args->test, options, err);
}

static const struct import_format *choose_format(const struct opts_rest *rest, struct err *err)
{
	struct strbuf names = STRBUF_INIT;
	const struct import_format *formats;
	int nr;

	if (rest->args_nr >= 2 && import_find(rest->args[0]))
		return import_find(rest->args[0]);
	formats = import_all(&nr);
	for (int i = 0; i < nr; i++)
		strbuf_addf(&names, "%s%s", i ? ", " : "", formats[i].name);
	if (rest->args_nr && !import_find(rest->args[0]))
		err_set(err, "%s: no such format; there is %s: perfcmp import FORMAT FILE...",
			rest->args[0], names.buf);
	else
		err_set(err,
			"import wants a format (%s) and at least one file: see perfcmp import --help",
			names.buf);
	strbuf_release(&names);
	return NULL;
}

static int run_import(const struct import_args *args, const struct import_format *format,
		      char **files)
{
	struct pool pool = {0};
	struct params params = {0};
	struct import_options options;
	struct importing importing = {0};
	struct err err;
	int status = EXIT_FAILED;

	if (make_options(args, &pool, &params, &options, &err)) {
		status = cmd_usage(&err);
		goto out;
	}
	importing.store = cmd_open_store(args->db, true);
	if (!importing.store)
		goto out;
	if (import_files(format, &options, files, &importing, &err)) {
		status = cmd_failed(&err);
	} else {
		cmd_note("%d run%s imported", importing.runs, importing.runs == 1 ? "" : "s");
		status = EXIT_DONE;
	}
out:
	store_close(importing.store);
	pool_release(&importing.pool);
	params_release(&params);
	pool_release(&pool);
	return status;
}

static int run(char **argv)
{
	struct import_args args = {0};
	const struct import_format *format;
	struct opts_rest rest;
	struct err err;
	int status;

	if (cmd_parse(&cmd_import, argv, &args, &rest, &status)) {
		format = choose_format(&rest, &err);
		status = format ? run_import(&args, format, rest.args + 1) : cmd_usage(&err);
	}
	opts_release(&cmd_import, &args);
	return status;
}
