// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helpers.h"
#include "model/matrix.h"

static void a_set_is_made_once_for_each_group(void **state)
{
	struct pool pool = {0};
	struct group_key a = {.machine = "m", .testcase = "c", .test = "t"}, b = a;
	struct set_list list = {0};

	(void)state;
	params_set(&b.params, &pool, "mode", "thread");
	set_list_get(&list, &a);
	set_list_get(&list, &b);
	assert_int_equal(list.nr, 2);
	assert_ptr_equal(set_list_get(&list, &a), &list.v[0]);
	assert_ptr_equal(set_list_get(&list, &b), &list.v[1]);
	b.machine = "n";
	set_list_get(&list, &b);
	assert_int_equal(list.nr, 3);
	params_release(&b.params);
	pool_release(&pool);
	assert_string_equal(params_get(&list.v[1].key.params, "mode"), "thread");
	set_list_release(&list);
	assert_int_equal(list.nr, 0);
}

static void a_group_is_described_in_one_line(void **state)
{
	struct group_key key = {.machine = "m", .testcase = "c", .test = "t"};
	struct strbuf text = STRBUF_INIT;
	struct pool pool = {0};

	(void)state;
	group_key_describe(&text, &key);
	assert_string_equal(text.buf, "c/t on m");
	params_set(&key.params, &pool, "nr_task", "16");
	params_set(&key.params, &pool, "mode", "process");
	strbuf_reset(&text);
	group_key_describe(&text, &key);
	assert_string_equal(text.buf, "c/t on m (mode=process nr_task=16)");
	params_release(&key.params);
	pool_release(&pool);
	strbuf_release(&text);
}

static void a_run_lacks_what_nobody_put(void **state)
{
	struct set_list list = {0};
	struct set *set = new_set(&list, "v1", 40);
	const struct set_metric *metric;

	(void)state;
	set_put(&list, set, 39, "last", number_int(1));
	set_put(&list, set, 0, "first", number_float(0.5));
	set_put(&list, set, 0, "none", (struct number){.kind = NUMBER_NONE});
	assert_null(set_find(set, "none"));
	for (int i = 0; i < 40; i++)
		set_add_run(&list, set, &(struct set_run){.id = "1", .boot_id = "1"});
	metric = set_find(set, "last");
	assert_non_null(metric);
	for (int i = 0; i < 80; i++)
		assert_int_equal(metric->value[i].kind, i == 39 ? NUMBER_INT : NUMBER_NONE);
	assert_string_equal(set->metrics[1].name, "first");
	assert_int_equal(set->metrics_nr, 2);
	set_list_release(&list);
}

static void whole_zeros_of_collected_runs_are_dropped(void **state)
{
	const char *const boots[] = {"boot", NULL};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(boots); i++) {
		struct set_list list = {0};
		struct group_key key = {.machine = "m", .testcase = "t", .test = "t"};
		struct set *set = set_list_get(&list, &key);
		struct set_run run = {.id = "1", .boot_id = boots[i]};

		for (int k = 0; k < 3; k++)
			set_add_run(&list, set, &run);
		put_values(&list, "zeros", "0 - 0");
		put_values(&list, "some", "0 0 1");
		put_values(&list, "floats", "0.0 0.0 0.0");
		put_values(&list, "more.zeros", "0 0 0");
		put_values(&list, "last", "- - 7");
		set_list_drop_zeros(&list);
		assert_int_equal(set->metrics_nr, boots[i] ? 3 : 5);
		assert_int_equal(set_find(set, "zeros") == NULL, boots[i] != NULL);
		assert_int_equal(set_find(set, "more.zeros") == NULL, boots[i] != NULL);
		assert_non_null(set_find(set, "some"));
		assert_non_null(set_find(set, "floats"));
		assert_int_equal(set_find(set, "last")->value[2].i, 7);
		set_list_release(&list);
	}
}

static void a_matrix_counts_a_missing_value_as_the_whole_number_0(void **state)
{
	struct set_list list = {0};
	struct set *set = new_set(&list, "v1", 4);
	struct number values[4];
	struct matrix matrix;

	(void)state;
	put_values(&list, "a.early", "5 - - 2.5");
	matrix_init(&matrix, set);
	assert_int_equal(matrix_get(&matrix, matrix_find(&matrix, "a.early"), values), 2);
	assert_int_equal(values[0].i, 5);
	assert_int_equal(values[1].kind, NUMBER_INT);
	assert_int_equal(values[1].i, 0);
	assert_int_equal(values[3].kind, NUMBER_FLOAT);
	assert_int_equal(matrix_get(&matrix, matrix_find(&matrix, "nowhere"), values), 0);
	assert_int_equal(values[3].kind, NUMBER_INT);
	matrix_release(&matrix);
	set_list_release(&list);
}

static void a_matrix_can_lose_its_incomplete_runs(void **state)
{
	struct set_list list = {0};
	struct set *set = new_set(&list, "v1", 4);
	struct number values[4];
	struct matrix matrix;

	(void)state;
	put_values(&list, "a", "1 2 3 4");
	put_values(&list, "last_state.is_incomplete_run", "- 1 0 1");
	matrix_init(&matrix, set);
	assert_true(matrix_has_incomplete(&matrix));
	matrix_drop_incomplete(&matrix);
	assert_false(matrix_has_incomplete(&matrix));
	assert_int_equal(matrix.columns_nr, 2);
	assert_int_equal(matrix_get(&matrix, matrix_find(&matrix, "a"), values), 2);
	assert_int_equal(values[0].i, 1);
	assert_int_equal(values[1].i, 3);
	matrix_drop_incomplete(&matrix);
	assert_int_equal(matrix.columns_nr, 2);
	matrix_release(&matrix);
	set_list_release(&list);
}

static void a_matrix_of_no_set_is_empty(void **state)
{
	struct matrix matrix;

	(void)state;
	matrix_init(&matrix, NULL);
	assert_int_equal(matrix.columns_nr, 0);
	assert_false(matrix_has_incomplete(&matrix));
	matrix_drop_incomplete(&matrix);
	assert_null(matrix_find(&matrix, "a"));
	matrix_release(&matrix);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_set_is_made_once_for_each_group),
		cmocka_unit_test(a_group_is_described_in_one_line),
		cmocka_unit_test(a_run_lacks_what_nobody_put),
		cmocka_unit_test(whole_zeros_of_collected_runs_are_dropped),
		cmocka_unit_test(a_matrix_counts_a_missing_value_as_the_whole_number_0),
		cmocka_unit_test(a_matrix_can_lose_its_incomplete_runs),
		cmocka_unit_test(a_matrix_of_no_set_is_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
