/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_MODULE_INDEX_H
#define LAB_MODULE_INDEX_H
/*
 * Which modules a kernel has, from the lists that its build and depmod(8) leave in their folder. Pure: text in,
 * names out.
 *
 *	modules.builtin  kernel/drivers/virtio/virtio.ko
 *	modules.order    kernel/drivers/char/virtio_console.ko
 *	modules.dep      kernel/drivers/char/virtio_console.ko.xz: kernel/drivers/virtio/virtio.ko.xz
 *
 * modules.order is from the build, modules.dep is made where they are installed. Names are the kernel's: the file's
 * without .ko and what follows it, '-' being '_'.
 */
#include "base/err.h"
#include "base/pool.h"
#include "base/strlist.h"
#include "base/strmap.h"

enum {
	MODULE_BUILTIN = -1, /* module_index_find(): is part of the kernel's image */
	MODULE_NONE = -2, /* is nowhere */
};

struct module_entry {
	const char *name, *path; /* below the folder */
	struct strlist needs; /* names; as far as the list tells */
};

/* Zeroed: empty. */
struct module_index {
	struct pool pool;
	struct module_entry *v;
	int nr, alloc;
	struct strmap places;
};
void module_index_release(struct module_index *index);

/*
 * Takes a list's text apart; file: for messages. What is built in is no module, whichever list came first; of two
 * modules of a name the first counts. -1: a line is none of such a list.
 */
int module_index_add_builtin(struct module_index *index, const char *text, const char *file,
			     struct err *err);
int module_index_add(struct module_index *index, const char *text, const char *file,
		     struct err *err);

/* The place in v, or one of the above. name: '-' is as good as '_'. */
int module_index_find(const struct module_index *index, const char *name);

/* "kernel/fs/nls/nls_iso8859-1.ko.xz": "nls_iso8859_1"; the pool's. NULL: that is no module's path. */
const char *module_name(struct pool *pool, const char *path);

#endif
