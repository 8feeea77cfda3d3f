// SPDX-License-Identifier: GPL-2.0-only
#include "model/perf_stat.h"

#include <math.h>

/* Counts of the user half only carry the modifier in their name. */
static const char user_only[] = ":u";

static bool was_scaled(const struct run_counter *counter)
{
	return counter->running_ns && counter->running_ns < counter->enabled_ns;
}

static bool is_clock(const struct run_counter *counter)
{
	return starts_with(counter->event, "cpu-clock") ||
	       starts_with(counter->event, "task-clock");
}

static double scaled(const struct run_counter *counter)
{
	double value = (double)counter->value;

	if (was_scaled(counter))
		value *= (double)counter->enabled_ns / (double)counter->running_ns;
	return value;
}

/* NAN if the run has no such event. */
static double count(const struct run *run, const char *event)
{
	size_t len = strlen(event);

	for (int i = 0; i < run->counters_nr; i++) {
		const char *name = run->counters[i].event;

		if (strncmp(name, event, len) == 0 && (!name[len] || streq(name + len, user_only)))
			return scaled(&run->counters[i]);
	}
	return (double)NAN;
}

static double count_with_suffix(const struct run *run, const char *stem, int stem_len,
				const char *suffix)
{
	char *event = xasprintf("%.*s%s", stem_len, stem, suffix);
	double value = count(run, event);

	free(event);
	return value;
}

static void set_named(struct run *run, const char *prefix, const char *name, double value)
{
	char *metric = xasprintf("%s%s", prefix, name);

	run_set(run, metric, fpclassify(value) == FP_ZERO ? number_int(0) : number_float(value));
	free(metric);
}

static void set_ratio(struct run *run, const char *name, double factor, double part, double whole)
{
	if (isnan(part) || isnan(whole) || fpclassify(whole) == FP_ZERO)
		return;
	set_named(run, "perf-stat.overall.", name, factor * part / whole);
}

static void set_total(struct run *run, const struct run_counter *counter, double total)
{
	char *metric;

	if (was_scaled(counter) || is_clock(counter) || counter->value > INT64_MAX) {
		set_named(run, "perf-stat.total.", counter->event, total);
		return;
	}
	metric = xasprintf("perf-stat.total.%s", counter->event);
	run_set(run, metric, number_int((int64_t)counter->value));
	free(metric);
}

static void derive_counts(struct run *run, double measured_s)
{
	for (int i = 0; i < run->counters_nr; i++) {
		const struct run_counter *counter = &run->counters[i];
		double total = scaled(counter);

		if (is_clock(counter))
			total /= 1e6;
		set_total(run, counter, total);
		if (measured_s > 0)
			set_named(run, "perf-stat.ps.", counter->event, total / measured_s);
	}
}

/* What X-misses are a share of: loads + misses for a TLB or a node, else references, else instructions. */
static double miss_base(const struct run *run, const char *stem, int stem_len, double misses)
{
	double plural = count_with_suffix(run, stem, stem_len, "s");
	double references = count_with_suffix(run, stem, stem_len, "-references");

	if (plural > 0)
		return plural + misses;
	return isnan(references) ? count_with_suffix(run, stem, stem_len, "-instructions")
				 : references;
}

/* Length of X in "X-misses" or "X-misses:u"; 0: the event is something else. */
static int miss_stem(const char *event)
{
	static const char misses[] = "-misses";
	size_t len = strlen(event), tail = strlen(misses);

	if (ends_with(event, user_only))
		len -= strlen(user_only);
	if (len <= tail || strncmp(event + len - tail, misses, tail) != 0)
		return 0;
	return (int)(len - tail);
}

static void derive_miss_rates(struct run *run)
{
	for (int i = 0; i < run->counters_nr; i++) {
		const char *event = run->counters[i].event;
		double misses = scaled(&run->counters[i]);
		int stem_len = miss_stem(event);
		char *name;

		if (!stem_len)
			continue;
		name = xasprintf("%.*s-miss-rate%%", stem_len, event);
		set_ratio(run, name, 100, misses, miss_base(run, event, stem_len, misses));
		free(name);
	}
}

/* The only metric that ends in ".workload"; NAN if there is none or more than one. */
static double only_workload(const struct run *run)
{
	double workload = (double)NAN;
	int found = 0;

	for (int i = 0; i < run->values_nr; i++) {
		if (ends_with(run->values[i].metric, ".workload")) {
			workload = number_double(run->values[i].value);
			found++;
		}
	}
	return found == 1 ? workload : (double)NAN;
}

void perf_stat_derive(struct run *run, double measured_s)
{
	double instructions = count(run, "instructions");
	double cycles = count(run, "cpu-cycles");
	double cache_misses = count(run, "cache-misses");

	derive_counts(run, measured_s);
	derive_miss_rates(run);
	if (cache_misses > 0)
		set_ratio(run, "MPKI", 1000, cache_misses, instructions);
	set_ratio(run, "cycles-between-cache-misses", 1, cycles, cache_misses);
	set_ratio(run, "instructions-per-iTLB-miss", 1, instructions,
		  count(run, "iTLB-load-misses"));
	set_ratio(run, "ipc", 1, instructions, cycles);
	set_ratio(run, "cpi", 1, cycles, instructions);
	set_ratio(run, "path-length", 1, instructions, only_workload(run));
}
