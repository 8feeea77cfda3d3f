/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_MODULES_FOLDER_H
#define LAB_MODULES_FOLDER_H
/* The folder of one kernel's modules (kernel's Documentation/kbuild/modules.rst, depmod(8)). */
#include "lab/module_index.h"

/* Zeroed: none. */
struct modules_folder {
	const char *path; /* the pool's of the index */
	struct module_index index;
};
void modules_folder_release(struct modules_folder *folder);

/*
 * given: as in struct modules_config. release: NULL if the image tells none; then given is the folder itself.
 * image: for messages. folder must be zeroed.
 */
int modules_folder_open(struct modules_folder *folder, const char *given, const char *release,
			const char *image, struct err *err);

/*
 * The file of a module of the index; the pool's. Lists name it as the build did, without the ending of what was
 * compressed when it was installed.
 */
const char *modules_folder_file(struct modules_folder *folder, const struct module_entry *entry);

#endif
