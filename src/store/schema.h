/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef STORE_SCHEMA_H
#define STORE_SCHEMA_H
/*
 * The ladder of schemas: schemas/NNN-*.sql, embedded one after the other. A step begins with a line
 * "-- schema N"; the database's user_version says which step it is on, its application_id that it is ours.
 */
#include "base/err.h"

struct db;

#define SCHEMA_APPLICATION_ID 0x70636d70 /* "pcmp" */

int schema_newest(void); /* the step this program needs */

/*
 * Checks whose database it is, and takes it up to the newest step in one transaction where that can be
 * written; two processes may do so together. A file without tables becomes a database if make is set.
 */
int schema_prepare(struct db *db, bool make, struct err *err);

#endif
