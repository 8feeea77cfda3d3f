// SPDX-License-Identifier: GPL-2.0-only
#include "workload/will_it_scale/idle.h"

#include <math.h>

enum {
	IDLE = 3,
	IOWAIT = 4,
	FIELDS = 8, /* user nice system idle iowait irq softirq steal; guest times follow */
};

struct cpu_times cpu_times_parse(const char *line)
{
	struct cpu_times times = {0};
	char *end;

	if (!starts_with(line, "cpu "))
		return times;
	line += 4;
	for (int i = 0; i < FIELDS; i++) {
		uint64_t ticks = strtoull(line, &end, 10);

		if (end == line)
			break;
		times.total += ticks;
		if (i == IDLE || i == IOWAIT)
			times.idle += ticks;
		line = end;
	}
	return times;
}

struct cpu_times cpu_times_read(void)
{
	struct cpu_times times = {0};
	char line[512];
	FILE *file = fopen("/proc/stat", "re");

	if (!file)
		return times;
	if (fgets(line, sizeof(line), file))
		times = cpu_times_parse(line);
	fclose(file);
	return times;
}

double idle_percent(struct cpu_times from, struct cpu_times to)
{
	if (to.total <= from.total || to.idle < from.idle)
		return (double)NAN;
	return 100.0 * (double)(to.idle - from.idle) / (double)(to.total - from.total);
}
