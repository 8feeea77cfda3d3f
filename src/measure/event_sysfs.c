// SPDX-License-Identifier: GPL-2.0-only
#include "measure/event_request.h"

#include "base/strbuf.h"
#include "base/strlist.h"
#include "measure/event_pfm.h"

/* "0x3c" of "event=0x3c" */
static struct param split_term(struct pool *pool, const char *text)
{
	struct param term;

	if (param_split(pool, text, &term))
		return term;
	return (struct param){.key = text, .value = "1"};
}

static int set_fields(const struct event_request *request, const struct pmu *pmu,
		      struct event *event, const char *terms, struct err *err)
{
	struct strlist list = {0};
	int status = 0;

	strlist_split(&list, terms, ',');
	for (int i = 0; i < list.nr && status == 0; i++) {
		struct param term = split_term(&request->list->pool, list.v[i]);

		status = pmu_set_field(pmu, &event->attr, &term, err);
	}
	strlist_release(&list);
	return status;
}

/* "power/energy-pkg/" counts in units of 2.3283e-10 Joules: two files beside the event say so. */
static void set_unit(const struct event_request *request, const struct pmu *pmu,
		     struct event *event, const char *name)
{
	struct pool *pool = &request->list->pool;
	const char *unit = pmu_named_event(pmu, pool, pool_printf(pool, "%s.unit", name));
	const char *scale = pmu_named_event(pmu, pool, pool_printf(pool, "%s.scale", name));

	if (unit || scale)
		event->unit =
			pool_printf(pool, "%s %s", scale ? scale : "1", unit ? unit : "units");
}

/* The kernel's generic events under a core's PMU: "cpu_core/cycles/". */
static bool set_generic(const struct event_request *request, const struct pmu *pmu,
			struct event *event, const char *name)
{
	struct perf_event_attr attr;
	int cpu;

	if (!pmu_is_core(pmu) || !event_pfm_encode(name, &attr, &cpu))
		return false;
	if (attr.type != PERF_TYPE_HARDWARE && attr.type != PERF_TYPE_HW_CACHE)
		return false;
	event->attr = attr;
	if (request->pmus->cores > 1)
		event_bind_to_core(event, pmu);
	return true;
}

static int set_term(const struct event_request *request, const struct pmu *pmu, struct event *event,
		    const char *text, struct err *err)
{
	const char *terms = NULL;

	if (!strchr(text, '='))
		terms = pmu_named_event(pmu, &request->list->pool, text);
	if (terms) {
		set_unit(request, pmu, event, text);
		return set_fields(request, pmu, event, terms, err);
	}
	if (!strchr(text, '=') && set_generic(request, pmu, event, text))
		return 0;
	return set_fields(request, pmu, event, text, err);
}

/* The event is dropped again if a term of it is wrong. */
static enum event_found add_event(struct event_request *request, const struct pmu *pmu,
				  const char *name, const char *terms, struct err *err)
{
	struct event *event = event_request_add(request, name);
	struct strlist list = {0};
	int status = 0;

	event->attr.type = pmu->type;
	event_set_pmu(event, pmu);
	strlist_split(&list, terms, ',');
	if (!list.nr)
		status = err_set(err, "%s: no event between the slashes", request->base);
	for (int i = 0; i < list.nr && status == 0; i++)
		status = set_term(request, pmu, event, list.v[i], err);
	if (status < 0)
		request->list->nr--;
	strlist_release(&list);
	return status < 0 ? EVENT_UNKNOWN : EVENT_FOUND;
}

static bool is_instance(const struct pmu *pmu, const char *name)
{
	size_t len = strlen(name);
	const char *rest = pmu->name + len;

	return starts_with(pmu->name, name) && rest[0] == '_' && rest[1] &&
	       !rest[1 + strspn(rest + 1, "0123456789")];
}

static enum event_found no_pmu(const struct event_request *request, const char *name,
			       struct err *err)
{
	struct strbuf there = STRBUF_INIT;

	for (int i = 0; i < request->pmus->nr; i++)
		strbuf_additem(&there, ", ", "%s", request->pmus->v[i].name);
	err_set(err, "%s: no PMU %s here, but %s", request->base, name,
		there.len ? there.buf : "none at all");
	strbuf_release(&there);
	return EVENT_ABSENT;
}

/* "uncore_imc/…/" stands for all of uncore_imc_0, uncore_imc_1, …; if one does not take it, none does. */
static enum event_found add_instances(struct event_request *request, const char *name,
				      const char *terms, struct err *err)
{
	enum event_found found = EVENT_ABSENT;
	int first = request->list->nr;

	for (int i = 0; i < request->pmus->nr && found != EVENT_UNKNOWN; i++) {
		const struct pmu *pmu = &request->pmus->v[i];

		if (is_instance(pmu, name))
			found = add_event(
				request, pmu,
				pool_printf(&request->list->pool, "%s/%s/", pmu->name, terms),
				terms, err);
	}
	if (found == EVENT_UNKNOWN)
		request->list->nr = first;
	return found == EVENT_ABSENT ? no_pmu(request, name, err) : found;
}

enum event_found event_sysfs_resolve(struct event_request *request, struct err *err)
{
	struct pool *pool = &request->list->pool;
	const char *slash = strchr(request->base, '/');
	const char *name, *terms;
	const struct pmu *pmu;

	if (!slash)
		return EVENT_UNKNOWN;
	if (!ends_with(slash + 1, "/") || slash == request->base) {
		err_set(err, "%s: not of the form PMU/EVENT/", request->base);
		return EVENT_UNKNOWN;
	}
	name = pool_strndup(pool, request->base, (size_t)(slash - request->base));
	terms = pool_strndup(pool, slash + 1, strlen(slash + 1) - 1);
	pmu = pmu_find(request->pmus, name);
	if (pmu)
		return add_event(request, pmu, request->base, terms, err);
	return add_instances(request, name, terms, err);
}

enum event_found event_sysfs_resolve_core(struct event_request *request, struct err *err)
{
	struct pool *pool = &request->list->pool;
	enum event_found found = EVENT_UNKNOWN;
	int first = request->list->nr;

	for (int i = 0; i < request->pmus->nr; i++) {
		const struct pmu *pmu = &request->pmus->v[i];
		const char *name = request->base;

		if (!pmu_is_core(pmu) || !pmu_named_event(pmu, pool, request->base))
			continue;
		if (request->pmus->cores > 1)
			name = pool_printf(pool, "%s/%s/", pmu->name, request->base);
		found = add_event(request, pmu, name, request->base, err);
		if (found == EVENT_UNKNOWN) {
			request->list->nr = first;
			break;
		}
	}
	return found;
}
