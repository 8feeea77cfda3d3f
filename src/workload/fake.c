// SPDX-License-Identifier: GPL-2.0-only
#include "workload/fake.h"

#include "base/hash.h"
#include "base/strbuf.h"
#include "workload/param.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
	METRICS_MAX = 100000,
	LINES_MAX = 100 * 1000 * 1000,
	SAMPLES = 3,
};

static const double value_max = 1e18; /* fits into an int64_t */

struct fake_config {
	double value, spread, step, seconds;
	int64_t seed, lines, metrics, signal, status, iteration;
};

struct fake_test {
	struct workload_test base;
	int (*run)(const struct fake_config *config, struct child_io *io);
};

double fake_noise(uint64_t seed, int64_t iteration)
{
	uint64_t z = (seed << 32) + (uint64_t)iteration * 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	z ^= z >> 31;
	return (double)(z >> 11) / (double)(UINT64_C(1) << 52) - 1.0;
}

static double value_of(const struct fake_config *config, double x)
{
	double value = config->value * (1 + config->spread / 100 * x) *
		       (1 + config->step / 100 * (double)(config->iteration - 1));

	return fmax(-value_max, fmin(value, value_max));
}

/* The KPI as a float, a whole number beside it, and a series whose mean is the KPI. */
static int report(struct child_io *io, double value)
{
	child_begin(io);
	for (int i = 1; i <= SAMPLES; i++)
		child_sample(io, "fake.ops", i, value + (i - 2));
	child_end(io);
	child_value(io, "fake.ops", number_float(value));
	child_value(io, "fake.items", number_int((int64_t)value));
	return 0;
}

static int run_steady(const struct fake_config *config, struct child_io *io)
{
	return report(io, value_of(config, 0));
}

static int run_noisy(const struct fake_config *config, struct child_io *io)
{
	return report(io, value_of(config, fake_noise((uint64_t)config->seed, config->iteration)));
}

static int run_bimodal(const struct fake_config *config, struct child_io *io)
{
	return report(io, value_of(config, config->iteration % 2 ? 1 : -1));
}

static int run_missing(const struct fake_config *config, struct child_io *io)
{
	if (config->iteration % 2 == 0)
		child_value(io, "fake.sometimes", number_int((int64_t)config->value));
	return report(io, value_of(config, 0));
}

static int run_odd_numbers(const struct fake_config *config, struct child_io *io)
{
	child_value(io, "fake.nan", number_float((double)NAN));
	child_value(io, "fake.infinite", number_float((double)INFINITY));
	child_value(io, "fake.zero", number_int(0));
	child_value(io, "fake.zero_float", number_float(0));
	child_value(io, "fake.negative", number_float(-config->value));
	child_value(io, "fake.largest", number_int(INT64_MAX));
	return report(io, value_of(config, 0));
}

static int run_wide(const struct fake_config *config, struct child_io *io)
{
	char metric[48];

	for (int64_t i = 1; i <= config->metrics; i++) {
		snprintf(metric, sizeof(metric), "fake.metric_%lld", (long long)i);
		child_value(io, metric, number_int(i + config->iteration));
	}
	return report(io, value_of(config, 0));
}

static int run_warn(const struct fake_config *config, struct child_io *io)
{
	child_warn(io, "fake warning of iteration %lld", (long long)config->iteration);
	child_warn(io, "fake warning of every iteration");
	return report(io, value_of(config, 0));
}

static int run_slow(const struct fake_config *config, struct child_io *io)
{
	double whole;
	struct timespec time = {.tv_nsec = (long)(modf(config->seconds, &whole) * NS_PER_S)};

	time.tv_sec = (time_t)whole;
	nanosleep(&time, NULL);
	return report(io, value_of(config, 0));
}

static int run_fail(const struct fake_config *config, struct child_io *io)
{
	child_begin(io);
	puts("fake line 1\nfake line 2\nfake line 3");
	fflush(stdout);
	child_fail(io, "fake failure");
	return (int)config->status;
}

static int run_crash(const struct fake_config *config, struct child_io *io)
{
	struct rlimit no_core = {0};

	setrlimit(RLIMIT_CORE, &no_core);
	child_begin(io);
	signal((int)config->signal, SIG_DFL);
	raise((int)config->signal);
	return report(io, value_of(config, 0));
}

static int run_hang(const struct fake_config *config, struct child_io *io)
{
	(void)config;
	child_begin(io);
	while (pause() < 0)
		;
	return 0;
}

/* Deaf to SIGTERM, with a child that is deaf too and holds on to the output. */
static int run_hang_hard(const struct fake_config *config, struct child_io *io)
{
	signal(SIGTERM, SIG_IGN);
	if (fork() < 0)
		child_warn(io, "no second process");
	return run_hang(config, io);
}

static int run_eat_output(const struct fake_config *config, struct child_io *io)
{
	for (int64_t i = 1; i <= config->lines; i++)
		printf("fake line %lld of %lld\n", (long long)i, (long long)config->lines);
	fflush(stdout);
	return report(io, value_of(config, 0));
}

#define FAKE(name, help, run) &((const struct fake_test){{name, help}, run}).base

static const struct workload_test *const fakes[] = {
	FAKE("steady", "the same value in every iteration", run_steady),
	FAKE("noisy", "values within spread per cent of value, by seed", run_noisy),
	FAKE("bimodal", "spread per cent above and below value in turn", run_bimodal),
	FAKE("missing", "a metric that only even iterations have", run_missing),
	FAKE("odd-numbers", "metrics that are NaN, infinite, zero, negative, very large",
	     run_odd_numbers),
	FAKE("wide", "many metrics", run_wide),
	FAKE("warn", "two warnings", run_warn),
	FAKE("slow", "takes the time that seconds says", run_slow),
	FAKE("eat-output", "prints many lines", run_eat_output),
	FAKE("fail", "prints three lines and fails", run_fail),
	FAKE("crash", "is killed by a signal of its own", run_crash),
	FAKE("hang", "never ends", run_hang),
	FAKE("hang-hard", "never ends, not even when asked to", run_hang_hard),
};

static const char *const metrics[] = {"ops", NULL};
static const char *const params[] = {"value", "spread",	 "step",   "seed",   "seconds",
				     "lines", "metrics", "signal", "status", NULL};
static const char *const defaults[] = {"1000", "10", "0", "1", "0.1", "10000", "1000", "11", "3"};

static int parse_numbers(struct fake_config *config, const struct job *job, struct err *err)
{
	const struct param_range any = {-1e15, 1e15};

	if (param_number(job, "value", any, &config->value, err) ||
	    param_number(job, "spread", any, &config->spread, err) ||
	    param_number(job, "step", any, &config->step, err))
		return -1;
	return param_number(job, "seconds", (struct param_range){0, 1e6}, &config->seconds, err);
}

static int config_parse(struct fake_config *config, const struct job *job, struct err *err)
{
	if (parse_numbers(config, job, err) ||
	    param_whole(job, "seed", (struct param_range){0, UINT32_MAX}, &config->seed, err) ||
	    param_whole(job, "lines", (struct param_range){0, LINES_MAX}, &config->lines, err) ||
	    param_whole(job, "metrics", (struct param_range){0, METRICS_MAX}, &config->metrics,
			err) ||
	    param_whole(job, "signal", (struct param_range){1, 31}, &config->signal, err) ||
	    param_whole(job, "status", (struct param_range){0, 255}, &config->status, err))
		return -1;
	return 0;
}

/* PERFCMP_FAKE over the job's own parameters. */
static int override(struct job *job, struct pool *pool, struct err *err)
{
	const char *text = getenv("PERFCMP_FAKE");
	struct strlist list = {0};
	int status = 0;

	strlist_split(&list, text ? text : "", ',');
	for (int i = 0; status == 0 && i < list.nr; i++) {
		struct param param;

		if (param_split(pool, list.v[i], &param))
			params_set(&job->params, pool, param.key, param.value);
		else
			status = err_set(err, "PERFCMP_FAKE: %s: write it as key=value", list.v[i]);
	}
	strlist_release(&list);
	return status ? -1 : param_check_names(job, params, err);
}

static int64_t iteration_from_environment(void)
{
	const char *text = getenv("PERFCMP_ITERATION");
	int64_t iteration;

	if (!text || !parse_i64(text, &iteration) || iteration < 1 || iteration > INT32_MAX)
		return 1;
	return iteration;
}

static int run_fake(const struct job *job, const struct fake_config *config, struct child_io *io)
{
	const struct workload_test *test = workload_find_test(&fake_workload, job->test);

	if (test)
		return ((const struct fake_test *)test)->run(config, io);
	child_fail(io, "fake/%s: no such test", job->test);
	return 1;
}

/* 1000 to 1 000 000 in steps of 1000, by the names of the test and its parameters. */
static double stand_in_value(const struct job *job)
{
	uint64_t hash = hash_name(hash_name(HASH_INIT, job->testcase), job->test);

	for (int i = 0; i < job->params.nr; i++)
		hash = hash_name(hash_name(hash, job->params.v[i].key), job->params.v[i].value);
	return 1000.0 * (double)(hash % 1000 + 1);
}

static int stand_in(const struct job *job, const struct fake_config *config, struct child_io *io)
{
	const struct workload *workload = workload_find(job->testcase);

	child_begin(io);
	child_end(io);
	if (workload && workload->report_fake)
		workload->report_fake(
			job,
			value_of(config, fake_noise((uint64_t)config->seed, config->iteration)),
			io);
	return 0;
}

/* The fake's own parameters: those of the job if it is a fake's, else what stands in for it; and defaults. */
static void own_params(struct job *own, struct pool *pool, const struct job *job)
{
	char value[32];

	if (streq(job->testcase, fake_workload.testcase)) {
		params_copy(&own->params, pool, &job->params);
	} else {
		snprintf(value, sizeof(value), "%.0f", stand_in_value(job));
		params_set(&own->params, pool, "value", value);
		params_set(&own->params, pool, "spread", "1");
	}
	for (int i = 0; params[i]; i++)
		param_default(own, pool, params[i], defaults[i]);
}

/* Defaults stay out of the job: its parameters are what the user gave. */
static int complete(struct job *job, struct pool *pool, int cpus, struct err *err)
{
	struct fake_config config;
	struct job own = {0};
	int status = param_check_names(job, params, err);

	(void)cpus;
	own_params(&own, pool, job);
	if (status == 0)
		status = config_parse(&config, &own, err);
	params_release(&own.params);
	return status;
}

static int run(const struct job *job, struct child_io *io)
{
	struct fake_config config = {.iteration = iteration_from_environment()};
	struct job own = {0};
	struct pool pool = {0};
	struct err err;
	int status = 1;

	own_params(&own, &pool, job);
	if (override(&own, &pool, &err) || config_parse(&config, &own, &err))
		child_fail(io, "%s", err.msg);
	else if (streq(job->testcase, fake_workload.testcase))
		status = run_fake(job, &config, io);
	else
		status = stand_in(job, &config, io);
	params_release(&own.params);
	pool_release(&pool);
	return status;
}

static double expected_s(const struct job *job)
{
	double seconds = 0;
	struct err err;

	if (streq(job->test, "slow"))
		param_number(job, "seconds", (struct param_range){0, 1e6}, &seconds, &err);
	return seconds;
}

const struct workload fake_workload = {
	.testcase = "fake",
	.help = "results that can be computed by hand, to try and test everything else",
	.tests = fakes,
	.tests_nr = (int)ARRAY_SIZE(fakes),
	.hidden = true,
	.params = params,
	.metrics = metrics,
	.complete = complete,
	.run = run,
	.expected_s = expected_s,
};
