/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEASURE_EVENT_REQUEST_H
#define MEASURE_EVENT_REQUEST_H
/* Between event.c and event_sysfs.c: one name on its way to being resolved. */
#include "measure/event.h"

struct event_request {
	const struct pmu_list *pmus;
	struct event_list *list; /* where the events go */
	const char *base; /* the name without its modifiers, in the list's pool */
};

/* Adds an event of that base name to the list. The modifiers are applied afterwards. */
struct event *event_request_add(struct event_request *request, const char *base);

/* "pmu/term,term/" */
enum event_found event_sysfs_resolve(struct event_request *request, struct err *err);

/* A name that is a named event of the CPU's own PMU(s): "mem-loads" */
enum event_found event_sysfs_resolve_core(struct event_request *request, struct err *err);

/* Makes a generic hardware event (or a raw code) one of that kind of core of a hybrid machine. */
void event_bind_to_core(struct event *event, const struct pmu *pmu);

/* Where it counts. */
void event_set_pmu(struct event *event, const struct pmu *pmu);

#endif
