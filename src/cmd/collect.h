/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CMD_COLLECT_H
#define CMD_COLLECT_H
/* What the files of `perfcmp collect` share. */
#include "base/strlist.h"
#include "lab/campaign.h"
#include "workload/command.h"

enum {
	PICKS_MAX = 64
};

struct collect_args {
	const char *db, *commit, *subject, *machine, *name, *events;
	const char *runtime, *warmup, *affinity;
	struct strlist nr_task, mode, param;
	struct pick picks[PICKS_MAX];
	const char *pick_texts[PICKS_MAX];
	int picks_nr;
	int iterations, order, seed, counters, workload;
	double run_timeout;
	bool dry_run, list_tests;

	/* kernels in virtual machines */
	struct strlist kernels, files, modules;
	const char *append, *qemu, *memory;
	int boots, accel, cpus, nodes;
	bool resume, deterministic;
};

struct opts_rest;

/* Refuses what cannot be meant, before anything is started. */
int collect_check(const struct collect_args *args, const struct opts_rest *rest, struct err *err);

void collect_catch_signals(void);

/* --dry-run: the plan, on standard output. boots: as progress_observer()'s. Returns the exit status. */
struct progress_boots;
int collect_print_plan(const struct plan *plan, const struct campaign_config *config,
		       const struct progress_boots *boots);
void collect_note_order(const struct campaign_config *config); /* how to repeat a random one */

/* What was stored, on standard error; returns the exit status. */
int collect_summary(const struct campaign_result *result, const char *what);

/* With --kernel: the campaign in virtual machines. Returns the exit status. */
int collect_boots(const struct campaign_config *config, const struct collect_args *args);

#endif
