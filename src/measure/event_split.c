// SPDX-License-Identifier: GPL-2.0-only
#include "base/strbuf.h"
#include "measure/counters.h"
#include "measure/event_names.h"

#include <ctype.h>

static bool is_modifier(char c)
{
	return c && strchr("ukhGHp", c);
}

/* Appends the modifiers that the event has not yet. */
static void add_modifiers(struct strbuf *event, const char *modifiers, size_t len)
{
	size_t base = event_name_base(event->buf);
	const char *own = event->buf + base + (event->buf[base] == ':');
	bool none = !*own;

	for (size_t i = 0; i < len; i++) {
		if (!is_modifier(modifiers[i]) || strchr(event->buf + base, modifiers[i]))
			continue;
		if (none && !ends_with(event->buf, "/"))
			strbuf_addch(event, ':');
		none = false;
		strbuf_addch(event, modifiers[i]);
	}
}

/* One event of text, up to a comma or brace outside of slashes; returns its length. */
static size_t take_event(const char *text, struct strbuf *event)
{
	bool slashes = false;
	size_t len = 0;

	strbuf_reset(event);
	for (; text[len]; len++) {
		if (text[len] == '/')
			slashes = !slashes;
		if (!slashes && strchr(",{}", text[len]))
			break;
		if (!isspace((unsigned char)text[len]))
			strbuf_addch(event, text[len]);
	}
	return len;
}

/* The modifiers of a group: "u" of "}:u,"; returns how much of text that is. */
static size_t group_modifiers(const char *text, const char **modifiers, size_t *modifiers_len)
{
	*modifiers = text + 1;
	*modifiers_len = *text == ':' ? strcspn(text + 1, ",{}/ \t\n") : 0;
	return *text == ':' ? *modifiers_len + 1 : 0;
}

/* Adds the group's modifiers to the events of out from `first` on. */
static void modify_group(struct strlist *out, int first, const char *modifiers, size_t len)
{
	struct strbuf event = STRBUF_INIT;

	for (int i = first; i < out->nr; i++) {
		strbuf_reset(&event);
		strbuf_addstr(&event, out->v[i]);
		add_modifiers(&event, modifiers, len);
		free(out->v[i]);
		out->v[i] = xstrdup(event.buf);
	}
	strbuf_release(&event);
}

void counters_split_events(const char *text, struct strlist *out)
{
	struct strbuf event = STRBUF_INIT;
	int group = out->nr;

	while (*text) {
		text += take_event(text, &event);
		if (event.len)
			strlist_add_once(out, event.buf);
		if (*text == '{')
			group = out->nr;
		if (*text == '}') {
			const char *modifiers;
			size_t len;

			text += 1 + group_modifiers(text + 1, &modifiers, &len);
			modify_group(out, group, modifiers, len);
			group = out->nr;
		} else if (*text) {
			text++;
		}
	}
	strbuf_release(&event);
}
