/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEASURE_COUNTERS_ACCESS_H
#define MEASURE_COUNTERS_ACCESS_H
/*
 * How much may be counted. Who may do what depends on kernel.perf_event_paranoid, capabilities, security
 * modules and containers' filters; so it is tried, with a software event that counts nothing, from the most to
 * the least:
 *
 *	everything on every CPU		perf_event_paranoid <= 0
 *	the task, with the kernel	<= 1
 *	the task, user space only	<= 2
 *
 * With CAP_PERFMON (or as root) the setting does not matter.
 */
#include "base/strlist.h"
#include "measure/counters.h"

enum access {
	ACCESS_SYSTEM,
	ACCESS_TASK,
	ACCESS_USER, /* the task, user space only */
};

struct access_probe {
	const char *root; /* below which /proc is */
	int (*try)(void *data, enum access access); /* 0, or a negative errno */
	void *data;
};

/*
 * The most that wanted (not FAKE, not OFF) and this machine allow. Less than was wanted: a warning that names
 * the setting and its value. -1 if nothing may be counted; the message says what to do.
 */
int counters_access_find(enum counters_scope wanted, const struct access_probe *probe,
			 enum access *out, struct strlist *warnings, struct err *err);

#endif
