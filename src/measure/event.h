/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEASURE_EVENT_H
#define MEASURE_EVENT_H
/*
 * The name of an event -> what perf_event_open() takes. Understood are, and tried in this order,
 *
 *	pmu/event=0x4,umask=0x3/u	a PMU of /sys/bus/event_source/devices, its format fields and named
 *	pmu/named-event/		events; "uncore_imc/.../" means each of uncore_imc_0, uncore_imc_1, ...
 *	subsystem:name			a tracepoint
 *	cycles, dTLB-loads, r01c4	the generic names and raw codes of `perf list`, through libpfm4
 *	RETIRED_OPS:UMASK		libpfm4's names of this CPU's events, also "pmu::EVENT"
 *	bpf-output			a software event that libpfm4 lacks
 *	mem-loads			a named event of the CPU's own PMU
 *
 * followed by modifiers as perf has them: u, k, h (only user space, kernel, hypervisor), G, H (only guests,
 * only the host), p (precise). On a hybrid machine a generic event means one on each kind of core, which are
 * kept apart under the names cpu_core/cycles/ and cpu_atom/cycles/.
 */
#include "base/err.h"
#include "measure/pmu.h"

#include <linux/perf_event.h>

struct event {
	const char *name; /* as it is stored: with its modifiers */
	const char *base; /* without them */
	struct perf_event_attr attr;
	const char
		*cpus; /* list of the CPUs it counts on: "0-15"; NULL: every one that is online */
	bool whole_machine; /* of a PMU outside the cores, which cannot count a task */
	bool in_kernel; /* software event that happens in the kernel only: nothing to count in user space */
	bool is_time; /* software event that counts time, whatever is excluded */
	const char *
		unit; /* what one count is ("2.3283e-10 Joules"), NULL if it is one of what the name says */
};

struct event_list {
	struct pool pool; /* all strings */
	struct event *v;
	int nr, alloc;
};
void event_list_release(struct event_list *list);

enum event_found {
	EVENT_FOUND, /* one or more were added to the list */
	EVENT_ABSENT, /* may well exist, but not here: err->msg says why */
	EVENT_UNKNOWN, /* no event at all: err->msg says so and lists what is near */
};

/* pmus: of the same root. */
enum event_found event_resolve(const struct pmu_list *pmus, const char *name,
			       struct event_list *list, struct err *err);

/*
 * Makes it count user space only: false if that leaves nothing to count. The name tells: cycles:u; it stays
 * where all is counted nevertheless.
 */
bool event_restrict_to_user(struct event *event, struct pool *pool);

#endif
