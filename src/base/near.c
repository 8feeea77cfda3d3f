// SPDX-License-Identifier: GPL-2.0-only
#include "base/near.h"

enum {
	WITHIN_MIN = 3, /* bytes that are more than chance when found inside a name */
};

int near_edits(const char *a, const char *b)
{
	int len = (int)strlen(b);
	int *row = xcalloc((size_t)len + 1, sizeof(*row));
	int result;

	for (int j = 0; j <= len; j++)
		row[j] = j;
	for (int i = 1; a[i - 1]; i++) {
		int diagonal = row[0];

		row[0] = i;
		for (int j = 1; j <= len; j++) {
			int best = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	result = row[len];
	free(row);
	return result;
}

static char *lowered(const char *s, size_t len)
{
	char *copy = xstrndup(s, len);

	for (char *c = copy; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	return copy;
}

/* By edits; both in small letters. The name may be long, the wanted one is not. */
static int distance_by_edits(const char *wanted, char *name)
{
	int len = (int)strlen(wanted), name_len = (int)strlen(name);
	int limit = len < WITHIN_MIN ? len / 2 : len / 3 + 1;
	int edits;

	if (name_len <= len + limit && name_len >= len - limit) {
		edits = near_edits(wanted, name);
		if (edits <= limit)
			return 2 * edits;
	}
	if (name_len <= len)
		return NEAR_NOT;
	name[len] = '\0';
	edits = near_edits(wanted, name);
	return edits <= len / 4 ? 2 * edits + 1 : NEAR_NOT;
}

static int distance_of_lowered(const char *wanted, char *name)
{
	if (starts_with(name, wanted))
		return 0;
	if (strlen(wanted) >= WITHIN_MIN && strstr(name, wanted))
		return 1;
	if (strlen(name) >= WITHIN_MIN && strstr(wanted, name))
		return 1;
	return distance_by_edits(wanted, name);
}

int near_distance(const char *wanted, const char *name)
{
	size_t len = strlen(wanted);
	char *small_wanted, *small_name;
	int distance;

	if (len == 0 || len > NEAR_LEN_MAX)
		return NEAR_NOT;
	small_wanted = lowered(wanted, len);
	small_name = lowered(name, strlen(name));
	distance = distance_of_lowered(small_wanted, small_name);
	free(small_wanted);
	free(small_name);
	return distance;
}

static bool is_there(const struct near *near, const char *name)
{
	for (int i = 0; i < near->nr; i++)
		if (strcasecmp(near->v[i].name, name) == 0)
			return true;
	return false;
}

void near_add(struct near *near, const char *name, int distance)
{
	int i = near->nr;

	if (distance == NEAR_NOT || is_there(near, name))
		return;
	if (i == NEAR_MAX) {
		if (near->v[--i].distance <= distance)
			return;
		free(near->v[i].name);
	} else {
		near->nr++;
	}
	for (; i > 0 && near->v[i - 1].distance > distance; i--)
		near->v[i] = near->v[i - 1];
	near->v[i].name = xstrdup(name);
	near->v[i].distance = distance;
}

void near_join(const struct near *near, int max, const char *quote, struct strbuf *out)
{
	for (int i = 0; i < near->nr && i < max; i++)
		strbuf_addf(out, "%s%s%s%s", i ? ", " : "", quote, near->v[i].name, quote);
}

void near_release(struct near *near)
{
	for (int i = 0; i < near->nr; i++)
		free(near->v[i].name);
	*near = (struct near){0};
}
