// SPDX-License-Identifier: GPL-2.0-only
#include "measure/usage.h"

#include <math.h>
#include <unistd.h>

static double seconds(const struct timeval *t)
{
	return (double)(t->tv_sec * 1000000 + t->tv_usec) / 1e6;
}

static int64_t whole_ms(const struct timeval *t)
{
	return (int64_t)t->tv_sec * 1000 + t->tv_usec / 1000;
}

/* GNU time counts in whole milliseconds and cuts; 0 where it prints "?%". */
static int64_t percent_of_cpu(const struct rusage *rusage, double wall_s)
{
	int64_t wall_ms = llround(wall_s * 1e6) / 1000;

	if (wall_ms <= 0)
		return 0;
	return (whole_ms(&rusage->ru_utime) + whole_ms(&rusage->ru_stime)) * 100 / wall_ms;
}

static void set(struct run *run, const char *prefix, const char *name, struct number value)
{
	char *metric = xasprintf("%s.time.%s", prefix, name);

	if (value.kind == NUMBER_FLOAT && !(value.d > 0))
		value = number_int(0);
	run_set(run, metric, value);
	free(metric);
}

void usage_add(struct run *run, const char *prefix, const struct rusage *rusage, double wall_s)
{
	const struct {
		const char *name;
		struct number value;
	} metrics[] = {
		{"elapsed_time", number_float(wall_s)},
		{"elapsed_time.max", number_float(wall_s)},
		{"file_system_inputs", number_int(rusage->ru_inblock)},
		{"file_system_outputs", number_int(rusage->ru_oublock)},
		{"involuntary_context_switches", number_int(rusage->ru_nivcsw)},
		{"major_page_faults", number_int(rusage->ru_majflt)},
		{"maximum_resident_set_size", number_int(rusage->ru_maxrss)},
		{"minor_page_faults", number_int(rusage->ru_minflt)},
		{"page_size", number_int(sysconf(_SC_PAGESIZE))},
		{"percent_of_cpu_this_job_got", number_int(percent_of_cpu(rusage, wall_s))},
		{"system_time", number_float(seconds(&rusage->ru_stime))},
		{"user_time", number_float(seconds(&rusage->ru_utime))},
		{"voluntary_context_switches", number_int(rusage->ru_nvcsw)},
	};

	for (size_t i = 0; i < ARRAY_SIZE(metrics); i++)
		set(run, prefix, metrics[i].name, metrics[i].value);
}
