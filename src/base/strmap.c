// SPDX-License-Identifier: GPL-2.0-only
#include "base/strmap.h"

#include "base/hash.h"

#include <limits.h>

void strmap_release(struct strmap *map)
{
	free(map->slot);
	*map = (struct strmap){0};
}

/* The slot of key, or the empty one where it belongs; the table is never full and a power of two long. */
static struct strmap_slot *find(const struct strmap *map, const char *key)
{
	uint64_t mask = (uint64_t)map->alloc - 1;
	uint64_t i = hash_text(HASH_INIT, key) & mask;

	while (map->slot[i].key && !streq(map->slot[i].key, key))
		i = (i + 1) & mask;
	return &map->slot[i];
}

int strmap_get(const struct strmap *map, const char *key, int missing)
{
	const struct strmap_slot *slot;

	if (!map->nr)
		return missing;
	slot = find(map, key);
	return slot->key ? slot->value : missing;
}

static void grow(struct strmap *map)
{
	struct strmap old = *map;

	if (old.alloc > INT_MAX / 2)
		out_of_memory();
	map->alloc = old.alloc ? old.alloc * 2 : 64;
	map->slot = xcalloc((size_t)map->alloc, sizeof(*map->slot));
	for (int i = 0; i < old.alloc; i++)
		if (old.slot[i].key)
			*find(map, old.slot[i].key) = old.slot[i];
	free(old.slot);
}

void strmap_put(struct strmap *map, const char *key, int value)
{
	struct strmap_slot *slot;

	if (map->nr >= map->alloc / 2)
		grow(map);
	slot = find(map, key);
	if (!slot->key) {
		map->nr++;
		slot->key = key;
	}
	slot->value = value;
}
