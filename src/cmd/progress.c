// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/progress.h"

#include "base/printable.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "model/metric.h"

#include <sys/ioctl.h>
#include <unistd.h>

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

/* Of the runs from a place on; 0 if a job's is not known. */
static double expected_from(const struct plan *plan, int place)
{
	double total = 0;

	for (int i = place; i < plan->runs_nr; i++) {
		double seconds = plan->jobs[plan->runs[i].job].expected_s;

		if (seconds <= 0)
			return 0;
		total += seconds;
	}
	return total;
}

double progress_expected_s(const struct plan *plan)
{
	return expected_from(plan, 0);
}

static const struct job *current_job(const struct progress *progress)
{
	return &progress->plan->jobs[progress->plan->runs[progress->place].job];
}

static int runs_of(const struct plan *plan, int job, int first, int nr)
{
	int found = 0;

	for (int i = first; i < first + nr; i++)
		found += plan->runs[i].job == job;
	return found;
}

/* Where kernels are booted, of the kernel under way. */
static int iterations_of_current(const struct progress *progress)
{
	const struct plan *plan = progress->plan;
	const struct plan_boot *boot = plan_boot_of(plan, progress->place);
	int job = plan->runs[progress->place].job;
	int nr = 0;

	if (!boot)
		return runs_of(plan, job, 0, plan->runs_nr);
	for (int i = 0; i < plan->boots_nr; i++)
		if (plan->boots[i].kernel == boot->kernel)
			nr += runs_of(plan, job, plan->boots[i].first, plan->boots[i].nr);
	return nr;
}

static int terminal_columns(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

/*
 * Of the runs that are left: the plan's expectation, corrected by how the finished runs compared with it; where the
 * plan knows nothing, the mean of the finished runs. Negative: nothing is known.
 */
static double runs_left_s(const struct progress *progress)
{
	double expected = expected_from(progress->plan, progress->place);

	if (expected > 0)
		return progress->spent_expected_s > 0
			       ? expected * progress->spent_s / progress->spent_expected_s
			       : expected;
	if (progress->spent_nr)
		return progress->spent_s / progress->spent_nr *
		       (progress->plan->runs_nr - progress->place);
	return -1;
}

static double boots_left_s(const struct progress *progress)
{
	int left = progress->plan->boots_nr - progress->boot - !progress->booting;
	double boot_s = progress->boots->boot_s;

	if (progress->booted_nr)
		boot_s = progress->booted_s / progress->booted_nr;
	return left * boot_s;
}

/* Negative: not known. elapsed_s: of the run, or the boot, under way. */
static double left_s(const struct progress *progress, double elapsed_s)
{
	double left = runs_left_s(progress);

	if (left < 0)
		return left;
	if (progress->boots)
		left += boots_left_s(progress);
	return left > elapsed_s ? left - elapsed_s : 0;
}

static void add_left(struct strbuf *out, const struct progress *progress, double elapsed_s)
{
	double left = left_s(progress, elapsed_s);
	char text[24];

	if (left < 0)
		return;
	progress_duration(text, left);
	strbuf_addf(out, ", %s left", text);
}

/* "boot 2 of 6, base" */
static void add_boot(struct strbuf *out, const struct progress *progress)
{
	const struct plan *plan = progress->plan;

	strbuf_addf(out, "boot %d of %d, %s", progress->boot + 1, plan->boots_nr,
		    progress->boots->kernels[plan->boots[progress->boot].kernel]);
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

static void redraw(struct strbuf *line)
{
	struct strbuf shown = STRBUF_INIT;

	add_printable(&shown, line->buf, false);
	cut_to_width(&shown, terminal_columns() - 1);
	fprintf(stderr, "\r\033[K%s", shown.buf);
	fflush(stderr);
	strbuf_release(&shown);
	strbuf_release(line);
}

static void draw_run(const struct progress *progress, double elapsed_s)
{
	struct strbuf line = STRBUF_INIT;
	char text[24];

	progress_duration(text, elapsed_s);
	strbuf_addf(&line, "[%d/%d] ", progress->place + 1, progress->plan->runs_nr);
	if (progress->boots) {
		add_boot(&line, progress);
		strbuf_addstr(&line, ", ");
	}
	strbuf_addf(&line, "iteration %d of %d, %s",
		    progress->plan->runs[progress->place].iteration,
		    iterations_of_current(progress), text);
	add_left(&line, progress, elapsed_s);
	strbuf_addstr(&line, ": ");
	progress_job_name(&line, current_job(progress));
	redraw(&line);
}

static void draw_boot(const struct progress *progress, double elapsed_s)
{
	struct strbuf line = STRBUF_INIT;
	char text[24];

	progress_duration(text, elapsed_s);
	add_boot(&line, progress);
	strbuf_addf(&line, ": booting, %s", text);
	add_left(&line, progress, elapsed_s);
	redraw(&line);
}

/* "[3/10] will-it-scale/getppid1 mode=process nr_task=2 iteration 1 of 5" */
static void add_run_name(struct strbuf *out, const struct progress *progress)
{
	strbuf_addf(out, "[%d/%d] ", progress->place + 1, progress->plan->runs_nr);
	if (progress->boots) {
		add_boot(out, progress);
		strbuf_addstr(out, ": ");
	}
	progress_job_name(out, current_job(progress));
	strbuf_addf(out, " iteration %d of %d", progress->plan->runs[progress->place].iteration,
		    iterations_of_current(progress));
}

static void print_begin(const struct progress *progress)
{
	struct strbuf line = STRBUF_INIT;

	if (progress->booting)
		add_boot(&line, progress);
	else
		add_run_name(&line, progress);
	add_left(&line, progress, 0);
	cmd_note("%s", line.buf);
	strbuf_release(&line);
}

static double since_begin_s(const struct progress *progress)
{
	return (double)(clock_ns() - progress->begin_ns) / NS_PER_S;
}

static void on_boot_begin(void *data, const struct plan *plan, int boot)
{
	struct progress *progress = data;

	progress->plan = plan;
	progress->boot = boot;
	progress->booting = true;
	if (progress->place < plan->boots[boot].first)
		progress->place = plan->boots[boot].first;
	progress->begin_ns = clock_ns();
	if (progress->terminal)
		draw_boot(progress, 0);
	else
		print_begin(progress);
}

static void on_boot_tick(void *data, double elapsed_s)
{
	struct progress *progress = data;

	if (progress->terminal)
		draw_boot(progress, elapsed_s);
}

static void end_boot(struct progress *progress)
{
	if (!progress->booting)
		return;
	progress->booting = false;
	progress->booted_nr++;
	progress->booted_s += since_begin_s(progress);
}

static void on_begin(void *data, const struct plan *plan, int place)
{
	struct progress *progress = data;

	end_boot(progress);
	progress->plan = plan;
	progress->place = place;
	progress->begin_ns = clock_ns();
	if (progress->terminal)
		draw_run(progress, 0);
	else
		print_begin(progress);
}

static void on_tick(void *data, double elapsed_s)
{
	struct progress *progress = data;

	if (progress->terminal)
		draw_run(progress, elapsed_s);
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

/* What failed may have taken no time, or much too much. */
static void learn(struct progress *progress, double seconds)
{
	progress->spent_s += seconds;
	progress->spent_expected_s += current_job(progress)->expected_s;
	progress->spent_nr++;
}

static void on_end(void *data, const struct run *run)
{
	struct progress *progress = data;
	struct strbuf line = STRBUF_INIT;
	double seconds = since_begin_s(progress);

	if (run->status == RUN_OK)
		learn(progress, seconds);
	clear_line(progress);
	print_warnings(progress, run);
	add_run_name(&line, progress);
	strbuf_addch(&line, ':');
	if (run->status == RUN_OK)
		add_kpis(&line, run);
	else
		strbuf_addf(&line, " %s: %s", run_status_name(run->status),
			    run->reason ? run->reason : "");
	strbuf_addf(&line, " (%.1f s)", seconds);
	if (run->status != RUN_OK)
		strbuf_addf(&line, "; perfcmp show %.12s has more", run->id);
	cmd_note("%s", line.buf);
	if (progress->boots && progress->place + 1 < progress->plan->runs_nr)
		progress->place++; /* what a boot that has to be repeated goes on with */
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

struct campaign_observer progress_observer(struct progress *progress, const struct plan *plan,
					   const struct progress_boots *boots)
{
	*progress = (struct progress){.plan = plan, .boots = boots, .terminal = can_redraw()};
	return (struct campaign_observer){
		.data = progress,
		.boot_begins = on_boot_begin,
		.boot_ticks = on_boot_tick,
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
