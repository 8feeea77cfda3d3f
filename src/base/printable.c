// SPDX-License-Identifier: GPL-2.0-only
#include "base/printable.h"

/* Length of the UTF-8 sequence at s; 0 if it is none (overlong forms and surrogates are none). */
static int utf8_length(const unsigned char *s)
{
	static const struct {
		unsigned char first, last, second_first, second_last;
		int length;
	} forms[] = {
		{0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
		{0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
		{0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
		{0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
	};

	if (*s < 0x80)
		return 1;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		int at = 2;

		if (*s < forms[i].first || *s > forms[i].last)
			continue;
		if (s[1] < forms[i].second_first || s[1] > forms[i].second_last)
			return 0;
		while (at < forms[i].length && (s[at] & 0xc0) == 0x80)
			at++;
		return at == forms[i].length ? at : 0;
	}
	return 0;
}

static bool is_control(const unsigned char *s, int length)
{
	if (length == 1)
		return *s < 0x20 || *s == 0x7f;
	return length == 2 && *s == 0xc2 && s[1] < 0xa0; /* U+0080 to U+009F */
}

/* U+202A to U+202E, U+2066 to U+2069 */
static bool turns_direction(const unsigned char *s, int length)
{
	if (length != 3 || s[0] != 0xe2)
		return false;
	return (s[1] == 0x80 && s[2] >= 0xaa && s[2] <= 0xae) ||
	       (s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9);
}

static const unsigned char *add_sequence(struct strbuf *out, const unsigned char *s, int length)
{
	strbuf_add(out, s, (size_t)length);
	return s + length;
}

void add_printable(struct strbuf *out, const char *text, bool keep_lines)
{
	const unsigned char *s = (const unsigned char *)text;

	while (*s) {
		int length = utf8_length(s);

		if (keep_lines && (*s == '\n' || *s == '\t'))
			strbuf_addch(out, *s++);
		else if (length && !is_control(s, length) && !turns_direction(s, length))
			s = add_sequence(out, s, length);
		else
			strbuf_addf(out, "\\x%02x", *s++);
	}
}
