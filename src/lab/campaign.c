// SPDX-License-Identifier: GPL-2.0-only
#include "lab/campaign.h"

#include "measure/machine.h"
#include "store/store.h"

#include <sys/personality.h>
#include <unistd.h>

double campaign_timeout_s(const struct job *job)
{
	const char *nr_task = params_get(&job->params, "nr_task");
	double tasks = 0;

	if (nr_task)
		parse_double(nr_task, &tasks);
	return job->expected_s > 0 ? 10 * job->expected_s + 60 + tasks / 5 : 0;
}

static void describe(struct run *run, const struct campaign_config *config, int iteration)
{
	run->commit.name = pool_strdup(&run->pool, config->commit.name);
	run->commit.hash = pool_strdup(&run->pool, config->commit.hash);
	run->commit.subject = pool_strdup(&run->pool, config->commit.subject);
	run->iteration = iteration;
	machine_describe(run, config->machine);
	if (personality(0xffffffff) & ADDR_NO_RANDOMIZE)
		params_set(&run->facts, &run->pool, "aslr",
			   "0"); /* of this process, so of its tests */
}

/* One run from start to store. */
static int do_run(const struct campaign *campaign, const struct job *job, struct run *run,
		  struct campaign_result *result, struct err *err)
{
	struct one_run_config one = campaign->config->run;

	if (one.timeout_s <= 0)
		one.timeout_s = campaign_timeout_s(job);
	one.tick = campaign->observer->run_ticks;
	one.data = campaign->observer->data;
	if (one_run(job, &one, run, &result->stopped, err))
		return -1;
	if (result->stopped)
		return 0;
	if (store_add_run(campaign->store, run, err))
		return -1;
	result->stored++;
	result->failed += run->status != RUN_OK;
	campaign->observer->run_ended(campaign->observer->data, run);
	return 0;
}

/* Counters that were asked for by name and cannot be had are an error, before anything runs. */
static int check_counters(const struct one_run_config *config, struct err *err)
{
	struct counters_config wanted = {
		.scope = config->counters,
		.events = config->events,
		.pid = getpid(),
	};
	struct strlist warnings = {0};
	struct counters *counters;

	if (config->counters != COUNTERS_SYSTEM && config->counters != COUNTERS_TASK)
		return 0;
	counters = counters_open(&wanted, &warnings, err);
	counters_close(counters);
	strlist_release(&warnings);
	return counters ? 0 : -1;
}

int campaign_run(const struct campaign *campaign, const struct plan *plan,
		 struct campaign_result *result, struct err *err)
{
	const struct campaign_config *config = campaign->config;
	const struct campaign_observer *observer = campaign->observer;
	int status = check_counters(&config->run, err);

	*result = (struct campaign_result){0};
	for (int i = 0; status == 0 && i < plan->runs_nr && !result->stopped; i++) {
		struct run run;

		if (*config->run.stop) {
			result->stopped = true;
			break;
		}
		run_init(&run);
		describe(&run, config, plan->runs[i].iteration);
		observer->run_begins(observer->data, plan, i);
		status = do_run(campaign, &plan->jobs[plan->runs[i].job], &run, result, err);
		run_release(&run);
	}
	return status;
}
