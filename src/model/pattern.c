// SPDX-License-Identifier: GPL-2.0-only
#include "model/pattern.h"

/* The next place of name where what follows a '*' can begin; NULL if there is none. */
static const char *next_start(const char *after_star, const char *name)
{
	if (*after_star == '?')
		return *name ? name : NULL;
	return strchr(name, *after_star); /* finds the end, too */
}

/*
 * Only the last '*' has to be tried again further right: what an earlier one could gain by taking more text,
 * the last one can give as well.
 */
bool pattern_match_rest(const char *pattern, const char *name)
{
	const char *star = NULL, *start = NULL;

	for (;;) {
		if (*pattern == '*') {
			while (*pattern == '*')
				pattern++;
			if (!*pattern)
				return true;
			star = pattern;
			start = name = next_start(star, name);
		} else if (*name && (*pattern == '?' || *pattern == *name)) {
			pattern++;
			name++;
		} else if (!*pattern && !*name) {
			return true;
		} else if (star && *start) {
			pattern = star;
			start = name = next_start(star, start + 1);
		} else {
			return false;
		}
		if (!name)
			return false;
	}
}

bool pattern_match_any(const struct strlist *patterns, const char *name)
{
	for (int i = 0; patterns && i < patterns->nr; i++)
		if (pattern_match(patterns->v[i], name))
			return true;
	return false;
}
