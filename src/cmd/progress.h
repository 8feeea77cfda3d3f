/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H
/*
 * What a collection shows while it works, on standard error: on a terminal one line that is redrawn (test,
 * iteration k of n, elapsed, time left), elsewhere a plain line when a run begins and one when it ended.
 */
#include "base/strlist.h"
#include "lab/campaign.h"

struct progress {
	bool terminal;
	const struct plan *plan;
	int place; /* of the run under way, in plan->runs */
	int64_t begin_ns; /* of the run under way */
	double expected_total_s, spent_expected_s, spent_s;
	struct strlist warned; /* each warning is printed once a collection */
};

/* Observer of campaign_run(); release the progress when it is over. */
struct campaign_observer progress_observer(struct progress *progress, const struct plan *plan);
void progress_release(struct progress *progress);

/* "8 s", "2:31", "1:02:31" */
void progress_duration(char buf[24], double seconds);

/* "will-it-scale/getppid1 mode=process nr_task=2" */
struct strbuf;
void progress_job_name(struct strbuf *out, const struct job *job);

/* Of the whole plan; 0 if a job's is not known. */
double progress_expected_s(const struct plan *plan);

#endif
