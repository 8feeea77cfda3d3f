// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helpers.h"
#include "render/zero_day.h"

#define NONE ((double)NAN)

static void check_row(const struct row *row, int commits_nr, const char *want)
{
	struct strbuf out = STRBUF_INIT;

	zero_day_row(&out, row, commits_nr);
	assert_string_equal(out.buf, want);
	strbuf_release(&out);
}

static const struct {
	double base, base_sd, change, mean, sd;
	bool points;
	const char *want;
} fields[] = {
	{1049812, NONE, 2.6439, 1077568, NONE, false,
	 "   1049812            +2.6%    1077568        x\n"},
	{2124.5, 9.9, 41.8, 3012.3, 5.1, false,
	 "      2124 ±  9%     +41.8%       3012 ±  5%  x\n"},
	/* the mean: two decimals, whole and cut off, four digits */
	{999.994, NONE, 0, 999.996, NONE, false,
	 "    999.99            +0.0%    1000.00        x\n"},
	{1000, NONE, 0, 1000.9, NONE, false, "      1000            +0.0%       1000        x\n"},
	{99999999.9, NONE, 0, 100000000, NONE, false,
	 "  99999999            +0.0%  100000000        x\n"},
	{100000000.5, NONE, 0, 2900500000, NONE, false,
	 "     1e+08            +0.0%  2.900e+09        x\n"},
	{-4305.53, -1.1, 51.4, -6518.9, -1, false,
	 "     -4305           +51.4%      -6518        x\n"},
	{-0.004, NONE, 0, -150000000, NONE, false,
	 "     -0.00            +0.0%   -1.5e+08        x\n"},
	/* ties go to the even digit */
	{813.755, NONE, -8.05, 8.345, NONE, false,
	 "    813.76            -8.0%       8.34        x\n"},
	{2.675, NONE, 0.05, 0.005, NONE, true, "      2.68            +0.1        0.01        x\n"},
	/* the deviation: only above 2, cut off, wider from 1000 on */
	{1, 2, 0, 1, 2.0001, false, "      1.00            +0.0%       1.00 ±  2%  x\n"},
	{1, 2.99, 0, 1, 99.99, false, "      1.00 ±  2%      +0.0%       1.00 ± 99%  x\n"},
	{1, 223.6, 0, 1, 1058.2, false, "      1.00 ±223%      +0.0%       1.00 ±1058%  x\n"},
	{-29, 3.448, 0, 1, -0.5, false, "    -29.00 ±  3%      +0.0%       1.00        x\n"},
	/* the change: two digits from 100000 on */
	{0, 0, 7.470833e104, 747.0833, 12.46, false,
	 "      0.00       +7.5e+104%     747.08 ± 12%  x\n"},
	{0, 0, 6.1e101, 0.61, 2.2, false, "      0.00       +6.1e+101%       0.61 ±  2%  x\n"},
	{0, 0, -100, 0, 0, false, "      0.00          -100.0%       0.00        x\n"},
	{1, NONE, 99999.94, 1, NONE, false, "      1.00        +99999.9%       1.00        x\n"},
	{1, NONE, 99999.96, 1, NONE, false, "      1.00       +100000.0%       1.00        x\n"},
	{1, NONE, 100000, 1, NONE, false, "      1.00          +1e+05%       1.00        x\n"},
	{2, NONE, -131234, 3, NONE, false, "      2.00        -1.3e+05%       3.00        x\n"},
	{1, NONE, -0.04, 1, NONE, false, "      1.00            -0.0%       1.00        x\n"},
	{0, NONE, 0.61, 0.61, 2.4, true, "      0.00            +0.6        0.61 ±  2%  x\n"},
	/* nothing known */
	{1, NONE, NONE, NONE, NONE, false, "      1.00                                    x\n"},
};

static void the_fields_of_a_row(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		struct cell cells[2] = {
			{.mean = fields[i].base, .sd_percent = fields[i].base_sd, .change = NONE},
			{.mean = fields[i].mean,
			 .sd_percent = fields[i].sd,
			 .change = fields[i].change},
		};
		struct row row = {.metric = "x", .points = fields[i].points, .cells = cells};

		check_row(&row, 2, fields[i].want);
	}
}

static void a_failure_row_counts(void **state)
{
	static const struct {
		double base, change, failures;
		int base_runs, runs;
		const char *want;
	} cases[] = {
		{0, 25, 1, 4, 4, "           :4           25%           1:4     x\n"},
		{1, -25, 0, 4, 4, "          1:4          -25%            :4     x\n"},
		{10, -100, 0, 10, 10, "         10:10        -100%            :10    x\n"},
		{4, 25, 5, 4, 5, "          4:4           25%           5:5     x\n"},
		{503, 9297, 782, 3, 3, "        503:3         9297%         782:3     x\n"},
		{0, 0.5, 1, 6, 200, "           :6            0%           1:200   x\n"},
		{1, 12.5, 1, 6, 12345, "          1:6           12%           1:12345  x\n"},
		{1, NONE, NONE, 6, 0, "          1:6                                 x\n"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct cell cells[2] = {
			{.runs = cases[i].base_runs, .failures = cases[i].base, .change = NONE},
			{.runs = cases[i].runs,
			 .failures = cases[i].failures,
			 .change = cases[i].change},
		};
		struct row row = {.metric = "x", .failure = true, .cells = cells};

		check_row(&row, 2, cases[i].want);
	}
}

/* What perfcmp diff prints of these commits, rows in one group without parameters. */
static char *render(struct commit *commits, int commits_nr, struct row *rows, int rows_nr)
{
	struct group group = {
		.key = {.machine = "box", .testcase = "will-it-scale", .test = "pipe1"},
		.rows = rows,
		.rows_nr = rows_nr,
	};
	struct pool pool = {0};
	struct comparison comparison = {
		.commits = commits,
		.commits_nr = commits_nr,
		.groups = &group,
		.groups_nr = 1,
	};
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	params_set(&group.key.params, &pool, "test-a", "1"); /* '-' sorts before '=' */
	params_set(&group.key.params, &pool, "ucode", "0x1d");
	zero_day_render(file, &comparison);
	fclose(file);
	params_release(&group.key.params);
	pool_release(&pool);
	return text;
}

static void the_table_of_three_commits(void **state)
{
	static const char want[] =
		"=========================================================================================\n"
		"tbox_group/test-a/test/testcase/ucode:\n"
		"  box/1/pipe1/will-it-scale/0x1d\n"
		"\n"
		"commit: \n"
		"  v6.7\n"
		"  93faf426e3 (\"vfs: shave work on failed file open\")\n"
		"  a-label-that-is-longer-than-the-column (\"subject\")\n"
		"\n"
		"            v6.7 93faf426e3cc000c1234567890a a-label-that-is-longer-than \n"
		"---------------- --------------------------- --------------------------- \n"
		"       fail:runs  %reproduction    fail:runs  %reproduction    fail:runs\n"
		"           |             |             |             |             |    \n"
		"          1:4          -25%            :4           25%           2:4     dmesg.x\n"
		"         %stddev     %change         %stddev     %change         %stddev\n"
		"             \\          |                \\          |                \\  \n"
		"      1.00           +50.0%       1.50 ±  3%    +100.0%       2.00        x.y\n"
		"\n";
	struct commit commits[] = {
		{.name = "v6.7"},
		{.name = "93faf426e3cc",
		 .hash = "93faf426e3cc000c1234567890abcdef12345678",
		 .subject = "vfs: shave work on failed file open"},
		{.name = "a-label-that-is-longer-than-the-column",
		 .hash = "0ede61d8589cc2d93aa78230d74ac58b5b8d0244",
		 .subject = "subject"},
	};
	struct cell failures[] = {{.runs = 4, .failures = 1, .change = NONE},
				  {.runs = 4, .failures = 0, .change = -25},
				  {.runs = 4, .failures = 2, .change = 25}};
	struct cell values[] = {{.mean = 1, .sd_percent = NONE, .change = NONE},
				{.mean = 1.5, .sd_percent = 3.3, .change = 50},
				{.mean = 2, .sd_percent = NONE, .change = 100}};
	struct row rows[] = {{.metric = "dmesg.x", .failure = true, .cells = failures},
			     {.metric = "x.y", .cells = values}};
	char *text = render(commits, 3, rows, 2);

	(void)state;
	assert_string_equal(text, want);
	free(text);
}

static const struct {
	double base, change, mean;
	const char *want;
} exact[] = {
	{619.632, 3, 622.632, "   619.632          +3.000     622.632        x\n"},
	{0.001, -0.0004, 0, "     0.001          -0.000       0.000        x\n"},
	/* as many places as fit */
	{999999.9994, -999999.5, 0.5, "999999.999      -999999.50       0.500        x\n"},
	{1234567.25, 1e7, 11234567.25, "1234567.25       +10000000  11234567.2        x\n"},
	{1, NONE, NONE, "     1.000                                    x\n"},
};

static void instructions_have_three_places(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(exact); i++) {
		struct cell cells[] = {
			{.mean = exact[i].base, .sd_percent = NONE, .change = NONE},
			{.mean = exact[i].mean, .sd_percent = NONE, .change = exact[i].change}};
		struct row row = {.metric = "x", .points = true, .exact = true, .cells = cells};

		check_row(&row, 2, exact[i].want);
	}
}

static void a_group_without_rows_prints_nothing(void **state)
{
	struct commit commits[] = {{.name = "v6.7"}, {.name = "v6.8"}};
	char *text = render(commits, 2, NULL, 0);

	(void)state;
	assert_string_equal(text, "");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_fields_of_a_row),
		cmocka_unit_test(a_failure_row_counts),
		cmocka_unit_test(instructions_have_three_places),
		cmocka_unit_test(the_table_of_three_commits),
		cmocka_unit_test(a_group_without_rows_prints_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
