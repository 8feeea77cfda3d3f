// SPDX-License-Identifier: GPL-2.0-only
/* What reaches a terminal, and what is shown as its bytes. The forms of UTF-8 are those of RFC 3629. */
#include "base/printable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct shown {
	const char *text, *printed;
};

static void check_shown(const struct shown *shown, size_t nr, bool keep_lines)
{
	for (size_t i = 0; i < nr; i++) {
		struct strbuf out = STRBUF_INIT;

		add_printable(&out, shown[i].text, keep_lines);
		assert_string_equal(out.buf, shown[i].printed);
		strbuf_release(&out);
	}
}

#define CHECK(shown, keep_lines) check_shown(shown, ARRAY_SIZE(shown), keep_lines)

static void text_stays_as_it_is(void **state)
{
	static const char *const texts[] = {
		"",
		"will-it-scale.per_process_ops",
		" !~",
		"\xc2\xa0\xc3\xa9\xdf\xbf", /* U+00A0, U+00E9, U+07FF */
		"\xe0\xa0\x80\xe2\x82\xac\xef\xbf\xbd", /* U+0800, U+20AC, U+FFFD */
		"\xed\x9f\xbf\xee\x80\x80", /* U+D7FF and U+E000, beside the surrogates */
		"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", /* U+10000, U+10FFFF */
		"\xd7\xa9\xd7\x9c", /* letters that are written from right to left */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct shown same = {texts[i], texts[i]};

		check_shown(&same, 1, false);
	}
}

static void control_characters_are_shown_as_bytes(void **state)
{
	static const struct shown shown[] = {
		{"\033[2Jx", "\\x1b[2Jx"},
		{"a\nb\tc\rd", "a\\x0ab\\x09c\\x0dd"},
		{"\x01\x1f\x7f", "\\x01\\x1f\\x7f"},
		{"\xc2\x80\xc2\x9b\xc2\x9f", "\\xc2\\x80\\xc2\\x9b\\xc2\\x9f"}, /* C1 */
	};
	static const struct shown lines[] = {
		{"a\nb\tc\rd\033", "a\nb\tc\\x0dd\\x1b"},
	};

	(void)state;
	CHECK(shown, false);
	CHECK(lines, true);
}

static void what_is_no_utf8_is_shown_as_bytes(void **state)
{
	static const struct shown shown[] = {
		{"\x80x", "\\x80x"}, /* the middle of a sequence */
		{"\xff\xfe", "\\xff\\xfe"},
		{"\xc3", "\\xc3"}, /* cut */
		{"\xe2\x82", "\\xe2\\x82"},
		{"\xf0\x9f\x98", "\\xf0\\x9f\\x98"},
		{"\xc3(", "\\xc3("},
		{"\xc0\xaf", "\\xc0\\xaf"}, /* overlong '/' */
		{"\xc1\x9b", "\\xc1\\x9b"}, /* overlong '[' */
		{"\xe0\x80\xaf", "\\xe0\\x80\\xaf"},
		{"\xe0\x9f\xbf", "\\xe0\\x9f\\xbf"},
		{"\xf0\x80\x80\xaf", "\\xf0\\x80\\x80\\xaf"},
		{"\xed\xa0\x80", "\\xed\\xa0\\x80"}, /* surrogates */
		{"\xed\xbf\xbf", "\\xed\\xbf\\xbf"},
		{"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}, /* beyond U+10FFFF */
		{"\xf8\x88\x80\x80\x80", "\\xf8\\x88\\x80\\x80\\x80"},
	};

	(void)state;
	CHECK(shown, false);
	CHECK(shown, true);
}

static void marks_that_turn_the_direction_are_shown_as_bytes(void **state)
{
	static const struct shown shown[] = {
		{"a\xe2\x80\xaa", "a\\xe2\\x80\\xaa"}, /* U+202A */
		{"\xe2\x80\xab", "\\xe2\\x80\\xab"},
		{"\xe2\x80\xac", "\\xe2\\x80\\xac"},
		{"\xe2\x80\xad", "\\xe2\\x80\\xad"},
		{"\xe2\x80\xae"
		 "b",
		 "\\xe2\\x80\\xae"
		 "b"}, /* U+202E */
		{"\xe2\x81\xa6", "\\xe2\\x81\\xa6"}, /* U+2066 */
		{"\xe2\x81\xa7", "\\xe2\\x81\\xa7"},
		{"\xe2\x81\xa8", "\\xe2\\x81\\xa8"},
		{"\xe2\x81\xa9", "\\xe2\\x81\\xa9"}, /* U+2069 */
		/* their neighbours */
		{"\xe2\x80\xa9\xe2\x80\xaf", "\xe2\x80\xa9\xe2\x80\xaf"},
		{"\xe2\x81\xa5\xe2\x81\xaa", "\xe2\x81\xa5\xe2\x81\xaa"},
		{"\xe3\x80\xaa\xe3\x81\xa6", "\xe3\x80\xaa\xe3\x81\xa6"},
	};

	(void)state;
	CHECK(shown, false);
	CHECK(shown, true);
}

static void it_appends(void **state)
{
	struct strbuf out = STRBUF_INIT;

	(void)state;
	strbuf_addstr(&out, "\033");
	add_printable(&out, "\033", false);
	assert_string_equal(out.buf, "\033\\x1b");
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_stays_as_it_is),
		cmocka_unit_test(control_characters_are_shown_as_bytes),
		cmocka_unit_test(what_is_no_utf8_is_shown_as_bytes),
		cmocka_unit_test(marks_that_turn_the_direction_are_shown_as_bytes),
		cmocka_unit_test(it_appends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
