/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WORKLOAD_WILL_IT_SCALE_DRIVE_H
#define WORKLOAD_WILL_IT_SCALE_DRIVE_H
/* What the files of the driver share: the tasks of a run, from the first process to the last file removed. */
#include "workload/crew.h"
#include "workload/will_it_scale/driver.h"
#include "workload/will_it_scale/scratch.h"

enum {
	DRIVE_LINE = 128, /* bytes between counts: processors fetch the neighbouring line too */
};

/* Of one task, in shared memory. */
struct count {
	_Alignas(DRIVE_LINE) uint64_t ops;
	_Alignas(DRIVE_LINE) struct laps laps; /* of a counted run */
};

struct drive {
	const struct wis_config *config;
	uint64_t limit; /* of operations */
	struct laps laps; /* what each task's are made from; nr 0: no counted run */
	struct scratch scratch;
	struct placement placement;
	struct crew crew;
	struct count *counts; /* nr_task of them */
	struct task *tasks;
};

/* Up to the start line, where every task waits for crew_start(). drive_tear_down() follows in any case. */
int drive_set_up(struct drive *drive, struct err *err);
void drive_tear_down(struct drive *drive);

#endif
