// SPDX-License-Identifier: GPL-2.0-only
#include "measure/event.h"

#include "measure/event_names.h"
#include "measure/event_pfm.h"
#include "measure/event_request.h"
#include "measure/sysfile.h"

void event_list_release(struct event_list *list)
{
	free(list->v);
	pool_release(&list->pool);
	*list = (struct event_list){0};
}

struct event *event_request_add(struct event_request *request, const char *base)
{
	struct event_list *list = request->list;
	struct event *event;

	GROW(list->v, list->nr, list->alloc);
	event = &list->v[list->nr++];
	*event = (struct event){.attr.size = sizeof(event->attr)};
	event->base = event->name = pool_strdup(&list->pool, base);
	return event;
}

/* The PMU's type goes into the upper half of config, or takes the place of a raw code's type. */
void event_bind_to_core(struct event *event, const struct pmu *pmu)
{
	if (event->attr.type == PERF_TYPE_RAW)
		event->attr.type = pmu->type;
	else
		event->attr.config |= (uint64_t)pmu->type << PERF_PMU_TYPE_SHIFT;
	event_set_pmu(event, pmu);
}

void event_set_pmu(struct event *event, const struct pmu *pmu)
{
	event->cpus = pmu->core_cpus ? pmu->core_cpus : pmu->mask_cpus;
	event->whole_machine = !pmu->core_cpus && pmu->mask_cpus;
}

static bool is_generic_hardware(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE ||
	       attr->type == PERF_TYPE_RAW;
}

static void add_for_each_core(struct event_request *request, const struct perf_event_attr *attr)
{
	for (int i = 0; i < request->pmus->nr; i++) {
		const struct pmu *pmu = &request->pmus->v[i];
		struct event *event;

		if (!pmu->core_cpus)
			continue;
		event = event_request_add(request, pool_printf(&request->list->pool, "%s/%s/",
							       pmu->name, request->base));
		event->attr = *attr;
		event_bind_to_core(event, pmu);
	}
}

static void add_one(struct event_request *request, const struct perf_event_attr *attr, int cpu)
{
	struct event *event = event_request_add(request, request->base);
	const struct pmu *pmu = pmu_find_type(request->pmus, attr->type);

	event->attr = *attr;
	if (pmu && attr->type > PERF_TYPE_BREAKPOINT)
		event_set_pmu(event, pmu);
	if (cpu >= 0)
		event->cpus = pool_printf(&request->list->pool, "%d", cpu);
}

static enum event_found resolve_with_pfm(struct event_request *request, struct err *err)
{
	struct perf_event_attr attr;
	int cpu;

	if (!event_pfm_encode(request->base, &attr, &cpu)) {
		if (!event_pfm_elsewhere(request->base))
			return EVENT_UNKNOWN;
		err_set(err, "%s: an event of another kind of CPU", request->base);
		return EVENT_ABSENT;
	}
	attr.sample_period = 0; /* counted, not sampled */
	attr.freq = 0;
	if (is_generic_hardware(&attr) && request->pmus->cores > 1)
		add_for_each_core(request, &attr);
	else
		add_one(request, &attr, cpu);
	return EVENT_FOUND;
}

static void add_kernel_event(struct event_request *request, uint32_t type, uint64_t config)
{
	struct event *event = event_request_add(request, request->base);

	event->attr.type = type;
	event->attr.config = config;
}

/* Those that libpfm4 lacks. */
static enum event_found resolve_software(struct event_request *request, struct err *err)
{
	const struct software_event *known = software_event_find(request->base);

	(void)err;
	if (!known)
		return EVENT_UNKNOWN;
	add_kernel_event(request, PERF_TYPE_SOFTWARE, known->config);
	return EVENT_FOUND;
}

static bool looks_like_tracepoint(const char *name)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");

	return len && name[len] == ':' && name[len + 1] && !strpbrk(name + len + 1, ":/. ");
}

static enum event_found resolve_tracepoint(struct event_request *request, struct err *err)
{
	static const char *const folders[] = {"/sys/kernel/tracing/events",
					      "/sys/kernel/debug/tracing/events"};
	const char *colon = strchr(request->base, ':');

	(void)err;
	if (!looks_like_tracepoint(request->base))
		return EVENT_UNKNOWN;
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		const char *id = sysfile_read(
			&request->list->pool, request->pmus->root, "%s/%.*s/%s/id", folders[i],
			(int)(colon - request->base), request->base, colon + 1);
		int64_t number;

		if (!id || !parse_i64(id, &number))
			continue;
		add_kernel_event(request, PERF_TYPE_TRACEPOINT, (uint64_t)number);
		return EVENT_FOUND;
	}
	return EVENT_UNKNOWN;
}

/* The end of the line: is it a name of another kernel, or of none? */
static enum event_found give_up(struct event_request *request, struct err *err)
{
	if (looks_like_tracepoint(request->base)) {
		err_set(err,
			"%s: no such tracepoint here (is tracefs mounted on /sys/kernel/tracing, and readable?)",
			request->base);
		return EVENT_ABSENT;
	}
	event_names_unknown(request->base, err);
	return EVENT_UNKNOWN;
}

/* Software events have their peculiarities whichever way they were found. */
static void note_software(struct event *event)
{
	const struct software_event *known = NULL;

	if (event->attr.type == PERF_TYPE_SOFTWARE)
		known = software_event_find_config(event->attr.config);
	event->is_time = known && known->kind == SOFTWARE_TIME;
	event->in_kernel = event->attr.type == PERF_TYPE_TRACEPOINT ||
			   (known && known->kind == SOFTWARE_KERNEL);
}

/* perf's meaning: naming one of u, k, h (or of G, H) leaves the others out. */
static void apply_modifiers(struct perf_event_attr *attr, const char *modifiers)
{
	if (strpbrk(modifiers, "ukh")) {
		attr->exclude_user = !strchr(modifiers, 'u');
		attr->exclude_kernel = !strchr(modifiers, 'k');
		attr->exclude_hv = !strchr(modifiers, 'h');
	}
	if (strpbrk(modifiers, "GH")) {
		attr->exclude_guest = !strchr(modifiers, 'G');
		attr->exclude_host = !strchr(modifiers, 'H');
	}
	for (const char *p = modifiers; (p = strchr(p, 'p')) != NULL; p++)
		if (attr->precise_ip < 3)
			attr->precise_ip++;
}

static const char *with_modifiers(struct pool *pool, const char *base, const char *modifiers)
{
	return pool_printf(pool, "%s%s%s", base, ends_with(base, "/") ? "" : ":", modifiers);
}

static enum event_found resolve_base(struct event_request *request, struct err *err)
{
	static enum event_found (*const resolvers[])(struct event_request *, struct err *) = {
		resolve_tracepoint,	  resolve_with_pfm, resolve_software,
		event_sysfs_resolve_core, give_up,
	};
	enum event_found found = EVENT_UNKNOWN;

	if (strchr(request->base, '/'))
		return event_sysfs_resolve(request, err);
	for (size_t i = 0; i < ARRAY_SIZE(resolvers) && found == EVENT_UNKNOWN; i++)
		found = resolvers[i](request, err);
	return found;
}

enum event_found event_resolve(const struct pmu_list *pmus, const char *name,
			       struct event_list *list, struct err *err)
{
	size_t base_len = event_name_base(name);
	const char *modifiers = name + base_len + (name[base_len] == ':');
	struct event_request request = {
		.pmus = pmus,
		.list = list,
		.base = pool_strndup(&list->pool, name, base_len),
	};
	int first = list->nr;
	enum event_found found = resolve_base(&request, err);

	for (int i = first; i < list->nr; i++) {
		struct event *event = &list->v[i];

		note_software(event);
		if (!*modifiers)
			continue;
		apply_modifiers(&event->attr, modifiers);
		event->name = with_modifiers(&list->pool, event->base, modifiers);
	}
	return found;
}

bool event_restrict_to_user(struct event *event, struct pool *pool)
{
	if (event->in_kernel || event->attr.exclude_user)
		return false;
	if (!event->attr.exclude_kernel && !event->is_time)
		event->name = with_modifiers(pool, event->base, "u");
	event->attr.exclude_kernel = 1;
	event->attr.exclude_hv = 1;
	return true;
}
