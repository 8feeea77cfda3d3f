// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "out_of_memory.h"

#include <limits.h>

static void an_empty_one_is_an_empty_string(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	(void)state;
	assert_string_equal(sb.buf, "");
	strbuf_reset(&sb);
	strbuf_add(&sb, "", 0);
	strbuf_add(&sb, NULL, 0);
	strbuf_addstr(&sb, "");
	strbuf_addf(&sb, "%s", "");
	strbuf_addchars(&sb, 'x', 0);
	strbuf_addchars(&sb, 'x', -3);
	assert_string_equal(sb.buf, "");
	assert_int_equal(sb.len, 0);
	strbuf_release(&sb);
	strbuf_release(&sb);
	assert_string_equal(sb.buf, "");
}

static void parts_are_put_one_after_the_other(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	(void)state;
	strbuf_addstr(&sb, "ab");
	strbuf_addch(&sb, 'c');
	strbuf_addchars(&sb, '-', 3);
	strbuf_addf(&sb, "%02d|%s", 7, "x");
	strbuf_add(&sb, "yz!", 2);
	assert_string_equal(sb.buf, "abc---07|xyz");
	assert_int_equal(sb.len, 12);
	strbuf_reset(&sb);
	assert_string_equal(sb.buf, "");
	strbuf_addstr(&sb, "again");
	assert_string_equal(sb.buf, "again");
	strbuf_release(&sb);
}

static void bytes_may_be_zero(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	(void)state;
	strbuf_add(&sb, "a\0b", 3);
	strbuf_addch(&sb, 0);
	assert_int_equal(sb.len, 4);
	assert_memory_equal(sb.buf, "a\0b\0", 5);
	strbuf_release(&sb);
}

/* Around the length up to which addf formats on the stack, and far beyond. */
static void formatted_texts_of_every_length(void **state)
{
	static const int table[] = {0, 1, 254, 255, 256, 257, 511, 512, 100000};
	struct strbuf sb = STRBUF_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		strbuf_reset(&sb);
		strbuf_addf(&sb, "%*s", table[i], "");
		assert_int_equal(sb.len, table[i]);
		assert_int_equal(strlen(sb.buf), table[i]);
		assert_int_equal(strspn(sb.buf, " "), table[i]);
	}
	strbuf_release(&sb);
}

/* Doubling a buffer from itself moves it again and again. */
static void items_are_separated(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	(void)state;
	strbuf_additem(&sb, ", ", "%s", "one");
	assert_string_equal(sb.buf, "one");
	strbuf_additem(&sb, ", ", "'%d'", 2);
	strbuf_additem(&sb, "; ", "%s", "");
	strbuf_additem(&sb, "", "[%s]", sb.buf); /* the buffer itself */
	assert_string_equal(sb.buf, "one, '2'; [one, '2'; ]");
	strbuf_release(&sb);
}

static void what_is_added_may_be_the_buffer_itself(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	(void)state;
	strbuf_addstr(&sb, "ab");
	for (int i = 0; i < 12; i++)
		strbuf_addstr(&sb, sb.buf);
	assert_int_equal(sb.len, 2 << 12);
	for (size_t i = 0; i < sb.len; i++)
		assert_int_equal(sb.buf[i], i % 2 ? 'b' : 'a');
	strbuf_reset(&sb);
	strbuf_addstr(&sb, "xyz");
	strbuf_addf(&sb, "[%s]", sb.buf);
	strbuf_add(&sb, sb.buf + 1, 2);
	assert_string_equal(sb.buf, "xyz[xyz]yz");
	strbuf_release(&sb);
}

static void a_zeroed_struct_can_be_used(void **state)
{
	struct strbuf sb = {0};

	(void)state;
	strbuf_reset(&sb);
	strbuf_release(&sb);
	sb = (struct strbuf){0};
	strbuf_addch(&sb, 'a');
	assert_string_equal(sb.buf, "a");
	strbuf_release(&sb);
}

static void detaching_hands_over_the_string(void **state)
{
	struct strbuf sb = STRBUF_INIT;
	char *empty = strbuf_detach(&sb), *full;

	(void)state;
	assert_string_equal(empty, "");
	strbuf_addstr(&sb, "text");
	full = strbuf_detach(&sb);
	assert_string_equal(full, "text");
	assert_string_equal(sb.buf, "");
	strbuf_addstr(&sb, "new");
	assert_string_equal(full, "text");
	free(empty);
	free(full);
	strbuf_release(&sb);
}

static void add_too_much(void)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addch(&sb, 'a');
	strbuf_add(&sb, "", SIZE_MAX - 1);
}

static void a_length_that_overflows_ends_the_program(void **state)
{
	(void)state;
	assert_true(runs_out_of_memory(add_too_much));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_one_is_an_empty_string),
		cmocka_unit_test(parts_are_put_one_after_the_other),
		cmocka_unit_test(bytes_may_be_zero),
		cmocka_unit_test(formatted_texts_of_every_length),
		cmocka_unit_test(items_are_separated),
		cmocka_unit_test(what_is_added_may_be_the_buffer_itself),
		cmocka_unit_test(a_zeroed_struct_can_be_used),
		cmocka_unit_test(detaching_hands_over_the_string),
		cmocka_unit_test(a_length_that_overflows_ends_the_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
