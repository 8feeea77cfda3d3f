/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEASURE_MISSING_H
#define MEASURE_MISSING_H
/* Events that cannot be counted, gathered so that each reason makes one warning. A zeroed struct is empty. */
#include "base/strlist.h"

struct missing {
	struct strlist names, reasons; /* name i is missing for reason i */
};

void missing_add(struct missing *missing, const char *name, const char *reason);
/* "reason: name, name, name" */
void missing_warn(const struct missing *missing, struct strlist *warnings);
void missing_release(struct missing *missing);

#endif
