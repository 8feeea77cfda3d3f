// SPDX-License-Identifier: GPL-2.0-only
#include "lab/one_run.h"

#include "base/hash.h"
#include "measure/child.h"
#include "measure/usage.h"
#include "model/perf_stat.h"
#include "workload/command.h"
#include "workload/workload.h"

#include <math.h>

enum {
	LAST_OUTPUT_MAX = 2048,
	COMMAND_OUTPUT_MAX = 16 << 20,
	STARVED_S = 2, /* ticks come four times a second */
};

/* What the callbacks of the child work on. */
struct measuring {
	const struct one_run_config *config;
	struct run *run;
	struct counters *counters;
	int64_t begin_ns;
	double measured_s;
	double last_tick_s;
};

/* The fake counters of a test are the same in every collection. */
static uint64_t fake_seed(const struct run *run)
{
	return hash_text(HASH_INIT + (uint64_t)run->iteration, run->test);
}

static void on_started(void *data, pid_t pid)
{
	struct measuring *m = data;
	struct counters_config config = {
		.scope = m->config->counters,
		.events = m->config->events,
		.pid = pid,
		.seed = fake_seed(m->run),
	};
	struct err err;

	if (config.scope == COUNTERS_OFF)
		return;
	m->counters = counters_open(&config, &m->run->warnings, &err);
	if (!m->counters)
		strlist_addf(&m->run->warnings, "no counters: %s", err.msg);
}

static void on_begin(void *data)
{
	struct measuring *m = data;

	if (m->counters)
		counters_enable(m->counters);
	m->begin_ns = clock_ns();
}

static void on_end(void *data)
{
	struct measuring *m = data;

	m->measured_s = (double)(clock_ns() - m->begin_ns) / 1e9;
	if (m->counters)
		counters_disable(m->counters);
}

/*
 * A zero has no kind of its own: for the robot it does not exist and is filled in as the integer 0. It is
 * stored as that, so that 0 and "none" look the same to the robot's rule and different to everybody else.
 */
static void on_value(void *data, const char *metric, struct number value)
{
	struct measuring *m = data;

	if (value.kind == NUMBER_FLOAT && fpclassify(value.d) == FP_ZERO)
		value = number_int(0);
	run_set(m->run, metric, value);
}

static void on_sample(void *data, const char *metric, double time_s, double value)
{
	struct measuring *m = data;

	run_add_sample(m->run, metric, time_s, value);
}

static void on_warning(void *data, const char *text)
{
	struct measuring *m = data;

	strlist_add_once(&m->run->warnings, text);
}

/* Were we there all the time? The child goes on when we are stopped. */
static void check_gap(struct measuring *m, double elapsed_s)
{
	double gap_s = elapsed_s - m->last_tick_s;

	m->last_tick_s = elapsed_s;
	if (gap_s > STARVED_S)
		strlist_addf(
			&m->run->warnings,
			"perfcmp itself was stopped or got no CPU for %.0f s of this run: its times may be too long",
			gap_s);
}

static void on_tick(void *data, double elapsed_s)
{
	struct measuring *m = data;

	check_gap(m, elapsed_s);
	if (m->config->tick)
		m->config->tick(m->config->data, elapsed_s);
}

static const struct child_callbacks callbacks = {
	.started = on_started,
	.begin = on_begin,
	.end = on_end,
	.value = on_value,
	.sample = on_sample,
	.warning = on_warning,
	.tick = on_tick,
};

struct work {
	const struct workload *workload;
	const struct job *job;
};

static int run_workload(const void *arg, struct child_io *io)
{
	const struct work *work = arg;

	return work->workload->run(work->job, io);
}

/* The last lines, at most LAST_OUTPUT_MAX bytes, beginning with a whole line where there is one. */
static const char *last_lines(struct run *run, const struct strbuf *output)
{
	const char *start = output->buf;
	size_t len = output->len;

	while (len && (output->buf[len - 1] == '\n' || output->buf[len - 1] == '\0'))
		len--;
	if (!len)
		return NULL;
	if (len > LAST_OUTPUT_MAX) {
		const char *line;

		start += len - LAST_OUTPUT_MAX;
		len = LAST_OUTPUT_MAX;
		line = memchr(start, '\n', len);
		if (line) {
			len -= (size_t)(line + 1 - start);
			start = line + 1;
		}
	}
	return pool_strndup(&run->pool, start, len);
}

/* A run that did not complete says so the robot's way, so that tables show it among the failures. */
static void mark_incomplete(struct run *run)
{
	int code = run->signal ? 128 + run->signal : run->exit_code;
	char *metric = xasprintf("last_state.test.%s.exit_code.%d", run->testcase, code);

	run_set(run, "last_state.is_incomplete_run", number_int(1));
	run_set(run, metric, number_int(1));
	free(metric);
}

static void take_result(struct run *run, const struct child_result *result)
{
	run->status = result->status;
	run->exit_code = result->exit_code;
	run->signal = result->signal;
	run->wall_s = result->wall_s;
	if (result->status == RUN_OK)
		return;
	run->reason = pool_strdup(&run->pool, result->reason.buf);
	run->last_output = last_lines(run, &result->output);
	mark_incomplete(run);
}

/* Of an output that was too long the end is there: what is left of its first line is not to be read. */
static void drop_cut_line(struct run *run, struct strbuf *output)
{
	const char *line;
	size_t rest;

	if (output->len < COMMAND_OUTPUT_MAX)
		return;
	strlist_addf(&run->warnings, "only the last %d MiB of the output were searched",
		     COMMAND_OUTPUT_MAX >> 20);
	line = memchr(output->buf, '\n', output->len);
	rest = line ? output->len - (size_t)(line + 1 - output->buf) : 0;
	memmove(output->buf, output->buf + output->len - rest, rest + 1);
	output->len = rest;
}

static void take_measured(struct measuring *m, const struct job *job, struct child_result *result)
{
	struct run *run = m->run;

	if (job->argv) {
		run_set(run, "command.seconds", number_float(result->wall_s));
		if (m->config->picks_nr)
			drop_cut_line(run, &result->output);
		picks_apply(m->config->picks, m->config->picks_nr, &result->output, run);
	}
	usage_add(run, run->testcase, &result->rusage, result->wall_s);
	check_gap(m, result->wall_s);
	if (m->counters) {
		counters_read(m->counters, run);
		perf_stat_derive(run, m->measured_s);
	}
}

/* The fakes compute with it, and a command may want to know. */
static void export_iteration(int iteration)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", iteration);
	setenv("PERFCMP_ITERATION", text, 1);
}

static void describe_job(struct run *run, const struct job *job)
{
	run->testcase = pool_strdup(&run->pool, job->testcase);
	run->test = pool_strdup(&run->pool, job->test);
	params_copy(&run->params, &run->pool, &job->params);
	run->start_ns = wall_ns();
}

int one_run(const struct job *job, const struct one_run_config *config, struct run *run,
	    bool *stopped, struct err *err)
{
	struct work work = {workload_find(config->fake_workload ? "fake" : job->testcase), job};
	struct measuring measuring = {.config = config, .run = run};
	struct child_spec spec = {
		.timeout_s = config->timeout_s,
		.stop = config->stop,
		.callbacks = &callbacks,
		.data = &measuring,
		.arg = &work,
	};
	struct child_result result = {0};
	int status;

	describe_job(run, job);
	export_iteration(run->iteration);
	if (job->argv) {
		spec.argv = job->argv;
		spec.output_max = COMMAND_OUTPUT_MAX;
	} else {
		spec.function = run_workload;
	}
	status = child_run(&spec, &result, err);
	if (status == 0) {
		*stopped = result.stopped;
		take_result(run, &result);
		take_measured(&measuring, job, &result);
	}
	if (measuring.counters)
		counters_close(measuring.counters);
	child_result_release(&result);
	return status;
}
