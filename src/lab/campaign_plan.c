// SPDX-License-Identifier: GPL-2.0-only
#include "lab/campaign.h"

#include "workload/command.h"
#include "workload/workload.h"

enum {
	AXES_MAX = 64
};

/* Values for one axis, from an option of its own (nr_task, mode, ...) or from --param. */
struct wish {
	const char *key;
	struct strlist values;
	bool taken; /* some test has the parameter */
};

struct wishes {
	struct pool pool;
	struct wish v[AXES_MAX];
	int nr;
};

static void wishes_release(struct wishes *wishes)
{
	for (int i = 0; i < wishes->nr; i++)
		strlist_release(&wishes->v[i].values);
	pool_release(&wishes->pool);
}

static struct wish *wish_add(struct wishes *wishes, const char *key)
{
	struct wish *wish;

	for (int i = 0; i < wishes->nr; i++)
		if (streq(wishes->v[i].key, key))
			return &wishes->v[i];
	if (wishes->nr == AXES_MAX)
		return NULL;
	wish = &wishes->v[wishes->nr++];
	wish->key = pool_strdup(&wishes->pool, key);
	return wish;
}

static int wish_params(struct wishes *wishes, const struct strlist *params, struct err *err)
{
	for (int i = 0; params && i < params->nr; i++) {
		struct param param;
		struct wish *wish;

		if (!param_split(&wishes->pool, params->v[i], &param))
			return err_set(err, "--param %s: write it as key=value", params->v[i]);
		wish = wish_add(wishes, param.key);
		if (!wish)
			return err_set(err, "--param: more than %d parameters", AXES_MAX);
		strlist_add_once(&wish->values, param.value);
	}
	return 0;
}

static int wish_nr_task(struct wishes *wishes, const struct campaign_config *config,
			struct err *err)
{
	struct wish *wish = wish_add(wishes, "nr_task");

	for (int i = 0; config->nr_task && i < config->nr_task->nr; i++) {
		char number[16];

		if (plan_nr_task(config->nr_task->v[i], config->cpus, number, err))
			return -1;
		strlist_add_once(&wish->values, number);
	}
	return 0;
}

static void wish_one(struct wishes *wishes, const char *key, const char *value)
{
	if (value)
		strlist_add_once(&wish_add(wishes, key)->values, value);
}

static int make_wishes(struct wishes *wishes, const struct campaign_config *config, struct err *err)
{
	if (wish_nr_task(wishes, config, err))
		return -1;
	for (int i = 0; config->modes && i < config->modes->nr; i++)
		wish_one(wishes, "mode", config->modes->v[i]);
	wish_one(wishes, "runtime", config->runtime);
	wish_one(wishes, "warmup", config->warmup);
	wish_one(wishes, "affinity", config->affinity);
	return wish_params(wishes, config->params, err);
}

static bool takes(const struct workload *workload, const char *key)
{
	for (const char *const *name = workload->params; *name; name++)
		if (streq(*name, key))
			return true;
	return false;
}

static int add_test(struct plan *plan, struct wishes *wishes, const char *name, struct err *err)
{
	const char *slash = strchr(name, '/');
	const char *testcase = pool_strndup(&plan->pool, name, (size_t)(slash - name));
	const struct workload *workload = workload_find(testcase);
	struct plan_axis axes[AXES_MAX];
	struct plan_test test = {.testcase = testcase, .test = slash + 1, .axes = axes};

	for (int i = 0; i < wishes->nr; i++) {
		struct wish *wish = &wishes->v[i];

		if (!takes(workload, wish->key))
			continue;
		wish->taken = true;
		axes[test.axes_nr++] = (struct plan_axis){wish->key, &wish->values};
	}
	return plan_add_jobs(plan, &test, err);
}

static int refuse_untaken(const struct wishes *wishes, struct err *err)
{
	for (int i = 0; i < wishes->nr; i++) {
		const struct wish *wish = &wishes->v[i];

		if (!wish->taken && wish->values.nr)
			return err_set(err, "%s=%s: none of the chosen tests has a parameter %s",
				       wish->key, wish->values.v[0], wish->key);
	}
	return 0;
}

static int add_tests(struct plan *plan, struct wishes *wishes, const struct strlist *patterns,
		     struct err *err)
{
	struct strlist names = {0};
	int status = 0;

	for (int i = 0; status == 0 && i < patterns->nr; i++)
		status = workload_expand(patterns->v[i], &names, err);
	for (int i = 0; status == 0 && i < names.nr; i++)
		status = add_test(plan, wishes, names.v[i], err);
	strlist_release(&names);
	return status;
}

static int add_command(struct plan *plan, const struct campaign_config *config, struct err *err)
{
	struct plan_test test = {.testcase = "command", .test = config->command_name};

	if (!test.test)
		test.test = command_test_name(&plan->pool, config->argv);
	if (plan_add_jobs(plan, &test, err))
		return -1;
	plan->jobs[0].argv = config->argv;
	return 0;
}

static double expected_s(const struct job *job, bool fake)
{
	const struct workload *workload = workload_find(fake ? "fake" : job->testcase);

	return !job->argv && workload->expected_s ? workload->expected_s(job) : 0;
}

static int complete_jobs(struct plan *plan, const struct campaign_config *config, struct err *err)
{
	for (int i = 0; i < plan->jobs_nr; i++) {
		struct job *job = &plan->jobs[i];
		const struct workload *workload = workload_find(job->testcase);

		job->deterministic = config->deterministic;
		if (!job->argv && workload->complete(job, &plan->pool, config->cpus, err))
			return err_prefix(err, "%s/%s", job->testcase, job->test);
		job->expected_s = expected_s(job, config->run.fake_workload);
	}
	return 0;
}

static int check_jobs(const struct plan *plan, struct err *err)
{
	for (int i = 0; i < plan->jobs_nr; i++) {
		const struct job *job = &plan->jobs[i];
		const struct workload *workload = workload_find(job->testcase);

		if (!job->argv && workload->check && workload->check(job, err))
			return err_prefix(err, "%s/%s", job->testcase, job->test);
	}
	return 0;
}

int campaign_jobs(const struct campaign_config *config, struct plan *plan, struct err *err)
{
	struct wishes wishes = {0};
	int status = make_wishes(&wishes, config, err);

	if (status == 0 && config->argv)
		status = add_command(plan, config, err);
	else if (status == 0)
		status = add_tests(plan, &wishes, config->tests, err);
	if (status == 0)
		status = refuse_untaken(&wishes, err);
	if (status == 0)
		status = complete_jobs(plan, config, err);
	wishes_release(&wishes);
	return status;
}

int campaign_plan(const struct campaign_config *config, struct plan *plan, struct err *err)
{
	int status = campaign_jobs(config, plan, err);

	if (status == 0)
		status = check_jobs(plan, err);
	if (status == 0)
		status =
			plan_order_runs(plan, config->iterations, config->order, config->seed, err);
	return status;
}
