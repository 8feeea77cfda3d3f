// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/strlist.h"
#include "base/strmap.h"
#include "out_of_memory.h"

#include <limits.h>

static void an_empty_map_has_nothing(void **state)
{
	struct strmap map = {0};

	(void)state;
	assert_int_equal(strmap_get(&map, "", -1), -1);
	assert_int_equal(strmap_get(&map, "a", 7), 7);
	strmap_release(&map);
	strmap_put(&map, "a", 1);
	strmap_release(&map);
	strmap_release(&map);
	assert_int_equal(strmap_get(&map, "a", -1), -1);
}

static void an_equal_key_gets_the_new_value(void **state)
{
	struct strmap map = {0};

	(void)state;
	strmap_put(&map, "a", 1);
	strmap_put(&map, "", 2);
	strmap_put(&map, "a", -1);
	assert_int_equal(map.nr, 2);
	assert_int_equal(strmap_get(&map, "a", 99), -1);
	assert_int_equal(strmap_get(&map, "", 99), 2);
	assert_int_equal(strmap_get(&map, "A", 99), 99);
	strmap_release(&map);
}

/* The map would read freed memory if it took the second of two equal keys for its own. */
static void the_first_of_equal_keys_is_kept(void **state)
{
	struct strmap map = {0};
	char *second = xstrdup("key");

	(void)state;
	strmap_put(&map, "key", 1);
	strmap_put(&map, second, 2);
	free(second);
	assert_int_equal(strmap_get(&map, "key", -1), 2);
	strmap_release(&map);
}

static void every_key_is_found_among_many(void **state)
{
	struct strlist keys = {0};
	struct strmap map = {0};

	(void)state;
	for (int i = 0; i < 20000; i++)
		strlist_addf(&keys, "perf-profile.calltrace.cycles-pp.f%d", i);
	for (int i = 0; i < keys.nr; i++)
		strmap_put(&map, keys.v[i], i);
	assert_int_equal(map.nr, keys.nr);
	for (int i = 0; i < keys.nr; i++)
		assert_int_equal(strmap_get(&map, keys.v[i], -1), i);
	assert_int_equal(strmap_get(&map, "perf-profile.calltrace.cycles-pp.f20000", -1), -1);
	strmap_release(&map);
	strlist_release(&keys);
}

static void table_overflows(void)
{
	struct strmap_slot slot = {0};
	struct strmap map = {&slot, INT_MAX / 2 + 1, INT_MAX / 2 + 1};

	strmap_put(&map, "a", 1);
}

static void a_length_that_overflows_ends_the_program(void **state)
{
	(void)state;
	assert_true(runs_out_of_memory(table_overflows));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_map_has_nothing),
		cmocka_unit_test(an_equal_key_gets_the_new_value),
		cmocka_unit_test(the_first_of_equal_keys_is_kept),
		cmocka_unit_test(every_key_is_found_among_many),
		cmocka_unit_test(a_length_that_overflows_ends_the_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
