// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

	(void)state;
	strlist_split(&nr_task, "1,2,4", ',');
	strlist_split(&mode, "process,thread", ',');
	plan_add_jobs(&plan, "will-it-scale", "getppid1", axes, ARRAY_SIZE(axes));
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
	for (int i = 0; i < jobs; i++)
		plan_add_jobs(plan, "fake", "steady", NULL, 0);
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
		char text[64];

		plan_of(&plan, 2);
		plan_order_runs(&plan, 3, cases[i].order, 0);
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

		plan_of(&plan, 5);
		plan_order_runs(&plan, 6, PLAN_RANDOM, seeds[i]);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_of_tasks_or_a_percentage),
		cmocka_unit_test(axes_give_every_combination),
		cmocka_unit_test(orders),
		cmocka_unit_test(a_random_order_has_every_run_once_and_follows_its_seed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
