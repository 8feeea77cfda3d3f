/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_ONE_RUN_H
#define LAB_ONE_RUN_H
/*
 * One execution of one job: workload + counters + resource usage -> struct run. The same code wherever the
 * kernel runs.
 */
#include "base/err.h"
#include "measure/counters.h"
#include "model/plan.h"
#include "model/run.h"

#include <signal.h>

struct pick;

struct one_run_config {
	enum counters_scope counters;
	const struct strlist *events; /* NULL: the default list */
	double timeout_s; /* 0: none */
	bool fake_workload; /* the fake workload does the work, whatever the testcase */
	const struct pick *picks; /* for commands: numbers to find in the output */
	int picks_nr;
	const volatile sig_atomic_t *stop; /* non-zero: end the run now */
	void (*tick)(void *data, double elapsed_s); /* about four times a second; may be NULL */
	void *data;
};

/*
 * run must be initialised, with commit and machine described; testcase, test, params, start, status, values,
 * counters, series and warnings are filled. A test that fails is a run like any other (status, reason, last
 * output, last_state.* values); -1 only if nothing could be started. *stopped: ended by config->stop, not to
 * be stored.
 */
int one_run(const struct job *job, const struct one_run_config *config, struct run *run,
	    bool *stopped, struct err *err);

#endif
