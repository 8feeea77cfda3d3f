// SPDX-License-Identifier: GPL-2.0-only
#include "workload/will_it_scale/will_it_scale.h"

#include "workload/memory.h"
#include "workload/param.h"
#include "workload/will_it_scale/driver.h"

enum {
	SECONDS_MAX = 7 * 24 * 3600,
	OPS_MAX = 1000000000,
	WARMUP_PART = 10, /* of the operations, if the user says nothing else */
};

#define X(name) &wis_##name.base,
static const struct workload_test *const tests[] = {
#include "workload/will_it_scale/tests.inc"
};
#undef X

static const char *const params[] = {"nr_task", "mode",	      "affinity", "warmup",
				     "runtime", "warmup_ops", "ops",	  NULL};
static const char *const metrics[] = {"per_process_ops", "per_thread_ops", "instructions_per_op",
				      NULL};
static const char *const modes[] = {"process", "thread", NULL};
static const char *const affinities[] = {
	[AFFINITY_CORE] = "core", [AFFINITY_PU] = "pu", [AFFINITY_NONE] = "none", NULL};

static const struct param_range seconds = {0, SECONDS_MAX}, runtimes = {0.01, SECONDS_MAX};
static const struct param_range ops_range = {1, OPS_MAX};

/* Seconds or operations: the job has one of both, or none yet. */
static bool is_counted(const struct job *job)
{
	return job->deterministic || params_get(&job->params, "ops") ||
	       params_get(&job->params, "warmup_ops");
}

static int parse_length(struct wis_config *config, const struct job *job, struct err *err)
{
	int64_t ops = 0, warmup_ops = 0;

	if (!is_counted(job))
		return param_number(job, "warmup", seconds, &config->warmup_s, err) ||
				       param_number(job, "runtime", runtimes, &config->runtime_s,
						    err)
			       ? -1
			       : 0;
	if (params_get(&job->params, "warmup") || params_get(&job->params, "runtime"))
		return err_set(err, "runs that are counted in operations have no runtime and no "
				    "warmup in seconds: give ops=N and warmup_ops=N");
	if (param_whole(job, "ops", ops_range, &ops, err) ||
	    param_whole(job, "warmup_ops", ops_range, &warmup_ops, err))
		return -1;
	config->ops = (uint64_t)ops;
	config->warmup_ops = (uint64_t)warmup_ops;
	config->deterministic = job->deterministic;
	return 0;
}

int wis_config_parse(struct wis_config *config, const struct job *job, struct err *err)
{
	const struct workload_test *test = workload_find_test(&will_it_scale_workload, job->test);
	int64_t nr_task = 0;
	int mode = 0, affinity = 0;

	*config = (struct wis_config){.test = (const struct wis_test *)test};
	if (!test) {
		err_set(err, "no such test");
		return -1;
	}
	if (param_whole(job, "nr_task", (struct param_range){1, PLAN_NR_TASK_MAX}, &nr_task, err) ||
	    param_choice(job, "mode", modes, &mode, err) ||
	    param_choice(job, "affinity", affinities, &affinity, err) ||
	    parse_length(config, job, err))
		return -1;
	config->nr_task = (int)nr_task;
	config->thread = mode == 1;
	config->affinity = (enum affinity)affinity;
	return 0;
}

/* Seconds as the public suite has them, or operations as many as take a second or so. */
static void default_length(struct job *job, struct pool *pool)
{
	const struct workload_test *test = workload_find_test(&will_it_scale_workload, job->test);
	const struct wis_test *wis = (const struct wis_test *)test;
	uint64_t ops = wis && wis->counted_ops ? wis->counted_ops : WIS_COUNTED_OPS;
	char text[24];

	if (!is_counted(job)) {
		param_default(job, pool, "warmup", "5");
		param_default(job, pool, "runtime", "10");
		return;
	}
	snprintf(text, sizeof(text), "%llu", (unsigned long long)ops);
	param_default(job, pool, "ops", text);
	ops = strtoull(params_get(&job->params, "ops"), NULL, 10) / WARMUP_PART;
	snprintf(text, sizeof(text), "%llu", (unsigned long long)(ops ? ops : 1));
	param_default(job, pool, "warmup_ops", text);
}

static int complete(struct job *job, struct pool *pool, int cpus, struct err *err)
{
	struct wis_config config;
	char tasks[16];

	if (param_check_names(job, params, err))
		return -1;
	snprintf(tasks, sizeof(tasks), "%d", cpus);
	param_default(job, pool, "nr_task", tasks);
	param_default(job, pool, "mode", "process");
	param_default(job, pool, "affinity", "core");
	default_length(job, pool);
	return wis_config_parse(&config, job, err);
}

static int check(const struct job *job, struct err *err)
{
	struct wis_config config;

	if (wis_config_parse(&config, job, err))
		return -1;
	if (memory_check(config.test->task_bytes * config.nr_task, err))
		return err_prefix(err, "nr_task=%d", config.nr_task);
	return 0;
}

static int run(const struct job *job, struct child_io *io)
{
	struct wis_config config;
	struct err err;

	if (wis_config_parse(&config, job, &err) == 0)
		return wis_drive(&config, io);
	child_fail(io, "%s", err.msg);
	return 1;
}

static double expected_s(const struct job *job)
{
	struct wis_config config;
	struct err err;

	if (wis_config_parse(&config, job, &err))
		return 0;
	return config.warmup_s + config.runtime_s;
}

/* value: operations per second of a task; the others do a little more, so that the tasks differ. */
static void report_fake(const struct job *job, double value, struct child_io *io)
{
	struct wis_config config;
	struct wis_result result = {.elapsed_s = 1, .idle_percent = 0};
	struct err err;

	if (wis_config_parse(&config, job, &err))
		return;
	result.ops = xcalloc((size_t)config.nr_task, sizeof(*result.ops));
	for (int i = 0; i < config.nr_task; i++)
		result.ops[i] = (uint64_t)(value > 0 ? value : 0) + (uint64_t)i;
	wis_report(&config, &result, io);
	free(result.ops);
}

const struct workload will_it_scale_workload = {
	.testcase = "will-it-scale",
	.help = "one kernel operation over and over in N tasks; operations per second",
	.tests = tests,
	.tests_nr = (int)ARRAY_SIZE(tests),
	.params = params,
	.metrics = metrics,
	.complete = complete,
	.check = check,
	.run = run,
	.expected_s = expected_s,
	.report_fake = report_fake,
};
