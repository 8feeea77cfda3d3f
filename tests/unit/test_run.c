// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helpers.h"
#include "model/run.h"

static void every_run_gets_an_id_of_its_own(void **state)
{
	struct run a, b;

	(void)state;
	run_init(&a);
	run_init(&b);
	assert_int_equal(strlen(a.id), 32);
	assert_int_equal(strspn(a.id, "0123456789abcdef"), 32);
	assert_string_not_equal(a.id, b.id);
	run_release(&a);
	run_release(&b);
	assert_string_equal(a.id, "");
}

static void a_metric_is_there_once_with_its_last_value(void **state)
{
	char name[16];
	struct run run;

	(void)state;
	run_init(&run);
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "m.%d", i);
		run_set(&run, name, number_int(i));
	}
	run_set(&run, "m.7", number_float(0.5));
	assert_int_equal(run.values_nr, 1000);
	assert_string_equal(run.values[999].metric, "m.999");
	assert_int_equal(run_get(&run, "m.7").kind, NUMBER_FLOAT);
	assert_int_equal(run_get(&run, "m.999").i, 999);
	assert_int_equal(run_get(&run, "m.1000").kind, NUMBER_NONE);
	run_release(&run);
	assert_int_equal(run.values_nr, 0);
}

static void samples_go_to_the_series_of_their_metric(void **state)
{
	struct run run;

	(void)state;
	run_init(&run);
	for (int second = 0; second < 100; second++) {
		run_add_sample(&run, "a", second, 2 * second);
		run_add_sample(&run, "b", second + 0.5, 3 * second);
	}
	assert_int_equal(run.series_nr, 2);
	assert_string_equal(run.series[1].metric, "b");
	for (int second = 0; second < 100; second++) {
		assert_true(same_double(run.series[0].value[second], 2 * second));
		assert_true(same_double(run.series[1].time_s[second], second + 0.5));
		assert_true(same_double(run.series[1].value[second], 3 * second));
	}
	assert_int_equal(run.series[0].nr, 100);
	run_release(&run);
}

/* As one does who reads a run from a file. */
static void series_put_in_place_by_others_are_found(void **state)
{
	struct run run;

	(void)state;
	run_init(&run);
	run_add_sample(&run, "a", 0, 1);
	GROW(run.series, run.series_nr, run.series_alloc);
	run.series[run.series_nr++] = (struct run_series){.metric = pool_strdup(&run.pool, "b")};
	run_add_sample(&run, "b", 0, 2);
	run_add_sample(&run, "a", 1, 3);
	assert_int_equal(run.series_nr, 2);
	assert_int_equal(run.series[0].nr, 2);
	assert_int_equal(run.series[1].nr, 1);
	run_release(&run);
}

static void counters_are_kept_as_read(void **state)
{
	char event[] = "cpu-cycles";
	struct run_counter counter = {event, UINT64_MAX, 10, 5};
	struct run run;

	(void)state;
	run_init(&run);
	run_add_counter(&run, &counter);
	event[0] = 'X';
	assert_string_equal(run.counters[0].event, "cpu-cycles");
	assert_true(run.counters[0].value == UINT64_MAX);
	assert_int_equal(run.counters[0].running_ns, 5);
	run_release(&run);
}

static void a_status_has_a_name(void **state)
{
	static const char *const names[] = {"ok", "failed", "killed", "timeout"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		enum run_status status = RUN_OK;

		assert_string_equal(run_status_name((enum run_status)i), names[i]);
		assert_true(run_status_parse(names[i], &status));
		assert_int_equal(status, i);
	}
	assert_false(run_status_parse("OK", &(enum run_status){RUN_OK}));
	assert_false(run_status_parse("", &(enum run_status){RUN_OK}));
}

static void a_zeroed_run_can_be_released(void **state)
{
	struct run run = {0};

	(void)state;
	run_release(&run);
	assert_int_equal(run_get(&run, "x").kind, NUMBER_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_run_gets_an_id_of_its_own),
		cmocka_unit_test(a_metric_is_there_once_with_its_last_value),
		cmocka_unit_test(samples_go_to_the_series_of_their_metric),
		cmocka_unit_test(series_put_in_place_by_others_are_found),
		cmocka_unit_test(counters_are_kept_as_read),
		cmocka_unit_test(a_status_has_a_name),
		cmocka_unit_test(a_zeroed_run_can_be_released),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
