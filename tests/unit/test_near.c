// SPDX-License-Identifier: GPL-2.0-only
/* Edits counted by hand; which names are near, and which of them are kept. */
#include "base/near.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The last three are textbook pairs. */
static void edits_between_two_words(void **state)
{
	static const struct {
		const char *a, *b;
		int edits;
	} table[] = {
		{"", "", 0},
		{"", "abc", 3},
		{"abc", "", 3},
		{"abc", "abc", 0},
		{"abc", "abd", 1},
		{"abc", "ac", 1},
		{"abc", "abxc", 1},
		{"ab", "ba", 2},
		{"kitten", "sitting", 3},
		{"flaw", "lawn", 2},
		{"saturday", "sunday", 3},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		assert_int_equal(near_edits(table[i].a, table[i].b), table[i].edits);
		assert_int_equal(near_edits(table[i].b, table[i].a), table[i].edits);
	}
}

static void distances_of_names(void **state)
{
	static const struct {
		const char *wanted, *name;
		int distance;
	} table[] = {
		/* a beginning, then a part, then a whole name with edits, then a beginning with edits */
		{"getppid", "getppid1", 0},
		{"v6", "v6.12", 0},
		{"yield", "sched_yield", 1},
		{"base-with-more", "base", 1},
		{"diff", "diff", 0},
		{"bsae", "base", 4},
		{"v6.13", "v6.12", 2},
		{"cylces", "cycles", 4},
		{"page_falt1", "page_fault1", 2},
		{"contaxt", "context_switch1", 3},
		/* capitals do not count */
		{"V6.12", "v6.12", 0},
		{"llc-misses", "LLC-MISSES", 0},
		/* nothing to do with each other */
		{"", "base", NEAR_NOT},
		{"x", "show", NEAR_NOT},
		{"ow", "show", NEAR_NOT},
		{"foo", "show", NEAR_NOT},
		{"base", "", NEAR_NOT},
		{"base", "a", NEAR_NOT},
		{"quite different", "base-of-it-all", NEAR_NOT},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		int distance = near_distance(table[i].wanted, table[i].name);

		if (distance != table[i].distance)
			fail_msg("'%s' and '%s': %d, expected %d", table[i].wanted, table[i].name,
				 distance, table[i].distance);
	}
}

static char *many(char c, size_t len)
{
	char *s = xmalloc(len + 1);

	memset(s, c, len);
	s[len] = '\0';
	return s;
}

static void nothing_is_near_an_overlong_name(void **state)
{
	char *longest = many('a', NEAR_LEN_MAX), *longer = many('a', NEAR_LEN_MAX + 1);
	char *huge = many('b', 10 << 20);

	(void)state;
	assert_int_equal(near_distance(longest, longest), 0);
	assert_int_equal(near_distance(longer, longer), NEAR_NOT);
	/* of a long candidate only the beginning is compared: no time by the square */
	assert_int_equal(near_distance(longest, huge), NEAR_NOT);
	memset(huge, 'a', NEAR_LEN_MAX - 1);
	assert_int_equal(near_distance(longest, huge), 3);
	free(longest);
	free(longer);
	free(huge);
}

static void assert_kept(const struct near *near, int max, const char *expected)
{
	struct strbuf text = STRBUF_INIT;

	near_join(near, max, "'", &text);
	assert_string_equal(text.buf, expected);
	strbuf_release(&text);
}

static void the_nearest_come_first_and_equal_ones_in_their_order(void **state)
{
	struct near near = {0};

	(void)state;
	assert_kept(&near, NEAR_MAX, "");
	near_add(&near, "far", 6);
	near_add(&near, "not", NEAR_NOT);
	near_add(&near, "two", 2);
	near_add(&near, "zwei", 2);
	near_add(&near, "one", 1);
	near_add(&near, "ONE", 0); /* it is there */
	assert_kept(&near, NEAR_MAX, "'one', 'two', 'zwei', 'far'");
	assert_kept(&near, 2, "'one', 'two'");
	assert_kept(&near, 0, "");
	near_add(&near, "five", 6);
	near_add(&near, "late", 6); /* full */
	assert_kept(&near, 100, "'one', 'two', 'zwei', 'far', 'five'");
	near_add(&near, "best", 0);
	assert_kept(&near, 100, "'best', 'one', 'two', 'zwei', 'far'");
	near_release(&near);
	near_add(&near, "again", 1);
	assert_kept(&near, 1, "'again'");
	near_release(&near);
}

static void names_are_copied(void **state)
{
	char name[] = "row";
	struct near near = {0};

	(void)state;
	near_add(&near, name, 1);
	name[0] = 'c';
	assert_kept(&near, 1, "'row'");
	near_release(&near);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edits_between_two_words),
		cmocka_unit_test(distances_of_names),
		cmocka_unit_test(nothing_is_near_an_overlong_name),
		cmocka_unit_test(the_nearest_come_first_and_equal_ones_in_their_order),
		cmocka_unit_test(names_are_copied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
