// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "workload/command.h"

#include "base/strbuf.h"
#include "workload/workload.h"

#define ARGV(...)                                                                                  \
	(char *const[])                                                                            \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

static void test_names_of_commands(void **state)
{
	char *const *const argv[] = {
		ARGV((char[]){"false"}),
		ARGV((char[]){"/usr/bin/sleep"}, (char[]){"0.1"}),
		ARGV((char[]){"./new/bench"}, (char[]){"--size=4k"}, (char[]){"-t"}, (char[]){"8"}),
		ARGV((char[]){"my prog"}),
	};
	static const char *const names[] = {
		"false", "sleep,0.1", "bench,--size=4k,-t,8",
		"my_prog-811c9dc5", /* the offset basis of 32-bit FNV-1a: no arguments */
	};
	struct pool pool = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_string_equal(command_test_name(&pool, argv[i]), names[i]);
	pool_release(&pool);
}

static void test_different_arguments_are_different_tests(void **state)
{
	char *const *const argv[] = {
		ARGV((char[]){"sh"}, (char[]){"-c"}, (char[]){"a b"}),
		ARGV((char[]){"sh"}, (char[]){"-c"}, (char[]){"a"}, (char[]){"b "}),
		ARGV((char[]){"sh"}, (char[]){"-c a b"}),
		ARGV((char[]){"sh"}, (char[]){"-c,a,b"}),
		ARGV((char[]){"sh"}, (char[]){""}),
		ARGV((char[]){"sh"}, (char[]){""}, (char[]){""}),
		ARGV((char[]){"sh,-c"}),
		ARGV((char[]){"sh"}, (char[]){"-c"}),
		ARGV((char[]){"sh"}),
	};
	struct pool pool = {0};
	struct strlist names = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(argv); i++)
		strlist_add_once(&names, command_test_name(&pool, argv[i]));
	assert_int_equal(names.nr, ARRAY_SIZE(argv));
	strlist_release(&names);
	pool_release(&pool);
}

static void test_the_folder_of_the_program_does_not_count(void **state)
{
	char *const *const a = ARGV((char[]){"/old/bench"}, (char[]){"x y"});
	char *const *const b = ARGV((char[]){"../new/bench"}, (char[]){"x y"});
	struct pool pool = {0};

	(void)state;
	assert_string_equal(command_test_name(&pool, a), command_test_name(&pool, b));
	pool_release(&pool);
}

/* The 32-bit FNV-1a of the four bytes of "x y" and its NUL, from the definition. */
static void test_long_commands_have_a_hash(void **state)
{
	char *const *const argv = ARGV((char[]){"fio"}, (char[]){"x y"});
	struct pool pool = {0};

	(void)state;
	assert_string_equal(command_test_name(&pool, argv), "fio-d0557dfc");
	pool_release(&pool);
}

static void test_a_command_takes_no_parameters(void **state)
{
	const struct workload *workload = workload_find("command");
	struct pool pool = {0};
	struct job job = {.testcase = "command", .test = "x", .argv = ARGV((char[]){"true"})};
	struct err err;

	(void)state;
	assert_int_equal(workload_prepare(workload, &job, &pool, &err), 0);
	params_set(&job.params, &pool, "nr_task", "2");
	assert_int_equal(workload_prepare(workload, &job, &pool, &err), -1);
	assert_string_equal(err.msg, "nr_task: a command takes no parameters, only arguments");
	params_release(&job.params);
	job.argv = NULL;
	assert_int_equal(workload_prepare(workload, &job, &pool, &err), -1);
	pool_release(&pool);
}

struct picked {
	struct run run;
	struct err err;
};

static void pick_from(struct picked *picked, const char *text, const char *output)
{
	struct strbuf copy = STRBUF_INIT;
	struct pick pick;

	strbuf_addstr(&copy, output);
	picked->run = (struct run){0};
	if (pick_parse(&pick, text, &picked->err))
		fail_msg("%s", picked->err.msg);
	picks_apply(&pick, 1, &copy, &picked->run);
	pick_release(&pick);
	strbuf_release(&copy);
}

static void test_numbers_are_picked_from_output(void **state)
{
	static const struct {
		const char *pick, *output, *number; /* as number_format() writes it */
	} cases[] = {
		{"ops=([\\d.]+) ops/s", "12 ops/s\n", "12"},
		{"ops=([\\d.]+) ops/s", "12.5 ops/s\n", "12.5"},
		{"ops=([\\d.]+) ops/s", "1 ops/s\n2 ops/s\n3.25 ops/s\nend\n", "3.25"},
		{"ops=^total: (.*)$", "x total: 9\ntotal:   42 \r\n", "42"},
		{"ops=\\d+", "a 1 b 22 c", "22"},
		{"ops=(?i)latency\\D+(\\d+\\.\\d+)", "LATENCY = 0.5ms", "0.5"},
		{"ops=(-?\\d+)", "-7", "-7"},
		{"ops=(\\S+)$", "1e6", "1000000.0"},
		{"ops=a(\\d*)", "a1 a2 a", "2"}, /* an empty group is no number to take */
		{"ops=(?:a|(\\d))", "5 a a", "5"}, /* nor one that took no part */
		{"ops=(\\d+)$", "no newline at the end 8", "8"},
		{"p99.9_us=(\\d+)=(\\d+)", "7=8", "7"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		bool p99 = starts_with(cases[i].pick, "p99");
		struct picked picked;
		char number[64];

		pick_from(&picked, cases[i].pick, cases[i].output);
		number_format(run_get(&picked.run, p99 ? "command.p99.9_us" : "command.ops"),
			      number, sizeof(number));
		if (streq(cases[i].number, "1000000.0") && streq(number, "1e+06"))
			snprintf(number, sizeof(number), "1000000.0");
		if (!streq(number, cases[i].number) || picked.run.warnings.nr)
			fail_msg("%s: '%s'", cases[i].pick, number);
		run_release(&picked.run);
	}
}

static void test_what_is_no_number_is_a_warning_and_no_metric(void **state)
{
	static const struct {
		const char *pick, *output, *warning;
	} cases[] = {
		{"ops=(\\d+) ops", "nothing", "pick ops: nothing in the output matches"},
		{"ops=(\\d+) ops", "", "pick ops: nothing in the output matches"},
		{"ops=(.+)s", "1,5s", "pick ops: '1,5' is no number (digits with a decimal point)"},
		{"ops=(.+)s", "1.000,5s",
		 "pick ops: '1.000,5' is no number (digits with a decimal point)"},
		{"ops=(.+)s", "nans", "pick ops: 'nan' is no number (digits with a decimal point)"},
		{"ops=(.+)s", "  s", "pick ops: '' is no number (digits with a decimal point)"},
		/* the last match decides, even if an earlier one was a number */
		{"ops=: (.+)", ": 5\n: oops",
		 "pick ops: 'oops' is no number (digits with a decimal point)"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct picked picked;

		pick_from(&picked, cases[i].pick, cases[i].output);
		assert_int_equal(picked.run.values_nr, 0);
		assert_int_equal(picked.run.warnings.nr, 1);
		assert_string_equal(picked.run.warnings.v[0], cases[i].warning);
		run_release(&picked.run);
	}
}

static void test_a_very_long_match_is_no_number(void **state)
{
	struct strbuf output = STRBUF_INIT;
	struct picked picked;

	(void)state;
	strbuf_addchars(&output, '1', 100000);
	pick_from(&picked, "ops=(\\d+)", output.buf);
	assert_int_equal(picked.run.values_nr, 0);
	assert_int_equal(picked.run.warnings.nr, 1);
	assert_true(strlen(picked.run.warnings.v[0]) < 200);
	strbuf_release(&output);
	run_release(&picked.run);
}

static void test_a_hostile_expression_gives_up_in_bounded_time(void **state)
{
	static const char *const picks[] = {
		"x=^(a+)+$", /* exponential */
		"x=(a|aa)+$",
		"x=(a.*b.*c.*d)", /* a high power of the length */
		"x=((?:a?){40}a{40})b",
		"x=(\\w+\\s*)+:",
		"x=(?R)?a+b", /* recursion */
	};
	struct strbuf output = STRBUF_INIT;
	int64_t start = clock_ns();

	(void)state;
	strbuf_addchars(&output, 'a', 50000);
	strbuf_addstr(&output, "b!");
	strbuf_addchars(&output, 'a', 50000);
	strbuf_addch(&output, '!');
	for (size_t i = 0; i < ARRAY_SIZE(picks); i++) {
		struct picked picked;

		pick_from(&picked, picks[i], output.buf);
		assert_int_equal(picked.run.values_nr, 0);
		assert_int_equal(picked.run.warnings.nr, 1);
		run_release(&picked.run);
	}
	/* two seconds each, and what the machine does besides */
	assert_true(clock_ns() - start < (int64_t)60 * 1000000000);
	strbuf_release(&output);
}

/* Each of four million places costs a walk over all that follow, but few steps. */
static void test_a_long_line_of_digits_gives_up_too(void **state)
{
	struct strbuf output = STRBUF_INIT;
	int64_t start = clock_ns();
	struct picked picked;

	(void)state;
	strbuf_addchars(&output, '1', 4 << 20);
	strbuf_addstr(&output, "yx");
	pick_from(&picked, "x=(\\d+)x", output.buf);
	assert_int_equal(picked.run.values_nr, 0);
	assert_true(clock_ns() - start < (int64_t)30 * 1000000000);
	strbuf_release(&output);
	run_release(&picked.run);
}

static void test_a_large_output_is_searched_to_its_end(void **state)
{
	struct strbuf output = STRBUF_INIT;
	struct picked picked;

	(void)state;
	for (int i = 0; i < 200000; i++)
		strbuf_addf(&output, "line %d: 17 of 35 requests in 4 ms\n", i);
	pick_from(&picked, "x=(\\d+): \\d+ of", output.buf);
	assert_int_equal(run_get(&picked.run, "command.x").i, 199999);
	strbuf_release(&output);
	run_release(&picked.run);
}

static void test_picks_that_cannot_be_are_refused(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"ops", "--pick ops: write it as NAME=REGEX"},
		{"=x", "--pick =x: write it as NAME=REGEX"},
		{"ops=", "--pick ops=: write it as NAME=REGEX"},
		{"o ps=x", "--pick o ps=x: write it as NAME=REGEX"},
		{"ops/s=x", "--pick ops/s=x: write it as NAME=REGEX"},
		{"ops=a(b", "--pick ops: missing closing parenthesis at character 4 of 'a(b'"},
		{"ops=[z-a]",
		 "--pick ops: range out of order in character class at character 4 of"},
		{"ops=*", "--pick ops: quantifier does not follow a repeatable item at character"},
	};
	struct pick pick;
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(pick_parse(&pick, cases[i].text, &err), -1);
		if (!starts_with(err.msg, cases[i].message))
			fail_msg("%s", err.msg);
		assert_null(pick.name);
		pick_release(&pick);
	}
}

static void test_unit_and_direction_become_facts(void **state)
{
	struct strbuf output = STRBUF_INIT;
	struct pick picks[2];
	struct run run = {0};
	struct err err;

	(void)state;
	strbuf_add(&output, "r1 \0l2", 6); /* a NUL byte does not end it */
	assert_int_equal(pick_parse(&picks[0], "rate=r(\\d+)", &err), 0);
	assert_int_equal(pick_parse(&picks[1], "lat=l(\\d+)", &err), 0);
	pick_set_unit(&picks[0], "bits/s");
	pick_set_unit(&picks[0], "MB/s");
	assert_int_equal(pick_set_better(&picks[0], "higher", &err), 0);
	assert_int_equal(pick_set_better(&picks[1], "lower", &err), 0);
	assert_int_equal(pick_set_better(&picks[1], "more", &err), -1);
	assert_string_equal(err.msg, "--better more: higher or lower");
	picks_apply(picks, 2, &output, &run);
	assert_string_equal(params_get(&run.facts, "pick.rate.unit"), "MB/s");
	assert_string_equal(params_get(&run.facts, "pick.rate.better"), "higher");
	assert_string_equal(params_get(&run.facts, "pick.lat.better"), "lower");
	assert_null(params_get(&run.facts, "pick.lat.unit"));
	assert_int_equal(run.values_nr, 2);
	assert_int_equal(run_get(&run, "command.lat").i, 2);
	strbuf_release(&output);
	pick_release(&picks[0]);
	pick_release(&picks[1]);
	run_release(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_of_commands),
		cmocka_unit_test(test_different_arguments_are_different_tests),
		cmocka_unit_test(test_the_folder_of_the_program_does_not_count),
		cmocka_unit_test(test_long_commands_have_a_hash),
		cmocka_unit_test(test_a_command_takes_no_parameters),
		cmocka_unit_test(test_numbers_are_picked_from_output),
		cmocka_unit_test(test_what_is_no_number_is_a_warning_and_no_metric),
		cmocka_unit_test(test_a_very_long_match_is_no_number),
		cmocka_unit_test(test_a_hostile_expression_gives_up_in_bounded_time),
		cmocka_unit_test(test_a_long_line_of_digits_gives_up_too),
		cmocka_unit_test(test_a_large_output_is_searched_to_its_end),
		cmocka_unit_test(test_picks_that_cannot_be_are_refused),
		cmocka_unit_test(test_unit_and_direction_become_facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
