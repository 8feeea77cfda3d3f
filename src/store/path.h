/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef STORE_PATH_H
#define STORE_PATH_H
/* The database as a file, before SQLite sees it. store_default_path() of store.h is here as well. */
#include "base/err.h"
#include "store/store.h"

/*
 * Refuses what can be no database (a folder, a text file), and for STORE_READ what holds nothing yet; for
 * STORE_WRITE it makes the folders.
 */
int path_prepare(const char *path, enum store_mode mode, struct err *err);

#endif
