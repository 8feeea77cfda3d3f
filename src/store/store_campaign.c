// SPDX-License-Identifier: GPL-2.0-only
#include "store/store_impl.h"

int store_campaign_new(struct store *store, const char *key, int64_t *campaign, struct err *err)
{
	struct stmt *stmt = db_use(store->db, STMT_ADD_CAMPAIGN);

	stmt_text(stmt, key);
	stmt_int(stmt, wall_ns());
	if (stmt_run(stmt, err))
		return -1;
	*campaign = db_last_id(store->db);
	return 0;
}

int store_campaign_find(struct store *store, const char *key, int64_t *campaign, struct err *err)
{
	struct stmt *stmt = db_use(store->db, STMT_FIND_CAMPAIGN);
	int status;

	stmt_text(stmt, key);
	status = stmt_step(stmt, err);
	if (status > 0)
		*campaign = row_int(stmt, 0);
	stmt_done(stmt);
	return status;
}

int store_campaign_places(struct store *store, int64_t campaign, bool *done, int places_nr,
			  struct err *err)
{
	struct stmt *stmt = db_use(store->db, STMT_CAMPAIGN_PLACES);
	int status;

	stmt_int(stmt, campaign);
	while ((status = stmt_step(stmt, err)) > 0) {
		int64_t place = row_int(stmt, 0);

		if (place >= 0 && place < places_nr)
			done[place] = true;
	}
	return status;
}
