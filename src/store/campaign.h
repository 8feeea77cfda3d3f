/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef STORE_CAMPAIGN_H
#define STORE_CAMPAIGN_H
/* The part of the store (store.h) that lets a collection be resumed. */
#include "store/store.h"

/*
 * A collection that can be resumed: key is everything that makes its plan what it is, as text; its runs are
 * stored with their place in that plan.
 */
struct campaign_place {
	int64_t campaign;
	int place; /* from 0 */
};
int store_campaign_new(struct store *store, const char *key, int64_t *campaign, struct err *err);
int store_campaign_find(struct store *store, const char *key, int64_t *campaign,
			struct err *err); /* 1: the newest one with that key; 0: none; -1 */
/* Sets done[place] of each place below places_nr that has a run. */
int store_campaign_places(struct store *store, int64_t campaign, bool *done, int places_nr,
			  struct err *err);
/* As store_add_run(), in the same transaction; a place that has a run already is refused. */
int store_add_campaign_run(struct store *store, const struct campaign_place *place,
			   const struct run *run, struct err *err);

#endif
