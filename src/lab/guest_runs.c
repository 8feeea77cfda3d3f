// SPDX-License-Identifier: GPL-2.0-only
#include "lab/guest_runs.h"

#include "lab/guest_link.h"
#include "lab/one_run.h"
#include "lab/wire.h"
#include "measure/machine.h"
#include "workload/command.h"
#include "workload/workload.h"

#include <sys/utsname.h>
#include <sys/wait.h>

/* A plan under way. */
struct work {
	const struct guest_plan *plan;
	struct guest_link *link;
	struct pick *picks;
	int picks_nr;
	double next_tick_s;
};

static int parse_picks(struct work *work, struct err *err)
{
	const struct strlist *texts = &work->plan->picks;

	work->picks = xcalloc((size_t)texts->nr / 3, sizeof(*work->picks));
	for (int i = 0; i + 2 < texts->nr; i += 3) {
		struct pick *pick = &work->picks[work->picks_nr];

		if (pick_parse(pick, texts->v[i], err))
			return -1;
		work->picks_nr++;
		if (texts->v[i + 1][0])
			pick_set_unit(pick, texts->v[i + 1]);
		if (texts->v[i + 2][0] && pick_set_better(pick, texts->v[i + 2], err))
			return -1;
	}
	return 0;
}

static void release_picks(struct work *work)
{
	for (int i = 0; i < work->picks_nr; i++)
		pick_release(&work->picks[i]);
	free(work->picks);
}

/* A tick that does not get through is one that is missing: the run goes on. */
static void on_tick(void *data, double elapsed_s)
{
	struct work *work = data;
	struct strbuf payload = STRBUF_INIT;
	struct err ignored;

	if (elapsed_s < work->next_tick_s)
		return;
	work->next_tick_s = elapsed_s + 1;
	wire_put_seconds(&payload, elapsed_s);
	guest_link_tell(work->link, FRAME_TICK, &payload, &ignored);
	strbuf_release(&payload);
}

static void describe(struct run *run, const struct guest_plan *plan, const struct guest_run *what)
{
	struct pool *pool = &run->pool;

	run->commit.name = pool_strdup(pool, plan->commit.name);
	run->commit.hash = pool_strdup(pool, plan->commit.hash);
	run->commit.subject = pool_strdup(pool, plan->commit.subject);
	run->iteration = what->iteration;
	machine_describe(run, plan->machine);
	if (plan->kind)
		run->machine.kind = pool_strdup(pool, plan->kind);
	if (plan->boot_id)
		run->boot_id = pool_strdup(pool, plan->boot_id);
}

static void start(struct run *run, const struct guest_run *what)
{
	if (!what->id[0]) {
		run_init(run);
		return;
	}
	*run = (struct run){0};
	memcpy(run->id, what->id, sizeof(run->id));
}

static void could_not_start(struct run *run, const struct job *job, const struct err *why)
{
	run->testcase = pool_strdup(&run->pool, job->testcase);
	run->test = pool_strdup(&run->pool, job->test);
	params_copy(&run->params, &run->pool, &job->params);
	run->start_ns = wall_ns();
	run->status = RUN_FAILED;
	run->exit_code = 1;
	run->reason = pool_strdup(&run->pool, why->msg);
	run_set(run, "last_state.is_incomplete_run", number_int(1));
}

static int send_run(struct work *work, const struct run *run, struct err *err)
{
	struct strbuf payload = STRBUF_INIT;
	int status;

	wire_put_run(&payload, run);
	if (work->plan->deterministic)
		status = guest_link_post(work->link, FRAME_RUN, &payload, err);
	else
		status = guest_link_deliver(work->link, FRAME_RUN, &payload, err);
	strbuf_release(&payload);
	return status;
}

static struct one_run_config configure(struct work *work, const struct guest_run *what)
{
	const struct guest_plan *plan = work->plan;

	return (struct one_run_config){
		.counters = plan->counters,
		.events = plan->events.nr ? &plan->events : NULL,
		.timeout_s = what->timeout_s,
		.fake_workload = plan->fake_workload,
		.picks = work->picks,
		.picks_nr = work->picks_nr,
		.tick = plan->deterministic ? NULL : on_tick,
		.data = work,
	};
}

/* Whether it fits is known here, where the CPUs, nodes and memory are. */
static int prepare(const struct guest_plan *plan, const struct guest_run *what, struct job *job,
		   struct pool *pool, struct err *err)
{
	const struct workload *workload = workload_find(what->job.testcase);

	*job = what->job;
	job->deterministic = plan->deterministic;
	job->params = (struct params){0};
	params_copy(&job->params, pool, &what->job.params);
	if (job->argv)
		return 0;
	if (!workload)
		return err_set(err, "%s: no such testcase", what->job.testcase);
	return workload_prepare(workload, job, pool, err);
}

static int do_run(struct work *work, const struct guest_run *what, struct err *err)
{
	struct one_run_config config = configure(work, what);
	bool stopped = false;
	struct job job;
	struct run run;
	struct err why;
	int status;

	work->next_tick_s = 0;
	start(&run, what);
	describe(&run, work->plan, what);
	if (prepare(work->plan, what, &job, &run.pool, &why) ||
	    one_run(&job, &config, &run, &stopped, &why))
		could_not_start(&run, &job, &why);
	params_release(&job.params);
	status = send_run(work, &run, err);
	run_release(&run);
	return status;
}

static int say_hello(struct guest_link *link, struct err *err)
{
	struct strbuf payload = STRBUF_INIT;
	struct utsname uts;
	int status;

	wire_put_hello(&payload, uname(&uts) == 0 ? uts.release : "");
	status = guest_link_tell(link, FRAME_HELLO, &payload, err);
	strbuf_release(&payload);
	return status;
}

static int say_begin(struct guest_link *link, int place, struct err *err)
{
	struct strbuf payload = STRBUF_INIT;
	int status;

	wire_put_place(&payload, place);
	status = guest_link_tell(link, FRAME_BEGIN, &payload, err);
	strbuf_release(&payload);
	return status;
}

/* A process of the last run that hangs in the kernel; what has ended is reaped. */
static bool is_haunted(void)
{
	pid_t pid;

	do
		pid = waitpid(-1, NULL, WNOHANG);
	while (pid > 0);
	return pid == 0;
}

int guest_do_runs(const struct guest_plan *plan, struct guest_link *link, struct err *err)
{
	struct work work = {.plan = plan, .link = link};
	int status = say_hello(link, err);

	if (status == 0)
		status = parse_picks(&work, err);
	for (int i = 0; status == 0 && i < plan->runs_nr && !is_haunted(); i++) {
		status = say_begin(link, plan->runs[i].place, err);
		if (status == 0)
			status = do_run(&work, &plan->runs[i], err);
	}
	if (status == 0)
		status = guest_link_settle(link, err);
	release_picks(&work);
	return status;
}
