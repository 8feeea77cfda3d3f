// SPDX-License-Identifier: GPL-2.0-only
/* FNV-1a against the vectors published with it. */
#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct {
	const char *text;
	uint32_t hash32;
	uint64_t hash;
} vectors[] = {
	{"", 0x811c9dc5, 0xcbf29ce484222325},	    {"a", 0xe40c292c, 0xaf63dc4c8601ec8c},
	{"b", 0xe70c2de5, 0xaf63df4c8601f1a5},	    {"foo", 0xa9f37ed7, 0xdcb27518fed9d577},
	{"foobar", 0xbf9cf968, 0x85944171f73967e8},
};

static void published_vectors(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(vectors); i++) {
		const char *text = vectors[i].text;

		assert_int_equal(hash_text(HASH_INIT, text), vectors[i].hash);
		assert_int_equal(hash_bytes(HASH_INIT, text, strlen(text)), vectors[i].hash);
		assert_int_equal(hash32_bytes(HASH32_INIT, text, strlen(text)), vectors[i].hash32);
	}
}

static void a_hash_goes_on_where_it_stopped(void **state)
{
	(void)state;
	assert_int_equal(hash_text(hash_bytes(HASH_INIT, "foo", 3), "bar"), 0x85944171f73967e8);
	assert_int_equal(hash32_bytes(hash32_bytes(HASH32_INIT, "foo", 3), "bar", 3), 0xbf9cf968);
}

static void names_keep_their_ends(void **state)
{
	(void)state;
	assert_int_equal(hash_name(HASH_INIT, "ab"), hash_bytes(HASH_INIT, "ab\0", 3));
	assert_int_not_equal(hash_name(hash_name(HASH_INIT, "ab"), "c"),
			     hash_name(hash_name(HASH_INIT, "a"), "bc"));
}

static void bytes_are_unsigned(void **state)
{
	(void)state;
	/* one step by hand: (offset basis xor 0xff) * prime */
	assert_int_equal(hash_text(HASH_INIT, "\xff"), 0xaf64724c8602eb6e);
	assert_int_equal(hash32_bytes(HASH32_INIT, "\xff", 1),
			 (uint32_t)((0x811c9dc5 ^ 0xff) * UINT64_C(0x01000193)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_vectors),
		cmocka_unit_test(a_hash_goes_on_where_it_stopped),
		cmocka_unit_test(names_keep_their_ends),
		cmocka_unit_test(bytes_are_unsigned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
