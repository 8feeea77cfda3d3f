// SPDX-License-Identifier: GPL-2.0-only
#include "render/zero_day.h"

#include "base/printable.h"
#include "render/ruby_format.h"

#include <math.h>

enum {
	RULE_WIDTH = 89, /* of the line of '=' */
	BASE_WIDTH = 16, /* a commit's own field: mean and deviation, or fail:runs */
	CHANGE_WIDTH = 12,
	NEW_WIDTH =
		CHANGE_WIDTH + BASE_WIDTH - 1, /* heading of a further commit; a blank follows */
	HASH_DIGITS = 10,
	EXACT_PLACES = 3,
};

static void add_mean(struct strbuf *out, double mean)
{
	double size = fabs(mean);

	if (size < 1000)
		ruby_format_f(out, mean, 10, 2, 0);
	else if (size > 100000000)
		ruby_format_g(out, mean, 10, 4, 0);
	else
		strbuf_addf(out, "%10lld", (long long)mean);
}

/* The robot has no such rows: as many decimal places as count and fit. */
static void add_exact(struct strbuf *out, double number, bool sign)
{
	char text[32];
	int len;

	for (int places = EXACT_PLACES; places >= 0; places--) {
		len = snprintf(text, sizeof(text), sign ? "%+10.*f" : "%10.*f", places, number);
		if (len <= 10)
			break;
	}
	strbuf_addstr(out, text);
}

static void add_value(struct strbuf *out, const struct row *row, const struct cell *cell)
{
	if (isnan(cell->mean)) {
		strbuf_addchars(out, ' ', BASE_WIDTH);
		return;
	}
	if (row->exact)
		add_exact(out, cell->mean, false);
	else
		add_mean(out, cell->mean);
	if (cell->sd_percent > 2)
		strbuf_addf(out, " ±%3.0f%%", trunc(cell->sd_percent));
	else
		strbuf_addchars(out, ' ', 6);
}

static void add_change(struct strbuf *out, const struct row *row, double change)
{
	if (isnan(change)) {
		strbuf_addchars(out, ' ', CHANGE_WIDTH);
		return;
	}
	if (row->exact)
		add_exact(out, change, true);
	else if (fabs(change) < 100000)
		ruby_format_f(out, change, 10, 1, RUBY_PLUS);
	else
		ruby_format_g(out, change, 10, 2, RUBY_PLUS);
	strbuf_addstr(out, row->points ? "  " : "% ");
}

static void add_failures(struct strbuf *out, const struct cell *cell)
{
	if (isnan(cell->failures)) {
		strbuf_addchars(out, ' ', BASE_WIDTH);
		return;
	}
	if (fabs(cell->failures) > 0)
		strbuf_addf(out, "%11.0f", trunc(cell->failures));
	else
		strbuf_addchars(out, ' ', 11);
	strbuf_addf(out, ":%-4d", cell->runs);
}

static void add_reproduction(struct strbuf *out, double change)
{
	if (isnan(change)) {
		strbuf_addchars(out, ' ', CHANGE_WIDTH);
		return;
	}
	ruby_format_f(out, change, 10, 0, 0);
	strbuf_addstr(out, "% ");
}

void zero_day_row(struct strbuf *out, const struct row *row, int commits_nr)
{
	for (int i = 0; i < commits_nr; i++) {
		const struct cell *cell = &row->cells[i];

		if (i > 0 && row->failure)
			add_reproduction(out, cell->change);
		else if (i > 0)
			add_change(out, row, cell->change);
		if (row->failure)
			add_failures(out, cell);
		else
			add_value(out, row, cell);
	}
	strbuf_addstr(out, "  ");
	add_printable(out, row->metric, false);
	strbuf_addch(out, '\n');
}

static void add_axis(struct strbuf *out, const char *text, bool further)
{
	if (further)
		strbuf_addch(out, '/');
	add_printable(out, text, false);
}

/* The keys of the parameters, then their values; machine and test are parameters too. */
static void add_axes(struct strbuf *out, const struct group_key *key)
{
	struct pool pool = {0};
	struct params axes = {0};

	params_copy(&axes, &pool, &key->params);
	params_set(&axes, &pool, "tbox_group", key->machine);
	params_set(&axes, &pool, "test", key->test);
	params_set(&axes, &pool, "testcase", key->testcase);
	for (int i = 0; i < axes.nr; i++)
		add_axis(out, axes.v[i].key, i > 0);
	strbuf_addstr(out, ":\n  ");
	for (int i = 0; i < axes.nr; i++)
		add_axis(out, axes.v[i].value, i > 0);
	strbuf_addch(out, '\n');
	params_release(&axes);
	pool_release(&pool);
}

/* The name, or the longer hash it abbreviates. */
static const char *full_name(const struct commit *commit)
{
	return commit->hash && starts_with(commit->hash, commit->name) ? commit->hash
								       : commit->name;
}

static bool is_hash(const char *name)
{
	return strlen(name) >= HASH_DIGITS && !name[strspn(name, "0123456789abcdef")];
}

static void add_commit(struct strbuf *out, const struct commit *commit)
{
	const char *name = full_name(commit);
	int digits = commit->subject && is_hash(name) ? HASH_DIGITS : (int)strlen(name);
	char *shown = xasprintf("%.*s", digits, name);

	strbuf_addstr(out, "  ");
	add_printable(out, shown, false);
	if (commit->subject) {
		strbuf_addstr(out, " (\"");
		add_printable(out, commit->subject, false);
		strbuf_addstr(out, "\")");
	}
	strbuf_addch(out, '\n');
	free(shown);
}

static bool begins_character(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

/* Right-aligned, or cut, to so many characters; a blank follows. */
static void add_cut(struct strbuf *out, const char *name, int width)
{
	struct strbuf text = STRBUF_INIT;
	int characters = 0;
	size_t len = 0;

	add_printable(&text, name, false);
	for (; len < text.len; len++) {
		if (begins_character(text.buf[len]) && characters++ == width)
			break;
	}
	strbuf_addchars(out, ' ', width - characters);
	strbuf_add(out, text.buf, len);
	strbuf_addch(out, ' ');
	strbuf_release(&text);
}

/* Names cut to the columns' width, and a line of dashes; both end in a blank. */
static void add_heading(struct strbuf *out, const struct comparison *comparison)
{
	for (int i = 0; i < comparison->commits_nr; i++)
		add_cut(out, full_name(&comparison->commits[i]), i ? NEW_WIDTH : BASE_WIDTH);
	strbuf_addch(out, '\n');
	for (int i = 0; i < comparison->commits_nr; i++) {
		strbuf_addchars(out, '-', i ? NEW_WIDTH : BASE_WIDTH);
		strbuf_addch(out, ' ');
	}
	strbuf_addch(out, '\n');
}

/* What the fields of the rows below are: two lines, the second and third part repeated per further commit. */
static void add_legend(struct strbuf *out, bool failure, int commits_nr)
{
	static const char *const legend[2][2][2] = {
		{{"         %stddev", "     %change         %stddev"},
		 {"             \\  ", "        |                \\  "}},
		{{"       fail:runs", "  %reproduction    fail:runs"},
		 {"           |    ", "         |             |    "}},
	};

	for (int line = 0; line < 2; line++) {
		strbuf_addstr(out, legend[failure][line][0]);
		for (int i = 1; i < commits_nr; i++)
			strbuf_addstr(out, legend[failure][line][1]);
		strbuf_addch(out, '\n');
	}
}

static void add_rows(struct strbuf *out, const struct group *group, int commits_nr)
{
	for (int i = 0; i < group->rows_nr; i++) {
		const struct row *row = &group->rows[i];

		if (i == 0 || row->failure != group->rows[i - 1].failure)
			add_legend(out, row->failure, commits_nr);
		zero_day_row(out, row, commits_nr);
	}
}

static void add_group(struct strbuf *out, const struct comparison *comparison,
		      const struct group *group)
{
	strbuf_addchars(out, '=', RULE_WIDTH);
	strbuf_addch(out, '\n');
	add_axes(out, &group->key);
	strbuf_addstr(out, "\ncommit: \n");
	for (int i = 0; i < comparison->commits_nr; i++)
		add_commit(out, &comparison->commits[i]);
	strbuf_addch(out, '\n');
	add_heading(out, comparison);
	add_rows(out, group, comparison->commits_nr);
	strbuf_addch(out, '\n');
}

void zero_day_render(FILE *out, const struct comparison *comparison)
{
	struct strbuf text = STRBUF_INIT;

	for (int i = 0; i < comparison->groups_nr; i++) {
		strbuf_reset(&text);
		if (comparison->groups[i].rows_nr)
			add_group(&text, comparison, &comparison->groups[i]);
		fwrite(text.buf, 1, text.len, out);
	}
	strbuf_release(&text);
}
