/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WORKLOAD_MEMORY_H
#define WORKLOAD_MEMORY_H
/* Does a workload fit into this machine's memory? */
#include "base/err.h"

/* MemAvailable of /proc/meminfo in bytes; -1: not known. */
int64_t memory_available(void);

/* -1 if a workload that fills `bytes` would not fit; the message has both numbers. */
int memory_check(int64_t bytes, struct err *err);

#endif
