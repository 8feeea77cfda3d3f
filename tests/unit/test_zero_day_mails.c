// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rows of real mails: runs whose averages and deviations are the mail's are compared, and the row that comes
 * out is printed. The mail's averages are rounded, so its change may not follow from them as printed; then there
 * must be averages within the rounding from which it does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helpers.h"
#include "model/compare_row.h"
#include "render/zero_day.h"

enum {
	MAX_COMMITS = 4,
	STEPS = 16, /* places that are tried between two ends */
};

struct range {
	double low, high;
};

/* What the mail says of one commit. */
struct mail_cell {
	double mean; /* as printed */
	struct range means; /* that are printed so */
	bool whole; /* printed as a whole number */
	double deviation; /* per cent; 0: none is printed */
	int failures, runs; /* of a failure row */
	double change, slack; /* against the base; half a unit of its last digit */
};

struct mail_row {
	struct mail_cell cells[MAX_COMMITS];
	int commits_nr;
	const char *metric;
	bool failure, points;
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

static double number_of(const char *text)
{
	double number;

	if (!parse_double(text, &number))
		fail_msg("no number: %s", text);
	return number;
}

/* Half a unit of the last of so many digits. */
static double half_unit(double number, int digits)
{
	return pow(10, floor(log10(fabs(number))) - (digits - 1)) / 2;
}

/* Four digits ("1.7e+09" was 1.700 and lost its zeros), two decimals, or cut to a whole number. */
static struct range means_of(const char *text, double mean)
{
	double half = 0.005;

	if (!strpbrk(text, ".e"))
		return mean < 0 ? (struct range){mean - 1, mean} : (struct range){mean, mean + 1};
	if (strchr(text, 'e'))
		half = half_unit(mean, 4);
	if (fabs(mean) < half) /* "0.00", or "-0.00" */
		return *text == '-' ? (struct range){-half, 0} : (struct range){0, half};
	return (struct range){mean - half, mean + half};
}

static void read_value(struct mail_cell *cell, char **text)
{
	const char *word = next_word(text);
	char *rest = *text + strspn(*text, " ");

	cell->mean = number_of(word);
	cell->means = means_of(word, cell->mean);
	cell->whole = !strpbrk(word, ".e");
	if (!starts_with(rest, "±"))
		return;
	rest += strlen("±");
	word = next_word(&rest);
	cell->deviation = strtod(word, NULL) + 0.5; /* it was cut off */
	*text = rest;
}

/* ":4" or "1:4" */
static void read_failures(struct mail_cell *cell, char **text)
{
	const char *word = next_word(text);

	cell->failures = *word == ':' ? 0 : (int)strtol(word, NULL, 10);
	cell->runs = (int)strtol(strchr(word, ':') + 1, NULL, 10);
	assert_in_range(cell->runs, 1, 1000);
}

/* "+12.3%", "-0.5" (points), "+1.2e+05%" */
static void read_change(struct mail_row *out, struct mail_cell *cell, char **text)
{
	char *word = next_word(text);

	out->points = !ends_with(word, "%");
	if (!out->points)
		word[strlen(word) - 1] = '\0';
	cell->change = number_of(word);
	cell->slack = strchr(word, 'e') ? half_unit(cell->change, 2) : 0.05;
}

/* line is cut up; the row points into it. */
static void read_row(struct mail_row *out, char *line, int commits_nr)
{
	*out = (struct mail_row){.commits_nr = commits_nr};
	out->failure = strchr(line, ':') && strcspn(line, ":") < strcspn(line, ".");
	for (int i = 0; i < commits_nr; i++) {
		if (i)
			read_change(out, &out->cells[i], &line);
		if (out->failure)
			read_failures(&out->cells[i], &line);
		else
			read_value(&out->cells[i], &line);
	}
	out->metric = line + strspn(line, " ");
}

/* Compares the lists, releases them, and prints the one row without its newline. */
static void print_compared(struct strbuf *out, struct set_list *lists, int lists_nr)
{
	const struct compare_options options = {.all = true};
	struct comparison comparison;

	compare(&comparison, lists, lists_nr, &options);
	for (int i = 0; i < lists_nr; i++)
		set_list_release(&lists[i]);
	assert_int_equal(comparison.groups_nr, 1);
	assert_int_equal(comparison.groups[0].rows_nr, 1);
	strbuf_reset(out);
	zero_day_row(out, &comparison.groups[0].rows[0], lists_nr);
	out->buf[--out->len] = '\0';
	comparison_release(&comparison);
}

/*
 * Two runs with that mean and the mail's deviation: as far below the mean as above. A mean below 0 shows none,
 * unless it is of a single run.
 */
static void put_runs(struct set_list *list, const struct mail_row *mail, int commit, double mean)
{
	const struct mail_cell *cell = &mail->cells[commit];
	double away = mean > 0 ? mean * cell->deviation / 100 : 0;
	int runs = mean < 0 && cell->deviation > 0 ? 1 : 2;

	new_set(list, "v", runs);
	for (int i = 0; i < runs; i++) {
		double value = i ? mean + away : mean - away;
		bool whole = cell->whole && !(fabs(value - trunc(value)) > 0);

		set_put(list, &list->v[0], i, mail->metric,
			whole ? number_int((int64_t)value) : number_float(value));
	}
}

static bool prints(const struct mail_row *mail, const double *means, const char *line)
{
	struct set_list lists[MAX_COMMITS] = {0};
	struct strbuf out = STRBUF_INIT;
	bool same;

	for (int i = 0; i < mail->commits_nr; i++)
		put_runs(&lists[i], mail, i, means[i]);
	print_compared(&out, lists, mail->commits_nr);
	same = streq(out.buf, line);
	strbuf_release(&out);
	return same;
}

static bool prints_with_printed_means(const struct mail_row *mail, const char *line)
{
	double means[MAX_COMMITS];

	for (int i = 0; i < mail->commits_nr; i++)
		means[i] = mail->cells[i].mean;
	return prints(mail, means, line);
}

static struct range overlap(struct range a, struct range b)
{
	return (struct range){a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

/* The bases from which the change leads to a mean of that commit's. */
static struct range bases_of(const struct mail_row *mail, const struct mail_cell *cell,
			     double change)
{
	double a = cell->means.low, b = cell->means.high;

	if (mail->points) {
		a -= change;
		b -= change;
	} else {
		a /= 1 + change / 100;
		b /= 1 + change / 100;
	}
	return a < b ? (struct range){a, b} : (struct range){b, a};
}

/* The commit's mean for that base, moved into what is printed as the mail's. */
static double mean_for(const struct mail_row *mail, const struct mail_cell *cell, double base,
		       double change)
{
	double mean = mail->points ? base + change : base * (1 + change / 100);
	double edge = (cell->means.high - cell->means.low) / 1000;

	if (mean < cell->means.low + edge)
		return cell->means.low + edge;
	return mean > cell->means.high - edge ? cell->means.high - edge : mean;
}

/* Which averages to try is a guess; whether they print the row is for compare() to say. */
static bool prints_with_changes(const struct mail_row *mail, const char *line, const double *change)
{
	struct range bases = mail->cells[0].means;
	double means[MAX_COMMITS];

	for (int i = 1; i < mail->commits_nr; i++)
		bases = overlap(bases, bases_of(mail, &mail->cells[i], change[i]));
	for (int step = 1; step < STEPS; step++) {
		means[0] = bases.low + (bases.high - bases.low) * step / STEPS;
		for (int i = 1; i < mail->commits_nr; i++)
			means[i] = mean_for(mail, &mail->cells[i], means[0], change[i]);
		if (prints(mail, means, line))
			return true;
	}
	return false;
}

/* Averages that may have been the mail's: its changes, too, were up to half a unit more or less than printed. */
static bool prints_with_some_means(const struct mail_row *mail, const char *line)
{
	static const double parts[] = {0,    -0.01, 0.01,  -0.1, 0.1, -0.5, 0.5,
				       -0.9, 0.9,   -0.98, 0.98, -1,  1};
	int choices = 1;

	for (int i = 1; i < mail->commits_nr; i++)
		choices *= (int)ARRAY_SIZE(parts);
	for (int choice = 0; choice < choices; choice++) {
		double change[MAX_COMMITS];
		int rest = choice;

		for (int i = 1; i < mail->commits_nr; i++) {
			const struct mail_cell *cell = &mail->cells[i];

			change[i] =
				cell->change + parts[rest % (int)ARRAY_SIZE(parts)] * cell->slack;
			rest /= (int)ARRAY_SIZE(parts);
		}
		if (prints_with_changes(mail, line, change))
			return true;
	}
	return false;
}

/* One failure a run, and what there is more in the first. */
static bool prints_failures(const struct mail_row *mail, const char *line)
{
	struct set_list lists[MAX_COMMITS] = {0};
	struct strbuf out = STRBUF_INIT;
	bool same;

	for (int i = 0; i < mail->commits_nr; i++) {
		const struct mail_cell *cell = &mail->cells[i];
		int more = cell->failures > cell->runs ? cell->failures - cell->runs : 0;

		new_set(&lists[i], "v", cell->runs);
		for (int run = 0; run < cell->runs && run < cell->failures; run++)
			set_put(&lists[i], &lists[i].v[0], run, mail->metric,
				number_int(run ? 1 : 1 + more));
	}
	print_compared(&out, lists, mail->commits_nr);
	same = streq(out.buf, line);
	strbuf_release(&out);
	return same;
}

/* Returns whether the averages as printed did. */
static bool check_line(const char *name, const char *line, int commits_nr)
{
	char *copy = xstrdup(line);
	struct mail_row mail;
	bool direct;

	read_row(&mail, copy, commits_nr);
	direct = mail.failure ? prints_failures(&mail, line)
			      : prints_with_printed_means(&mail, line);
	if (!direct && (mail.failure || !prints_with_some_means(&mail, line)))
		fail_msg("%s: no runs with these averages give this row: %s", name, line);
	free(copy);
	return direct;
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

static void every_row_of_the_mails_comes_out_of_runs_with_its_averages(void **state)
{
	int rows = 0, direct = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(mails); i++) {
		struct strbuf text = STRBUF_INIT;
		char *rest, *line;
		int before = rows;

		read_mail(&mails[i], &text);
		for (rest = text.buf; (line = strsep(&rest, "\n")) && *line; rows++)
			direct += check_line(mails[i].name, line, mails[i].commits_nr);
		assert_int_equal(rows - before, mails[i].rows[0] + mails[i].rows[1]);
		strbuf_release(&text);
	}
	/* Where the averages have digits enough, which is nearly everywhere, there is nothing to try out. */
	if (direct * 10 < rows * 9)
		fail_msg("only %d of %d rows come out of the averages as printed", direct, rows);
}

/* What sorting looks at. */
static void fill_row(struct row *row, struct cell *cells, const struct mail_row *mail)
{
	*row = (struct row){
		.metric = mail->metric,
		.failure = mail->failure,
		.points = mail->points,
		.cells = cells,
	};
	for (int i = 0; i < mail->commits_nr; i++)
		cells[i] = (struct cell){.change = i ? mail->cells[i].change : (double)NAN};
}

/* Sorting the rows of a table as the mail has them moves none: rows that look equal keep their order. */
static void check_order(const struct mail *mail, char **rest, int rows_nr)
{
	struct mail_row *rows = xcalloc((size_t)rows_nr, sizeof(*rows));
	struct cell(*cells)[MAX_COMMITS] = xcalloc((size_t)rows_nr, sizeof(*cells));
	struct row *sorted = xcalloc((size_t)rows_nr, sizeof(*sorted));

	for (int i = 0; i < rows_nr; i++) {
		char *line = strsep(rest, "\n");

		assert_non_null(line);
		read_row(&rows[i], line, mail->commits_nr);
		fill_row(&sorted[i], cells[i], &rows[i]);
	}
	compare_sort_rows(sorted, rows_nr, mail->commits_nr, mail->order);
	for (int i = 0; i < rows_nr; i++)
		if (!streq(sorted[i].metric, rows[i].metric))
			fail_msg("%s, row %d: %s, not %s", mail->name, i + 1, sorted[i].metric,
				 rows[i].metric);
	free(sorted);
	free(cells);
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
		cmocka_unit_test(every_row_of_the_mails_comes_out_of_runs_with_its_averages),
		cmocka_unit_test(the_rows_of_the_mails_are_in_our_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
