/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEASURE_PMU_H
#define MEASURE_PMU_H
/* The PMUs of /sys/bus/event_source/devices and the terms of their events. */
#include "base/err.h"
#include "base/pool.h"
#include "model/params.h"

struct perf_event_attr;

struct pmu {
	const char *root; /* below which /sys is */
	const char *name;
	uint32_t type; /* of perf_event_attr */
	const char *core_cpus; /* file "cpus": a kind of core of a hybrid machine */
	const char *mask_cpus; /* file "cpumask": counts for others too, one CPU each socket */
};

struct pmu_list {
	struct pool pool;
	const char *root; /* below which /sys is, "" for this machine */
	struct pmu *v;
	int nr, alloc;
	int cores; /* kinds of core: 2 or more on a hybrid machine, else 0 or 1 */
};

void pmu_list_load(struct pmu_list *list, const char *root); /* of a zeroed list */
void pmu_list_release(struct pmu_list *list);
const struct pmu *pmu_find(const struct pmu_list *list, const char *name); /* NULL if not there */
const struct pmu *pmu_find_type(const struct pmu_list *list, uint32_t type);

/* Is it the CPU's own: "cpu", or one with core_cpus? */
bool pmu_is_core(const struct pmu *pmu);

/*
 * Puts a term into the attr: a format field (event = 0x4) or config, config1, config2. -1 if the PMU has no
 * such field or the value does not fit it.
 */
int pmu_set_field(const struct pmu *pmu, struct perf_event_attr *attr, const struct param *term,
		  struct err *err);

/* The terms of a named event ("event=0x3c,umask=0x01"), in pool; NULL if the PMU has no such event. */
const char *pmu_named_event(const struct pmu *pmu, struct pool *pool, const char *name);

#endif
