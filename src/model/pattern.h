/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MODEL_PATTERN_H
#define MODEL_PATTERN_H
/*
 * Patterns on names of metrics: '*' is any text (also none), '?' any one character, everything else itself;
 * the whole name must match. Note: not fnmatch(), for which the brackets of `do_syscall_64.[unknown]` would be
 * a set of characters.
 */
#include "base/strlist.h"

bool pattern_match_rest(const char *pattern, const char *name);

/* Inline: a table of patterns is mostly left by the first character. */
static inline bool pattern_match(const char *pattern, const char *name)
{
	if (*pattern != *name && *pattern != '*' && *pattern != '?')
		return false;
	return pattern_match_rest(pattern, name);
}

/* Some pattern of the list matches; false for an empty list and for NULL. */
bool pattern_match_any(const struct strlist *patterns, const char *name);

#endif
