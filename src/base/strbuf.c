// SPDX-License-Identifier: GPL-2.0-only
#include "base/strbuf.h"

char strbuf_empty[1];

void strbuf_init(struct strbuf *sb)
{
	*sb = (struct strbuf)STRBUF_INIT;
}

void strbuf_release(struct strbuf *sb)
{
	if (sb->alloc)
		free(sb->buf);
	strbuf_init(sb);
}

void strbuf_reset(struct strbuf *sb)
{
	sb->len = 0;
	if (sb->alloc)
		sb->buf[0] = '\0';
}

/* Room for `more` bytes and a NUL; grows by half at least. */
static void strbuf_grow(struct strbuf *sb, size_t more)
{
	size_t need;

	if (more > PTRDIFF_MAX - 1 - sb->len)
		out_of_memory();
	need = sb->len + more + 1;
	if (need <= sb->alloc)
		return;
	if (need < sb->alloc + sb->alloc / 2)
		need = sb->alloc + sb->alloc / 2;
	sb->buf = xrealloc(sb->alloc ? sb->buf : NULL, need, 1);
	sb->alloc = need;
	sb->buf[sb->len] = '\0';
}

void strbuf_add(struct strbuf *sb, const void *data, size_t len)
{
	uintptr_t offset = (uintptr_t)data - (uintptr_t)sb->buf;
	bool own = offset < sb->alloc;

	strbuf_grow(sb, len);
	if (len)
		memmove(sb->buf + sb->len, own ? sb->buf + offset : data, len);
	sb->len += len;
	sb->buf[sb->len] = '\0';
}

void strbuf_addstr(struct strbuf *sb, const char *s)
{
	strbuf_add(sb, s, strlen(s));
}

void strbuf_addch(struct strbuf *sb, int c)
{
	char byte = (char)c;

	strbuf_add(sb, &byte, 1);
}

void strbuf_addchars(struct strbuf *sb, int c, int count)
{
	if (count <= 0)
		return;
	strbuf_grow(sb, (size_t)count);
	memset(sb->buf + sb->len, c, (size_t)count);
	sb->len += (size_t)count;
	sb->buf[sb->len] = '\0';
}

/* Formatted beside the buffer first: the arguments may point into it. */
void strbuf_addf(struct strbuf *sb, const char *fmt, ...)
{
	char small[256], *large;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(small, sizeof(small), fmt, ap);
	va_end(ap);
	if (len >= 0 && (size_t)len < sizeof(small)) {
		strbuf_add(sb, small, (size_t)len);
		return;
	}
	va_start(ap, fmt);
	large = xvasprintf(fmt, ap);
	va_end(ap);
	strbuf_addstr(sb, large);
	free(large);
}

void strbuf_additem(struct strbuf *sb, const char *separator, const char *fmt, ...)
{
	va_list ap;
	char *item;

	va_start(ap, fmt);
	item = xvasprintf(fmt, ap);
	va_end(ap);
	if (sb->len)
		strbuf_addstr(sb, separator);
	strbuf_addstr(sb, item);
	free(item);
}

char *strbuf_detach(struct strbuf *sb)
{
	char *s = sb->alloc ? sb->buf : xstrdup("");

	strbuf_init(sb);
	return s;
}
