// SPDX-License-Identifier: GPL-2.0-only
#include "import/csv.h"
#include "base/strbuf.h"
#include "import/csv_rows.h"

enum column {
	COLUMN_COMMIT,
	COLUMN_RUN,
	COLUMN_METRIC,
	COLUMN_VALUE,
	COLUMNS
};
static const char *const column_names[COLUMNS] = {"commit", "run", "metric", "value"};

struct csv_value {
	int metric; /* its place in the list of metrics */
	int line;
	struct number value;
};

struct csv_run {
	const char *commit, *run;
	int line; /* of its first row */
	struct csv_value *values;
	int values_nr, values_alloc;
};

/* A file on its way to runs. */
struct csv_file {
	const char *path;
	const struct import_options *options;
	struct pool pool; /* of all names */
	struct csv_complaints complaints;
	struct strbuf key;

	bool has_header;
	int columns; /* in a row */
	int place[COLUMNS]; /* of the ones we need */

	const char **metrics;
	int metrics_nr, metrics_alloc;
	struct strmap metric_place;
	struct csv_run *runs;
	int runs_nr, runs_alloc;
	struct strmap run_place; /* by commit and run */
	int last_run; /* place of the one before: rows of a run mostly come together */
};

static void csv_file_release(struct csv_file *file)
{
	for (int i = 0; i < file->runs_nr; i++)
		free(file->runs[i].values);
	free(file->runs);
	free(file->metrics);
	strmap_release(&file->run_place);
	strmap_release(&file->metric_place);
	strbuf_release(&file->key);
	pool_release(&file->pool);
}

static int find_column(const struct csv_row *row, const char *name)
{
	for (int i = 0; i < row->nr; i++)
		if (streq(row->field[i], name))
			return i;
	return -1;
}

static void warn_of_other_columns(struct csv_file *file, const struct csv_row *row)
{
	for (int i = 0; i < row->nr; i++) {
		bool ours = false;

		for (int k = 0; k < COLUMNS; k++)
			ours |= file->place[k] == i;
		if (!ours)
			csv_complain(&file->complaints, row->line, "columns that are ignored",
				     "column '%s' is ignored", row->field[i]);
	}
}

static int read_header(struct csv_file *file, const struct csv_row *row, struct err *err)
{
	for (int k = 0; k < COLUMNS; k++) {
		file->place[k] = find_column(row, column_names[k]);
		if (file->place[k] < 0)
			return err_set(
				err,
				"%s:%d: no column '%s': the first line must name the columns "
				"commit,run,metric,value, separated by commas",
				file->complaints.file, row->line, column_names[k]);
	}
	file->has_header = true;
	file->columns = row->nr;
	warn_of_other_columns(file, row);
	return 0;
}

/* Place of the name in list, added at need. */
static int metric_place(struct csv_file *file, const char *name)
{
	int place = strmap_get(&file->metric_place, name, -1);

	if (place >= 0)
		return place;
	GROW(file->metrics, file->metrics_nr, file->metrics_alloc);
	file->metrics[file->metrics_nr] = pool_strdup(&file->pool, name);
	strmap_put(&file->metric_place, file->metrics[file->metrics_nr], file->metrics_nr);
	return file->metrics_nr++;
}

static struct csv_run *get_run(struct csv_file *file, const char *commit, const char *name,
			       int line)
{
	struct csv_run *run;
	int place;

	if (file->runs_nr) {
		run = &file->runs[file->last_run];
		if (streq(run->commit, commit) && streq(run->run, name))
			return run;
	}
	strbuf_reset(&file->key); /* the length first: no commit and run look like two others */
	strbuf_addf(&file->key, "%zu:%s%s", strlen(commit), commit, name);
	place = strmap_get(&file->run_place, file->key.buf, -1);
	if (place < 0) {
		place = file->runs_nr;
		GROW(file->runs, file->runs_nr, file->runs_alloc);
		file->runs[file->runs_nr++] =
			(struct csv_run){.commit = pool_strdup(&file->pool, commit),
					 .run = pool_strdup(&file->pool, name),
					 .line = line};
		strmap_put(&file->run_place, pool_strdup(&file->pool, file->key.buf), place);
	}
	file->last_run = place;
	return &file->runs[place];
}

static bool has_decimal_comma(const char *text)
{
	return strchr(text, ',') && strpbrk(text, "0123456789") &&
	       !text[strspn(text, "+-.,0123456789eE")];
}

static int comma_error(const struct csv_file *file, int line, const char *value, struct err *err)
{
	return err_set(err,
		       "%s:%d: '%s' has a decimal comma: write the file with decimal points "
		       "(LC_ALL=C)",
		       file->complaints.file, line, value);
}

static bool is_digits(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

/* A row with one field more may be one whose value was split in two: 12,5 for 12.5. */
static int bad_column_count(struct csv_file *file, const struct csv_row *row, struct err *err)
{
	const char *const *value = row->field + file->place[COLUMN_VALUE];
	struct number whole;

	if (row->nr == file->columns + 1 && file->place[COLUMN_VALUE] == file->columns - 1 &&
	    number_parse(value[0], &whole) && whole.kind == NUMBER_INT && is_digits(value[1])) {
		char *text = xasprintf("%s,%s", value[0], value[1]);

		comma_error(file, row->line, text, err);
		free(text);
		return -1;
	}
	csv_complain(&file->complaints, row->line, "rows with another number of columns",
		     "%d columns, not %d: the row is left out", row->nr, file->columns);
	return 0;
}

static void add_value(struct csv_file *file, struct csv_run *run, const char *metric, int line,
		      struct number value)
{
	GROW(run->values, run->values_nr, run->values_alloc);
	run->values[run->values_nr++] = (struct csv_value){metric_place(file, metric), line, value};
}

static int read_values_row(struct csv_file *file, const struct csv_row *row, struct err *err)
{
	const char *field[COLUMNS];
	struct number value;
	struct csv_run *run;

	if (row->nr != file->columns)
		return bad_column_count(file, row, err);
	for (int k = 0; k < COLUMNS; k++) {
		field[k] = row->field[file->place[k]];
		if (k == COLUMN_VALUE || *field[k])
			continue;
		csv_complain(&file->complaints, row->line,
			     "rows with an empty commit, run or metric",
			     "the %s is empty: the row is left out", column_names[k]);
		return 0;
	}
	if (has_decimal_comma(field[COLUMN_VALUE]))
		return comma_error(file, row->line, field[COLUMN_VALUE], err);
	run = get_run(file, field[COLUMN_COMMIT], field[COLUMN_RUN], row->line);
	if (number_parse(field[COLUMN_VALUE], &value))
		add_value(file, run, field[COLUMN_METRIC], row->line, value);
	else
		csv_complain(&file->complaints, row->line, "values that are no numbers",
			     "'%s' is no number: %s is missing in that run", field[COLUMN_VALUE],
			     field[COLUMN_METRIC]);
	return 0;
}

static int read_row(void *data, const struct csv_row *row, struct err *err)
{
	struct csv_file *file = data;

	return file->has_header ? read_values_row(file, row, err) : read_header(file, row, err);
}

static void fill_values(struct csv_file *file, const struct csv_run *from, struct run *run)
{
	for (int i = 0; i < from->values_nr; i++) {
		const struct csv_value *value = &from->values[i];
		const char *metric = file->metrics[value->metric];

		if (run_get(run, metric).kind != NUMBER_NONE)
			csv_complain(
				&file->complaints, value->line, "values given again",
				"%s of commit %s, run %s is given again: the last value counts",
				metric, from->commit, from->run);
		run_set(run, metric, value->value);
	}
}

/* "a/b/results.csv" -> "results" */
static const char *test_name(struct pool *pool, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');

	if (streq(path, "-"))
		return "stdin";
	return pool_strndup(pool, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

/* 40 (SHA-1) or 64 (SHA-256) hex digits */
static bool is_git_hash(const char *s)
{
	size_t len = strlen(s);

	return (len == 40 || len == 64) && strspn(s, "0123456789abcdef") == len;
}

static void describe_run(struct run *run, const struct csv_file *file, const struct csv_run *from)
{
	const struct import_options *options = file->options;

	run->commit.name = pool_strdup(&run->pool, from->commit);
	run->commit.hash = is_git_hash(from->commit) ? run->commit.name : NULL;
	run->commit.subject = pool_strdup(&run->pool, options->subject);
	run->machine.name =
		pool_strdup(&run->pool, options->machine ? options->machine : "imported");
	run->machine.kind = "unknown";
	run->testcase = pool_strdup(&run->pool, options->testcase ? options->testcase : "imported");
	run->test = options->test ? pool_strdup(&run->pool, options->test)
				  : test_name(&run->pool, file->path);
	if (options->params)
		params_copy(&run->params, &run->pool, options->params);
}

/* Number of the run within its commit, from 1: counts in `seen`, whose keys are the commits. */
static int iteration_of(struct strmap *seen, const char *commit)
{
	int iteration = strmap_get(seen, commit, 0) + 1;

	strmap_put(seen, commit, iteration);
	return iteration;
}

static int give_runs(struct csv_file *file, import_sink sink, void *data, struct err *err)
{
	struct strmap seen = {0};
	int status = 0;

	for (int i = 0; status == 0 && i < file->runs_nr; i++) {
		struct run run;

		run_init(&run);
		describe_run(&run, file, &file->runs[i]);
		run.iteration = iteration_of(&seen, file->runs[i].commit);
		fill_values(file, &file->runs[i], &run);
		status = sink(data, &run, err);
		run_release(&run);
	}
	strmap_release(&seen);
	return status;
}

/* NOLINTNEXTLINE(readability-function-size): six parameters, as the seam in import.h has them */
int import_csv(const char *path, const struct import_options *options, import_sink sink, void *data,
	       struct strlist *warnings, struct err *err)
{
	struct csv_file file = {
		.path = path,
		.options = options,
		.complaints = {.file = csv_file_name(path), .warnings = warnings},
		.key = STRBUF_INIT,
	};
	int status = csv_rows_read(path, read_row, &file, &file.complaints, err);

	if (status == 0 && file.runs_nr == 0)
		status = err_set(err, "%s: no runs in it", csv_file_name(path));
	if (status == 0)
		status = give_runs(&file, sink, data, err);
	csv_complaints_end(&file.complaints);
	csv_file_release(&file);
	return status;
}
