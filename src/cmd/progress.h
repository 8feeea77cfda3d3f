/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H
/*
 * What a collection shows while it works, on standard error: on a terminal one line that is redrawn (boot, test,
 * iteration k of n of this kernel, elapsed, time left), elsewhere a plain line when a boot begins, when a run
 * begins and when it ended.
 */
#include "base/strlist.h"
#include "lab/campaign.h"

/* Of a plan with boots: the kernels' names, and about how long a boot takes. */
struct progress_boots {
	const char *const *kernels;
	double boot_s;
};

struct progress {
	bool terminal;
	const struct plan *plan;
	const struct progress_boots *boots; /* NULL: nothing is booted */
	int boot; /* under way, in plan->boots */
	bool booting; /* it has no run yet */
	int place; /* of the run under way, in plan->runs; while booting: of the next */
	int64_t begin_ns; /* of the run under way, or the boot */
	double spent_s, spent_expected_s; /* by the good runs so far */
	int spent_nr;
	double booted_s; /* by the boots so far */
	int booted_nr;
	struct strlist warned; /* each warning is printed once a collection */
};

/* Observer of campaign_run() or boots_run(); release the progress when it is over. boots must stay; NULL: none. */
struct campaign_observer progress_observer(struct progress *progress, const struct plan *plan,
					   const struct progress_boots *boots);
void progress_release(struct progress *progress);

/* "8 s", "2:31", "1:02:31" */
void progress_duration(char buf[24], double seconds);

/* "will-it-scale/getppid1 mode=process nr_task=2" */
struct strbuf;
void progress_job_name(struct strbuf *out, const struct job *job);

/* Of all runs of the plan; 0 if a job's is not known. */
double progress_expected_s(const struct plan *plan);

#endif
