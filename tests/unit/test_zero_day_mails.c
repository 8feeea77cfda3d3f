// SPDX-License-Identifier: GPL-2.0-only
/* The rows of real mails: read, put into a struct row, printed again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helpers.h"
#include "model/compare_row.h"
#include "render/ruby_format.h"
#include "render/zero_day.h"

enum {
	MAX_COMMITS = 4
};

/* What a printed mean may have been: it was rounded, or cut off. */
struct range {
	double low, high;
};

struct mail_row {
	struct row row;
	struct cell cells[MAX_COMMITS];
	struct range mean[MAX_COMMITS];
	const char *change_text[MAX_COMMITS];
	int commits_nr;
};

/* The next word of *text, in place; blanks around it are skipped. */
static char *next_word(char **text)
{
	char *word;

	*text += strspn(*text, " ");
	word = strsep(text, " ");
	assert_non_null(word);
	return word;
}

/* "2.291e+09": half a unit of the last digit each way; "1.7e+09" was 1.700 and lost its zeros. */
static struct range range_of_general(double mean, int digits)
{
	double unit = pow(10, floor(log10(fabs(mean))) - (digits - 1));

	return (struct range){mean - unit / 2, mean + unit / 2};
}

static struct range range_of_mean(const char *text, double mean)
{
	if (strchr(text, 'e'))
		return range_of_general(mean, 4);
	if (strchr(text, '.'))
		return (struct range){mean - 0.005, mean + 0.005};
	if (mean < 0)
		return (struct range){mean - 1, mean};
	return (struct range){mean, mean + 1};
}

/* A mean of just this text; "1e+08" was a little more than 100000000, which is printed in full. */
static double mean_of(const char *text)
{
	double mean;

	assert_true(parse_double(text, &mean));
	return streq(text, "1e+08") ? mean + 1 : mean;
}

static void read_value(struct mail_row *out, char **text)
{
	struct cell *cell = &out->cells[out->commits_nr];
	const char *word = next_word(text);
	char *rest = *text + strspn(*text, " ");

	cell->mean = mean_of(word);
	out->mean[out->commits_nr] = range_of_mean(word, cell->mean);
	cell->sd_percent = (double)NAN;
	if (!starts_with(rest, "±"))
		return;
	rest += strlen("±");
	word = next_word(&rest);
	cell->sd_percent = strtod(word, NULL) + 0.5; /* it was cut off */
	*text = rest;
}

/* ":4" or "1:4" */
static void read_failures(struct mail_row *out, char **text)
{
	struct cell *cell = &out->cells[out->commits_nr];
	const char *word = next_word(text);

	cell->failures = *word == ':' ? 0 : strtod(word, NULL);
	cell->runs = (int)strtol(strchr(word, ':') + 1, NULL, 10);
}

static void read_change(struct mail_row *out, char **text)
{
	char *word = next_word(text);
	bool percent = ends_with(word, "%");

	if (percent)
		word[strlen(word) - 1] = '\0';
	out->change_text[out->commits_nr] = word;
	out->row.points = !percent;
	assert_true(parse_double(word, &out->cells[out->commits_nr].change));
}

/* line is cut up; the row points into it. */
static void read_row(struct mail_row *out, char *line, int commits_nr)
{
	*out = (struct mail_row){0};
	out->row.cells = out->cells;
	out->row.failure = strchr(line, ':') && strcspn(line, ":") < strcspn(line, ".");
	for (out->commits_nr = 0; out->commits_nr < commits_nr; out->commits_nr++) {
		if (out->commits_nr)
			read_change(out, &line);
		if (out->row.failure)
			read_failures(out, &line);
		else
			read_value(out, &line);
	}
	out->row.metric = line + strspn(line, " ");
}

/* The change that so large a mean and so large a base give, as it is printed and read again. */
static double printed_change(const struct mail_row *mail, double mean, double base)
{
	double change = mail->row.points ? mean - base : 100 * (mean - base) / base;
	struct strbuf text = STRBUF_INIT;
	double printed;

	if (fabs(change) < 100000)
		ruby_format_f(&text, change, 0, 1, RUBY_PLUS);
	else
		ruby_format_g(&text, change, 0, 2, RUBY_PLUS);
	assert_true(parse_double(text.buf, &printed));
	strbuf_release(&text);
	return printed;
}

/* The mail's change is one that means which are printed as the mail's could have. */
static bool change_is_possible(const struct mail_row *mail, int commit)
{
	const struct range *base = &mail->mean[0], *mean = &mail->mean[commit];
	double change = mail->cells[commit].change;
	double low = INFINITY, high = -INFINITY;

	if (!mail->row.points && !(base->low > 0) && !(base->high < 0))
		return true; /* the base may have been 0 */
	for (int corner = 0; corner < 4; corner++) {
		double x = printed_change(mail, corner & 1 ? mean->high : mean->low,
					  corner & 2 ? base->high : base->low);

		low = x < low ? x : low;
		high = x > high ? x : high;
	}
	return low <= change && change <= high;
}

static bool reproduction_is_right(const struct mail_row *mail, int commit)
{
	const struct cell *base = &mail->cells[0], *cell = &mail->cells[commit];
	double rate = 100 * (cell->failures / cell[-1].runs - base->failures / base->runs);

	return fabs(rate - cell->change) <= 0.5;
}

static void check_line(const char *name, const char *line, int commits_nr)
{
	struct strbuf out = STRBUF_INIT;
	char *copy = xstrdup(line);
	struct mail_row mail;

	read_row(&mail, copy, commits_nr);
	zero_day_row(&out, &mail.row, commits_nr);
	out.buf[out.len - 1] = '\0'; /* the newline */
	if (!streq(out.buf, line))
		fail_msg("%s:\n%s\n%s", name, line, out.buf);
	for (int i = 1; i < commits_nr; i++)
		if (mail.row.failure ? !reproduction_is_right(&mail, i)
				     : !change_is_possible(&mail, i))
			fail_msg("%s: %s does not follow from the means: %s", name,
				 mail.change_text[i], line);
	if (!mail.row.failure && mail.row.points != metric_in_points(mail.row.metric))
		fail_msg("%s: in points, or not: %s", name, line);
	free(copy);
	strbuf_release(&out);
}

static const struct mail {
	const char *name;
	int commits_nr;
	int rows[2]; /* of each of its tables */
	enum row_order order;
} mails[] = {
	{"000", 4, {4}, ORDER_COUNT},	     {"005", 2, {206}, ORDER_COUNT},
	{"007", 2, {255, 280}, ORDER_COUNT}, {"009", 2, {841}, ORDER_COUNT},
	{"014", 2, {42}, ORDER_COUNT},	     {"024", 3, {49}, ORDER_COUNT},
	{"032", 2, {18, 92}, ORDER_COUNT},   {"034", 2, {34, 115}, ORDER_NAME},
	{"036", 2, {194}, ORDER_NAME},
};

static void read_mail(const struct mail *mail, struct strbuf *text)
{
	char path[32];

	snprintf(path, sizeof(path), "0day/%s.rows", mail->name);
	read_whole(path, text);
}

static void every_row_of_the_mails_is_printed_again_to_the_byte(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(mails); i++) {
		struct strbuf text = STRBUF_INIT;
		char *rest, *line;
		int rows = 0;

		read_mail(&mails[i], &text);
		for (rest = text.buf; (line = strsep(&rest, "\n")) && *line; rows++)
			check_line(mails[i].name, line, mails[i].commits_nr);
		assert_int_equal(rows, mails[i].rows[0] + mails[i].rows[1]);
		strbuf_release(&text);
	}
}

/* Sorting the rows of a table as the mail has them moves none: rows that look equal keep their order. */
static void check_order(const struct mail *mail, char **rest, int rows_nr)
{
	struct mail_row *rows = xcalloc((size_t)rows_nr, sizeof(*rows));
	struct row *sorted = xcalloc((size_t)rows_nr, sizeof(*sorted));

	for (int i = 0; i < rows_nr; i++) {
		char *line = strsep(rest, "\n");

		assert_non_null(line);
		read_row(&rows[i], line, mail->commits_nr);
		sorted[i] = rows[i].row;
	}
	compare_sort_rows(sorted, rows_nr, mail->commits_nr, mail->order);
	for (int i = 0; i < rows_nr; i++)
		if (!streq(sorted[i].metric, rows[i].row.metric))
			fail_msg("%s, row %d: %s, not %s", mail->name, i + 1, sorted[i].metric,
				 rows[i].row.metric);
	free(sorted);
	free(rows);
}

static void the_rows_of_the_mails_are_in_our_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(mails); i++) {
		struct strbuf text = STRBUF_INIT;
		char *rest;

		read_mail(&mails[i], &text);
		rest = text.buf;
		for (size_t table = 0; table < ARRAY_SIZE(mails[i].rows); table++)
			check_order(&mails[i], &rest, mails[i].rows[table]);
		strbuf_release(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_of_the_mails_is_printed_again_to_the_byte),
		cmocka_unit_test(the_rows_of_the_mails_are_in_our_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
