/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef STORE_NAMES_H
#define STORE_NAMES_H
/*
 * Names that are stored once (metrics, events, facts) and their ids, remembered in memory: a run of five
 * thousand values needs the same five thousand names as the run before it.
 */
#include "base/pool.h"
#include "base/strmap.h"
#include "store/db.h"
#include "store/pack.h"

/* Ids are from 1 to this, and whatever else comes out of the file is damage: they must fit into packed values. */
#define NAME_ID_MAX PACK_ID_MAX

struct names {
	struct db *db;
	enum stmt_id find, add, name; /* id of a name; a new name; name of an id (metrics only) */
	struct pool pool;
	struct strmap id_of;
	const char **name_of; /* by id; NULL where not asked for yet */
	int64_t name_of_nr;
};

/* Nothing is remembered any more: before the end, and when a transaction is undone. */
void names_forget(struct names *names);

/* 1: *id is that of the name, 0: there is no such name, and add is false; -1 */
int names_id(struct names *names, const char *name, bool add, int64_t *id, struct err *err);

/* NULL with err set if there is none, which is damage. Lives until names_forget(). */
const char *names_name(struct names *names, int64_t id, struct err *err);

#endif
