/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_INITRAMFS_PROGRAMS_H
#define LAB_INITRAMFS_PROGRAMS_H
/* Programs and what they need, from the host into the tree of an initramfs. */
#include "lab/initramfs_tree.h"

/*
 * The host's file under its real path, `name` (of the guest) as a link to it, and everything it needs to run.
 * host: as the user or a loader says it; relative ones are the host's working folder's.
 */
int initramfs_add_program(struct initramfs_tree *tree, const char *host, const char *name,
			  struct err *err);

/* This program as /init, with what it needs. */
int initramfs_add_init(struct initramfs_tree *tree, struct err *err);

/* The user's command: found like execvp() would, and under the name by which the guest will look for it. */
int initramfs_add_command(struct initramfs_tree *tree, const char *command, struct err *err);

#endif
