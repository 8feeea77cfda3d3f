/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H
/*
 * A growing string: buf is always NUL-terminated, len does not count the NUL. What is added may point into
 * the buffer itself. A zeroed struct may be added to and released as well, but its buf is NULL until then.
 */
#include "base/util.h"

struct strbuf {
	char *buf;
	size_t len;
	size_t alloc;
};

extern char strbuf_empty[];
#define STRBUF_INIT                                                                                \
	{                                                                                          \
		.buf = strbuf_empty                                                                \
	}

void strbuf_init(struct strbuf *sb);
void strbuf_release(struct strbuf *sb); /* usable again afterwards, empty */
void strbuf_reset(struct strbuf *sb); /* empty, memory kept */
void strbuf_add(struct strbuf *sb, const void *data, size_t len);
void strbuf_addstr(struct strbuf *sb, const char *s);
void strbuf_addch(struct strbuf *sb, int c);
void strbuf_addchars(struct strbuf *sb, int c, int count); /* count <= 0: none */
void strbuf_addf(struct strbuf *sb, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* One more item of a list: as strbuf_addf(), with the separator before it unless the buffer is empty. */
void strbuf_additem(struct strbuf *sb, const char *separator, const char *fmt, ...)
	PRINTF_LIKE(3, 4);
char *strbuf_detach(struct strbuf *sb); /* caller frees */

#endif
