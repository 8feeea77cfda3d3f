// SPDX-License-Identifier: GPL-2.0-only
#include "model/pattern.h"

/*
 * Only the last '*' has to be tried again further right: what an earlier one could gain by taking more text,
 * the last one can give as well.
 */
bool pattern_match(const char *pattern, const char *name)
{
	const char *star = NULL, *restart = NULL;

	while (*name) {
		if (*pattern == '*') {
			star = ++pattern;
			restart = name;
		} else if (*pattern == '?' || *pattern == *name) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star;
			name = ++restart;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

bool pattern_match_any(const struct strlist *patterns, const char *name)
{
	for (int i = 0; patterns && i < patterns->nr; i++)
		if (pattern_match(patterns->v[i], name))
			return true;
	return false;
}
