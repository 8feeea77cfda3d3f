/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_GUEST_MODULES_H
#define LAB_GUEST_MODULES_H
/* The modules of a guest (lab/modules.h): how they are in its initramfs, and how its first program loads them. */
#include "base/err.h"
#include "base/strlist.h"

/* NAME.ko for each, and the list: a line for each, in order; GUEST_MODULES_ASKED in front of those of the user. */
#define GUEST_MODULES "/modules"
#define GUEST_MODULES_LIST GUEST_MODULES "/list"
#define GUEST_MODULES_ASKED "!"

/*
 * Loads all of them, and frees the memory of their files. -1: one that the user asked for does not load (the first of
 * them), with the kernel's reason; others that do not are told on the console. No list: nothing to do.
 */
int guest_modules_load(struct err *err);

#endif
