/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TEST_WORKLOAD_FIXTURE_H
#define TEST_WORKLOAD_FIXTURE_H
/* For tests: a job from text, run as collect does, with everything it reports in a struct run. */
#include "measure/child.h"
#include "workload/workload.h"

struct fixture {
	struct pool pool;
	struct job job;
	struct run run;
	struct child_result result;
	struct err err;
	int begins, ends;
};

static inline void fixture_release(struct fixture *fixture)
{
	params_release(&fixture->job.params);
	run_release(&fixture->run);
	child_result_release(&fixture->result);
	pool_release(&fixture->pool);
}

/* params: "key=value key=value". Returns what workload_prepare() does. */
static inline int fixture_prepare(struct fixture *fixture, const char *testcase, const char *test,
				  const char *params)
{
	struct strlist list = {0};

	*fixture = (struct fixture){.job = {.testcase = testcase, .test = test}};
	fixture->result.reason = fixture->result.output = (struct strbuf)STRBUF_INIT;
	strlist_split(&list, params, ' ');
	for (int i = 0; i < list.nr; i++) {
		struct param param;

		if (!param_split(&fixture->pool, list.v[i], &param))
			fail_msg("no parameter: %s", list.v[i]);
		params_set(&fixture->job.params, &fixture->pool, param.key, param.value);
	}
	strlist_release(&list);
	return workload_prepare(workload_find(testcase), &fixture->job, &fixture->pool,
				&fixture->err);
}

static inline void fixture_begin(void *data)
{
	((struct fixture *)data)->begins++;
}

static inline void fixture_end(void *data)
{
	((struct fixture *)data)->ends++;
}

static inline void fixture_value(void *data, const char *metric, struct number value)
{
	run_set(&((struct fixture *)data)->run, metric, value);
}

static inline void fixture_sample(void *data, const char *metric, double time_s, double value)
{
	run_add_sample(&((struct fixture *)data)->run, metric, time_s, value);
}

static inline void fixture_warning(void *data, const char *text)
{
	strlist_add(&((struct fixture *)data)->run.warnings, text);
}

static const struct child_callbacks fixture_callbacks = {
	.begin = fixture_begin,
	.end = fixture_end,
	.value = fixture_value,
	.sample = fixture_sample,
	.warning = fixture_warning,
};

/* What runs in the child; by default the workload itself. */
typedef int fixture_function(const void *arg, struct child_io *io);

static inline int fixture_work(const void *arg, struct child_io *io)
{
	const struct job *job = arg;

	return workload_find(job->testcase)->run(job, io);
}

static inline void fixture_run(struct fixture *fixture, fixture_function *function,
			       double timeout_s)
{
	struct child_spec spec = {
		.function = function ? function : fixture_work,
		.arg = &fixture->job,
		.timeout_s = timeout_s,
		.callbacks = &fixture_callbacks,
		.data = fixture,
	};

	if (child_run(&spec, &fixture->result, &fixture->err))
		fail_msg("%s", fixture->err.msg);
}

/* Prepares and runs to a good end. */
static inline void fixture_run_ok(struct fixture *fixture, const char *testcase, const char *test,
				  const char *params)
{
	if (fixture_prepare(fixture, testcase, test, params))
		fail_msg("%s/%s: %s", testcase, test, fixture->err.msg);
	fixture_run(fixture, NULL, 60);
	if (fixture->result.status != RUN_OK)
		fail_msg("%s/%s: %s\n%s", testcase, test, fixture->result.reason.buf,
			 fixture->result.output.buf);
}

static inline int64_t fixture_int(const struct fixture *fixture, const char *metric)
{
	struct number number = run_get(&fixture->run, metric);

	if (number.kind != NUMBER_INT)
		fail_msg("%s is no whole number", metric);
	return number.i;
}

static inline double fixture_float(const struct fixture *fixture, const char *metric)
{
	struct number number = run_get(&fixture->run, metric);

	if (number.kind != NUMBER_FLOAT)
		fail_msg("%s is no float", metric);
	return number.d;
}

#endif
