// SPDX-License-Identifier: GPL-2.0-only
#include "base/strlist.h"

void strlist_release(struct strlist *list)
{
	for (int i = 0; i < list->nr; i++)
		free(list->v[i]);
	free(list->v);
	*list = (struct strlist){0};
}

static void strlist_take(struct strlist *list, char *s)
{
	GROW(list->v, list->nr, list->alloc);
	list->v[list->nr++] = s;
}

void strlist_add(struct strlist *list, const char *s)
{
	strlist_take(list, xstrdup(s));
}

void strlist_addf(struct strlist *list, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strlist_take(list, xvasprintf(fmt, ap));
	va_end(ap);
}

bool strlist_has(const struct strlist *list, const char *s)
{
	for (int i = 0; i < list->nr; i++)
		if (streq(list->v[i], s))
			return true;
	return false;
}

void strlist_add_once(struct strlist *list, const char *s)
{
	if (!strlist_has(list, s))
		strlist_add(list, s);
}

void strlist_split(struct strlist *list, const char *s, char separator)
{
	while (*s) {
		const char *end = strchrnul(s, separator);

		if (end > s)
			strlist_take(list, xstrndup(s, (size_t)(end - s)));
		s = *end ? end + 1 : end;
	}
}
