/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEASURE_RING_H
#define MEASURE_RING_H
/* The last `size` bytes of a stream of any length. A zeroed ring keeps nothing. */
#include "base/strbuf.h"

struct ring {
	char *buf;
	size_t size;
	size_t used; /* bytes kept, up to size */
	size_t next; /* where the next byte goes */
};

void ring_init(struct ring *ring, size_t size);
void ring_release(struct ring *ring);
void ring_add(struct ring *ring, const char *data, size_t len);
void ring_copy(const struct ring *ring, struct strbuf *out); /* appends, oldest byte first */

#endif
