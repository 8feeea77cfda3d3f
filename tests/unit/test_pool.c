// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/pool.h"
#include "out_of_memory.h"

#include <stdalign.h>

/* Every size up to beyond a block: each piece is zeroed, aligned and its own. */
static void pieces_are_zeroed_aligned_and_apart(void **state)
{
	static const size_t table[] = {0,    1,	   15, 16,   17, 100,	8191,
				       8192, 8193, 1,  8176, 16, 30000, 3};
	struct pool pool = {0};
	unsigned char *piece[ARRAY_SIZE(table)];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		piece[i] = pool_alloc(&pool, table[i]);
		assert_non_null(piece[i]);
		assert_int_equal((uintptr_t)piece[i] % alignof(max_align_t), 0);
		for (size_t k = 0; k < table[i]; k++)
			assert_int_equal(piece[i][k], 0);
		memset(piece[i], (int)i + 1, table[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		for (size_t k = 0; k < table[i]; k++)
			assert_int_equal(piece[i][k], i + 1);
	pool_release(&pool);
}

static void strings_are_copied(void **state)
{
	struct pool pool = {0};
	char source[] = "text";
	char *copy = pool_strdup(&pool, source);

	(void)state;
	source[0] = 'n';
	assert_string_equal(copy, "text");
	assert_null(pool_strdup(&pool, NULL));
	assert_string_equal(pool_strdup(&pool, ""), "");
	assert_string_equal(pool_strndup(&pool, "abc", 0), "");
	assert_string_equal(pool_strndup(&pool, "abc", 2), "ab");
	assert_string_equal(pool_strndup(&pool, "abc", SIZE_MAX), "abc");
	assert_string_equal(pool_printf(&pool, "%s=%d", "k", 3), "k=3");
	assert_string_equal(pool_printf(&pool, "%s", ""), "");
	assert_int_equal(strlen(pool_printf(&pool, "%20000d", 1)), 20000);
	pool_release(&pool);
}

static void an_empty_pool_can_be_released_and_used_again(void **state)
{
	struct pool pool = {0};

	(void)state;
	pool_release(&pool);
	assert_string_equal(pool_strdup(&pool, "a"), "a");
	pool_release(&pool);
	assert_null(pool.last);
	assert_string_equal(pool_strdup(&pool, "b"), "b");
	pool_release(&pool);
}

/* The block in use goes on being used: the next small piece follows the former one. */
static void a_large_piece_does_not_cost_the_rest_of_the_block(void **state)
{
	struct pool pool = {0};
	char *first = pool_alloc(&pool, 16), *large, *second;

	(void)state;
	large = pool_alloc(&pool, 100000);
	second = pool_alloc(&pool, 16);
	assert_ptr_equal(second, first + 16);
	assert_true(large + 100000 <= first || large >= second + 16);
	pool_release(&pool);
}

static void alloc_too_much(void)
{
	struct pool pool = {0};

	pool_alloc(&pool, SIZE_MAX);
}

static void a_length_that_overflows_ends_the_program(void **state)
{
	(void)state;
	assert_true(runs_out_of_memory(alloc_too_much));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_zeroed_aligned_and_apart),
		cmocka_unit_test(strings_are_copied),
		cmocka_unit_test(an_empty_pool_can_be_released_and_used_again),
		cmocka_unit_test(a_large_piece_does_not_cost_the_rest_of_the_block),
		cmocka_unit_test(a_length_that_overflows_ends_the_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
