/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_CONSOLE_RULES_H
#define LAB_CONSOLE_RULES_H
/* The table behind lab/console.h: which messages of a kernel are trouble, and how they are called. */
#include "lab/console.h"

/*
 * A message without its time stamp, one line: appends its metric's name. False, and nothing appended: it is
 * no trouble.
 */
bool console_name(const char *message, struct strbuf *name, enum console_gravity *gravity);

#endif
