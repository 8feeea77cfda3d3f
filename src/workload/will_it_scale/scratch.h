/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WORKLOAD_WILL_IT_SCALE_SCRATCH_H
#define WORKLOAD_WILL_IT_SCALE_SCRATCH_H
/*
 * A private folder for temporary files in $TMPDIR (default /tmp). It is locked as long as a process that made it,
 * or a child of that, lives: what others that were killed left there is found by that, and removed.
 */
#include "base/err.h"

struct scratch {
	char *folder; /* its path; NULL: none */
	int lock; /* its descriptor */
};

/* scratch needs no initialisation. */
int scratch_create(struct scratch *scratch, struct err *err);

/* Removes the folder and all in it. Takes a zeroed one. */
void scratch_remove(struct scratch *scratch);

#endif
