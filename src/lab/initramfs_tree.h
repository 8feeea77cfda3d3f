/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_INITRAMFS_TREE_H
#define LAB_INITRAMFS_TREE_H
/*
 * What will be in an initramfs: paths of the guest, absolute and without "." or "..", each once. Folders on
 * the way to a path are made at need. Nothing is read before it is written out.
 */
#include "base/err.h"
#include "base/pool.h"
#include "base/strmap.h"

#include <sys/types.h>

/* One of source, link, data; a folder or a device has none of them. */
struct initramfs_entry {
	const char *path;
	mode_t mode; /* with its S_IF bits */
	dev_t device; /* of a character device */
	const char *source; /* the host's file */
	const char *link; /* where a symbolic link points */
	const void *data; /* the caller's, until it is written */
	size_t data_len;
};

/* Zeroed: empty. */
struct initramfs_tree {
	struct pool pool;
	struct initramfs_entry *v;
	int nr, alloc;
	struct strmap index;
};
void initramfs_tree_release(struct initramfs_tree *tree);

/* Copies path, source and link. -1 if something else is there already; the same once more is no error. */
int initramfs_tree_add(struct initramfs_tree *tree, const struct initramfs_entry *entry,
		       struct err *err);

const struct initramfs_entry *initramfs_tree_find(const struct initramfs_tree *tree,
						  const char *path);

/*
 * "base/relative" or "/absolute", without empty parts, "." and ".." (".." takes the part before it away, as in a
 * tree without symbolic links). The string is the pool's.
 */
const char *initramfs_path(struct pool *pool, const char *base, const char *path);

/* Sorts the tree by path. A sealed memfd with the archive, or -1; *bytes: unpacked, in whole pages. */
int initramfs_tree_write(struct initramfs_tree *tree, int64_t *bytes, struct err *err);

#endif
