/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef STORE_STORE_IMPL_H
#define STORE_STORE_IMPL_H
/* What the files that implement store.h share. */
#include "base/strbuf.h"
#include "store/campaign.h"
#include "store/db.h"
#include "store/names.h"
#include "store/pack.h"

struct store {
	struct db *db;
	struct names metrics, events, facts;
	bool bulk; /* between store_begin() and store_commit() */
	int64_t old_runs; /* runs up to this id were there before store_begin() */
};

void store_forget_names(struct store *store);

/*
 * Parameters as text: a line "key=value" each, in their order, without a line end after the last. '\' is
 * written "\\", a line end "\n", and a '=' in a key "\=". Reading takes any text: strings go into the pool.
 */
void params_to_text(struct strbuf *out, const struct params *params);
void params_from_text(struct params *out, struct pool *pool, const char *text);

/*
 * Parts of reading a run: what the row of STMT_TEST or STMT_BOOT with that id holds, copied into the pool.
 * A row that is not there is damage.
 */
int store_read_test(struct store *store, int64_t id, struct pool *pool, struct group_key *out,
		    struct err *err);
struct store_boot {
	const char *boot_id;
	struct machine machine;
	struct kernel kernel;
};
int store_read_boot(struct store *store, int64_t id, struct pool *pool, struct store_boot *out,
		    struct err *err);

/* The facts of a run; their strings are in the pool. */
int store_read_facts(struct store *store, int64_t run_id, struct pool *pool, struct params *out,
		     struct err *err);

/* Calls value() for each value of a run, in the order stored. */
typedef void (*store_value_fn)(void *data, const char *metric, struct number value);
int store_read_values(struct store *store, int64_t run_id, store_value_fn value, void *data,
		      struct err *err);

#endif
