// SPDX-License-Identifier: GPL-2.0-only
#include "workload/will_it_scale/driver.h"

#include <math.h>

static const char *tasks_name(const struct wis_config *config)
{
	return config->thread ? "threads" : "processes";
}

void wis_total_metric(const struct wis_config *config, char *name, size_t size)
{
	snprintf(name, size, "will-it-scale.%d.%s", config->nr_task, tasks_name(config));
}

/* Operations per second are whole numbers, cut, as in the suite's own output. */
static struct number rate(uint64_t ops, double elapsed_s)
{
	return number_int((int64_t)((double)ops / elapsed_s));
}

struct spread {
	uint64_t sum, min, max;
};

static struct spread spread_of(const uint64_t *ops, int nr)
{
	struct spread spread = {.min = ops[0], .max = ops[0]};

	for (int i = 0; i < nr; i++) {
		spread.sum += ops[i];
		if (ops[i] < spread.min)
			spread.min = ops[i];
		if (ops[i] > spread.max)
			spread.max = ops[i];
	}
	return spread;
}

void wis_report(const struct wis_config *config, const struct wis_result *result,
		struct child_io *io)
{
	struct spread spread = spread_of(result->ops, config->nr_task);
	struct number total = rate(spread.sum, result->elapsed_s);
	char metric[64];

	wis_total_metric(config, metric, sizeof(metric));
	child_value(io, metric, total);
	if (!isnan(result->idle_percent)) {
		snprintf(metric, sizeof(metric), "will-it-scale.%d.%s_idle", config->nr_task,
			 tasks_name(config));
		child_value(io, metric, number_float(result->idle_percent));
	}
	child_value(io,
		    config->thread ? "will-it-scale.per_thread_ops"
				   : "will-it-scale.per_process_ops",
		    number_int(total.i / config->nr_task));
	child_value(io, "will-it-scale.workload", total);
	child_value(io, "will-it-scale.task_min", rate(spread.min, result->elapsed_s));
	child_value(io, "will-it-scale.task_max", rate(spread.max, result->elapsed_s));
	if (!spread.min)
		child_warn(io, "a task did not finish one operation in %.1f s", result->elapsed_s);
}
