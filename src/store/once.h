/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef STORE_ONCE_H
#define STORE_ONCE_H
/*
 * What is stored once and referred to by many runs: commits, boots (with their machine and kernel), tests.
 * 1: *id is set; 0: there is no such row, and add is false; -1.
 */
#include "store/store_impl.h"

/* A hash or subject that was not known is completed if add is set. */
int once_commit(struct store *store, const struct commit *commit, bool add, int64_t *id,
		struct err *err);
int once_boot(struct store *store, const struct run *run, bool add, int64_t *id, struct err *err);
int once_test(struct store *store, const struct run *run, bool add, int64_t *id, struct err *err);

#endif
