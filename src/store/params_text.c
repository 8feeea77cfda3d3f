// SPDX-License-Identifier: GPL-2.0-only
#include "store/store_impl.h"

static void add_escaped(struct strbuf *out, const char *s, bool key)
{
	for (; *s; s++) {
		if (*s == '\\' || (key && *s == '='))
			strbuf_addch(out, '\\');
		if (*s == '\n')
			strbuf_addstr(out, "\\n");
		else
			strbuf_addch(out, *s);
	}
}

void params_to_text(struct strbuf *out, const struct params *params)
{
	for (int i = 0; i < params->nr; i++) {
		if (i)
			strbuf_addch(out, '\n');
		add_escaped(out, params->v[i].key, true);
		strbuf_addch(out, '=');
		add_escaped(out, params->v[i].value, false);
	}
}

/* Reads up to an end character or the end of the line; returns where it stopped. */
static const char *read_escaped(struct strbuf *out, const char *s, char end)
{
	for (; *s && *s != '\n' && *s != end; s++) {
		if (*s == '\\' && s[1])
			strbuf_addch(out, *++s == 'n' ? '\n' : *s);
		else
			strbuf_addch(out, *s);
	}
	return s;
}

void params_from_text(struct params *out, struct pool *pool, const char *text)
{
	struct strbuf key = STRBUF_INIT, value = STRBUF_INIT;

	while (*text) {
		strbuf_reset(&key);
		strbuf_reset(&value);
		text = read_escaped(&key, text, '=');
		if (*text == '=')
			text = read_escaped(&value, text + 1, '\n');
		if (*text)
			text++;
		params_set(out, pool, key.buf, value.buf);
	}
	strbuf_release(&key);
	strbuf_release(&value);
}
