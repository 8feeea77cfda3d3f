// SPDX-License-Identifier: GPL-2.0-only
#include "measure/counters.h"

#include "measure/counters_access.h"
#include "measure/counters_impl.h"
#include "measure/event_request.h"
#include "measure/missing.h"

#include <errno.h>
#include <perf/core.h>
#include <perf/cpumap.h>
#include <perf/evsel.h>
#include <perf/threadmap.h>

/* What is needed while opening only. */
struct opening {
	struct counters *counters;
	enum access access;
	struct perf_cpu_map *online;
	struct perf_thread_map *task;
	struct missing missing;
};

static bool raise_file_limit(struct counters *counters)
{
	struct rlimit limit;

	if (counters->limit_raised || getrlimit(RLIMIT_NOFILE, &limit) < 0 ||
	    limit.rlim_cur >= limit.rlim_max)
		return false;
	counters->limit_before = limit;
	limit.rlim_cur = limit.rlim_max;
	counters->limit_raised = setrlimit(RLIMIT_NOFILE, &limit) == 0;
	return counters->limit_raised;
}

/* Opens it on the CPUs (NULL: wherever the task runs); 0 or a negative errno. */
static int open_evsel(struct opening *o, struct perf_evsel *evsel, struct perf_cpu_map *cpus)
{
	struct perf_event_attr *attr = perf_evsel__attr(evsel);
	struct perf_thread_map *threads = cpus ? NULL : o->task;
	int status = perf_evsel__open(evsel, cpus, threads);

	if (status == -EMFILE && raise_file_limit(o->counters))
		status = perf_evsel__open(evsel, cpus, threads);
	if (status == -EINVAL && attr->exclude_guest) {
		attr->exclude_guest = 0; /* a PMU that cannot tell guests */
		status = perf_evsel__open(evsel, cpus, threads);
	}
	return status;
}

/* An event that costs nothing and counts nothing, opened in the way that is asked about, and closed again. */
static int probe(void *data, enum access access)
{
	struct opening *o = data;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
		.exclude_kernel = access == ACCESS_USER,
		.exclude_hv = access == ACCESS_USER,
	};
	struct perf_evsel *evsel = perf_evsel__new(&attr);
	int status = -ENOMEM;

	if (evsel)
		status = open_evsel(o, evsel, access == ACCESS_SYSTEM ? o->online : NULL);
	if (status == 0)
		perf_evsel__close(evsel);
	perf_evsel__delete(evsel);
	return status;
}

static struct perf_cpu_map *cpus_of(const struct opening *o, const struct event *event)
{
	if (o->access != ACCESS_SYSTEM)
		return NULL;
	return event->cpus ? perf_cpu_map__new(event->cpus) : perf_cpu_map__get(o->online);
}

/* 0 or a negative errno */
static int open_event(struct opening *o, struct event *event)
{
	struct counters *counters = o->counters;
	struct perf_cpu_map *cpus = cpus_of(o, event);
	struct counter counter = {.event = event, .cpus = cpus ? perf_cpu_map__nr(cpus) : 1};
	int status = -ENOMEM;

	event->attr.disabled = 1;
	event->attr.inherit = o->access != ACCESS_SYSTEM;
	event->attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	counter.evsel = perf_evsel__new(&event->attr);
	if (counter.evsel)
		status = open_evsel(o, counter.evsel, cpus);
	perf_cpu_map__put(cpus);
	if (status < 0) {
		perf_evsel__delete(counter.evsel);
		return status;
	}
	GROW(counters->v, counters->nr, counters->alloc);
	counters->v[counters->nr++] = counter;
	return 0;
}

static void could_not_open(struct opening *o, const struct event *event, int error)
{
	static const struct {
		int error;
		const char *reason;
	} reasons[] = {
		{-ENOENT, "not supported by this machine"},
		{-ENODEV, "not supported by this machine"},
		{-ENXIO, "not supported by this machine"},
		{-EOPNOTSUPP, "not supported by this machine"},
		{-EINVAL, "not accepted by this machine's PMU"},
		{-EACCES, "not permitted to this user"},
		{-EPERM, "not permitted to this user"},
		{-EBUSY, "not counted, others use the PMU"},
	};
	char *text;

	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		if (reasons[i].error == error) {
			missing_add(&o->missing, event->name, reasons[i].reason);
			return;
		}
	}
	text = xasprintf("cannot be counted (%s)", err_reason(-error));
	missing_add(&o->missing, event->name, text);
	free(text);
}

static int no_files_left(const struct opening *o, struct err *err)
{
	struct rlimit limit = {0};

	getrlimit(RLIMIT_NOFILE, &limit);
	return err_set(err,
		       "%d events on %d CPUs need more open files than the limit of %llu: raise it "
		       "(ulimit -n) or count fewer events",
		       o->counters->events.nr, perf_cpu_map__nr(o->online),
		       (unsigned long long)limit.rlim_cur);
}

/* -1 only for a reason that is not the event's. */
static int try_event(struct opening *o, struct event *event, struct err *err)
{
	struct pool *pool = &o->counters->events.pool;
	int error;

	if (o->access != ACCESS_SYSTEM && event->whole_machine) {
		missing_add(&o->missing, event->name, "counted for the whole system only");
		return 0;
	}
	if (o->access == ACCESS_USER && !event_restrict_to_user(event, pool)) {
		missing_add(&o->missing, event->name, "not counted, happens in the kernel");
		return 0;
	}
	error = open_event(o, event);
	if (error == -EMFILE || error == -ENFILE)
		return no_files_left(o, err);
	if (error == -ESRCH)
		return err_set(err, "the test ended before it could be counted");
	if (error < 0)
		could_not_open(o, event, error);
	return 0;
}

static void resolve_all(struct counters *counters, const struct strlist *names,
			struct strlist *warnings)
{
	struct err err;

	for (int i = 0; i < names->nr; i++)
		if (event_resolve(&counters->pmus, names->v[i], &counters->events, &err) !=
		    EVENT_FOUND)
			strlist_add_once(warnings, err.msg);
}

static void warn_of_units(const struct counters *counters, struct strlist *warnings)
{
	for (int i = 0; i < counters->nr; i++)
		if (counters->v[i].event->unit)
			strlist_addf(warnings, "%s: stored as counted, one is %s",
				     counters->v[i].event->name, counters->v[i].event->unit);
}

static int open_all(struct opening *o, struct strlist *warnings, struct err *err)
{
	struct counters *counters = o->counters;

	for (int i = 0; i < counters->events.nr; i++)
		if (try_event(o, &counters->events.v[i], err) < 0)
			return -1;
	missing_warn(&o->missing, warnings);
	warn_of_units(counters, warnings);
	return 0;
}

/* libperf would print. */
static int say_nothing(enum libperf_print_level level, const char *fmt, va_list ap)
{
	(void)level;
	(void)fmt;
	(void)ap;
	return 0;
}

static int open_real(struct counters *counters, const struct counters_config *config,
		     const struct strlist *names, struct strlist *warnings, struct err *err)
{
	struct opening o = {
		.counters = counters,
		.online = perf_cpu_map__new(NULL), /* NULL: all that are online */
		.task = perf_thread_map__new_dummy(),
	};
	const char *root = config->root ? config->root : "";
	struct access_probe access = {.root = root, .try = probe, .data = &o};
	int status = -1;

	libperf_init(say_nothing);
	if (!o.online || !o.task) {
		err_set(err, "the list of this machine's CPUs cannot be read");
	} else {
		perf_thread_map__set_pid(o.task, 0, config->pid);
		pmu_list_load(&counters->pmus, root);
		status = counters_access_find(config->scope, &access, &o.access, warnings, err);
	}
	if (status == 0) {
		counters->system_wide = o.access == ACCESS_SYSTEM;
		resolve_all(counters, names, warnings);
		status = open_all(&o, warnings, err);
	}
	perf_cpu_map__put(o.online);
	perf_thread_map__put(o.task);
	missing_release(&o.missing);
	return status;
}

static void open_fakes(struct counters *counters, const struct strlist *names)
{
	struct event_request request = {.list = &counters->events};

	counters->fake = counters->system_wide = true;
	for (int i = 0; i < names->nr; i++)
		event_request_add(&request, names->v[i]);
}

struct counters *counters_open(const struct counters_config *config, struct strlist *warnings,
			       struct err *err)
{
	const struct strlist *names = config->events ? config->events : counters_default_events();
	struct counters *counters = xcalloc(1, sizeof(*counters));

	counters->seed = config->seed;
	if (config->scope == COUNTERS_FAKE) {
		open_fakes(counters, names);
		return counters;
	}
	if (open_real(counters, config, names, warnings, err) == 0)
		return counters;
	counters_close(counters);
	return NULL;
}

int counters_check_events(const struct strlist *events, struct err *err)
{
	struct pmu_list pmus = {0};
	struct event_list list = {0};
	int status = 0;

	pmu_list_load(&pmus, "");
	for (int i = 0; i < events->nr && status == 0; i++)
		if (event_resolve(&pmus, events->v[i], &list, err) == EVENT_UNKNOWN)
			status = -1;
	event_list_release(&list);
	pmu_list_release(&pmus);
	return status;
}
