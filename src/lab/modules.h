/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_MODULES_H
#define LAB_MODULES_H
/*
 * The modules that a guest gets: what perfcmp wants of its kernel, and what the user asked for, as far as it is not
 * built in; with everything they need, in the order in which they are to be loaded.
 *
 * Wanted: the serial ports (without them a guest has only its virtio port), and the virtio port (without it the
 * slower serial port has to do). A kernel that has neither a driver built in nor its module goes without.
 */
#include "base/err.h"
#include "base/pool.h"
#include "base/strbuf.h"
#include "base/strlist.h"

struct modules_config {
	/*
	 * .../lib/modules/RELEASE, the folder that has RELEASE in it, or the root of a `make modules_install
	 * INSTALL_MOD_PATH=`; NULL: no modules.
	 */
	const char *folder;
	const char *image; /* the kernel's; its head tells RELEASE */
	const struct strlist *asked; /* --vm-module; NULL: none */
	bool serial_only; /* the guest has no virtio port */
};

struct module {
	const char *name;
	struct strbuf data; /* unpacked */
	bool asked; /* for the user: a guest that cannot load it has failed */
};

/* Owns its strings and data; zeroed: none. */
struct modules {
	struct pool pool;
	struct module *v;
	int nr, alloc;
	/* The driver of the console is a module: the kernel has none but its early console. */
	bool console_is_module;
};
void modules_release(struct modules *modules);

/*
 * modules must be zeroed. -1: the folder is none of this kernel; an asked module, or one that another needs, is not
 * there, or is damaged, or was built for another kernel.
 */
int modules_find(struct modules *modules, const struct modules_config *config, struct err *err);

#endif
