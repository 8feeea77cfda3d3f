/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BASE_STRLIST_H
#define BASE_STRLIST_H
/* A list of strings it owns; a zeroed struct is an empty list. Warnings travel in these. */
#include "base/util.h"

struct strlist {
	char **v;
	int nr, alloc;
};

void strlist_release(struct strlist *list); /* usable again afterwards, empty */
void strlist_add(struct strlist *list, const char *s);
void strlist_addf(struct strlist *list, const char *fmt, ...) PRINTF_LIKE(2, 3);
void strlist_add_once(struct strlist *list, const char *s); /* unless an equal one is there */
bool strlist_has(const struct strlist *list, const char *s);
void strlist_split(struct strlist *list, const char *s,
		   char separator); /* appends the non-empty parts, in their order */

#endif
