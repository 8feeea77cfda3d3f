// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "base/strlist.h"

/* All of a list as one string: <a><b> */
static void assert_list(const struct strlist *list, const char *expected)
{
	struct strbuf sb = STRBUF_INIT;

	for (int i = 0; i < list->nr; i++)
		strbuf_addf(&sb, "<%s>", list->v[i]);
	assert_string_equal(sb.buf, expected);
	strbuf_release(&sb);
}

static void strings_are_copied_and_kept_in_order(void **state)
{
	struct strlist list = {0};
	char text[] = "one";

	(void)state;
	strlist_add(&list, text);
	text[0] = 'x';
	strlist_addf(&list, "%d %s", 2, "two");
	strlist_add(&list, "");
	strlist_add(&list, list.v[0]);
	assert_list(&list, "<one><2 two><><one>");
	strlist_release(&list);
	assert_list(&list, "");
	strlist_release(&list);
	strlist_add(&list, "again");
	assert_list(&list, "<again>");
	strlist_release(&list);
}

static void an_equal_string_is_not_added_once_more(void **state)
{
	struct strlist list = {0};

	(void)state;
	assert_false(strlist_has(&list, "a"));
	strlist_add_once(&list, "a");
	strlist_add_once(&list, "b");
	strlist_add_once(&list, "a");
	strlist_add_once(&list, "A");
	assert_true(strlist_has(&list, "b"));
	assert_false(strlist_has(&list, ""));
	assert_list(&list, "<a><b><A>");
	strlist_release(&list);
}

static void splitting_leaves_out_empty_parts(void **state)
{
	static const struct {
		const char *text;
		char separator;
		const char *parts;
	} table[] = {
		{"", ',', ""},	       {",", ',', ""},		{",,,", ',', ""},
		{"a", ',', "<a>"},     {"a,b", ',', "<a><b>"},	{",a,,b,", ',', "<a><b>"},
		{"a b", ',', "<a b>"}, {"/x/y", '/', "<x><y>"}, {"a,b", '\0', "<a,b>"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct strlist list = {0};

		strlist_split(&list, table[i].text, table[i].separator);
		assert_list(&list, table[i].parts);
		strlist_release(&list);
	}
}

static void splitting_appends_to_what_is_there(void **state)
{
	struct strlist list = {0};

	(void)state;
	strlist_add(&list, "b c");
	strlist_split(&list, list.v[0], ' ');
	assert_list(&list, "<b c><b><c>");
	strlist_release(&list);
}

static void many_strings(void **state)
{
	struct strlist list = {0};

	(void)state;
	for (int i = 0; i < 5000; i++)
		strlist_addf(&list, "%d", i);
	assert_int_equal(list.nr, 5000);
	assert_string_equal(list.v[0], "0");
	assert_string_equal(list.v[4999], "4999");
	strlist_release(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings_are_copied_and_kept_in_order),
		cmocka_unit_test(an_equal_string_is_not_added_once_more),
		cmocka_unit_test(splitting_leaves_out_empty_parts),
		cmocka_unit_test(splitting_appends_to_what_is_there),
		cmocka_unit_test(many_strings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
