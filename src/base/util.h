/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BASE_UTIL_H
#define BASE_UTIL_H
/*
 * Small things every file needs: memory that never fails to come (out of memory ends the program with
 * a message), growing arrays, string tests, clocks.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))

/* A length that overflows is out of memory as well; a length of 0 gives a pointer that can be freed. */
_Noreturn void out_of_memory(void);
void *xmalloc(size_t size);
void *xcalloc(size_t nr, size_t size); /* nr * size bytes, zeroed */
void *xrealloc(void *p, size_t nr, size_t size); /* nr * size bytes */
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t len); /* at most len bytes; ends at a NUL */
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2);
char *xvasprintf(const char *fmt, va_list ap) PRINTF_LIKE(1, 0);

/*
 * GROW(v, nr, alloc): make room for one more element of the array v, whose used length is nr and whose
 * allocated length is alloc (lvalues, the lengths ints); the length grows by half each time.
 */
#define GROW(v, nr, alloc)                                                                         \
	do {                                                                                       \
		if ((nr) >= (alloc))                                                               \
			(v) = grow_array((v), sizeof(*(v)), &(alloc));                             \
	} while (0)
void *grow_array(void *v, size_t size, int *alloc);

bool starts_with(const char *s, const char *prefix);
bool ends_with(const char *s, const char *suffix);
static inline bool streq(const char *a, const char *b)
{
	return __builtin_strcmp(a, b) == 0;
}

/*
 * The whole string s as a decimal number; false, and *out untouched, if it is not one or does not fit. No
 * blanks, no hex, no nan or inf; the decimal point is '.', whatever the locale.
 */
bool parse_i64(const char *s, int64_t *out);
bool parse_double(const char *s, double *out);

#define NS_PER_S INT64_C(1000000000) /* nanoseconds of a second */
int64_t clock_ns(void); /* CLOCK_MONOTONIC */
int64_t wall_ns(void); /* CLOCK_REALTIME, since 1970 */

#include "base/banned.h"
#endif
