// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/util.h"
#include "out_of_memory.h"

#include <limits.h>
#include <locale.h>

static void numbers_that_are_whole(void **state)
{
	static const struct {
		const char *text;
		int64_t value;
	} table[] = {
		{"0", 0},
		{"-0", 0},
		{"+5", 5},
		{"007", 7},
		{"-42", -42},
		{"9223372036854775807", INT64_MAX},
		{"-9223372036854775808", INT64_MIN},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		int64_t got = 99;

		assert_true(parse_i64(table[i].text, &got));
		assert_int_equal(got, table[i].value);
	}
}

static void texts_that_are_no_whole_number(void **state)
{
	static const char *const table[] = {
		"",
		"-",
		"+",
		"+-1",
		"--1",
		" 1",
		"1 ",
		"\t1",
		"1.0",
		"1e3",
		"0x10",
		"1k",
		"1,000",
		"nan",
		"9223372036854775808",
		"-9223372036854775809",
		"99999999999999999999999",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		int64_t got = 99;

		assert_false(parse_i64(table[i], &got));
		assert_int_equal(got, 99);
	}
}

/* The expected values are the compiler's reading of the same decimal text. */
static void numbers_with_a_fraction(void **state)
{
	static const struct {
		const char *text;
		double value;
	} table[] = {
		{"0", 0.0},
		{"7", 7.0},
		{"-1.5", -1.5},
		{"+2.5", 2.5},
		{".5", 0.5},
		{"5.", 5.0},
		{"1e3", 1000.0},
		{"1E-3", 0.001},
		{"1.7976931348623157e308", 1.7976931348623157e308},
		{"123456789012345678901", 123456789012345678901.0},
		{"0.1", 0.1},
		{"5e-324", 5e-324},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		double got = 99;

		assert_true(parse_double(table[i].text, &got));
		assert_memory_equal(&got, &table[i].value, sizeof(got));
	}
}

static void texts_that_are_no_number(void **state)
{
	static const char *const table[] = {
		"",	 ".",	   "-",	  "e",	   "e5",    "1e",  "1e+",	    "1.2.3",
		" 1",	 "1 ",	   "1,5", "0x1p3", "nan",   "inf", "-inf",	    "infinity",
		"1e999", "-1e999", "--1", "1-",	   "1_000", "1\n", "<not counted>",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		double got = 99;

		assert_false(parse_double(table[i], &got));
		assert_memory_equal(&got, &(double){99}, sizeof(got));
	}
}

/* As much as the C library of this machine has of locales with a comma; C.UTF-8 is always there. */
static void a_decimal_comma_of_the_locale_changes_nothing(void **state)
{
	static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"};
	double got = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(locales); i++) {
		if (!setlocale(LC_ALL, locales[i]))
			continue;
		assert_true(parse_double("1.25", &got));
		assert_memory_equal(&got, &(double){1.25}, sizeof(got));
		assert_false(parse_double("1,25", &got));
	}
	setlocale(LC_ALL, "C");
}

static void beginnings_and_endings(void **state)
{
	static const struct {
		const char *s, *part;
		bool starts, ends;
	} table[] = {
		{"", "", true, true},	       {"abc", "", true, true},
		{"", "a", false, false},       {"abc", "ab", true, false},
		{"abc", "bc", false, true},    {"abc", "abc", true, true},
		{"abc", "abcd", false, false}, {"abab", "ab", true, true},
		{"abc", "b", false, false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		assert_int_equal(starts_with(table[i].s, table[i].part), table[i].starts);
		assert_int_equal(ends_with(table[i].s, table[i].part), table[i].ends);
	}
}

static void an_array_that_grows(void **state)
{
	struct {
		int *v, nr, alloc;
	} list = {0};

	(void)state;
	for (int i = 0; i < 10000; i++) {
		GROW(list.v, list.nr, list.alloc);
		assert_true(list.nr < list.alloc);
		list.v[list.nr++] = i;
	}
	for (int i = 0; i < list.nr; i++)
		assert_int_equal(list.v[i], i);
	free(list.v);
}

static void memory_of_no_length_is_memory(void **state)
{
	char *p = xmalloc(0), *q = xcalloc(0, 8), *r = xrealloc(NULL, 0, 8);

	(void)state;
	assert_non_null(p);
	assert_non_null(q);
	assert_non_null(r);
	free(p);
	free(q);
	free(r);
}

static void copies_of_strings(void **state)
{
	char *a = xstrdup(""), *b = xstrndup("abc", 2), *c = xstrndup("abc", 9),
	     *d = xasprintf("%d-%s", 7, "x");

	(void)state;
	assert_string_equal(a, "");
	assert_string_equal(b, "ab");
	assert_string_equal(c, "abc");
	assert_string_equal(d, "7-x");
	free(a);
	free(b);
	free(c);
	free(d);
}

static void realloc_overflows(void)
{
	free(xrealloc(NULL, SIZE_MAX / 2, 3));
}

static void array_overflows(void)
{
	int alloc = INT_MAX - 1;

	free(grow_array(NULL, 1, &alloc));
}

static void a_length_that_overflows_ends_the_program(void **state)
{
	(void)state;
	assert_true(runs_out_of_memory(realloc_overflows));
	assert_true(runs_out_of_memory(array_overflows));
}

static void clocks_go_forward(void **state)
{
	int64_t before = clock_ns(), wall = wall_ns();

	(void)state;
	assert_true(clock_ns() >= before);
	/* After 2020 and before 2200: nanoseconds since 1970, not seconds or microseconds. */
	assert_true(wall > INT64_C(1577836800) * 1000000000);
	assert_true(wall < INT64_C(7258118400) * 1000000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_that_are_whole),
		cmocka_unit_test(texts_that_are_no_whole_number),
		cmocka_unit_test(numbers_with_a_fraction),
		cmocka_unit_test(texts_that_are_no_number),
		cmocka_unit_test(a_decimal_comma_of_the_locale_changes_nothing),
		cmocka_unit_test(beginnings_and_endings),
		cmocka_unit_test(an_array_that_grows),
		cmocka_unit_test(memory_of_no_length_is_memory),
		cmocka_unit_test(copies_of_strings),
		cmocka_unit_test(a_length_that_overflows_ends_the_program),
		cmocka_unit_test(clocks_go_forward),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
