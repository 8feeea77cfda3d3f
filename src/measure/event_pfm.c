// SPDX-License-Identifier: GPL-2.0-only
#include "measure/event_pfm.h"

/* before libpfm4's: it has definitions of its own for those who lack the kernel's */
#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>

static bool ready(void)
{
	static bool tried, initialized;

	if (!tried)
		initialized = pfm_initialize() == PFM_SUCCESS;
	tried = true;
	return initialized;
}

static bool encode(const char *name, struct perf_event_attr *attr, int *cpu)
{
	pfm_perf_encode_arg_t arg = {.attr = attr, .size = sizeof(arg), .cpu = -1};

	*attr = (struct perf_event_attr){.size = sizeof(*attr)};
	if (pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3 | PFM_PLMH, PFM_OS_PERF_EVENT_EXT,
				      &arg) != PFM_SUCCESS)
		return false;
	attr->size = sizeof(*attr);
	*cpu = arg.cpu;
	return true;
}

bool event_pfm_encode(const char *name, struct perf_event_attr *attr, int *cpu)
{
	char *generic;
	bool found;

	if (!ready())
		return false;
	generic = xasprintf("perf::%s", name);
	found = (!strstr(name, "::") && encode(generic, attr, cpu)) || encode(name, attr, cpu);
	free(generic);
	return found;
}

/* The next PMU after `after` (start with PFM_PMU_NONE); PFM_PMU_MAX at the end. */
static pfm_pmu_t next_pmu(pfm_pmu_t after, pfm_pmu_info_t *info)
{
	for (pfm_pmu_t pmu = after + 1; pmu < PFM_PMU_MAX; pmu++) {
		*info = (pfm_pmu_info_t){.size = sizeof(*info)};
		if (pfm_get_pmu_info(pmu, info) == PFM_SUCCESS)
			return pmu;
	}
	return PFM_PMU_MAX;
}

bool event_pfm_elsewhere(const char *name)
{
	const char *end = strstr(name, "::");
	pfm_pmu_info_t info;

	if (!end || !ready())
		return false;
	for (pfm_pmu_t pmu = next_pmu(PFM_PMU_NONE, &info); pmu != PFM_PMU_MAX;
	     pmu = next_pmu(pmu, &info))
		if (strlen(info.name) == (size_t)(end - name) && starts_with(name, info.name))
			return !info.is_present;
	return false;
}

static void add_names(const pfm_pmu_info_t *pmu, struct strlist *out)
{
	for (int i = pmu->first_event; i != -1; i = pfm_get_event_next(i)) {
		pfm_event_info_t event = {.size = sizeof(event)};

		if (pfm_get_event_info(i, PFM_OS_PERF_EVENT_EXT, &event) == PFM_SUCCESS)
			strlist_add(out, event.name);
	}
}

void event_pfm_names(struct strlist *out)
{
	pfm_pmu_info_t info;

	if (!ready())
		return;
	for (pfm_pmu_t pmu = next_pmu(PFM_PMU_NONE, &info); pmu != PFM_PMU_MAX;
	     pmu = next_pmu(pmu, &info))
		if (info.is_present)
			add_names(&info, out);
}
