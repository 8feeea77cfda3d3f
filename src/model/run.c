// SPDX-License-Identifier: GPL-2.0-only
#include "model/run.h"

#include <sys/random.h>

static const char *const status_names[] = {
	[RUN_OK] = "ok",
	[RUN_FAILED] = "failed",
	[RUN_KILLED] = "killed",
	[RUN_TIMEOUT] = "timeout",
};

const char *run_status_name(enum run_status status)
{
	return status_names[status];
}

bool run_status_parse(const char *name, enum run_status *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(status_names); i++) {
		if (streq(name, status_names[i])) {
			*out = (enum run_status)i;
			return true;
		}
	}
	return false;
}

void run_init(struct run *run)
{
	unsigned char bytes[16];

	*run = (struct run){0};
	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		abort(); /* cannot happen: 256 bytes or fewer are never cut short */
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(run->id + 2 * i, 3, "%02x", bytes[i]);
}

void run_release(struct run *run)
{
	for (int i = 0; i < run->series_nr; i++) {
		free(run->series[i].time_s);
		free(run->series[i].value);
	}
	free(run->series);
	free(run->values);
	free(run->counters);
	strmap_release(&run->index);
	strmap_release(&run->series_index);
	strlist_release(&run->warnings);
	params_release(&run->params);
	params_release(&run->facts);
	pool_release(&run->pool);
	*run = (struct run){0};
}

void run_set(struct run *run, const char *metric, struct number value)
{
	int i = strmap_get(&run->index, metric, -1);

	if (i < 0) {
		i = run->values_nr;
		GROW(run->values, run->values_nr, run->values_alloc);
		run->values[run->values_nr++].metric = pool_strdup(&run->pool, metric);
		strmap_put(&run->index, run->values[i].metric, i);
	}
	run->values[i].value = value;
}

struct number run_get(const struct run *run, const char *metric)
{
	int i = strmap_get(&run->index, metric, -1);

	if (i < 0)
		return (struct number){.kind = NUMBER_NONE};
	return run->values[i].value;
}

void run_add_counter(struct run *run, const struct run_counter *counter)
{
	GROW(run->counters, run->counters_nr, run->counters_alloc);
	run->counters[run->counters_nr] = *counter;
	run->counters[run->counters_nr++].event = pool_strdup(&run->pool, counter->event);
}

/* Who reads a run from somewhere fills the array himself, so the index may be behind. */
static struct run_series *find_series(struct run *run, const char *metric)
{
	int i;

	for (i = run->series_index.nr; i < run->series_nr; i++)
		strmap_put(&run->series_index, run->series[i].metric, i);
	i = strmap_get(&run->series_index, metric, -1);
	if (i < 0) {
		i = run->series_nr;
		GROW(run->series, run->series_nr, run->series_alloc);
		run->series[run->series_nr++] =
			(struct run_series){.metric = pool_strdup(&run->pool, metric)};
		strmap_put(&run->series_index, run->series[i].metric, i);
	}
	return &run->series[i];
}

void run_add_sample(struct run *run, const char *metric, double time_s, double value)
{
	struct run_series *series = find_series(run, metric);

	if (series->nr >= series->alloc) {
		GROW(series->time_s, series->nr, series->alloc);
		series->value =
			xrealloc(series->value, (size_t)series->alloc, sizeof(*series->value));
	}
	series->time_s[series->nr] = time_s;
	series->value[series->nr++] = value;
}
