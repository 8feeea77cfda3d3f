// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>

/* A text longer than any message */
static const char *too_long(char fill)
{
	static char text[sizeof(((struct err *)0)->msg) + 100];

	memset(text, fill, sizeof(text) - 1);
	return text;
}

static void setting_returns_minus_one(void **state)
{
	struct err err;

	(void)state;
	assert_int_equal(err_set(&err, "%s: line %d", "a.csv", 3), -1);
	assert_string_equal(err.msg, "a.csv: line 3");
	assert_int_equal(err_set(&err, "%s", ""), -1);
	assert_string_equal(err.msg, "");
}

static void an_errno_is_explained(void **state)
{
	struct err err;

	(void)state;
	assert_int_equal(err_set_errno(&err, ENOENT, "%s", "results.db"), -1);
	assert_string_equal(err.msg, "results.db: No such file or directory");
	err_set_errno(&err, 12345, "x");
	assert_string_equal(err.msg, "x: unknown error");
}

static void every_number_has_a_reason(void **state)
{
	static const int none[] = {-1, 41, 134, 12345, INT_MAX, INT_MIN};

	(void)state;
	assert_string_equal(err_reason(ENOENT), "No such file or directory");
	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		assert_string_equal(err_reason(none[i]), "unknown error");
}

static void a_prefix_goes_in_front(void **state)
{
	struct err err;

	(void)state;
	err_set(&err, "no room");
	assert_int_equal(err_prefix(&err, "%s", "results.db"), -1);
	assert_string_equal(err.msg, "results.db: no room");
}

static void a_message_may_quote_itself(void **state)
{
	struct err err;

	(void)state;
	err_set(&err, "inner");
	err_set(&err, "outer (%s)", err.msg);
	assert_string_equal(err.msg, "outer (inner)");
	err_set_errno(&err, EACCES, "again %s", err.msg);
	assert_string_equal(err.msg, "again outer (inner): Permission denied");
	err_prefix(&err, "<%s>", err.msg);
	assert_string_equal(err.msg, "<again outer (inner): Permission denied>: "
				     "again outer (inner): Permission denied");
}

static void a_long_text_is_cut(void **state)
{
	struct err err;

	(void)state;
	err_set(&err, "%s", too_long('a'));
	assert_int_equal(strlen(err.msg), sizeof(err.msg) - 1);
	err_prefix(&err, "b");
	assert_int_equal(strlen(err.msg), sizeof(err.msg) - 1);
	assert_true(starts_with(err.msg, "b: aaa"));
	err_prefix(&err, "%s", too_long('c'));
	assert_int_equal(strlen(err.msg), sizeof(err.msg) - 1);
	assert_true(ends_with(err.msg, "ccc"));
}

static void the_reason_is_not_cut(void **state)
{
	struct err err;

	(void)state;
	err_set_errno(&err, ENOSPC, "%s", too_long('a'));
	assert_int_equal(strlen(err.msg), sizeof(err.msg) - 1);
	assert_true(ends_with(err.msg, "aa: No space left on device"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(setting_returns_minus_one),
		cmocka_unit_test(an_errno_is_explained),
		cmocka_unit_test(every_number_has_a_reason),
		cmocka_unit_test(a_prefix_goes_in_front),
		cmocka_unit_test(a_message_may_quote_itself),
		cmocka_unit_test(a_long_text_is_cut),
		cmocka_unit_test(the_reason_is_not_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
