/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BASE_STRMAP_H
#define BASE_STRMAP_H
/*
 * A hash from strings to ints (usually the index into an array beside it). Keys are not copied: the first of
 * equal keys is kept and must live as long as the map. A zeroed struct is an empty map.
 */
#include "base/util.h"

struct strmap_slot {
	const char *key;
	int value;
};
struct strmap {
	struct strmap_slot *slot;
	int nr, alloc;
};

void strmap_release(struct strmap *map); /* usable again afterwards, empty */
int strmap_get(const struct strmap *map, const char *key,
	       int missing); /* the value, or `missing` */
void strmap_put(struct strmap *map, const char *key,
		int value); /* replaces the value of an equal key */

#endif
