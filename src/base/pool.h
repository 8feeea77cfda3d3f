/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BASE_POOL_H
#define BASE_POOL_H
/* An arena: many allocations, one release. A zeroed struct pool is an empty pool. */
#include "base/util.h"

struct pool_block;
struct pool {
	struct pool_block *last;
};

void pool_release(struct pool *pool); /* frees everything; the pool is empty and usable again */
void *pool_alloc(struct pool *pool, size_t size); /* zeroed, aligned for any type */
char *pool_strdup(struct pool *pool, const char *s); /* NULL stays NULL */
char *pool_strndup(struct pool *pool, const char *s,
		   size_t len); /* at most len bytes; ends at a NUL */
char *pool_printf(struct pool *pool, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
