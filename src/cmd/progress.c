// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/progress.h"

#include <math.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/printable.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "model/metric.h"

void progress_duration(char buf[24], double seconds)
{
	int64_t s = (int64_t)(seconds + 0.5);

	if (s < 60)
		snprintf(buf, 24, "%d s", (int)s);
	else if (s < 3600)
		snprintf(buf, 24, "%d:%02d", (int)(s / 60), (int)(s % 60));
	else
		snprintf(buf, 24, "%lld:%02d:%02d", (long long)(s / 3600), (int)(s / 60 % 60),
			 (int)(s % 60));
}

void progress_job_name(struct strbuf *out, const struct job *job)
{
	strbuf_addf(out, "%s/%s", job->testcase, job->test);
	for (int i = 0; i < job->params.nr; i++)
		strbuf_addf(out, " %s=%s", job->params.v[i].key, job->params.v[i].value);
}

double progress_expected_s(const struct plan *plan)
{
	double total = 0;

	for (int i = 0; i < plan->runs_nr; i++) {
		double seconds = plan->jobs[plan->runs[i].job].expected_s;

		if (seconds <= 0)
			return 0;
		total += seconds;
	}
	return total;
}

static const struct job *current_job(const struct progress *progress)
{
	return &progress->plan->jobs[progress->plan->runs[progress->place].job];
}

static int iterations_of_current(const struct progress *progress)
{
	int nr = 0;

	for (int i = 0; i < progress->plan->runs_nr; i++)
		nr += progress->plan->runs[i].job == progress->plan->runs[progress->place].job;
	return nr;
}

static int terminal_columns(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

/*
 * What is left: the plan's expectation, corrected by how the finished runs compared with it; where the plan
 * knows nothing, the mean of the finished runs. Negative: nothing is known.
 */
static double left_s(const struct progress *progress, double elapsed_s)
{
	int left = progress->plan->runs_nr - progress->place;
	double all;

	if (progress->expected_total_s > 0) {
		double pace = progress->spent_expected_s > 0
				      ? progress->spent_s / progress->spent_expected_s
				      : 1;

		all = (progress->expected_total_s - progress->spent_expected_s) * pace;
	} else if (progress->place > 0) {
		all = progress->spent_s / progress->place * left;
	} else {
		return -1;
	}
	return all > elapsed_s ? all - elapsed_s : 0;
}

static void clear_line(const struct progress *progress)
{
	if (progress->terminal)
		fputs("\r\033[K", stderr);
}

/* At most `columns` bytes, and no half of a character. */
static void cut_to_width(struct strbuf *line, int columns)
{
	size_t len = (size_t)columns;

	if (line->len <= len)
		return;
	while (len && ((unsigned char)line->buf[len] & 0xc0) == 0x80)
		len--;
	line->buf[len] = '\0';
	line->len = len;
}

static void draw(const struct progress *progress, double elapsed_s)
{
	const struct plan_run *run = &progress->plan->runs[progress->place];
	struct strbuf line = STRBUF_INIT, name = STRBUF_INIT;
	double left = left_s(progress, elapsed_s);
	char text[24];

	progress_job_name(&name, current_job(progress));
	progress_duration(text, elapsed_s);
	strbuf_addf(&line, "[%d/%d] iteration %d of %d, %s", progress->place + 1,
		    progress->plan->runs_nr, run->iteration, iterations_of_current(progress), text);
	if (left >= 0) {
		progress_duration(text, left);
		strbuf_addf(&line, ", %s left", text);
	}
	strbuf_addstr(&line, ": ");
	add_printable(&line, name.buf, false);
	cut_to_width(&line, terminal_columns() - 1);
	fprintf(stderr, "\r\033[K%s", line.buf);
	fflush(stderr);
	strbuf_release(&name);
	strbuf_release(&line);
}

/* "[3/10] will-it-scale/getppid1 mode=process nr_task=2 iteration 1 of 5" */
static void add_run_name(struct strbuf *out, const struct progress *progress)
{
	strbuf_addf(out, "[%d/%d] ", progress->place + 1, progress->plan->runs_nr);
	progress_job_name(out, current_job(progress));
	strbuf_addf(out, " iteration %d of %d", progress->plan->runs[progress->place].iteration,
		    iterations_of_current(progress));
}

static void print_begin(const struct progress *progress)
{
	struct strbuf line = STRBUF_INIT;
	double left = left_s(progress, 0);
	char text[24];

	add_run_name(&line, progress);
	if (left >= 0) {
		progress_duration(text, left);
		strbuf_addf(&line, ", %s left", text);
	}
	cmd_note("%s", line.buf);
	strbuf_release(&line);
}

static void on_begin(void *data, const struct plan *plan, int place)
{
	struct progress *progress = data;

	progress->plan = plan;
	progress->place = place;
	progress->begin_ns = clock_ns();
	if (progress->terminal)
		draw(progress, 0);
	else
		print_begin(progress);
}

static void on_tick(void *data, double elapsed_s)
{
	struct progress *progress = data;

	if (progress->terminal)
		draw(progress, elapsed_s);
}

static void add_kpis(struct strbuf *out, const struct run *run)
{
	for (int i = 0; i < run->values_nr; i++) {
		const char *metric = run->values[i].metric;

		if (metric_info(metric)->kpi)
			strbuf_addf(out, " %.10g %s", number_double(run->values[i].value),
				    metric + metric_family_len(metric) + 1);
	}
}

static void print_warnings(struct progress *progress, const struct run *run)
{
	for (int i = 0; i < run->warnings.nr; i++) {
		if (strlist_has(&progress->warned, run->warnings.v[i]))
			continue;
		strlist_add(&progress->warned, run->warnings.v[i]);
		cmd_note("warning: %s", run->warnings.v[i]);
	}
}

static void on_end(void *data, const struct run *run)
{
	struct progress *progress = data;
	struct strbuf line = STRBUF_INIT;
	double seconds = (double)(clock_ns() - progress->begin_ns) / 1e9;

	progress->spent_s += seconds;
	progress->spent_expected_s += current_job(progress)->expected_s;
	clear_line(progress);
	print_warnings(progress, run);
	add_run_name(&line, progress);
	strbuf_addch(&line, ':');
	if (run->status == RUN_OK)
		add_kpis(&line, run);
	else
		strbuf_addf(&line, " %s: %s", run_status_name(run->status),
			    run->reason ? run->reason : "");
	cmd_note("%s (%.1f s)", line.buf, seconds);
	strbuf_release(&line);
}

static void on_note(void *data, const char *text)
{
	clear_line(data);
	cmd_note("warning: %s", text);
}

static bool can_redraw(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && !streq(term, "dumb");
}

struct campaign_observer progress_observer(struct progress *progress, const struct plan *plan)
{
	*progress = (struct progress){.plan = plan, .terminal = can_redraw()};
	progress->expected_total_s = progress_expected_s(plan);
	return (struct campaign_observer){
		.data = progress,
		.run_begins = on_begin,
		.run_ticks = on_tick,
		.run_ended = on_end,
		.note = on_note,
	};
}

void progress_release(struct progress *progress)
{
	clear_line(progress);
	strlist_release(&progress->warned);
}
