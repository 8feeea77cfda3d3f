// SPDX-License-Identifier: GPL-2.0-only
/* A run that is stored and loaded again is the same run, whatever is in it. */
#include "store_fixture.h"

#include <float.h>
#include <limits.h>
#include <math.h>

static void assert_same_text(const char *a, const char *b)
{
	if (a && b)
		assert_string_equal(a, b);
	else
		assert_ptr_equal(a, b); /* both NULL: not known is not the same as empty */
}

static void assert_same_params(const struct params *a, const struct params *b)
{
	assert_int_equal(a->nr, b->nr);
	for (int i = 0; i < a->nr; i++) {
		assert_string_equal(a->v[i].key, b->v[i].key);
		assert_string_equal(a->v[i].value, b->v[i].value);
	}
}

static void assert_same_double(double a, double b)
{
	assert_memory_equal(&a, &b, sizeof(a));
}

static void assert_same_number(struct number a, struct number b)
{
	assert_int_equal(a.kind, b.kind);
	if (a.kind != NUMBER_NONE) /* i and d share their bits */
		assert_true(a.i == b.i);
}

static void assert_same_origin(const struct run *a, const struct run *b)
{
	assert_string_equal(a->id, b->id);
	assert_same_text(a->commit.name, b->commit.name);
	assert_same_text(a->commit.hash, b->commit.hash);
	assert_same_text(a->commit.subject, b->commit.subject);
	assert_same_text(a->kernel.release, b->kernel.release);
	assert_same_text(a->kernel.version, b->kernel.version);
	assert_same_text(a->kernel.cmdline, b->kernel.cmdline);
	assert_same_text(a->kernel.hash, b->kernel.hash);
	assert_same_text(a->machine.name, b->machine.name);
	assert_same_text(a->machine.kind, b->machine.kind);
	assert_same_text(a->machine.cpu_model, b->machine.cpu_model);
	assert_int_equal(a->machine.cpus, b->machine.cpus);
	assert_int_equal(a->machine.nodes, b->machine.nodes);
	assert_true(a->machine.memory_bytes == b->machine.memory_bytes);
	assert_same_text(a->boot_id, b->boot_id);
	assert_same_text(a->testcase, b->testcase);
	assert_same_text(a->test, b->test);
	assert_same_params(&a->params, &b->params);
}

static void assert_same_course(const struct run *a, const struct run *b)
{
	assert_same_params(&a->facts, &b->facts);
	assert_true(a->start_ns == b->start_ns);
	assert_same_double(a->wall_s, b->wall_s);
	assert_int_equal(a->iteration, b->iteration);
	assert_int_equal(a->status, b->status);
	assert_int_equal(a->exit_code, b->exit_code);
	assert_int_equal(a->signal, b->signal);
	assert_same_text(a->reason, b->reason);
	assert_same_text(a->last_output, b->last_output);
	assert_int_equal(a->warnings.nr, b->warnings.nr);
	for (int i = 0; i < a->warnings.nr; i++)
		assert_string_equal(a->warnings.v[i], b->warnings.v[i]);
}

static void assert_same_measurements(const struct run *a, const struct run *b)
{
	assert_int_equal(a->values_nr, b->values_nr);
	for (int i = 0; i < a->values_nr; i++) {
		assert_string_equal(a->values[i].metric, b->values[i].metric);
		assert_same_number(a->values[i].value, b->values[i].value);
		assert_same_number(run_get(b, a->values[i].metric), a->values[i].value);
	}
	assert_int_equal(a->counters_nr, b->counters_nr);
	for (int i = 0; i < a->counters_nr; i++) {
		assert_string_equal(a->counters[i].event, b->counters[i].event);
		assert_true(a->counters[i].value == b->counters[i].value);
		assert_true(a->counters[i].enabled_ns == b->counters[i].enabled_ns);
		assert_true(a->counters[i].running_ns == b->counters[i].running_ns);
	}
	assert_int_equal(a->series_nr, b->series_nr);
	for (int i = 0; i < a->series_nr; i++) {
		assert_string_equal(a->series[i].metric, b->series[i].metric);
		assert_int_equal(a->series[i].nr, b->series[i].nr);
		for (int k = 0; k < a->series[i].nr; k++) {
			assert_same_double(a->series[i].time_s[k], b->series[i].time_s[k]);
			assert_same_double(a->series[i].value[k], b->series[i].value[k]);
		}
	}
}

static void assert_same_run(const struct run *a, const struct run *b)
{
	assert_same_origin(a, b);
	assert_same_course(a, b);
	assert_same_measurements(a, b);
}

/* Stores the run, and loads it again from the file once it was closed. */
static void check_round_trip(const struct run *run)
{
	struct store *store = must_open("runs.db", STORE_WRITE);
	struct run loaded = {0};
	struct err err;

	must(store_add_run(store, run, &err), &err);
	store_close(store);
	store = must_open("runs.db", STORE_READ);
	must(store_load_run(store, run->id, &loaded, &err), &err);
	assert_same_run(run, &loaded);
	run_release(&loaded);
	store_close(store);
}

static void a_run_of_nothing_comes_back(void **state)
{
	struct run run;

	(void)state;
	make_run(&run, "base");
	check_round_trip(&run);
	run_release(&run);
}

static void empty_text_is_not_unknown_text(void **state)
{
	struct run run;

	(void)state;
	make_run(&run, "");
	run.commit.hash = run.commit.subject = "";
	run.kernel = (struct kernel){"", "", "", ""};
	run.machine = (struct machine){.name = "", .kind = "", .cpu_model = ""};
	run.boot_id = run.testcase = run.test = run.reason = run.last_output = "";
	params_set(&run.params, &run.pool, "", "");
	params_set(&run.facts, &run.pool, "k", "");
	strlist_add(&run.warnings, "");
	run_set(&run, "", number_int(0));
	check_round_trip(&run);
	run_release(&run);
}

/* quotes, SQL, line ends, escapes, bytes that are not UTF-8, control characters */
static const char hostile[] =
	"a'b\"c`d;--\n\\n\\\r\t%s%n =\x01\x7f\x80\xff\xfe\xc3(\xf0\x9f\x90\xa7"
	"'); DROP TABLE runs; --";

static void hostile_text_comes_back(void **state)
{
	struct run run;

	(void)state;
	make_run(&run, hostile);
	run.commit.hash = run.commit.subject = hostile;
	run.kernel = (struct kernel){hostile, hostile, hostile, hostile};
	run.machine = (struct machine){hostile, hostile, hostile, 1, 2, 3};
	run.boot_id = run.testcase = run.test = run.reason = run.last_output = hostile;
	params_set(&run.params, &run.pool, hostile, hostile);
	params_set(&run.params, &run.pool, "a\\", "b\\");
	params_set(&run.params, &run.pool, "a=b", "c=d");
	params_set(&run.params, &run.pool, "a", "b=c=d");
	params_set(&run.params, &run.pool, "\n", "\n\n");
	params_set(&run.facts, &run.pool, hostile, hostile);
	params_set(&run.facts, &run.pool, "", "\\");
	strlist_add(&run.warnings, hostile);
	run_set(&run, hostile, number_int(1));
	run_add_counter(&run, &(struct run_counter){.event = hostile});
	run_add_sample(&run, hostile, 1, 2);
	check_round_trip(&run);
	run_release(&run);
}

static void numbers_at_the_ends_of_their_range_come_back(void **state)
{
	static const double floats[] = {
		0.0,	       -0.0, 1e308,   -1e308, DBL_MIN,	  DBL_MAX,     DBL_TRUE_MIN,
		-DBL_TRUE_MIN, 0.1,  1.0 / 3, 1e22,   0x1p53 + 2, (double)NAN, (double)INFINITY,
		-5.5e-310};
	static const int64_t wholes[] = {0, -1, INT64_MIN, INT64_MAX, INT64_C(1) << 53};
	struct run run;

	(void)state;
	make_run(&run, "base");
	run.machine = (struct machine){"box", "real", "cpu", INT_MAX, INT_MIN, INT64_MAX};
	run.start_ns = INT64_MIN;
	run.wall_s = 0.1 + 0.2;
	run.iteration = INT_MAX;
	run.status = RUN_KILLED;
	run.exit_code = INT_MIN;
	run.signal = 64;
	for (size_t i = 0; i < ARRAY_SIZE(floats); i++)
		run_set(&run, pool_printf(&run.pool, "float%zu", i), number_float(floats[i]));
	for (size_t i = 0; i < ARRAY_SIZE(wholes); i++)
		run_set(&run, pool_printf(&run.pool, "whole%zu", i), number_int(wholes[i]));
	run_set(&run, "missing", (struct number){.kind = NUMBER_NONE});
	run_add_counter(&run, &(struct run_counter){"big", UINT64_MAX, UINT64_MAX - 1, 1u});
	run_add_counter(&run, &(struct run_counter){"none", 0, 0, 0});
	run_add_counter(&run, &(struct run_counter){"big", INT64_MAX, 5, 4});
	for (size_t i = 0; i < ARRAY_SIZE(floats); i++) {
		run_add_sample(&run, "odd", floats[i], floats[i]);
		run_add_sample(&run, "grid", (double)i + 1, floats[i]);
	}
	check_round_trip(&run);
	run_release(&run);
}

static void every_status_comes_back(void **state)
{
	static const enum run_status statuses[] = {RUN_OK, RUN_FAILED, RUN_KILLED, RUN_TIMEOUT};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(statuses); i++) {
		struct run run;

		make_run(&run, "base");
		run.status = statuses[i];
		run.exit_code = (int)i;
		run.reason = i ? "it did not work" : NULL;
		run.last_output = i ? "line\nline\n" : NULL;
		check_round_trip(&run);
		run_release(&run);
	}
}

/* The second run has the same metrics the other way round: ids go down, not up. */
static void five_thousand_values_come_back_in_their_order(void **state)
{
	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		struct run run;

		make_run(&run, "base");
		for (int i = 0; i < 5000; i++) {
			int m = turn ? 4999 - i : i;

			run_set(&run, pool_printf(&run.pool, "metric.%d", m),
				m % 3 ? number_float(m / 7.0) : number_int(m * INT64_C(1000003)));
		}
		for (int i = 0; i < 3000; i++)
			run_add_sample(&run, "metric.17", i, i % 100);
		check_round_trip(&run);
		run_release(&run);
	}
	assert_answer("runs.db", "SELECT count(*) FROM metrics", "5000");
}

static void what_runs_share_is_stored_once(void **state)
{
	struct store *store = must_open("runs.db", STORE_WRITE);

	(void)state;
	for (int i = 0; i < 6; i++) {
		struct run run;

		make_run(&run, i % 2 ? "base" : "new");
		run.kernel.release = i % 3 ? "6.12.1" : NULL; /* three boots: NULL, A, B */
		run.boot_id = i % 3 == 2 ? "B" : i % 3 ? "A" : NULL;
		params_set(&run.params, &run.pool, "nr_task", "2");
		run_set(&run, "ops", number_int(i));
		run_add_counter(&run, &(struct run_counter){"cycles", 1, 1, 1});
		add_and_release(store, &run);
	}
	store_close(store);
	assert_answer("runs.db", "SELECT count(*) FROM runs", "6");
	assert_answer("runs.db", "SELECT count(*) FROM commits", "2");
	assert_answer("runs.db", "SELECT count(*) FROM kernels", "2");
	assert_answer("runs.db", "SELECT count(*) FROM machines", "1");
	assert_answer("runs.db", "SELECT count(*) FROM boots", "3");
	assert_answer("runs.db", "SELECT count(*) FROM tests", "1");
	assert_answer("runs.db", "SELECT count(*) FROM metrics", "1");
	assert_answer("runs.db", "SELECT count(*) FROM events", "1");
	assert_answer("runs.db", "SELECT count(*) FROM pragma_foreign_key_check", "0");
}

static void a_hash_or_subject_known_later_completes_the_commit(void **state)
{
	static const struct commit given[] = {
		{"base", NULL, NULL},
		{"base", "0123456789ab", NULL},
		{"base", "ffffffffffff", "sched: first line"}, /* what is known stays */
		{"base", NULL, "sched: another line"},
	};
	struct store *store = must_open("runs.db", STORE_WRITE);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(given); i++) {
		struct run run;

		make_run(&run, "base");
		run.commit = given[i];
		add_and_release(store, &run);
	}
	store_close(store);
	assert_answer("runs.db", "SELECT hash || ' ' || subject FROM commits",
		      "0123456789ab sched: first line");
}

static void a_run_is_refused(struct store *store, const struct run *run, const char *message)
{
	struct err err;

	assert_int_equal(store_add_run(store, run, &err), -1);
	if (!strstr(err.msg, message))
		fail_msg("'%s' does not say '%s'", err.msg, message);
}

static void what_cannot_be_stored_is_refused_and_leaves_nothing(void **state)
{
	struct store *store = must_open("runs.db", STORE_WRITE);
	struct run run;

	(void)state;
	make_run(&run, "base");
	run_set(&run, "ops", number_int(1));
	must(store_add_run(store, &run, &(struct err){0}), &(struct err){.msg = "add"});
	a_run_is_refused(store, &run, "is stored already");
	run_release(&run);

	make_run(&run, "new");
	run.test = NULL;
	a_run_is_refused(store, &run, "has no commit, machine or test");
	run.test = "test";
	run.id[31] = '\0';
	a_run_is_refused(store, &run, "has not 32 digits");
	run_release(&run);
	store_close(store);
	assert_answer("runs.db", "SELECT count(*) FROM runs", "1");
	assert_answer("runs.db", "SELECT count(*) FROM commits", "1");
}

/* A run refused in the middle of an import takes nothing with it but itself, not even the names it brought. */
static void a_refused_run_does_not_spoil_the_transaction(void **state)
{
	struct store *store = must_open("runs.db", STORE_WRITE);
	struct run first, second, third;
	struct err err;

	(void)state;
	must(store_begin(store, &err), &err);
	make_run(&first, "base");
	run_set(&first, "a", number_int(1));
	must(store_add_run(store, &first, &err), &err);
	make_run(&second, "lost");
	run_set(&second, "b", number_int(2));
	strlist_add(&second.warnings, "text");
	free(second.warnings.v[0]);
	second.warnings.v[0] = NULL; /* what is stored last */
	a_run_is_refused(store, &second, "NOT NULL");
	make_run(&third, "new");
	run_set(&third, "b", number_int(3));
	run_set(&third, "a", number_int(4));
	must(store_add_run(store, &third, &err), &err);
	must(store_commit(store, &err), &err);
	store_close(store);

	store = must_open("runs.db", STORE_READ);
	run_release(&second);
	must(store_load_run(store, third.id, &second, &err), &err);
	assert_same_run(&second, &third);
	store_close(store);
	run_release(&first);
	run_release(&second);
	run_release(&third);
	assert_answer("runs.db", "SELECT group_concat(name) FROM commits", "base,new");
	assert_answer("runs.db", "SELECT group_concat(name) FROM metrics", "a,b");
}

static void without_commit_nothing_of_a_transaction_stays(void **state)
{
	struct store *store = must_open("runs.db", STORE_WRITE);
	struct run run;
	struct err err;

	(void)state;
	must(store_begin(store, &err), &err);
	make_run(&run, "base");
	add_and_release(store, &run);
	store_close(store);
	assert_answer("runs.db", "SELECT count(*) FROM runs", "0");

	store = must_open("runs.db", STORE_WRITE);
	assert_int_equal(store_commit(store, &err), -1); /* nothing was begun */
	store_close(store);
}

static void load_run_fails(struct store *store, const char *id, const char *message)
{
	struct run run = {0};
	struct err err;

	assert_int_equal(store_load_run(store, id, &run, &err), 1);
	if (!strstr(err.msg, message))
		fail_msg("'%s' does not say '%s'", err.msg, message);
	run_release(&run);
}

static void a_run_is_found_by_the_beginning_of_its_id(void **state)
{
	static const char *const ids[] = {"0123456789abcdef0123456789abcdef",
					  "0123456789abcdef0123456789abcdee",
					  "fffffffffffffffffffffffffffffffe"};
	struct store *store = must_open("runs.db", STORE_WRITE);
	struct run run;
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		make_run(&run, "base");
		memcpy(run.id, ids[i], sizeof(run.id));
		add_and_release(store, &run);
	}
	must(store_load_run(store, "ffff", &run, &err), &err);
	assert_string_equal(run.id, ids[2]);
	run_release(&run);
	must(store_load_run(store, ids[1], &run, &err), &err);
	assert_string_equal(run.id, ids[1]);
	run_release(&run);
	load_run_fails(store, "0123", "ambiguous: 0123456789abcdef, 0123456789abcdef");
	load_run_fails(store, "abcd", "unknown run 'abcd'");
	load_run_fails(store, "fff", "four or more digits");
	load_run_fails(store, "", "four or more digits");
	load_run_fails(store, "base", "four or more digits");
	load_run_fails(store, "ffffffffffffffffffffffffffffffff0", "unknown run");
	store_close(store);
}

int main(void)
{
#define ROUND(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)
	const struct CMUnitTest tests[] = {
		ROUND(a_run_of_nothing_comes_back),
		ROUND(empty_text_is_not_unknown_text),
		ROUND(hostile_text_comes_back),
		ROUND(numbers_at_the_ends_of_their_range_come_back),
		ROUND(every_status_comes_back),
		ROUND(five_thousand_values_come_back_in_their_order),
		ROUND(what_runs_share_is_stored_once),
		ROUND(a_hash_or_subject_known_later_completes_the_commit),
		ROUND(what_cannot_be_stored_is_refused_and_leaves_nothing),
		ROUND(a_refused_run_does_not_spoil_the_transaction),
		ROUND(without_commit_nothing_of_a_transaction_stays),
		ROUND(a_run_is_found_by_the_beginning_of_its_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
