// SPDX-License-Identifier: GPL-2.0-only
#include "measure/event_names.h"

#include "base/near.h"
#include "base/strbuf.h"
#include "base/strlist.h"
#include "measure/counters.h"
#include "measure/event_pfm.h"

#include <linux/perf_event.h>

enum {
	NEAR_SHOWN = 3,
};

static const struct software_event software_events[] = {
	{"cpu-clock", PERF_COUNT_SW_CPU_CLOCK, SOFTWARE_TIME},
	{"task-clock", PERF_COUNT_SW_TASK_CLOCK, SOFTWARE_TIME},
	{"page-faults", PERF_COUNT_SW_PAGE_FAULTS, SOFTWARE_FAULT},
	{"minor-faults", PERF_COUNT_SW_PAGE_FAULTS_MIN, SOFTWARE_FAULT},
	{"major-faults", PERF_COUNT_SW_PAGE_FAULTS_MAJ, SOFTWARE_FAULT},
	{"context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES, SOFTWARE_KERNEL},
	{"cpu-migrations", PERF_COUNT_SW_CPU_MIGRATIONS, SOFTWARE_KERNEL},
	{"alignment-faults", PERF_COUNT_SW_ALIGNMENT_FAULTS, SOFTWARE_FAULT},
	{"emulation-faults", PERF_COUNT_SW_EMULATION_FAULTS, SOFTWARE_FAULT},
	{"cgroup-switches", PERF_COUNT_SW_CGROUP_SWITCHES, SOFTWARE_KERNEL},
	{"bpf-output", PERF_COUNT_SW_BPF_OUTPUT, SOFTWARE_KERNEL},
};

const struct software_event *software_event_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(software_events); i++)
		if (streq(software_events[i].name, name))
			return &software_events[i];
	return NULL;
}

const struct software_event *software_event_find_config(uint64_t config)
{
	for (size_t i = 0; i < ARRAY_SIZE(software_events); i++)
		if (software_events[i].config == config)
			return &software_events[i];
	return NULL;
}

size_t event_name_base(const char *name)
{
	size_t len = strlen(name);
	const char *last = strrchr(name, '/');

	if (!last)
		last = strrchr(name, ':');
	if (!last || last == name || last[1 + strspn(last + 1, "ukhGHp")])
		return len;
	if (*last == '/')
		return (size_t)(last + 1 - name);
	return last[1] ? (size_t)(last - name) : len;
}

const struct strlist *counters_default_events(void)
{
	static const char names[] = "cpu-cycles,instructions,cache-references,cache-misses,"
				    "branch-instructions,branch-misses,"
				    "dTLB-loads,dTLB-load-misses,dTLB-stores,dTLB-store-misses,"
				    "iTLB-loads,iTLB-load-misses,"
				    "node-loads,node-load-misses,node-stores,node-store-misses,"
				    "cpu-clock,task-clock,page-faults,minor-faults,major-faults,"
				    "context-switches,cpu-migrations";
	static struct strlist list;

	if (!list.nr)
		strlist_split(&list, names, ',');
	return &list;
}

static void lower(char *s)
{
	for (; *s; s++)
		if (*s >= 'A' && *s <= 'Z')
			*s = (char)(*s - 'A' + 'a');
}

/* As people write them; libpfm4 has them in capitals, but does not care. */
static void add_known_names(struct strlist *out)
{
	const struct strlist *defaults = counters_default_events();
	int first;

	for (int i = 0; i < defaults->nr; i++)
		strlist_add(out, defaults->v[i]);
	for (size_t i = 0; i < ARRAY_SIZE(software_events); i++)
		strlist_add_once(out, software_events[i].name);
	first = out->nr;
	event_pfm_names(out);
	for (int i = first; i < out->nr; i++)
		lower(out->v[i]);
}

int event_names_unknown(const char *name, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	struct strlist known = {0};
	struct near near = {0};

	add_known_names(&known);
	for (int i = 0; i < known.nr; i++)
		near_add(&near, known.v[i], near_distance(name, known.v[i]));
	near_join(&near, NEAR_SHOWN, "", &text);
	if (near.nr)
		err_set(err,
			"no event is named '%s': did you mean %s? `perf list` shows what there is",
			name, text.buf);
	else
		err_set(err, "no event is named '%s': `perf list` shows what there is", name);
	near_release(&near);
	strbuf_release(&text);
	strlist_release(&known);
	return -1;
}
