// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helpers.h"
#include "model/stats.h"

/* "1 2.5 - nan" -> numbers; "-" is none. */
static int parse(const char *text, struct number *out)
{
	char *copy = xstrdup(text), *rest = copy;
	int nr = 0;

	for (char *word; *text && (word = strsep(&rest, " ")); nr++) {
		if (streq(word, "nan"))
			out[nr] = number_float((double)NAN);
		else if (streq(word, "-"))
			out[nr] = (struct number){.kind = NUMBER_NONE};
		else
			assert_true(number_parse(word, &out[nr]));
	}
	free(copy);
	return nr;
}

/* Sums and means: Array#sum of ruby 3.1; deviations: R, sqrt(mean((x - mean(x))^2)). */
static const struct {
	const char *values;
	double sum, mean, sd;
} moments[] = {
	{"", 0, NAN, NAN},
	{"7", 7, 7, 0},
	{"-7.5", -7.5, -7.5, 0},
	{"1 2", 3, 1.5, 0.5},
	{"1 2.0", 3, 1.5, 0.5},
	{"4 4 4 4", 16, 4, 0},
	{"0.1 0.1 0.1", 0.30000000000000004, 0.10000000000000002, 1.3877787807814457e-17},
	{"5 0 0 0", 5, 1.25, 2.1650635094610968},
	/* cancellation */
	{"1000000004 1000000007 1000000013 1000000016", 4000000040, 1000000010, 4.743416490252569},
	{"1000000004.0 1000000007.0 1000000013.0 1000000016.0", 4000000040, 1000000010,
	 4.743416490252569},
	{"-512.25 499.5 -12.75 3.0 -4.5 27.0", 0, 0, 292.35284760029276},
	/* no data anywhere in it is no result */
	{"1 nan 3", NAN, NAN, NAN},
	{"nan", NAN, NAN, NAN},
	{"1 - 3", NAN, NAN, NAN},
};

static void moments_are_those_of_r_and_ruby(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(moments); i++) {
		struct number v[8];
		int nr = parse(moments[i].values, v);
		double sd = stats_sd_population(v, nr, stats_mean(v, nr));

		if (!same_double(stats_sum(v, nr), moments[i].sum))
			fail_msg("sum of %s: %.17g", moments[i].values, stats_sum(v, nr));
		if (!same_double(stats_mean(v, nr), moments[i].mean))
			fail_msg("mean of %s: %.17g", moments[i].values, stats_mean(v, nr));
		if (!same_double(sd, moments[i].sd) &&
		    !(fabs(sd - moments[i].sd) < 1e-15 * fabs(moments[i].sd)))
			fail_msg("deviation of %s: %.17g", moments[i].values, sd);
	}
}

static void sums_lose_nothing(void **state)
{
	static const struct {
		const char *values;
		double want; /* ruby 3.1 */
	} cases[] = {
		{"0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1", 1.0}, /* naively 0.9999999999999999 */
		{"1.0 1e100 1.0 -1e100", 2.0}, /* naively, and by Kahan's method, 0 */
		{"9223372036854775807 9223372036854775807", 18446744073709551614.0},
		{"9223372036854775807 -9223372036854775807 1", 1.0},
		{"9007199254740992 1 1", 9007199254740994.0}, /* in doubles ...992 */
		{"9007199254740992 1 1 0.5", 9007199254740994.0},
		{"3 0.1 0.2 5", 8.3},
		{"1.5e308 1.5e308", INFINITY},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct number v[16];
		int nr = parse(cases[i].values, v);

		if (!same_double(stats_sum(v, nr), cases[i].want))
			fail_msg("%s: %.17g", cases[i].values, stats_sum(v, nr));
	}
}

static void sorting_is_stable_and_knows_no_kinds(void **state)
{
	struct number v[8];
	int nr = parse("3 0.0 0 nan -1 0 2.5 0.0", v);
	static const struct {
		enum number_kind kind;
		double value;
	} want[] = {
		{NUMBER_INT, -1},  {NUMBER_FLOAT, 0},	{NUMBER_INT, 0}, {NUMBER_INT, 0},
		{NUMBER_FLOAT, 0}, {NUMBER_FLOAT, 2.5}, {NUMBER_INT, 3}, {NUMBER_FLOAT, NAN},
	};

	(void)state;
	stats_sort(v, nr);
	for (int i = 0; i < nr; i++) {
		assert_int_equal(v[i].kind, want[i].kind);
		assert_true(same_double(number_double(v[i]), want[i].value));
	}
	stats_sort(v, 0);
	stats_sort(v, 1);
}

static void many_values_are_sorted_too(void **state)
{
	enum {
		NR = 1001
	};
	struct number *v = xcalloc(NR, sizeof(*v));

	(void)state;
	for (int i = 0; i < NR; i++)
		v[i] = number_int(i * 7919LL % NR); /* each number below NR once */
	stats_sort(v, NR);
	for (int i = 0; i < NR; i++)
		assert_int_equal(v[i].i, i);
	free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moments_are_those_of_r_and_ruby),
		cmocka_unit_test(sums_lose_nothing),
		cmocka_unit_test(sorting_is_stable_and_knows_no_kinds),
		cmocka_unit_test(many_values_are_sorted_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
