// SPDX-License-Identifier: GPL-2.0-only
/* What a collection says on its way, with a plan made by hand and a clock that was set back. */
#include "cmd/progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/strbuf.h"

static void durations_are_seconds_minutes_or_hours(void **state)
{
	static const struct {
		double seconds;
		const char *text;
	} cases[] = {
		{0, "0 s"},	      {0.49, "0 s"},
		{0.5, "1 s"},	      {8, "8 s"},
		{59.4, "59 s"},	      {59.5, "1:00"},
		{60, "1:00"},	      {151, "2:31"},
		{3599.4, "59:59"},    {3599.5, "1:00:00"},
		{3751, "1:02:31"},    {86400, "24:00:00"},
		{359999, "99:59:59"}, {1e12, "277777777:46:40"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char text[24];

		progress_duration(text, cases[i].seconds);
		assert_string_equal(text, cases[i].text);
	}
}

/* Two tests, the second with a parameter, in turn, twice. */
struct fixture {
	struct plan plan;
	struct progress progress;
	struct campaign_observer observer;
	int saved, file; /* standard error, and what is there instead */
};

static void set_up(struct fixture *f, double expected_s)
{
	struct strlist two = {0};
	const struct plan_axis axis = {"nr_task", &two};
	const struct plan_test steady = {"fake", "steady", NULL, 0};
	const struct plan_test pipe = {"will-it-scale", "pipe1", &axis, 1};
	struct err err;

	*f = (struct fixture){0};
	strlist_add(&two, "2");
	assert_int_equal(plan_add_jobs(&f->plan, &steady, &err), 0);
	assert_int_equal(plan_add_jobs(&f->plan, &pipe, &err), 0);
	assert_int_equal(plan_order_runs(&f->plan, 2, PLAN_INTERLEAVE, 1, &err), 0);
	strlist_release(&two);
	for (int i = 0; i < f->plan.jobs_nr; i++)
		f->plan.jobs[i].expected_s = expected_s;
	f->file = memfd_create("stderr", MFD_CLOEXEC);
	f->saved = dup(STDERR_FILENO);
	assert_true(f->file >= 0 && f->saved >= 0);
	dup2(f->file, STDERR_FILENO);
	f->observer = progress_observer(&f->progress, &f->plan, NULL);
}

/* Standard error as it was, and what was written to it meanwhile. */
static void finish(struct fixture *f, struct strbuf *said)
{
	char part[4096];
	ssize_t len;

	fflush(stderr);
	dup2(f->saved, STDERR_FILENO);
	close(f->saved);
	strbuf_init(said);
	lseek(f->file, 0, SEEK_SET);
	while ((len = read(f->file, part, sizeof(part))) > 0)
		strbuf_add(said, part, (size_t)len);
	close(f->file);
	progress_release(&f->progress);
	plan_release(&f->plan);
}

static void assert_said(struct fixture *f, const char *expected)
{
	struct strbuf said;

	finish(f, &said);
	assert_string_equal(said.buf, expected);
	strbuf_release(&said);
}

static void begin(struct fixture *f, int place)
{
	f->observer.run_begins(f->observer.data, &f->plan, place);
}

/* The run under way took that long. */
static void end(struct fixture *f, struct run *run, int64_t seconds)
{
	f->progress.begin_ns = clock_ns() - seconds * NS_PER_S;
	f->observer.run_ended(f->observer.data, run);
	run_release(run);
}

static void end_well(struct fixture *f, int64_t seconds)
{
	struct run run;

	run_init(&run);
	run_set(&run, "fake.ops", number_float(1234.5));
	run_set(&run, "fake.time.elapsed_time", number_float(1));
	end(f, &run, seconds);
}

static void the_whole_takes_as_long_as_its_runs_or_is_not_known(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, 10);
	assert_true(progress_expected_s(&f.plan) > 39.999 && progress_expected_s(&f.plan) < 40.001);
	f.plan.jobs[1].expected_s = 0;
	assert_true(progress_expected_s(&f.plan) < 1e-9);
	assert_said(&f, "");
}

static void what_is_left_follows_the_pace_of_the_finished_runs(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, 10);
	begin(&f, 0);
	end_well(&f, 20); /* twice as long as expected */
	begin(&f, 1);
	end_well(&f, 10); /* 30 s for what should have taken 20 */
	begin(&f, 2);
	assert_said(&f,
		    "[1/4] fake/steady iteration 1 of 2, 40 s left\n"
		    "[1/4] fake/steady iteration 1 of 2: 1234.5 ops (20.0 s)\n"
		    "[2/4] will-it-scale/pipe1 nr_task=2 iteration 1 of 2, 1:00 left\n"
		    "[2/4] will-it-scale/pipe1 nr_task=2 iteration 1 of 2: 1234.5 ops (10.0 s)\n"
		    "[3/4] fake/steady iteration 2 of 2, 30 s left\n");
}

static void without_an_expectation_it_follows_the_mean_of_the_finished_runs(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, 0);
	begin(&f, 0);
	end_well(&f, 5);
	begin(&f, 1);
	end_well(&f, 15);
	begin(&f, 2);
	assert_said(&f,
		    "[1/4] fake/steady iteration 1 of 2\n"
		    "[1/4] fake/steady iteration 1 of 2: 1234.5 ops (5.0 s)\n"
		    "[2/4] will-it-scale/pipe1 nr_task=2 iteration 1 of 2, 15 s left\n"
		    "[2/4] will-it-scale/pipe1 nr_task=2 iteration 1 of 2: 1234.5 ops (15.0 s)\n"
		    "[3/4] fake/steady iteration 2 of 2, 20 s left\n");
}

static void a_failed_run_says_why(void **state)
{
	struct fixture f;
	struct run run;

	(void)state;
	set_up(&f, 0);
	begin(&f, 0);
	run_init(&run);
	run.status = RUN_TIMEOUT;
	run.reason = "ended after 3 s\033[2J";
	memcpy(run.id, "0123456789abcdef", 17);
	end(&f, &run, 3);
	assert_said(&f,
		    "[1/4] fake/steady iteration 1 of 2\n"
		    "[1/4] fake/steady iteration 1 of 2: timeout: ended after 3 s\\x1b[2J (3.0 s)"
		    "; perfcmp show 0123456789ab has more\n");
}

static void a_warning_is_said_once(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, 0);
	for (int i = 0; i < 2; i++) {
		struct run run;

		begin(&f, i);
		run_init(&run);
		strlist_add(&run.warnings, "one thing");
		if (i)
			strlist_add(&run.warnings, "another");
		end(&f, &run, 0);
	}
	assert_said(&f, "[1/4] fake/steady iteration 1 of 2\n"
			"warning: one thing\n"
			"[1/4] fake/steady iteration 1 of 2: (0.0 s)\n"
			"[2/4] will-it-scale/pipe1 nr_task=2 iteration 1 of 2, 0 s left\n"
			"warning: another\n"
			"[2/4] will-it-scale/pipe1 nr_task=2 iteration 1 of 2: (0.0 s)\n");
}

#define CLEARED "\r\033[K"

static void a_terminal_has_one_line_that_is_redrawn(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, 10);
	f.progress.terminal = true;
	begin(&f, 0);
	f.observer.run_ticks(f.observer.data, 1.2);
	f.observer.run_ticks(f.observer.data, 12.6); /* longer than the run should take */
	f.observer.run_ticks(f.observer.data, 99);
	end_well(&f, 10);
	assert_said(&f, CLEARED "[1/4] iteration 1 of 2, 0 s, 40 s left: fake/steady" CLEARED
				"[1/4] iteration 1 of 2, 1 s, 39 s left: fake/steady" CLEARED
				"[1/4] iteration 1 of 2, 13 s, 27 s left: fake/steady" CLEARED
				"[1/4] iteration 1 of 2, 1:39, 0 s left: fake/steady" CLEARED
				"[1/4] fake/steady iteration 1 of 2: 1234.5 ops (10.0 s)\n");
}

static void elsewhere_a_tick_says_nothing(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, 0);
	begin(&f, 0);
	f.observer.run_ticks(f.observer.data, 1.2);
	assert_said(&f, "[1/4] fake/steady iteration 1 of 2\n");
}

/* The same tests, twice a boot, in two boots of each of two kernels; a boot should take ten seconds. */
static void set_up_boots(struct fixture *f, double expected_s)
{
	static const char *const kernels[] = {"base", "new"};
	static const struct progress_boots boots = {kernels, 10};
	const struct plan_boots how = {.kernels = 2, .boots = 2, .iterations = 2};
	struct err err;

	set_up(f, expected_s);
	assert_int_equal(plan_order_boots(&f->plan, &how, &err), 0);
	f->observer = progress_observer(&f->progress, &f->plan, &boots);
}

static void boot(struct fixture *f, int number)
{
	f->observer.boot_begins(f->observer.data, &f->plan, number);
}

/* The boot under way took that long until its first run. */
static void begin_after(struct fixture *f, int place, int64_t seconds)
{
	f->progress.begin_ns = clock_ns() - seconds * NS_PER_S;
	begin(f, place);
}

static void boots_have_the_name_of_their_kernel_and_take_their_time(void **state)
{
	struct fixture f;

	(void)state;
	set_up_boots(&f, 10);
	boot(&f, 0);
	f.observer.boot_ticks(f.observer.data, 1);
	begin_after(&f, 0, 30); /* three times as long as expected */
	end_well(&f, 10);
	boot(&f, 1);
	begin_after(&f, 4, 10);
	end_well(&f, 20);
	boot(&f, 2);
	begin_after(&f, 8, 20);
	assert_said(&f,
		    "boot 1 of 4, base, 3:20 left\n"
		    "[1/16] boot 1 of 4, base: fake/steady iteration 1 of 4, 4:10 left\n"
		    "[1/16] boot 1 of 4, base: fake/steady iteration 1 of 4: 1234.5 ops (10.0 s)\n"
		    "boot 2 of 4, new, 3:30 left\n"
		    "[5/16] boot 2 of 4, new: fake/steady iteration 1 of 4, 2:40 left\n"
		    "[5/16] boot 2 of 4, new: fake/steady iteration 1 of 4: 1234.5 ops (20.0 s)\n"
		    "boot 3 of 4, base, 2:40 left\n"
		    "[9/16] boot 3 of 4, base: fake/steady iteration 3 of 4, 2:20 left\n");
}

/* Only its time is left to tell where nothing is known of the runs. */
static void a_boot_that_is_repeated_goes_on_where_it_was(void **state)
{
	struct fixture f;
	struct run run;

	(void)state;
	set_up_boots(&f, 10);
	boot(&f, 0);
	begin_after(&f, 0, 10);
	run_init(&run);
	run.status = RUN_FAILED;
	run.reason = "Kernel panic";
	memcpy(run.id, "0123456789abcdef", 17);
	end(&f, &run, 1); /* nothing is learnt from it */
	boot(&f, 0);
	begin_after(&f, 1, 10);
	assert_said(
		&f,
		"boot 1 of 4, base, 3:20 left\n"
		"[1/16] boot 1 of 4, base: fake/steady iteration 1 of 4, 3:10 left\n"
		"[1/16] boot 1 of 4, base: fake/steady iteration 1 of 4: failed: Kernel panic (1.0 s)"
		"; perfcmp show 0123456789ab has more\n"
		"boot 1 of 4, base, 3:10 left\n"
		"[2/16] boot 1 of 4, base: will-it-scale/pipe1 nr_task=2 iteration 1 of 4, 3:00 left\n");
}

static void a_terminal_shows_that_a_kernel_boots(void **state)
{
	struct fixture f;

	(void)state;
	set_up_boots(&f, 0);
	f.progress.terminal = true;
	boot(&f, 1);
	f.observer.boot_ticks(f.observer.data, 2.2);
	begin_after(&f, 4, 10);
	assert_said(&f, CLEARED "boot 2 of 4, new: booting, 0 s" CLEARED
				"boot 2 of 4, new: booting, 2 s" CLEARED
				"[5/16] boot 2 of 4, new, iteration 1 of 4, 0 s: fake/steady");
}

/* 80 columns where the size is not known; the last one stays free. "µ" has two bytes. */
static void the_line_is_cut_to_the_width_at_a_character(void **state)
{
	static const char prefix[] = CLEARED "[1/4] iteration 1 of 2, 0 s: fake/";

	(void)state;
	for (int shift = 0; shift < 2; shift++) {
		struct strbuf name = STRBUF_INIT, said;
		struct fixture f;
		size_t columns;

		set_up(&f, 0);
		strbuf_addchars(&name, 'x', shift);
		for (int i = 0; i < 100; i++)
			strbuf_addstr(&name, "\xc2\xb5");
		f.plan.jobs[0].test = name.buf;
		f.progress.terminal = true;
		begin(&f, 0);
		finish(&f, &said);
		columns = said.len - strlen(CLEARED);
		assert_true(columns == 79 || columns == 78);
		assert_memory_equal(said.buf, prefix, strlen(prefix));
		/* a whole character at the end, not its first byte */
		assert_int_equal((unsigned char)said.buf[said.len - 1], 0xb5);
		strbuf_release(&said);
		strbuf_release(&name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations_are_seconds_minutes_or_hours),
		cmocka_unit_test(the_whole_takes_as_long_as_its_runs_or_is_not_known),
		cmocka_unit_test(what_is_left_follows_the_pace_of_the_finished_runs),
		cmocka_unit_test(without_an_expectation_it_follows_the_mean_of_the_finished_runs),
		cmocka_unit_test(a_failed_run_says_why),
		cmocka_unit_test(a_warning_is_said_once),
		cmocka_unit_test(a_terminal_has_one_line_that_is_redrawn),
		cmocka_unit_test(elsewhere_a_tick_says_nothing),
		cmocka_unit_test(boots_have_the_name_of_their_kernel_and_take_their_time),
		cmocka_unit_test(a_boot_that_is_repeated_goes_on_where_it_was),
		cmocka_unit_test(a_terminal_shows_that_a_kernel_boots),
		cmocka_unit_test(the_line_is_cut_to_the_width_at_a_character),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
