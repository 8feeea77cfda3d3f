// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helpers.h"
#include "model/number.h"

#include <float.h>
#include <math.h>

static void a_text_keeps_its_kind(void **state)
{
	static const struct {
		const char *text;
		enum number_kind kind;
		double value;
	} cases[] = {
		{"7", NUMBER_INT, 7},
		{"-7", NUMBER_INT, -7},
		{"+7", NUMBER_INT, 7},
		{"0", NUMBER_INT, 0},
		{"9223372036854775807", NUMBER_INT, 9223372036854775807.0},
		{"-9223372036854775808", NUMBER_INT, -9223372036854775808.0},
		{"9223372036854775808", NUMBER_FLOAT, 9223372036854775808.0},
		{"123456789012345678901", NUMBER_FLOAT, 123456789012345678901.0},
		{"7.0", NUMBER_FLOAT, 7},
		{"7.", NUMBER_FLOAT, 7},
		{".5", NUMBER_FLOAT, 0.5},
		{"-0.0", NUMBER_FLOAT, -0.0},
		{"1e+06", NUMBER_FLOAT, 1e6},
		{"1.5E3", NUMBER_FLOAT, 1500},
		{"5e-324", NUMBER_FLOAT, 5e-324},
		{"1e-400", NUMBER_FLOAT, 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct number n = {.kind = NUMBER_NONE};

		if (!number_parse(cases[i].text, &n) || n.kind != cases[i].kind)
			fail_msg("%s: wrong kind", cases[i].text);
		assert_true(same_double(number_double(n), cases[i].value));
	}
}

static void what_is_no_finite_number_is_refused(void **state)
{
	static const char *const cases[] = {
		"",	    " ",     " 7",     "7 ",  "7a",    "a",   "-",   "+",
		".",	    "e5",    "1e",     "--7", "0x10",  "nan", "NaN", "inf",
		"Infinity", "1e999", "-1e999", "1,5", "1_000", "7\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct number n = number_int(42);

		if (number_parse(cases[i], &n))
			fail_msg("'%s' was taken for a number", cases[i]);
		assert_int_equal(n.kind, NUMBER_INT);
		assert_int_equal(n.i, 42);
	}
}

static void the_shortest_text_is_written(void **state)
{
	static const struct {
		struct number n;
		const char *want;
	} cases[] = {
		{{.kind = NUMBER_INT, .i = 7}, "7"},
		{{.kind = NUMBER_INT, .i = INT64_MIN}, "-9223372036854775808"},
		{{.kind = NUMBER_FLOAT, .d = 7}, "7.0"},
		{{.kind = NUMBER_FLOAT, .d = 0.1}, "0.1"},
		{{.kind = NUMBER_FLOAT, .d = 640}, "640.0"},
		{{.kind = NUMBER_FLOAT, .d = -1e14}, "-100000000000000.0"},
		{{.kind = NUMBER_FLOAT, .d = 1e15}, "1e+15"},
		{{.kind = NUMBER_FLOAT, .d = 1234567.25}, "1234567.25"},
		{{.kind = NUMBER_FLOAT, .d = 0.00025}, "0.00025"},
		{{.kind = NUMBER_FLOAT, .d = 0.000025}, "2.5e-05"},
		{{.kind = NUMBER_FLOAT, .d = -0.0}, "-0.0"},
		{{.kind = NUMBER_FLOAT, .d = 1.0 / 3}, "0.3333333333333333"},
		{{.kind = NUMBER_FLOAT, .d = 813.755}, "813.755"},
		{{.kind = NUMBER_FLOAT, .d = 1e100}, "1e+100"},
		{{.kind = NUMBER_FLOAT, .d = 5e-324}, "5e-324"},
		{{.kind = NUMBER_NONE}, ""},
	};
	char buf[40];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		number_format(cases[i].n, buf, sizeof(buf));
		assert_string_equal(buf, cases[i].want);
	}
}

static void what_is_written_reads_back_the_same(void **state)
{
	uint64_t bits = 0x9e3779b97f4a7c15;
	char buf[40];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct number n = {.kind = NUMBER_FLOAT}, back;

		bits = bits * 6364136223846793005 + 1442695040888963407;
		memcpy(&n.d, &bits, sizeof(n.d));
		if (!isfinite(n.d))
			n = number_int((int64_t)bits);
		number_format(n, buf, sizeof(buf));
		assert_true(number_parse(buf, &back));
		assert_int_equal(back.kind, n.kind);
		assert_memory_equal(&back.i, &n.i, sizeof(n.i));
	}
}

static void a_missing_number_is_no_number(void **state)
{
	(void)state;
	assert_true(isnan(number_double((struct number){.kind = NUMBER_NONE})));
	assert_true(same_double(number_double(number_int(3)), 3));
	assert_true(same_double(number_double(number_float(0.5)), 0.5));
}

static void numbers_are_ordered_by_value_not_by_kind(void **state)
{
	static const struct {
		struct number a, b;
		int want;
	} cases[] = {
		{{.kind = NUMBER_INT, .i = 1}, {.kind = NUMBER_INT, .i = 2}, -1},
		{{.kind = NUMBER_INT, .i = 7}, {.kind = NUMBER_FLOAT, .d = 7}, 0},
		{{.kind = NUMBER_FLOAT, .d = -0.0}, {.kind = NUMBER_INT, .i = 0}, 0},
		{{.kind = NUMBER_FLOAT, .d = 2.5}, {.kind = NUMBER_INT, .i = 2}, 1},
		/* 2^53 and its neighbour, which no double can tell apart */
		{{.kind = NUMBER_INT, .i = 9007199254740993},
		 {.kind = NUMBER_INT, .i = 9007199254740992},
		 1},
		{{.kind = NUMBER_INT, .i = 9007199254740993},
		 {.kind = NUMBER_FLOAT, .d = 9007199254740992},
		 1},
		{{.kind = NUMBER_INT, .i = INT64_MAX},
		 {.kind = NUMBER_FLOAT, .d = 9223372036854775808.0},
		 -1},
		{{.kind = NUMBER_INT, .i = INT64_MIN}, {.kind = NUMBER_INT, .i = INT64_MAX}, -1},
		{{.kind = NUMBER_NONE}, {.kind = NUMBER_FLOAT, .d = INFINITY}, 1},
		{{.kind = NUMBER_FLOAT, .d = NAN}, {.kind = NUMBER_INT, .i = 0}, 1},
		{{.kind = NUMBER_FLOAT, .d = NAN}, {.kind = NUMBER_NONE}, 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(number_cmp(cases[i].a, cases[i].b), cases[i].want);
		assert_int_equal(number_cmp(cases[i].b, cases[i].a), -cases[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_keeps_its_kind),
		cmocka_unit_test(what_is_no_finite_number_is_refused),
		cmocka_unit_test(the_shortest_text_is_written),
		cmocka_unit_test(what_is_written_reads_back_the_same),
		cmocka_unit_test(a_missing_number_is_no_number),
		cmocka_unit_test(numbers_are_ordered_by_value_not_by_kind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
