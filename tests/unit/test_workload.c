// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "workload/workload.h"

#include "workload/param.h"

static void test_find_knows_the_testcases(void **state)
{
	static const char *const names[] = {"will-it-scale", "autonuma-benchmark", "command",
					    "fake"};
	int nr;

	(void)state;
	workload_all(&nr);
	assert_int_equal(nr, ARRAY_SIZE(names));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct workload *workload = workload_find(names[i]);

		assert_non_null(workload);
		assert_string_equal(workload->testcase, names[i]);
	}
	assert_null(workload_find("will-it"));
	assert_null(workload_find(""));
}

static void test_every_test_has_a_name_of_its_own_and_help(void **state)
{
	int nr;
	const struct workload *const *all = workload_all(&nr);

	(void)state;
	for (int w = 0; w < nr; w++) {
		assert_true(all[w]->params && all[w]->metrics && all[w]->complete && *all[w]->help);
		for (int i = 0; i < all[w]->tests_nr; i++) {
			const struct workload_test *test = all[w]->tests[i];

			assert_true(*test->help && !strchr(test->help, '\n'));
			assert_ptr_equal(workload_find_test(all[w], test->name), test);
		}
	}
}

static void test_the_suite_has_the_tests_that_were_asked_for(void **state)
{
	struct strlist names = {0}, found = {0};
	struct err err;

	(void)state;
	strlist_split(&names,
		      "sched_yield getppid1 context_switch1 pipe1 futex1 futex2 page_fault1 "
		      "page_fault2 page_fault3 mmap1 mmap2 brk1 malloc1 malloc2 open1 read1 write1 "
		      "lseek1 dup1 eventfd1 poll1 signal1 pthread_mutex1 lock1 unlink1 tlb_flush1",
		      ' ');
	assert_int_equal(names.nr, 26);
	for (int i = 0; i < names.nr; i++) {
		char name[64];

		snprintf(name, sizeof(name), "will-it-scale/%s", names.v[i]);
		if (workload_expand(name, &found, &err))
			fail_msg("%s", err.msg);
	}
	assert_int_equal(found.nr, names.nr);
	strlist_release(&names);
	strlist_release(&found);
}

static void test_expand(void **state)
{
	static const struct {
		const char *pattern, *names;
	} cases[] = {
		{"will-it-scale/sched_yield", "will-it-scale/sched_yield"},
		{"will-it-scale/futex[12]", "will-it-scale/futex1 will-it-scale/futex2"},
		{"will-it-scale/brk?", "will-it-scale/brk1 will-it-scale/brk2"},
		{"*/numa02", "autonuma-benchmark/numa02"},
		{"autonuma-benchmark/*_SMT*",
		 "autonuma-benchmark/numa02_SMT autonuma-benchmark/numa02_SMT_HARD_BIND "
		 "autonuma-benchmark/numa02_SMT_INVERSE_BIND"},
		{"fake/st*", "fake/steady"},
		{"*pipe1", "will-it-scale/pipe1"},
	};
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strlist want = {0}, got = {0};

		strlist_split(&want, cases[i].names, ' ');
		if (workload_expand(cases[i].pattern, &got, &err))
			fail_msg("%s: %s", cases[i].pattern, err.msg);
		assert_int_equal(got.nr, want.nr);
		for (int k = 0; k < want.nr; k++)
			assert_string_equal(got.v[k], want.v[k]);
		strlist_release(&want);
		strlist_release(&got);
	}
}

static void test_a_testcase_alone_means_all_its_tests_and_doubles_are_dropped(void **state)
{
	const struct workload *suite = workload_find("will-it-scale");
	struct strlist got = {0};
	struct err err;

	(void)state;
	assert_int_equal(workload_expand("will-it-scale/pipe1", &got, &err), 0);
	assert_int_equal(workload_expand("will-it-scale", &got, &err), 0);
	assert_int_equal(got.nr, suite->tests_nr);
	assert_string_equal(got.v[0], "will-it-scale/pipe1");
	assert_int_equal(workload_expand("will-it-scale/*", &got, &err), 0);
	assert_int_equal(got.nr, suite->tests_nr);
	strlist_release(&got);
}

static void test_globs_do_not_find_the_fakes_unless_they_name_them(void **state)
{
	struct strlist got = {0};
	struct err err;
	int fakes = workload_find("fake")->tests_nr;

	(void)state;
	assert_int_equal(workload_expand("*", &got, &err), 0);
	for (int i = 0; i < got.nr; i++)
		assert_false(starts_with(got.v[i], "fake/"));
	strlist_release(&got);
	assert_int_equal(workload_expand("fake/*", &got, &err), 0);
	assert_int_equal(got.nr, fakes);
	assert_int_equal(workload_expand("fake", &got, &err), 0);
	assert_int_equal(got.nr, fakes);
	strlist_release(&got);
}

static void test_an_unknown_test_is_refused_with_what_is_near(void **state)
{
	static const struct {
		const char *pattern, *message;
	} cases[] = {
		{"will-it-scale/page_falt1",
		 "will-it-scale/page_falt1: no such test; near: will-it-scale/page_fault1, "},
		{"sched_yeld", "sched_yeld: no such test; near: will-it-scale/sched_yield"},
		{"futex1", "futex1: no such test; near: will-it-scale/futex1"},
		{"numa1", "numa1: no such test; near: autonuma-benchmark/numa01"},
		{"wil-it-scale/pipe1",
		 "wil-it-scale/pipe1: no such test; near: will-it-scale/pipe1"},
		{"will-it-scale/context",
		 "will-it-scale/context: no such test; near: will-it-scale/context_switch1"},
		{"wil-it-scale", "wil-it-scale: no such test; near: will-it-scale/"},
		{"will-it-scale/qqqq",
		 "will-it-scale/qqqq: no such test ('perfcmp collect --list-tests' names"},
		{"command", "command: put the program and its arguments after --"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strlist got = {0};
		struct err err;

		assert_int_equal(workload_expand(cases[i].pattern, &got, &err), -1);
		if (!starts_with(err.msg, cases[i].message))
			fail_msg("%s", err.msg);
		assert_int_equal(got.nr, 0);
	}
}

static void test_the_message_says_how_to_list_all_and_names_no_fake(void **state)
{
	struct strlist got = {0};
	struct err err;

	(void)state;
	assert_int_equal(workload_expand("will-it-scale/nosuch", &got, &err), -1);
	assert_non_null(strstr(err.msg, "('perfcmp collect --list-tests' names them all)"));
	assert_null(strstr(err.msg, "fake/"));
	assert_int_equal(workload_expand("", &got, &err), -1);
	assert_int_equal(workload_expand("/", &got, &err), -1);
}

static void test_sizes_have_suffixes(void **state)
{
	static const struct {
		const char *text;
		int64_t bytes; /* -1: refused */
	} cases[] = {
		{"3G", 3221225472},
		{"512M", 536870912},
		{"64k", 65536},
		{"4096", 4096},
		{"1T", 1099511627776},
		{"1", 1},
		{"", -1},
		{"G", -1},
		{"3GB", -1},
		{"-1G", -1},
		{"1.5G", -1},
		{"0", -1},
		{"3 G", -1},
		{"9999999T", -1},
		{"0x10", -1},
		{"99999999999999999999", -1},
		{"3X", -1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct pool pool = {0};
		struct job job = {0};
		struct err err;
		int64_t bytes = -1;

		params_set(&job.params, &pool, "mem", cases[i].text);
		param_bytes(&job, "mem", 1, &bytes, &err);
		if (bytes != cases[i].bytes)
			fail_msg("%s: %lld", cases[i].text, (long long)bytes);
		params_release(&job.params);
		pool_release(&pool);
	}
}

static void test_numbers_out_of_range_are_refused_with_the_range(void **state)
{
	static const char *const texts[] = {"0", "11", "-1", "x", "", "2.0", "1e1", " 3"};
	struct pool pool = {0};
	struct job job = {0};
	struct err err;
	int64_t value = 77;
	double number;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		params_set(&job.params, &pool, "n", texts[i]);
		assert_int_equal(param_whole(&job, "n", (struct param_range){1, 10}, &value, &err),
				 -1);
		assert_non_null(strstr(err.msg, ": give a whole number from 1 to 10"));
	}
	assert_int_equal(value, 77);
	params_set(&job.params, &pool, "n", "10");
	assert_int_equal(param_whole(&job, "n", (struct param_range){1, 10}, &value, &err), 0);
	assert_int_equal(value, 10);
	params_set(&job.params, &pool, "n", "nan");
	assert_int_equal(param_number(&job, "n", (struct param_range){0, 2}, &number, &err), -1);
	assert_string_equal(err.msg, "n=nan: give a number from 0 to 2");
	params_set(&job.params, &pool, "n", "0.25");
	assert_int_equal(param_number(&job, "n", (struct param_range){0, 2}, &number, &err), 0);
	assert_true(number > 0.2 && number < 0.3);
	params_release(&job.params);
	pool_release(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find_knows_the_testcases),
		cmocka_unit_test(test_every_test_has_a_name_of_its_own_and_help),
		cmocka_unit_test(test_the_suite_has_the_tests_that_were_asked_for),
		cmocka_unit_test(test_expand),
		cmocka_unit_test(test_a_testcase_alone_means_all_its_tests_and_doubles_are_dropped),
		cmocka_unit_test(test_globs_do_not_find_the_fakes_unless_they_name_them),
		cmocka_unit_test(test_an_unknown_test_is_refused_with_what_is_near),
		cmocka_unit_test(test_the_message_says_how_to_list_all_and_names_no_fake),
		cmocka_unit_test(test_sizes_have_suffixes),
		cmocka_unit_test(test_numbers_out_of_range_are_refused_with_the_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
