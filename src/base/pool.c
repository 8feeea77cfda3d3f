// SPDX-License-Identifier: GPL-2.0-only
#include "base/pool.h"

#include <stdalign.h>

enum {
	BLOCK_SIZE = 8192
};

struct pool_block {
	struct pool_block *prev;
	size_t used, size;
	alignas(max_align_t) char data[];
};

void pool_release(struct pool *pool)
{
	struct pool_block *block = pool->last;

	while (block) {
		struct pool_block *prev = block->prev;

		free(block);
		block = prev;
	}
	pool->last = NULL;
}

static struct pool_block *new_block(size_t size)
{
	struct pool_block *block = xmalloc(sizeof(*block) + size);

	block->prev = NULL;
	block->used = 0;
	block->size = size;
	return block;
}

/* A block with `size` bytes left. A large one goes behind the current, whose rest is not lost then. */
static struct pool_block *room_for(struct pool *pool, size_t size)
{
	struct pool_block *last = pool->last, *block;

	if (last && last->size - last->used >= size)
		return last;
	block = new_block(size > BLOCK_SIZE ? size : BLOCK_SIZE);
	if (last && size > BLOCK_SIZE) {
		block->prev = last->prev;
		last->prev = block;
	} else {
		block->prev = last;
		pool->last = block;
	}
	return block;
}

void *pool_alloc(struct pool *pool, size_t size)
{
	struct pool_block *block;
	void *p;

	if (size > PTRDIFF_MAX / 2)
		out_of_memory();
	size = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	block = room_for(pool, size);
	p = block->data + block->used;
	block->used += size;
	memset(p, 0, size);
	return p;
}

char *pool_strndup(struct pool *pool, const char *s, size_t len)
{
	size_t used = strnlen(s, len);
	char *copy = pool_alloc(pool, used + 1);

	memcpy(copy, s, used);
	return copy;
}

char *pool_strdup(struct pool *pool, const char *s)
{
	return s ? pool_strndup(pool, s, strlen(s)) : NULL;
}

char *pool_printf(struct pool *pool, const char *fmt, ...)
{
	va_list ap;
	char *s;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len < 0)
		out_of_memory();
	s = pool_alloc(pool, (size_t)len + 1);
	va_start(ap, fmt);
	vsnprintf(s, (size_t)len + 1, fmt, ap);
	va_end(ap);
	return s;
}
