// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/pattern.h"

static void stars_and_question_marks_are_all_that_is_special(void **state)
{
	static const struct {
		const char *pattern, *name;
		bool want;
	} cases[] = {
		{"", "", true},
		{"", "a", false},
		{"*", "", true},
		{"*", "anything.at/all", true},
		{"?", "", false},
		{"?", "a", true},
		{"?", "ab", false},
		{"a", "A", false},
		{"perf-stat.*", "perf-stat.i.ipc", true},
		{"perf-stat.*", "perf-stat.", true},
		{"perf-stat.*", "perf-stat", false},
		{"*.ipc", "perf-stat.i.ipc", true},
		{"*.ipc", "perf-stat.i.ipc.x", false},
		{"*vmstat*nr_*", "numa-vmstat.node0.nr_mapped", true},
		{"*vmstat*nr_*", "numa-vmstat.node0.numa_hit", false},
		{"*?time?elapsed_time*", "will-it-scale.time.elapsed_time.max", true},
		{"*?time?elapsed_time*", "time.elapsed_time",
		 false}, /* something must be in front */
		{"*ab*ab", "abab", true},
		{"*ab*ab", "abxaab", true},
		{"*ab*ab", "aba", false},
		{"**a**", "xax", true},
		{"*?*?*", "a", false},
		{"*?*?*", "ab", true},
		{"a*b?d", "a.b.b.bcd", true},
		/* of a shell these would be a set, a brace, an escape */
		{"self.[unknown]", "self.[unknown]", true},
		{"self.[unknown]", "self.u", false},
		{"{a,b}", "a", false},
		{"\\*", "*", false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (pattern_match(cases[i].pattern, cases[i].name) != cases[i].want)
			fail_msg("%s and '%s'", cases[i].pattern, cases[i].name);
}

/* The definition, which takes exponential time. */
static bool match_slowly(const char *pattern, const char *name)
{
	if (!*pattern)
		return !*name;
	if (*pattern == '*')
		return match_slowly(pattern + 1, name) ||
		       (*name && match_slowly(pattern, name + 1));
	return *name && (*pattern == '?' || *pattern == *name) &&
	       match_slowly(pattern + 1, name + 1);
}

/* Writes the digits of seed in base strlen(alphabet) - 1 as letters, shifting by one so that lengths vary. */
static uint32_t spell(uint32_t seed, const char *alphabet, char *out)
{
	uint32_t base = (uint32_t)strlen(alphabet), len = seed % 9;

	seed /= 9;
	for (uint32_t i = 0; i < len; i++) {
		out[i] = alphabet[seed % base];
		seed = seed * 1664525 + 1013904223;
	}
	out[len] = '\0';
	return seed;
}

static void it_agrees_with_the_definition(void **state)
{
	uint32_t seed = 1;
	int matches = 0;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		char pattern[16], name[16];
		bool want;

		seed = spell(seed * 1664525 + 1013904223, "ab*?*", pattern);
		seed = spell(seed * 1664525 + 1013904223, "abc", name);
		want = match_slowly(pattern, name);
		matches += want;
		if (pattern_match(pattern, name) != want)
			fail_msg("%s and '%s'", pattern, name);
	}
	assert_true(matches > 1000);
}

static void a_list_matches_if_one_of_it_does(void **state)
{
	struct strlist list = {0};

	(void)state;
	assert_false(pattern_match_any(NULL, "a"));
	assert_false(pattern_match_any(&list, "a"));
	strlist_add(&list, "b");
	assert_false(pattern_match_any(&list, "a"));
	strlist_add(&list, "a*");
	assert_true(pattern_match_any(&list, "a"));
	strlist_release(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stars_and_question_marks_are_all_that_is_special),
		cmocka_unit_test(it_agrees_with_the_definition),
		cmocka_unit_test(a_list_matches_if_one_of_it_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
