/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BASE_NEAR_H
#define BASE_NEAR_H
/*
 * The names nearest to one that does not exist, for "did you mean". Candidates go in one by one and are copied;
 * the nearest few stay, the nearest first, of equally near ones those that came first. A zeroed struct is empty.
 */
#include "base/strbuf.h"

enum {
	NEAR_MAX = 5, /* names kept */
	NEAR_LEN_MAX = 100, /* bytes of a wanted name: nothing is near a longer one */
	NEAR_NOT = INT32_MAX, /* a distance: they have nothing to do with each other */
};

struct near {
	struct {
		char *name;
		int distance;
	} v[NEAR_MAX];
	int nr;
};

/*
 * How far a name is from the one that is wanted, capitals aside: 0 if it begins with it, 1 if one of them, three
 * bytes or more, is within the other, else by the edits between them (a third of the length and one, at most), or
 * between the wanted one and a beginning of that length (a quarter of it, at most).
 */
int near_distance(const char *wanted, const char *name);

/* Unless the distance is NEAR_NOT, or an equal name (capitals aside) is there. */
void near_add(struct near *near, const char *name, int distance);

/* "a, b, c": the first `max` at most, each between two quotes (""). */
void near_join(const struct near *near, int max, const char *quote, struct strbuf *out);
void near_release(struct near *near);

/* Number of edits (insert, delete, replace one byte) that make one of the other. */
int near_edits(const char *a, const char *b);

#endif
