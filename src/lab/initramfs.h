/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_INITRAMFS_H
#define LAB_INITRAMFS_H
/*
 * The guest's root file system, made in process with libarchive: newc cpio, gzip (which every kernel that can
 * unpack an initramfs knows), in anonymous memory (memfd): no file of ours is left over, however we end.
 */
#include "base/err.h"
#include "base/strlist.h"

struct initramfs_config {
	const struct strlist *files; /* --vm-file: "HOST" or "HOST:GUEST"; programs bring their libraries */
	char *const *argv;           /* the user's command: found in PATH, taken in with its libraries; or NULL */
	const void *plan;            /* becomes /plan */
	size_t plan_length;
};

/*
 * A memfd with /init (this program), the shared libraries it and the other programs need at the paths where
 * their loader looks for them, /plan, and empty proc sys dev tmp. Libraries are found by the dynamic loader
 * itself (its --list of the program). Returns the descriptor, read offset 0, or -1. *bytes: unpacked size.
 */
int initramfs_make(const struct initramfs_config *config, int64_t *bytes, struct err *err);

#endif
