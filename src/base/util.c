// SPDX-License-Identifier: GPL-2.0-only
#include "base/util.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <unistd.h>

void out_of_memory(void)
{
	fputs("perfcmp: out of memory\n", stderr);
	_exit(EXIT_FAILURE);
}

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xcalloc(size_t nr, size_t size)
{
	void *p = calloc(nr ? nr : 1, size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xrealloc(void *p, size_t nr, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(nr, size, &bytes))
		out_of_memory();
	p = realloc(p, bytes ? bytes : 1);
	if (!p)
		out_of_memory();
	return p;
}

char *xstrdup(const char *s)
{
	char *copy = strdup(s);

	if (!copy)
		out_of_memory();
	return copy;
}

char *xstrndup(const char *s, size_t len)
{
	char *copy = strndup(s, len);

	if (!copy)
		out_of_memory();
	return copy;
}

char *xvasprintf(const char *fmt, va_list ap)
{
	char *s;

	if (vasprintf(&s, fmt, ap) < 0)
		out_of_memory();
	return s;
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = xvasprintf(fmt, ap);
	va_end(ap);
	return s;
}

void *grow_array(void *v, size_t size, int *alloc)
{
	if (*alloc > INT_MAX / 2)
		out_of_memory();
	*alloc += *alloc / 2 + 16;
	return xrealloc(v, (size_t)*alloc, size);
}

bool starts_with(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool ends_with(const char *s, const char *suffix)
{
	size_t len = strlen(s), tail = strlen(suffix);

	return len >= tail && streq(s + len - tail, suffix);
}

bool parse_i64(const char *s, int64_t *out)
{
	const char *digit = s + (*s == '-' || *s == '+');
	char *end;
	long long value;

	if (*digit < '0' || *digit > '9')
		return false;
	errno = 0;
	value = strtoll(s, &end, 10);
	if (errno || *end)
		return false;
	*out = value;
	return true;
}

/* strtod_l in the C locale; what strtod takes beyond decimal numbers (hex, nan, inf, blanks) is no number here. */
bool parse_double(const char *s, double *out)
{
	static locale_t c_locale;
	char *end;
	double value;

	if (!*s || s[strspn(s, "+-.0123456789eE")])
		return false;
	if (!c_locale)
		c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!c_locale)
		out_of_memory();
	errno = 0;
	value = strtod_l(s, &end, c_locale);
	if (*end || end == s || !isfinite(value))
		return false;
	*out = value;
	return true;
}

static int64_t clock_read(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

int64_t clock_ns(void)
{
	return clock_read(CLOCK_MONOTONIC);
}

int64_t wall_ns(void)
{
	return clock_read(CLOCK_REALTIME);
}
