// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helpers.h"
#include "render/ruby_format.h"

#include <math.h>

static void ties_go_to_the_even_digit(void **state)
{
	static const struct {
		double x;
		int decimals;
		const char *want;
	} cases[] = {
		{2.675, 2, "2.68"},	 {8.345, 2, "8.34"},	  {0.015, 2, "0.02"},
		{813.755, 2, "813.76"},	 {-8.05, 1, "-8.0"},	  {0.005, 2, "0.01"},
		{0.5, 0, "0"},		 {1.5, 0, "2"},		  {2.5, 0, "2"},
		{999.995, 2, "1000.00"}, {999.996, 2, "1000.00"}, {9.995, 2, "10.00"},
		{0.004, 2, "0.00"},	 {0.0001, 2, "0.00"},	  {-0.0001, 2, "-0.00"},
		{-0.0, 1, "-0.0"},	 {0.0, 2, "0.00"},	  {1e15, 2, "1000000000000000.00"},
	};
	struct strbuf out = STRBUF_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		strbuf_reset(&out);
		ruby_format_f(&out, cases[i].x, 0, cases[i].decimals, 0);
		assert_string_equal(out.buf, cases[i].want);
	}
	strbuf_release(&out);
}

static void the_general_form_has_so_many_digits(void **state)
{
	static const struct {
		double x;
		int width, digits, flags;
		const char *want;
	} cases[] = {
		{2900500000.0, 10, 4, 0, " 2.900e+09"}, /* a tie that stays even keeps its zeros */
		{2901500000.0, 10, 4, 0, " 2.902e+09"},
		{1.33e8, 10, 4, 0, "  1.33e+08"},
		{1.644e8, 10, 4, 0, " 1.644e+08"},
		{99999.5e4, 10, 4, 0, "     1e+09"},
		{100000029.66, 10, 4, 0, "     1e+08"},
		{5.554e106, 10, 2, RUBY_PLUS, " +5.6e+106"},
		{6.1e101, 10, 2, RUBY_PLUS, " +6.1e+101"},
		{131234.0, 10, 2, RUBY_PLUS, "  +1.3e+05"},
		{100000.0, 10, 2, RUBY_PLUS, "    +1e+05"},
		{-131234.0, 10, 2, RUBY_PLUS, "  -1.3e+05"},
		{0.0001234, 0, 2, 0, "0.00012"},
		{0.00001234, 0, 2, 0, "1.2e-05"},
		{1234.5, 0, 6, 0, "1234.5"},
		{7, 0, 0, 0, "7"},
		{0, 10, 4, RUBY_PLUS, "        +0"},
		{INFINITY, 10, 2, RUBY_PLUS, "      +Inf"},
		{-INFINITY, 10, 4, 0, "      -Inf"},
		{NAN, 10, 4, 0, "       NaN"},
	};
	struct strbuf out = STRBUF_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		strbuf_reset(&out);
		ruby_format_g(&out, cases[i].x, cases[i].width, cases[i].digits, cases[i].flags);
		assert_string_equal(out.buf, cases[i].want);
	}
	strbuf_release(&out);
}

/* "%+10.2f" -> what the functions take. */
static void format_like(struct strbuf *out, const char *format, double x)
{
	const char *p = format + 1;
	int flags = *p == '+' ? RUBY_PLUS : 0;
	int width = 0, precision = 0;

	for (p += flags; *p >= '0' && *p <= '9'; p++)
		width = 10 * width + *p - '0';
	for (p++; *p >= '0' && *p <= '9'; p++)
		precision = 10 * precision + *p - '0';
	if (*p == 'f')
		ruby_format_f(out, x, width, precision, flags);
	else
		ruby_format_g(out, x, width, precision, flags);
}

static double value_of(const char *text)
{
	if (streq(text, "NaN"))
		return (double)NAN;
	if (ends_with(text, "Inf"))
		return *text == '-' ? (double)-INFINITY : (double)INFINITY;
	return strtod(text, NULL);
}

static void two_thousand_numbers_print_as_ruby_prints_them(void **state)
{
	struct strbuf data = STRBUF_INIT, out = STRBUF_INIT;
	char *rest, *line;
	int numbers = 0;

	(void)state;
	read_whole("ruby_format.txt", &data);
	rest = data.buf;
	for (; (line = strsep(&rest, "\n")) && *line; numbers++) {
		const char *format = strsep(&line, "|");
		const char *value = strsep(&line, "|");

		strbuf_reset(&out);
		format_like(&out, format, value_of(value));
		if (!streq(out.buf, line))
			fail_msg("%s of %s: '%s', not '%s'", format, value, out.buf, line);
	}
	assert_true(numbers > 1900);
	strbuf_release(&data);
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ties_go_to_the_even_digit),
		cmocka_unit_test(the_general_form_has_so_many_digits),
		cmocka_unit_test(two_thousand_numbers_print_as_ruby_prints_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
