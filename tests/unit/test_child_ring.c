// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/ring.h"

static void it_keeps_the_last_bytes(void **state)
{
	static const struct {
		size_t size;
		const char *parts[4];
		const char *want;
	} cases[] = {
		{4, {NULL}, ""},
		{4, {"abc"}, "abc"},
		{4, {"abcd"}, "abcd"},
		{4, {"abcde"}, "bcde"},
		{4, {"abcdefghijkl"}, "ijkl"},
		{4, {"ab", "cd", "e"}, "bcde"},
		{4, {"abc", "defghi", "j"}, "ghij"},
		{4, {"abcd", "efgh"}, "efgh"},
		{4, {"", "a", ""}, "a"},
		{1, {"ab", "c"}, "c"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf out = STRBUF_INIT;
		struct ring ring;

		ring_init(&ring, cases[i].size);
		for (int j = 0; j < 4 && cases[i].parts[j]; j++)
			ring_add(&ring, cases[i].parts[j], strlen(cases[i].parts[j]));
		ring_copy(&ring, &out);
		assert_string_equal(out.buf, cases[i].want);
		ring_release(&ring);
		strbuf_release(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_keeps_the_last_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
