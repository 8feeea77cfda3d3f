// SPDX-License-Identifier: GPL-2.0-only
#include "measure/ring.h"

void ring_init(struct ring *ring, size_t size)
{
	*ring = (struct ring){.buf = xmalloc(size), .size = size};
}

void ring_release(struct ring *ring)
{
	free(ring->buf);
	*ring = (struct ring){0};
}

void ring_add(struct ring *ring, const char *data, size_t len)
{
	if (len > ring->size) {
		data += len - ring->size;
		len = ring->size;
	}
	while (len) {
		size_t part = ring->size - ring->next;

		if (part > len)
			part = len;
		memcpy(ring->buf + ring->next, data, part);
		ring->next = (ring->next + part) % ring->size;
		ring->used += part;
		data += part;
		len -= part;
	}
	if (ring->used > ring->size)
		ring->used = ring->size;
}

void ring_copy(const struct ring *ring, struct strbuf *out)
{
	if (ring->used == ring->size)
		strbuf_add(out, ring->buf + ring->next, ring->size - ring->next);
	strbuf_add(out, ring->buf, ring->next);
}
