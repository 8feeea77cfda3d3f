// SPDX-License-Identifier: GPL-2.0-only
#include "measure/counters.h"

#include "base/hash.h"
#include "base/strbuf.h"
#include "measure/counters_impl.h"

#include <errno.h>
#include <perf/evsel.h>

/* A counter that ran less than this share of its time is called multiplexed; what is above is rounding. */
static const double whole_time = 0.999;

void counters_close(struct counters *counters)
{
	if (!counters)
		return;
	for (int i = 0; i < counters->nr; i++) {
		perf_evsel__close(counters->v[i].evsel);
		perf_evsel__delete(counters->v[i].evsel);
	}
	if (counters->limit_raised)
		setrlimit(RLIMIT_NOFILE, &counters->limit_before);
	free(counters->v);
	event_list_release(&counters->events);
	pmu_list_release(&counters->pmus);
	free(counters);
}

static int most_cpus(const struct counters *counters)
{
	int most = 0;

	for (int i = 0; i < counters->nr; i++)
		if (counters->v[i].cpus > most)
			most = counters->v[i].cpus;
	return most;
}

void counters_enable(struct counters *counters)
{
	int cpus = most_cpus(counters);

	for (int cpu = 0; cpu < cpus; cpu++)
		for (int i = 0; i < counters->nr; i++)
			if (cpu < counters->v[i].cpus)
				perf_evsel__enable_cpu(counters->v[i].evsel, cpu);
}

void counters_disable(struct counters *counters)
{
	int cpus = most_cpus(counters);

	for (int cpu = 0; cpu < cpus; cpu++)
		for (int i = 0; i < counters->nr; i++)
			if (cpu < counters->v[i].cpus)
				perf_evsel__disable_cpu(counters->v[i].evsel, cpu);
}

uint64_t counters_fake_hash(const char *name, uint64_t seed)
{
	uint64_t hash = hash_text(HASH_INIT ^ (seed * 0x9e3779b97f4a7c15), name);

	return hash ^ (hash >> 32);
}

static void read_fakes(const struct counters *counters, struct run *run)
{
	for (int i = 0; i < counters->events.nr; i++) {
		const char *name = counters->events.v[i].name;
		struct run_counter counter = {
			.event = name,
			.value = counters_fake_hash(name, 0) % 1000000 + 1000000 +
				 counters_fake_hash(name, counters->seed) % 1000,
			.enabled_ns = NS_PER_S,
			.running_ns = NS_PER_S,
		};

		run_add_counter(run, &counter);
	}
}

/* The sum over CPUs; false if it would be of some of them only (a CPU went away). */
static bool read_counter(const struct counter *counter, struct run_counter *sum)
{
	*sum = (struct run_counter){.event = counter->event->name};
	for (int cpu = 0; cpu < counter->cpus; cpu++) {
		struct perf_counts_values values = {0};

		errno = ENODATA; /* libperf returns -errno where it read nothing at all */
		if (perf_evsel__read(counter->evsel, cpu, 0, &values) < 0)
			return false;
		sum->value += values.val;
		sum->enabled_ns += values.ena;
		sum->running_ns += values.run;
	}
	return true;
}

static void warn_of(struct run *run, const char *what, const struct strbuf *names)
{
	if (names->len)
		strlist_addf(&run->warnings, "%s: %s", what, names->buf);
}

void counters_store(const struct run_counter *sums, int nr, struct run *run)
{
	struct strbuf idle = STRBUF_INIT, shared = STRBUF_INIT;

	for (int i = 0; i < nr; i++) {
		if (!sums[i].running_ns) {
			strbuf_additem(&idle, ", ", "%s", sums[i].event);
			continue;
		}
		if ((double)sums[i].running_ns < whole_time * (double)sums[i].enabled_ns)
			strbuf_additem(&shared, ", ", "%s", sums[i].event);
		run_add_counter(run, &sums[i]);
	}
	warn_of(run, "not counted, never ran", &idle);
	warn_of(run, "multiplexed, values are estimates", &shared);
	strbuf_release(&idle);
	strbuf_release(&shared);
}

void counters_read(struct counters *counters, struct run *run)
{
	struct run_counter *sums = xcalloc((size_t)counters->nr, sizeof(*sums));
	struct strbuf unread = STRBUF_INIT;
	int nr = 0;

	if (counters->fake)
		read_fakes(counters, run);
	for (int i = 0; i < counters->nr; i++) {
		if (read_counter(&counters->v[i], &sums[nr]))
			nr++;
		else
			strbuf_additem(&unread, ", ", "%s", counters->v[i].event->name);
	}
	counters_store(sums, nr, run);
	warn_of(run, "not counted, could not be read on every CPU", &unread);
	strbuf_release(&unread);
	free(sums);
}
