/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEASURE_EVENT_NAMES_H
#define MEASURE_EVENT_NAMES_H
/* What is known of the names of events without asking the machine. */
#include "base/err.h"

/* The kernel's software events. */
enum software_kind {
	SOFTWARE_TIME, /* counts ns, whatever is excluded */
	SOFTWARE_FAULT, /* of user space or of the kernel */
	SOFTWARE_KERNEL, /* happens in the kernel only: excluding it leaves nothing */
};
struct software_event {
	const char *name;
	uint64_t config; /* PERF_COUNT_SW_* */
	enum software_kind kind;
};
const struct software_event *software_event_find(const char *name); /* NULL if there is none */
const struct software_event *software_event_find_config(uint64_t config);

/* Length of the name without its modifiers: 6 for "cycles:u", 10 for "pmu/event/k", 18 for "sched:sched_switch". */
size_t event_name_base(const char *name);

/* "no event is named 'cylces': did you mean cycles? ..." Returns -1. */
int event_names_unknown(const char *name, struct err *err);

#endif
