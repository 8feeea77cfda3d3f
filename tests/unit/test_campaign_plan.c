// SPDX-License-Identifier: GPL-2.0-only
/* From what the user asked for to jobs with complete parameters. */
#include "lab/campaign.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/strbuf.h"

/* What was asked for; lists are words with single blanks between them. */
struct wanted {
	const char *tests, *nr_task, *modes, *params;
	const char *runtime, *warmup, *affinity;
	bool fake, for_guest;
};

enum {
	CPUS = 8,
	ITERATIONS = 2,
	LISTS = 4
};

static int make_plan(const struct wanted *wanted, struct plan *plan, struct err *err)
{
	const char *const texts[LISTS] = {wanted->tests, wanted->nr_task, wanted->modes,
					  wanted->params};
	struct strlist lists[LISTS] = {0};
	struct campaign_config config = {
		.tests = &lists[0],
		.nr_task = &lists[1],
		.modes = &lists[2],
		.params = &lists[3],
		.runtime = wanted->runtime,
		.warmup = wanted->warmup,
		.affinity = wanted->affinity,
		.cpus = CPUS,
		.iterations = ITERATIONS,
		.run = {.fake_workload = wanted->fake},
	};
	int status;

	for (int i = 0; i < LISTS; i++)
		strlist_split(&lists[i], texts[i] ? texts[i] : "", ' ');
	*plan = (struct plan){0};
	status = wanted->for_guest ? campaign_jobs(&config, plan, err)
				   : campaign_plan(&config, plan, err);
	for (int i = 0; i < LISTS; i++)
		strlist_release(&lists[i]);
	return status;
}

static void plan_ok(const struct wanted *wanted, struct plan *plan)
{
	struct err err;

	if (make_plan(wanted, plan, &err))
		fail_msg("%s: %s", wanted->tests, err.msg);
}

/* "test key=value key=value", without the testcase and with those parameters only */
static void assert_job(const struct plan *plan, int job, const char *expected)
{
	struct strbuf text = STRBUF_INIT;
	struct strlist keys = {0};

	assert_true(job < plan->jobs_nr);
	strlist_split(&keys, expected, ' ');
	strbuf_addstr(&text, plan->jobs[job].test);
	for (int i = 1; i < keys.nr; i++) {
		const char *value;

		keys.v[i][strcspn(keys.v[i], "=")] = '\0';
		value = params_get(&plan->jobs[job].params, keys.v[i]);
		strbuf_addf(&text, " %s=%s", keys.v[i], value ? value : "(none)");
	}
	assert_string_equal(text.buf, expected);
	strbuf_release(&text);
	strlist_release(&keys);
}

static void assert_has_no_param(const struct job *job, const char *key)
{
	if (params_get(&job->params, key))
		fail_msg("%s/%s has a parameter %s", job->testcase, job->test, key);
}

static void every_combination_is_a_job_with_complete_parameters(void **state)
{
	const struct wanted wanted = {
		.tests = "will-it-scale/getppid1",
		.nr_task = "1 50%",
		.modes = "process thread",
		.runtime = "3",
		.warmup = "1",
		.affinity = "none",
	};
	struct plan plan;

	(void)state;
	plan_ok(&wanted, &plan);
	assert_int_equal(plan.jobs_nr, 4);
	assert_int_equal(plan.runs_nr, 4 * ITERATIONS);
	assert_job(&plan, 0, "getppid1 nr_task=1 mode=process runtime=3 warmup=1 affinity=none");
	assert_job(&plan, 1, "getppid1 nr_task=1 mode=thread runtime=3 warmup=1 affinity=none");
	assert_job(&plan, 2, "getppid1 nr_task=4 mode=process runtime=3 warmup=1 affinity=none");
	assert_job(&plan, 3, "getppid1 nr_task=4 mode=thread runtime=3 warmup=1 affinity=none");
	plan_release(&plan);
}

static void what_is_not_asked_for_has_its_default(void **state)
{
	const struct wanted wanted = {.tests = "will-it-scale/getppid1", .nr_task = "1"};
	struct plan plan;

	(void)state;
	plan_ok(&wanted, &plan);
	assert_int_equal(plan.jobs_nr, 1);
	assert_job(&plan, 0, "getppid1 nr_task=1 mode=process runtime=10 warmup=5 affinity=core");
	plan_release(&plan);
}

/* A run that the guest cannot tell of any more must be of the same group as the others. */
static void the_jobs_of_a_guest_are_complete_without_it(void **state)
{
	const struct wanted wanted = {
		.tests = "will-it-scale/getppid1 autonuma-benchmark/numa02 fake/steady",
		.params = "value=7",
		.for_guest = true,
	};
	struct plan plan;

	(void)state;
	plan_ok(&wanted, &plan);
	assert_int_equal(plan.jobs_nr, 3);
	assert_int_equal(plan.runs_nr, 0);
	assert_job(&plan, 0, "getppid1 nr_task=8 mode=process runtime=10 warmup=5 affinity=core");
	/* this machine may have one node, and less memory */
	assert_job(&plan, 1, "numa02 mem=1G loops=800");
	assert_job(&plan, 2, "steady value=7");
	plan_release(&plan);
}

static void what_no_machine_could_run_is_refused_without_the_guest(void **state)
{
	static const struct wanted cases[] = {
		{.tests = "will-it-scale/getppid1", .runtime = "abc", .for_guest = true},
		{.tests = "will-it-scale/getppid1", .modes = "fibre", .for_guest = true},
		{.tests = "autonuma-benchmark/numa02", .params = "mem=much", .for_guest = true},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct plan plan;
		struct err err;

		assert_int_equal(make_plan(&cases[i], &plan, &err), -1);
		assert_memory_equal(err.msg, cases[i].tests, strlen(cases[i].tests));
		plan_release(&plan);
	}
}

/* Small and permitted on one node, so that it can be planned anywhere */
#define AUTONUMA_PARAMS "mem=16M loops=1 one_node=allow"

static void a_parameter_of_one_suite_leaves_the_other_alone(void **state)
{
	const struct wanted wanted = {
		.tests = "will-it-scale/getppid1 autonuma-benchmark/numa01",
		.nr_task = "1",
		.params = AUTONUMA_PARAMS " mem=32M",
	};
	struct plan plan;

	(void)state;
	plan_ok(&wanted, &plan);
	assert_int_equal(plan.jobs_nr, 3);
	assert_job(&plan, 0, "getppid1 nr_task=1");
	assert_has_no_param(&plan.jobs[0], "mem");
	assert_has_no_param(&plan.jobs[0], "one_node");
	assert_job(&plan, 1, "numa01 mem=16M loops=1");
	assert_job(&plan, 2, "numa01 mem=32M loops=1");
	assert_has_no_param(&plan.jobs[1], "nr_task");
	plan_release(&plan);
}

static void a_parameter_can_be_given_either_way(void **state)
{
	const struct wanted wanted = {.tests = "will-it-scale/getppid1",
				      .nr_task = "1",
				      .params = "nr_task=2 mode=thread"};
	struct plan plan;

	(void)state;
	plan_ok(&wanted, &plan);
	assert_int_equal(plan.jobs_nr, 2);
	assert_job(&plan, 0, "getppid1 nr_task=1 mode=thread");
	assert_job(&plan, 1, "getppid1 nr_task=2 mode=thread");
	plan_release(&plan);
}

static void what_is_asked_for_twice_is_planned_once(void **state)
{
	const struct wanted wanted = {
		.tests = "will-it-scale/getppid1 will-it-scale/getppid? will-it-scale/getppid1",
		.nr_task = "4 50% 4",
		.params = "mode=process mode=process",
	};
	struct plan plan;

	(void)state;
	plan_ok(&wanted, &plan);
	assert_int_equal(plan.jobs_nr, 1);
	assert_job(&plan, 0, "getppid1 nr_task=4 mode=process");
	plan_release(&plan);
}

static void what_no_test_takes_and_what_is_unknown_is_refused(void **state)
{
	static const struct {
		struct wanted wanted;
		const char *message;
	} cases[] = {
		{{.tests = "will-it-scale/getppid1", .params = "mem=16M"},
		 "mem=16M: none of the chosen tests has a parameter mem"},
		{{.tests = "autonuma-benchmark/numa01", .nr_task = "2", .params = AUTONUMA_PARAMS},
		 "nr_task=2: none of the chosen tests has a parameter nr_task"},
		{{.tests = "fake/steady", .modes = "process"},
		 "mode=process: none of the chosen tests has a parameter mode"},
		{{.tests = "fake/steady", .runtime = "3"},
		 "runtime=3: none of the chosen tests has a parameter runtime"},
		{{.tests = "fake/steady", .params = "value"},
		 "--param value: write it as key=value"},
		{{.tests = "fake/steady", .params = "=5"}, "--param =5: write it as key=value"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct plan plan;
		struct err err;

		assert_int_equal(make_plan(&cases[i].wanted, &plan, &err), -1);
		assert_string_equal(err.msg, cases[i].message);
		plan_release(&plan);
	}
}

/* The rest of these messages is of the modules they come from. */
static void a_refusal_names_the_test_or_the_option(void **state)
{
	static const struct {
		struct wanted wanted;
		const char *beginning;
	} cases[] = {
		{{.tests = "will-it-scale/getppid1", .modes = "fibre"}, "will-it-scale/getppid1: "},
		{{.tests = "fake/steady", .params = "value=x"}, "fake/steady: "},
		{{.tests = "will-it-scale/getppid1", .nr_task = "0"}, "0: "},
		{{.tests = "will-it-scale/nonesuch"}, "will-it-scale/nonesuch: "},
		{{.tests = "fake/steady nonesuch"}, "nonesuch: "},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct plan plan;
		struct err err;

		assert_int_equal(make_plan(&cases[i].wanted, &plan, &err), -1);
		if (!strstr(err.msg, cases[i].beginning))
			fail_msg("%s: not in: %s", cases[i].beginning, err.msg);
		plan_release(&plan);
	}
}

static void each_job_knows_how_long_it_should_take(void **state)
{
	static const struct {
		struct wanted wanted;
		double low, high;
	} cases[] = {
		{{.tests = "will-it-scale/getppid1", .nr_task = "1", .runtime = "3", .warmup = "1"},
		 4,
		 6},
		{{.tests = "fake/slow", .params = "seconds=2.5"}, 2.5, 2.6},
		{{.tests = "fake/steady"}, 0, 0},
		/* what is invented takes no time */
		{{.tests = "will-it-scale/getppid1", .nr_task = "1", .fake = true}, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct plan plan;

		plan_ok(&cases[i].wanted, &plan);
		if (plan.jobs[0].expected_s < cases[i].low ||
		    plan.jobs[0].expected_s > cases[i].high)
			fail_msg("%s: %g s", cases[i].wanted.tests, plan.jobs[0].expected_s);
		plan_release(&plan);
	}
}

static void a_command_is_one_job(void **state)
{
	char program[] = "./bench", arg[] = "7", *argv[] = {program, arg, NULL};
	struct campaign_config config = {.argv = argv, .cpus = CPUS, .iterations = ITERATIONS};
	static const char *const names[] = {NULL, "mine"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct plan plan = {0};
		struct err err;

		config.command_name = names[i];
		assert_int_equal(campaign_plan(&config, &plan, &err), 0);
		assert_int_equal(plan.jobs_nr, 1);
		assert_int_equal(plan.runs_nr, ITERATIONS);
		assert_string_equal(plan.jobs[0].testcase, "command");
		assert_string_equal(plan.jobs[0].test, names[i] ? names[i] : "bench,7");
		assert_ptr_equal(plan.jobs[0].argv, argv);
		assert_true(fabs(plan.jobs[0].expected_s) < 1e-9);
		plan_release(&plan);
	}
}

static void a_command_takes_no_parameters(void **state)
{
	char program[] = "true", *argv[] = {program, NULL};
	struct strlist params = {0};
	struct campaign_config config = {.argv = argv, .params = &params, .iterations = 1};
	struct plan plan = {0};
	struct err err;

	(void)state;
	strlist_add(&params, "mem=1G");
	assert_int_equal(campaign_plan(&config, &plan, &err), -1);
	assert_non_null(strstr(err.msg, "mem=1G: "));
	plan_release(&plan);
	strlist_release(&params);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_combination_is_a_job_with_complete_parameters),
		cmocka_unit_test(what_is_not_asked_for_has_its_default),
		cmocka_unit_test(the_jobs_of_a_guest_are_complete_without_it),
		cmocka_unit_test(what_no_machine_could_run_is_refused_without_the_guest),
		cmocka_unit_test(a_parameter_of_one_suite_leaves_the_other_alone),
		cmocka_unit_test(a_parameter_can_be_given_either_way),
		cmocka_unit_test(what_is_asked_for_twice_is_planned_once),
		cmocka_unit_test(what_no_test_takes_and_what_is_unknown_is_refused),
		cmocka_unit_test(a_refusal_names_the_test_or_the_option),
		cmocka_unit_test(each_job_knows_how_long_it_should_take),
		cmocka_unit_test(a_command_is_one_job),
		cmocka_unit_test(a_command_takes_no_parameters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
