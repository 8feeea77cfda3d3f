// SPDX-License-Identifier: GPL-2.0-only
#include "store/store.h"
#include "store/path.h"
#include "store/schema.h"
#include "store/store_impl.h"

struct store *store_open(const char *path, enum store_mode mode, struct err *err)
{
	bool write = mode == STORE_WRITE;
	struct store *store;
	struct db *db;

	if (path_prepare(path, mode, err))
		return NULL;
	db = db_open(path, write, err);
	if (!db)
		return NULL;
	if (schema_prepare(db, write, err) || (write && db_use_wal(db, err)) ||
	    (!write && db_exec(db, "PRAGMA query_only = ON", err)) || db_prepare(db, err)) {
		db_close(db);
		return NULL;
	}
	store = xcalloc(1, sizeof(*store));
	store->db = db;
	store->metrics = (struct names){
		.db = db,
		.find = STMT_FIND_METRIC,
		.add = STMT_ADD_METRIC,
		.name = STMT_METRIC_NAME,
	};
	store->events = (struct names){.db = db, .find = STMT_FIND_EVENT, .add = STMT_ADD_EVENT};
	store->facts = (struct names){.db = db, .find = STMT_FIND_FACT, .add = STMT_ADD_FACT};
	return store;
}

void store_forget_names(struct store *store)
{
	names_forget(&store->metrics);
	names_forget(&store->events);
	names_forget(&store->facts);
}

void store_close(struct store *store)
{
	if (!store)
		return;
	db_close(store->db);
	store_forget_names(store);
	free(store);
}

int store_begin(struct store *store, struct err *err)
{
	if (db_exec(store->db, "BEGIN IMMEDIATE", err))
		return -1;
	store->bulk = true;
	return db_query_int(store->db, "SELECT coalesce(max(id), 0) FROM runs", &store->old_runs,
			    err);
}

int store_commit(struct store *store, struct err *err)
{
	if (!store->bulk || !db_in_transaction(store->db))
		return err_set(err, "%s: nothing was stored: the transaction had ended before",
			       db_path(store->db));
	store->bulk = false;
	return db_exec(store->db, "COMMIT", err);
}
