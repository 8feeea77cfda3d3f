/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEASURE_SYSFILE_H
#define MEASURE_SYSFILE_H
/*
 * The kernel's small text files. Every path is looked up below a root folder: "" is this machine, a test has
 * a tree of its own. All strings are in the pool.
 */
#include "base/pool.h"

/* The file's text without white space at its end, at most 64 KiB of it; NULL if it cannot be read. */
char *sysfile_read(struct pool *pool, const char *root, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* True if there is a file or folder of that name. */
bool sysfile_exists(const char *root, const char *fmt, ...) PRINTF_LIKE(2, 3);

/*
 * What several files that match a glob pattern say: each different text once, in order, joined by commas; NULL
 * if none can be read.
 */
char *sysfile_read_all(struct pool *pool, const char *root, const char *pattern);

/* Calls visit for each entry of a folder, by name; hidden ones are left out. */
void sysfile_list(const char *root, const char *folder, void (*visit)(void *data, const char *name),
		  void *data);

/* "3" or "0-3": its ends; false if it is no such range. */
bool sysfile_range(const char *text, int64_t *first, int64_t *last);

/* How many CPUs "0-3,8,10-11" means: 7. 0 if it is no such list. */
int sysfile_count_list(const char *list);

#endif
