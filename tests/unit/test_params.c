// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/params.h"

static void assert_params(const struct params *params, const char *want)
{
	char text[256] = "";
	size_t len = 0;

	for (int i = 0; i < params->nr; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s=%s", i ? " " : "",
					params->v[i].key, params->v[i].value);
	assert_string_equal(text, want);
}

static void parameters_are_sorted_as_texts(void **state)
{
	static const struct {
		const char *set[8]; /* key, value, key, value ... */
		const char *want;
	} cases[] = {
		{{NULL}, ""},
		{{"nr_task", "16", "mode", "process"}, "mode=process nr_task=16"},
		/* '-' is before '=', '_' and letters are after it */
		{{"a", "1", "a-b", "2", "a_b", "3"}, "a-b=2 a=1 a_b=3"},
		{{"test", "x", "testcase", "y"}, "test=x testcase=y"},
		{{"b", "2", "B", "1"}, "B=1 b=2"},
		{{"mode", "process", "mode", "thread"}, "mode=thread"},
		{{"k", ""}, "k="},
		{{"k", "\xc3\xa4", "\xc3\xa4", "x"}, "k=\xc3\xa4 \xc3\xa4=x"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct pool pool = {0};
		struct params params = {0};

		for (int j = 0; cases[i].set[j]; j += 2)
			params_set(&params, &pool, cases[i].set[j], cases[i].set[j + 1]);
		assert_params(&params, cases[i].want);
		params_release(&params);
		assert_int_equal(params.nr, 0);
		pool_release(&pool);
	}
}

static void strings_are_copied(void **state)
{
	struct pool pool = {0}, other = {0};
	struct params params = {0}, copy = {0};
	char key[] = "mode", value[] = "thread";

	(void)state;
	params_set(&params, &pool, key, value);
	key[0] = value[0] = 'X';
	assert_string_equal(params_get(&params, "mode"), "thread");
	assert_null(params_get(&params, "Xode"));
	params_copy(&copy, &other, &params);
	assert_true(params_equal(&copy, &params));
	params_release(&params);
	pool_release(&pool);
	assert_string_equal(params_get(&copy, "mode"), "thread");
	params_release(&copy);
	pool_release(&other);
}

static void equality_needs_every_key_and_value(void **state)
{
	static const char *const different[][4] = {
		{"mode", "process", "nr_task", "8"},
		{"mode", "thread", "nr_task", "16"},
		{"mode", "process", "tasks", "16"},
		{"mode", "process", "mode", "process"},
	};
	struct pool pool = {0};
	struct params a = {0}, empty = {0};

	(void)state;
	params_set(&a, &pool, "mode", "process");
	params_set(&a, &pool, "nr_task", "16");
	for (size_t i = 0; i < ARRAY_SIZE(different); i++) {
		struct params b = {0};

		params_set(&b, &pool, different[i][0], different[i][1]);
		params_set(&b, &pool, different[i][2], different[i][3]);
		assert_false(params_equal(&a, &b));
		params_release(&b);
	}
	assert_false(params_equal(&a, &empty));
	assert_true(params_equal(&a, &a));
	assert_true(params_equal(&empty, &empty));
	params_release(&a);
	pool_release(&pool);
}

static void a_text_is_split_at_the_first_equals_sign(void **state)
{
	static const struct {
		const char *text, *key, *value; /* key NULL: refused */
	} cases[] = {
		{"mode=process", "mode", "process"},
		{"append=a=b", "append", "a=b"},
		{"empty=", "empty", ""},
		{"=x", NULL, NULL},
		{"", NULL, NULL},
		{"mode", NULL, NULL},
	};
	struct pool pool = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct param param = {0};

		assert_int_equal(param_split(&pool, cases[i].text, &param), cases[i].key != NULL);
		if (!cases[i].key)
			continue;
		assert_string_equal(param.key, cases[i].key);
		assert_string_equal(param.value, cases[i].value);
	}
	pool_release(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameters_are_sorted_as_texts),
		cmocka_unit_test(strings_are_copied),
		cmocka_unit_test(equality_needs_every_key_and_value),
		cmocka_unit_test(a_text_is_split_at_the_first_equals_sign),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
