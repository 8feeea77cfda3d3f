// SPDX-License-Identifier: GPL-2.0-only
/* Single-steps a task through some operations. */
#include "workload/will_it_scale/driver.h"

#include "workload/will_it_scale/drive.h"
#include "workload/will_it_scale/test.h"

#include <errno.h>
#include <math.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

/* A step takes an emulated machine some 50 microseconds: short operations are stepped often, long ones once. */
enum {
	WARMUP_OPS = 5,
	OPS_WANTED = 100,
	STEPS_WANTED = 2000,
	STEPS_MAX = 1000000,
};

/* 0: it stopped as it should. A test gets no signals. */
static int wait_stop(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, __WALL) < 0)
		if (errno != EINTR)
			return -1;
	return WIFSTOPPED(status) ? 0 : -1;
}

static uint64_t ops_of(const struct drive *drive)
{
	return __atomic_load_n(&drive->counts[0].ops, __ATOMIC_RELAXED);
}

/* Steps to the end of an operation, from `least` operations on; -1: there is no end of it, or the task is gone. */
static int64_t step_to(const struct drive *drive, uint64_t least, int64_t steps_wanted)
{
	uint64_t begin = ops_of(drive), before = begin;
	pid_t pid = drive->crew.pids[0];

	for (int64_t steps = 1; steps < STEPS_MAX; steps++) {
		uint64_t ops;

		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) || wait_stop(pid))
			return -1;
		ops = ops_of(drive);
		if (ops != before && (ops - begin >= least || steps >= steps_wanted))
			return steps;
		before = ops;
	}
	return -1;
}

static double step(struct drive *drive)
{
	pid_t pid = drive->crew.pids[0];
	uint64_t begin;
	int64_t steps;

	if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) || ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) ||
	    wait_stop(pid))
		return (double)NAN;
	crew_start(&drive->crew);
	if (step_to(drive, WARMUP_OPS, STEPS_WANTED) < 0)
		return (double)NAN;
	begin = ops_of(drive);
	steps = step_to(drive, OPS_WANTED, STEPS_WANTED);
	return steps < 0 ? (double)NAN : (double)steps / (double)(ops_of(drive) - begin);
}

double wis_user_instructions(const struct wis_config *config)
{
	struct drive drive = {.config = config, .limit = UINT64_MAX};
	double result = (double)NAN;
	struct err ignored;

	if (config->nr_task > 1 || config->thread || config->test->has_partner)
		return result;
	if (drive_set_up(&drive, &ignored) == 0)
		result = step(&drive);
	drive_tear_down(&drive);
	return result;
}
