// SPDX-License-Identifier: GPL-2.0-only
#include "workload/will_it_scale/driver.h"

#include "workload/will_it_scale/drive.h"
#include "workload/will_it_scale/idle.h"
#include "workload/will_it_scale/test.h"

#include <math.h>

static const char instructions[] = "will-it-scale.instructions_per_op";

/* From the first task's first mark to the last task's last. */
static int64_t elapsed_ns(const struct drive *drive)
{
	const struct laps *first = &drive->counts[0].laps;
	int64_t begin_ns = first->mark[0].at_ns, end_ns = begin_ns;

	for (int i = 0; i < drive->config->nr_task; i++) {
		const struct laps *laps = &drive->counts[i].laps;

		if (laps->mark[0].at_ns < begin_ns)
			begin_ns = laps->mark[0].at_ns;
		if (laps->mark[laps->nr].at_ns > end_ns)
			end_ns = laps->mark[laps->nr].at_ns;
	}
	return end_ns - begin_ns;
}

static void report_part(struct child_io *io, const char *part, double value)
{
	char metric[64];

	if (isnan(value))
		return;
	snprintf(metric, sizeof(metric), "%s%s", instructions, part);
	child_value(io, metric, number_float(value));
}

/* One task: what its laps tell. */
static void report_laps(const struct wis_config *config, const struct laps *laps,
			struct child_io *io)
{
	double median = laps_median_ns_per_op(laps), user;

	for (int i = 0; i < laps->nr; i++)
		child_sample(io, instructions,
			     (double)(laps->mark[i + 1].at_ns - laps->mark[0].at_ns) / NS_PER_S,
			     laps_ns_per_op(laps, i));
	report_part(io, "", (double)laps_ns(laps) / (double)laps_ops(laps));
	report_part(io, ".median", median);
	user = wis_user_instructions(config);
	report_part(io, ".user", user);
	report_part(io, ".kernel", median - user);
}

static void report(const struct drive *drive, double idle, struct child_io *io)
{
	const struct wis_config *config = drive->config;
	struct wis_result result = {
		.ops = xcalloc((size_t)config->nr_task, sizeof(*result.ops)),
		.elapsed_s = (double)elapsed_ns(drive) / NS_PER_S,
		.idle_percent = idle,
	};
	uint64_t all = 0;

	for (int i = 0; i < config->nr_task; i++)
		all += result.ops[i] = laps_ops(&drive->counts[i].laps);
	wis_report(config, &result, io);
	if (config->deterministic && config->nr_task > 1)
		report_part(io, "", result.elapsed_s * NS_PER_S / (double)all);
	free(result.ops);
}

static int measure(struct drive *drive, struct child_io *io, struct err *err)
{
	int nr = drive->config->nr_task, status;
	struct cpu_times times;
	double idle;

	crew_start(&drive->crew);
	if (crew_wait_ready(&drive->crew, nr, err)) /* the warm-up is over */
		return -1;
	child_begin(io);
	times = cpu_times_read();
	crew_start(&drive->crew);
	status = crew_wait_ready(&drive->crew, nr, err);
	idle = idle_percent(times, cpu_times_read());
	child_end(io);
	if (status == 0)
		report(drive, idle, io);
	return status;
}

int wis_drive_counted(const struct wis_config *config, struct child_io *io, struct err *err)
{
	struct drive drive = {.config = config, .limit = config->warmup_ops};
	struct laps laps;
	int status;

	laps_init(&drive.laps, config->ops);
	drive.laps.instructions = config->deterministic;
	status = drive_set_up(&drive, err);
	if (status == 0)
		status = measure(&drive, io, err);
	laps = drive.counts ? drive.counts[0].laps : drive.laps;
	drive_tear_down(&drive);
	if (status == 0 && config->deterministic && config->nr_task == 1)
		report_laps(config, &laps, io);
	return status;
}
