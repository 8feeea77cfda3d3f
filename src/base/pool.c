// SPDX-License-Identifier: GPL-2.0-only
#include "base/pool.h"

#include <stdalign.h>
#include <stdarg.h>

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

void *pool_alloc(struct pool *pool, size_t size)
{
	struct pool_block *block = pool->last;
	void *p;

	size = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	if (!block || block->size - block->used < size) {
		size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;

		block = xmalloc(sizeof(*block) + room);
		block->prev = pool->last;
		block->used = 0;
		block->size = room;
		pool->last = block;
	}
	p = block->data + block->used;
	block->used += size;
	memset(p, 0, size);
	return p;
}

char *pool_strndup(struct pool *pool, const char *s, size_t len)
{
	char *copy = pool_alloc(pool, len + 1);

	memcpy(copy, s, len);
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
	s = pool_alloc(pool, (size_t)(len < 0 ? 0 : len) + 1);
	va_start(ap, fmt);
	vsnprintf(s, (size_t)len + 1, fmt, ap);
	va_end(ap);
	return s;
}
