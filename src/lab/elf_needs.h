/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_ELF_NEEDS_H
#define LAB_ELF_NEEDS_H
/*
 * What a file needs beside itself so that the kernel can execute it: a script its interpreter; a program its
 * dynamic loader and the shared libraries which that finds. Other files need nothing.
 */
#include "base/err.h"
#include "base/strlist.h"

/* Zeroed: nothing. */
struct elf_needs {
	/* What the kernel opens by this very path: a loader, an interpreter. NULL: nothing. */
	char *interpreter;
	char *argument; /* the rest of a script's first line, NULL if there is none */
	bool script;
	/* Of a program: what the loader looks for ("libc.so.6"), and where it finds it. */
	struct strlist names, paths;
};
void elf_needs_release(struct elf_needs *needs);

/*
 * needs must be zeroed. -1: unreadable, a program of another machine, or a library that is not to be found.
 * A shared library by itself is shown to the loader of this program; what that cannot find is left to the
 * program that will load it.
 */
int elf_needs_of(const char *path, struct elf_needs *needs, struct err *err);

/* Takes the lines of `ld.so --list` apart; -1: one of them is not found. program: for the message. */
int elf_needs_parse(char *text, const char *program, struct elf_needs *needs, struct err *err);

#endif
