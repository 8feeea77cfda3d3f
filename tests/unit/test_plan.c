// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "model/plan.h"

static void a_number_of_tasks_or_a_percentage(void **state)
{
	static const struct {
		const char *text;
		int cpus;
		const char *want; /* NULL: refused */
	} cases[] = {
		{"1", 8, "1"},
		{"16", 8, "16"},
		{"100%", 8, "8"},
		{"50%", 8, "4"},
		{"50%", 3, "1"},
		{"1%", 8, "1"},
		{"25%", 64, "16"},
		{"200%", 4, "8"},
		{"12.5%", 64, "8"},
		{"0", 8, NULL},
		{"0%", 8, NULL},
		{"-1", 8, NULL},
		{"", 8, NULL},
		{"%", 8, NULL},
		{"two", 8, NULL},
		{"1.5", 8, NULL},
		{"1e3", 8, NULL},
		{"4096", 8, "4096"},
		{"4097", 8, NULL},
		{"5 %", 8, NULL},
		{"999999999999999999999999999999999999", 8, NULL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char out[16] = "";
		struct err err = {""};
		int status = plan_nr_task(cases[i].text, cases[i].cpus, out, &err);

		assert_int_equal(status, cases[i].want ? 0 : -1);
		if (cases[i].want)
			assert_string_equal(out, cases[i].want);
		else
			assert_non_null(strstr(err.msg, "nr_task="));
	}
}

static void axes_give_every_combination(void **state)
{
	struct strlist nr_task = {0}, mode = {0}, none = {0};
	struct plan plan = {0};
	const struct plan_axis axes[] = {{"nr_task", &nr_task}, {"none", &none}, {"mode", &mode}};
	static const char *const want[] = {"1process", "1thread",  "2process",
					   "2thread",  "4process", "4thread"};
	const struct plan_test test = {"will-it-scale", "getppid1", axes, ARRAY_SIZE(axes)};
	struct err err;

	(void)state;
	strlist_split(&nr_task, "1,2,4", ',');
	strlist_split(&mode, "process,thread", ',');
	assert_int_equal(plan_add_jobs(&plan, &test, &err), 0);
	assert_int_equal(plan.jobs_nr, 6);
	for (int i = 0; i < plan.jobs_nr; i++) {
		char text[64];

		assert_int_equal(plan.jobs[i].params.nr, 2);
		snprintf(text, sizeof(text), "%s%s", params_get(&plan.jobs[i].params, "nr_task"),
			 params_get(&plan.jobs[i].params, "mode"));
		assert_string_equal(text, want[i]);
	}
	plan_release(&plan);
	strlist_release(&nr_task);
	strlist_release(&mode);
}

static void plan_of(struct plan *plan, int jobs)
{
	const struct plan_test test = {.testcase = "fake", .test = "steady"};
	struct err err;

	for (int i = 0; i < jobs; i++)
		assert_int_equal(plan_add_jobs(plan, &test, &err), 0);
}

static void order_text(const struct plan *plan, char *out)
{
	for (int i = 0; i < plan->runs_nr; i++)
		out += snprintf(out, 8, "%c%d ", 'A' + plan->runs[i].job, plan->runs[i].iteration);
}

static void orders(void **state)
{
	static const struct {
		enum plan_order order;
		const char *want;
	} cases[] = {
		{PLAN_INTERLEAVE, "A1 B1 A2 B2 A3 B3 "},
		{PLAN_SEQUENTIAL, "A1 A2 A3 B1 B2 B3 "},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct plan plan = {0};
		struct err err;
		char text[64];

		plan_of(&plan, 2);
		assert_int_equal(plan_order_runs(&plan, 3, cases[i].order, 0, &err), 0);
		order_text(&plan, text);
		assert_string_equal(text, cases[i].want);
		plan_release(&plan);
	}
}

static void a_random_order_has_every_run_once_and_follows_its_seed(void **state)
{
	char texts[3][512];
	const uint64_t seeds[] = {7, 7, 8};

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct plan plan = {0};
		int seen[5] = {0};
		struct err err;

		plan_of(&plan, 5);
		assert_int_equal(plan_order_runs(&plan, 6, PLAN_RANDOM, seeds[i], &err), 0);
		assert_int_equal(plan.runs_nr, 30);
		for (int k = 0; k < plan.runs_nr; k++)
			assert_int_equal(plan.runs[k].iteration, ++seen[plan.runs[k].job]);
		for (int k = 0; k < 5; k++)
			assert_int_equal(seen[k], 6);
		order_text(&plan, texts[i]);
		plan_release(&plan);
	}
	assert_string_equal(texts[0], texts[1]);
	assert_string_not_equal(texts[0], texts[2]);
}

/* "K1: A1 B1  " for each boot: its kernel and its number, its runs */
static void boots_text(const struct plan *plan, struct strbuf *out)
{
	for (int b = 0; b < plan->boots_nr; b++) {
		const struct plan_boot *boot = &plan->boots[b];

		strbuf_addf(out, "%s%c%d:", b ? "  " : "", 'K' + boot->kernel, boot->number);
		for (int i = boot->first; i < boot->first + boot->nr; i++) {
			assert_ptr_equal(plan_boot_of(plan, i), boot);
			strbuf_addf(out, " %c%d", 'A' + plan->runs[i].job, plan->runs[i].iteration);
		}
	}
}

static void boots_of_the_kernels_alternate(void **state)
{
	static const struct {
		int jobs;
		struct plan_boots how;
		const char *want;
	} cases[] = {
		{2,
		 {.kernels = 2, .boots = 2, .iterations = 1},
		 "K1: A1 B1  L1: A1 B1  K2: A2 B2  L2: A2 B2"},
		{1, {.kernels = 2, .boots = 1, .iterations = 2}, "K1: A1 A2  L1: A1 A2"},
		{1,
		 {.kernels = 2, .boots = 2, .iterations = 2, .order = PLAN_SEQUENTIAL},
		 "K1: A1 A2  K2: A3 A4  L1: A1 A2  L2: A3 A4"},
		{1, {.kernels = 1, .boots = 1, .iterations = 1}, "K1: A1"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf text = STRBUF_INIT;
		struct plan plan = {0};
		struct err err;

		plan_of(&plan, cases[i].jobs);
		assert_int_equal(plan_order_boots(&plan, &cases[i].how, &err), 0);
		boots_text(&plan, &text);
		assert_string_equal(text.buf, cases[i].want);
		assert_null(plan_boot_of(&plan, plan.runs_nr));
		assert_null(plan_boot_of(&plan, -1));
		strbuf_release(&text);
		plan_release(&plan);
	}
}

static void a_random_order_of_boots_follows_its_seed(void **state)
{
	const uint64_t seeds[] = {3, 3, 4};
	struct strbuf texts[3];

	(void)state;
	for (int i = 0; i < 3; i++) {
		const struct plan_boots how = {.kernels = 3,
					       .boots = 5,
					       .iterations = 1,
					       .order = PLAN_RANDOM,
					       .seed = seeds[i]};
		struct plan plan = {0};
		int seen[3] = {0};
		struct err err;

		plan_of(&plan, 1);
		assert_int_equal(plan_order_boots(&plan, &how, &err), 0);
		assert_int_equal(plan.boots_nr, 15);
		for (int b = 0; b < plan.boots_nr; b++)
			assert_int_equal(plan.boots[b].number, ++seen[plan.boots[b].kernel]);
		for (int k = 0; k < 3; k++)
			assert_int_equal(seen[k], 5);
		strbuf_init(&texts[i]);
		boots_text(&plan, &texts[i]);
		plan_release(&plan);
	}
	assert_string_equal(texts[0].buf, texts[1].buf);
	assert_string_not_equal(texts[0].buf, texts[2].buf);
	for (int i = 0; i < 3; i++)
		strbuf_release(&texts[i]);
}

static void refused(int status, const struct err *err, const char *why)
{
	assert_int_equal(status, -1);
	if (!strstr(err->msg, why))
		fail_msg("%s", err->msg);
}

/* Products that an int cannot hold among them. */
static void too_many_runs_are_refused(void **state)
{
	static const struct {
		int jobs, iterations, boots, kernels;
		bool fits;
	} cases[] = {
		{1, PLAN_RUNS_MAX, 1, 1, true},
		{1, PLAN_RUNS_MAX + 1, 1, 1, false},
		{10, PLAN_RUNS_MAX / 10, 1, 1, true},
		{10, PLAN_RUNS_MAX / 10 + 1, 1, 1, false},
		{5, 100, 1000, 2, true},
		{5, 101, 1000, 2, false},
		{3, INT_MAX, INT_MAX, INT_MAX, false},
		{1, 1, 65536, 65536, false},
		{4, 1 << 30, 1, 1, false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct plan_boots how = {.kernels = cases[i].kernels,
					       .boots = cases[i].boots,
					       .iterations = cases[i].iterations};
		bool booted = cases[i].boots > 1 || cases[i].kernels > 1;
		struct plan plan = {0};
		struct err err = {""};
		int status;

		plan_of(&plan, cases[i].jobs);
		if (booted)
			status = plan_order_boots(&plan, &how, &err);
		else
			status = plan_order_runs(&plan, how.iterations, PLAN_INTERLEAVE, 1, &err);
		if (cases[i].fits)
			assert_int_equal(status, 0);
		else
			refused(status, &err, "more than 1000000 runs: fewer --iterations");
		plan_release(&plan);
	}
}

static void too_many_combinations_are_refused(void **state)
{
	struct strlist values = {0};
	struct plan_axis axes[12];
	struct plan_test test = {"fake", "steady", axes, ARRAY_SIZE(axes)};
	struct plan plan = {0};
	struct err err;

	(void)state;
	for (int i = 0; i < 100; i++)
		strlist_addf(&values, "%d", i);
	for (size_t i = 0; i < ARRAY_SIZE(axes); i++)
		axes[i] = (struct plan_axis){"key", &values};
	refused(plan_add_jobs(&plan, &test, &err), &err,
		"fake/steady: more than 1000000 combinations of parameters: give fewer values");
	assert_int_equal(plan.jobs_nr, 0);
	test.axes_nr = 3;
	assert_int_equal(plan_add_jobs(&plan, &test, &err), 0);
	assert_int_equal(plan.jobs_nr, PLAN_RUNS_MAX);
	test.axes_nr = 0;
	refused(plan_add_jobs(&plan, &test, &err), &err, "more than 1000000");
	plan_release(&plan);
	strlist_release(&values);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_of_tasks_or_a_percentage),
		cmocka_unit_test(axes_give_every_combination),
		cmocka_unit_test(orders),
		cmocka_unit_test(a_random_order_has_every_run_once_and_follows_its_seed),
		cmocka_unit_test(boots_of_the_kernels_alternate),
		cmocka_unit_test(a_random_order_of_boots_follows_its_seed),
		cmocka_unit_test(too_many_runs_are_refused),
		cmocka_unit_test(too_many_combinations_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
