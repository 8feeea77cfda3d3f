/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WORKLOAD_WILL_IT_SCALE_SCRATCH_H
#define WORKLOAD_WILL_IT_SCALE_SCRATCH_H
/* A private folder for temporary files in $TMPDIR (default /tmp). */
#include "base/err.h"

/* The folder's path, NULL on error. */
char *scratch_create(struct err *err);

/* Removes the folder and all in it, frees the path. NULL: nothing. */
void scratch_remove(char *folder);

#endif
