/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_MODULE_INFO_H
#define LAB_MODULE_INFO_H
/*
 * What a module (an ELF file, whole in memory) says of itself in its section .modinfo: the kernel it was built for,
 * and the modules it needs. The kernel goes by the same texts when it loads it.
 */
#include "base/err.h"
#include "base/strlist.h"

struct strbuf;

/* Zeroed: nothing. */
struct module_info {
	char *release; /* first word of its vermagic: "6.1.0-57-cloud-amd64"; NULL: it says none */
	struct strlist needs; /* names, of modules or of what is built in */
};
void module_info_release(struct module_info *info);

/*
 * elf_machine: EM_X86_64, ... info must be zeroed. path: for messages. -1: that is no module of this machine, or
 * not a whole one.
 */
int module_info_read(struct module_info *info, const struct strbuf *module, int elf_machine,
		     const char *path, struct err *err);

#endif
