/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef STORE_NAMES_H
#define STORE_NAMES_H
/*
 * Names that are stored once (metrics, events, facts) and their ids, remembered in memory: a run of five thousand
 * values needs the same five thousand names as the run before it. A zeroed struct is empty.
 */
#include "base/pool.h"
#include "base/strmap.h"
#include "store/db.h"

struct names {
	struct pool pool;
	struct strmap id_of;
	const char **name_of; /* by id; NULL where not asked for yet */
	int64_t name_of_nr;
};

void names_release(struct names *names); /* to be called too when a transaction is undone */

/* The name's id; add: STMT_NR if it is not to be added. 1: *id is set, 0: there is no such name, -1. */
int names_id(struct names *names, struct db *db, enum stmt_id find, enum stmt_id add,
	     const char *name, int64_t *id, struct err *err);

/* The name of the metric; NULL with err set if there is none, which is damage. Lives as long as names. */
const char *names_metric(struct names *names, struct db *db, int64_t id, struct err *err);

#endif
