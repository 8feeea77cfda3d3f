// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compare_fixture.h"

static const struct compare_options defaults = {0};

static void what_is_shown_for_one_commit_has_all_columns(void **state)
{
	struct fixture fixture = {0};

	(void)state;
	add_list(&fixture, 3);
	add_list(&fixture, 3);
	add_list(&fixture, 3);
	put(&fixture, 0, "perf-stat.i.x", "1 1 1");
	put(&fixture, 1, "perf-stat.i.x", "1 1 1");
	put(&fixture, 2, "perf-stat.i.x", "2 2 2");
	put(&fixture, 0, "perf-stat.i.zero", "0 0 0");
	put(&fixture, 1, "perf-stat.i.zero", "0 0 0");
	put(&fixture, 2, "perf-stat.i.zero", "5 5 5");
	put(&fixture, 0, "perf-stat.i.same", "1 1 1");
	put(&fixture, 1, "perf-stat.i.same", "1 1 1");
	put(&fixture, 2, "perf-stat.i.same", "1 1 1");
	/* each is compared with the base, not with its neighbour */
	put(&fixture, 0, "perf-stat.i.back", "1 2 3");
	put(&fixture, 1, "perf-stat.i.back", "2 3 4");
	put(&fixture, 2, "perf-stat.i.back", "1 2 3");
	run(&fixture, &defaults);
	assert_int_equal(fixture.comparison.groups[0].rows_nr, 2);
	assert_near(must_find_row(&fixture, "perf-stat.i.x")->cells[1].change, 0);
	assert_near(must_find_row(&fixture, "perf-stat.i.x")->cells[2].change, 100);
	assert_near(must_find_row(&fixture, "perf-stat.i.zero")->cells[1].change, -100);
	comparison_release(&fixture.comparison);
}

static void boot_all(struct fixture *fixture)
{
	for (int i = 0; i < fixture->nr; i++) {
		struct set *set = &fixture->lists[i].v[0];

		for (int run = 0; run < set->runs_nr; run++)
			set->runs[run].boot_id = "1";
	}
}

/* The robot never sees whole zeros of runs it collected; what is 0.0, or 0 in some runs, stays. */
static void a_metric_that_is_zero_in_all_collected_runs_is_none(void **state)
{
	struct fixture fixture = {0};
	const struct row *row;

	(void)state;
	add_list(&fixture, 2);
	add_list(&fixture, 2);
	put(&fixture, 0, "perf-stat.i.both", "0 0");
	put(&fixture, 1, "perf-stat.i.both", "0 0");
	put(&fixture, 0, "perf-stat.i.one", "0 0");
	put(&fixture, 1, "perf-stat.i.one", "5 7");
	put(&fixture, 0, "perf-stat.i.float", "0.0 0.0");
	put(&fixture, 1, "perf-stat.i.float", "0 1");
	boot_all(&fixture);
	run(&fixture, &(struct compare_options){.all = true});
	assert_null(find_row(&fixture, "perf-stat.i.both"));
	row = must_find_row(&fixture, "perf-stat.i.one");
	assert_int_equal(row->cells[0].n, 0);
	assert_int_equal(row->cells[1].n, 2);
	row = must_find_row(&fixture, "perf-stat.i.float");
	assert_int_equal(row->cells[0].n, 2);
	assert_int_equal(row->cells[1].n, 2);
	comparison_release(&fixture.comparison);
}

static void incomplete_runs_count_in_failure_rows_only(void **state)
{
	struct fixture fixture = {0};
	const struct row *row;

	(void)state;
	add_list(&fixture, 4);
	add_list(&fixture, 5);
	put(&fixture, 0, "perf-stat.i.x", "1 1 1 1");
	put(&fixture, 1, "perf-stat.i.x", "9 2 2 2 -");
	put(&fixture, 1, "dmesg.BUG:x", "1 - - - -");
	put(&fixture, 1, "last_state.is_incomplete_run", "1 - - - 1");
	run(&fixture, &defaults);
	row = must_find_row(&fixture, "perf-stat.i.x");
	assert_int_equal(row->cells[1].runs, 3);
	assert_near(row->cells[1].mean, 2);
	row = must_find_row(&fixture, "dmesg.BUG:x");
	assert_int_equal(row->cells[1].runs, 5);
	assert_near(row->cells[1].change, 25); /* 1/4 - 0/4 */
	row = must_find_row(&fixture, "last_state.is_incomplete_run");
	assert_near(row->cells[1].failures, 2);
	assert_int_equal(fixture.comparison.groups[0].runs[1], 5);
	assert_int_equal(fixture.comparison.warnings.nr, 1);
	assert_string_equal(
		fixture.comparison.warnings.v[0],
		"will-it-scale/pipe1 on box: 2 of 5 runs of v1 did not complete and are left out");
	comparison_release(&fixture.comparison);
}

/* With the zeros of its incomplete runs the new commit would be far below the base. */
static void incomplete_runs_make_no_change(void **state)
{
	struct fixture fixture = {0};

	(void)state;
	add_list(&fixture, 3);
	add_list(&fixture, 7);
	put(&fixture, 0, "numa-vmstat.node0.numa_hit", "5000 5000 5000");
	put(&fixture, 1, "numa-vmstat.node0.numa_hit", "4900 4900 4900 - - - -");
	run(&fixture, &defaults);
	assert_non_null(find_row(&fixture, "numa-vmstat.node0.numa_hit"));
	comparison_release(&fixture.comparison);

	fixture.nr = 0;
	add_list(&fixture, 3);
	add_list(&fixture, 7);
	put(&fixture, 0, "numa-vmstat.node0.numa_hit", "5000 5000 5000");
	put(&fixture, 1, "numa-vmstat.node0.numa_hit", "4900 4900 4900 - - - -");
	put(&fixture, 1, "last_state.is_incomplete_run", "- - - 1 1 1 1");
	run(&fixture, &defaults);
	assert_null(find_row(&fixture, "numa-vmstat.node0.numa_hit"));
	comparison_release(&fixture.comparison);
}

/* The robot's base loses its incomplete runs with the first pair, and the later ones do not see them either. */
static void the_base_stays_without_its_incomplete_runs(void **state)
{
	struct fixture fixture = {0};

	(void)state;
	add_list(&fixture, 4);
	add_list(&fixture, 4);
	add_list(&fixture, 4);
	put(&fixture, 0, "last_state.is_incomplete_run", "1 - - -");
	put(&fixture, 1, "last_state.is_incomplete_run", "1 - - -");
	put(&fixture, 0, "dmesg.BUG:x", "1 - - -");
	put(&fixture, 1, "dmesg.BUG:x", "1 - - -");
	put(&fixture, 2, "dmesg.BUG:x", "- 1 - -");
	run(&fixture, &defaults);
	assert_null(find_row(&fixture, "last_state.is_incomplete_run"));
	/* 1 -> 1 with all runs; 0 -> 1 without the incomplete one of the base */
	assert_non_null(find_row(&fixture, "dmesg.BUG:x"));
	comparison_release(&fixture.comparison);
}

static void a_commit_none_of_whose_runs_completed_has_blank_cells(void **state)
{
	struct fixture fixture = {0};
	const struct row *row;

	(void)state;
	add_list(&fixture, 3);
	add_list(&fixture, 2);
	add_list(&fixture, 3);
	put(&fixture, 0, "perf-stat.i.x", "1 1 1");
	put(&fixture, 1, "last_state.is_incomplete_run", "1 1");
	put(&fixture, 2, "perf-stat.i.x", "2 2 2");
	run(&fixture, &defaults);
	row = must_find_row(&fixture, "perf-stat.i.x");
	assert_int_equal(row->cells[1].runs, 0);
	assert_true(isnan(row->cells[1].mean));
	assert_true(isnan(row->cells[1].change));
	assert_near(row->cells[2].change, 100);
	comparison_release(&fixture.comparison);
}

static void a_commit_without_the_group_has_blank_cells(void **state)
{
	struct fixture fixture = {0};
	const struct row *row;

	(void)state;
	add_list(&fixture, 4);
	fixture.lists[fixture.nr++].commit.name = "v1";
	add_list(&fixture, 4);
	put(&fixture, 0, "perf-stat.i.x", "1 1 1 1");
	put(&fixture, 2, "perf-stat.i.x", "2 2 2 2");
	put(&fixture, 0, "dmesg.BUG:x", "1 1 1 1");
	put(&fixture, 2, "dmesg.BUG:x", "0 0 0 0");
	run(&fixture, &defaults);
	row = must_find_row(&fixture, "perf-stat.i.x");
	assert_int_equal(fixture.comparison.groups[0].runs[1], 0);
	assert_true(isnan(row->cells[1].mean));
	assert_near(row->cells[2].mean, 2);
	row = must_find_row(&fixture, "dmesg.BUG:x");
	assert_true(isnan(row->cells[1].failures));
	assert_near(row->cells[2].change, -100); /* 0/4 - 4/4: of the next column that has runs */
	assert_string_equal(fixture.comparison.warnings.v[0],
			    "will-it-scale/pipe1 on box: no runs of v1");
	comparison_release(&fixture.comparison);
}

static void groups_not_in_common_are_named(void **state)
{
	struct fixture fixture = {0};
	struct pool pool = {0};
	struct group_key key = {.machine = "box", .testcase = "will-it-scale", .test = "brk1"};
	const struct strlist *warnings = &fixture.comparison.warnings;

	(void)state;
	params_set(&key.params, &pool, "nr_task", "8");
	params_set(&key.params, &pool, "mode", "thread");
	add_list(&fixture, 3);
	add_list(&fixture, 3);
	add_list(&fixture, 3);
	set_list_get(&fixture.lists[0], &key);
	key.test = "mmap1";
	set_list_get(&fixture.lists[1], &key);
	set_list_get(&fixture.lists[2], &key);
	run(&fixture, &defaults);
	assert_int_equal(fixture.comparison.groups_nr, 1);
	assert_string_equal(fixture.comparison.groups[0].key.test, "pipe1");
	assert_int_equal(warnings->nr, 2);
	assert_string_equal(
		warnings->v[0],
		"will-it-scale/brk1 on box (mode=thread nr_task=8): no runs of v1, v2; not compared");
	assert_string_equal(
		warnings->v[1],
		"will-it-scale/mmap1 on box (mode=thread nr_task=8): no runs of v0; not compared");
	comparison_release(&fixture.comparison);
	params_release(&key.params);
	pool_release(&pool);
}

static void too_few_runs_are_warned_of(void **state)
{
	struct fixture fixture = {0};

	(void)state;
	add_list(&fixture, 2);
	add_list(&fixture, 1);
	add_list(&fixture, 3);
	put(&fixture, 0, "perf-stat.i.x", "1 1");
	put(&fixture, 1, "perf-stat.i.x", "2");
	put(&fixture, 2, "perf-stat.i.x", "1 1 1");
	run(&fixture, &defaults);
	assert_int_equal(fixture.comparison.groups[0].rows_nr, 0);
	assert_int_equal(fixture.comparison.warnings.nr, 1);
	assert_string_equal(
		fixture.comparison.warnings.v[0],
		"will-it-scale/pipe1 on box: 2 complete runs of v0 and 1 of v1: the 0-day rule shows only failures unless one side has 3");
	comparison_release(&fixture.comparison);
}

/* Of two groups of that machine, in one of which one commit alone was. */
static void an_emulated_machine_is_warned_of_once(void **state)
{
	struct fixture fixture = {0};
	struct group_key key = {.machine = "box", .testcase = "will-it-scale", .test = "brk1"};
	struct set_run emulated = {.id = "1", .emulated = true};
	struct set_run real = {.id = "2"};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct set_list *list = &fixture.lists[i];

		add_list(&fixture, 3);
		set_add_run(list, &list->v[0], i ? &emulated : &real);
		set_add_run(list, set_list_get(list, &key), &emulated);
	}
	run(&fixture, &(struct compare_options){.all = true});
	assert_int_equal(fixture.comparison.groups_nr, 2);
	assert_int_equal(fixture.comparison.warnings.nr, 1);
	assert_string_equal(
		fixture.comparison.warnings.v[0],
		"box is emulated: its times tell of the emulator as much as of the kernels");
	comparison_release(&fixture.comparison);
}

static void a_name_of_two_kinds_of_machines_is_warned_of(void **state)
{
	static const struct {
		bool base, new;
		int warnings;
	} cases[] = {{false, false, 0}, {true, false, 1}, {false, true, 1}};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fixture fixture = {0};
		struct set_run base = {.id = "1", .deterministic = cases[i].base};
		struct set_run new = {.id = "2", .deterministic = cases[i].new};

		add_list(&fixture, 3);
		add_list(&fixture, 3);
		set_add_run(&fixture.lists[0], &fixture.lists[0].v[0], &base);
		set_add_run(&fixture.lists[1], &fixture.lists[1].v[0], &new);
		run(&fixture, &(struct compare_options){.all = true});
		assert_int_equal(fixture.comparison.warnings.nr, cases[i].warnings);
		if (cases[i].warnings)
			assert_non_null(strstr(fixture.comparison.warnings.v[0],
					       "box names a deterministic machine and another"));
		comparison_release(&fixture.comparison);
	}
}

static void nothing_to_compare_is_no_error(void **state)
{
	struct set_list lists[2] = {{.commit.name = "v0"}, {.commit.name = "v1"}};
	struct comparison comparison = {0};

	(void)state;
	for (int nr = 0; nr <= 2; nr++) {
		compare(&comparison, lists, nr, &defaults);
		assert_int_equal(comparison.groups_nr, 0);
		assert_int_equal(comparison.commits_nr, nr);
		comparison_release(&comparison);
	}
}

static void a_kpi_that_the_rule_hides_is_kept_aside(void **state)
{
	struct fixture fixture = {0};
	const struct group *group;

	(void)state;
	add_list(&fixture, 3);
	add_list(&fixture, 3);
	put(&fixture, 0, "will-it-scale.per_process_ops", "1000 1000 1000");
	put(&fixture, 1, "will-it-scale.per_process_ops", "1001 1001 1001");
	put(&fixture, 0, "autonuma-benchmark.numa01.seconds", "10.0 10.0 10.0");
	put(&fixture, 1, "autonuma-benchmark.numa01.seconds", "20.0 20.0 20.0");
	put(&fixture, 0, "will-it-scale.per_thread_ops", "5 5 5");
	put(&fixture, 0, "will-it-scale.workload", "1000 1000 1000");
	put(&fixture, 1, "will-it-scale.workload", "1001 1001 1001");
	run(&fixture, &defaults);
	group = &fixture.comparison.groups[0];
	assert_int_equal(group->rows_nr, 2);
	assert_true(must_find_row(&fixture, "autonuma-benchmark.numa01.seconds")->kpi);
	assert_true(must_find_row(&fixture, "will-it-scale.per_thread_ops")->kpi);
	assert_int_equal(group->hidden_kpis_nr, 1);
	assert_string_equal(group->hidden_kpis[0].metric, "will-it-scale.per_process_ops");
	assert_true(group->hidden_kpis[0].kpi);
	assert_near(group->hidden_kpis[0].cells[1].change, 0.1);
	comparison_release(&fixture.comparison);
}

static void rows_can_be_picked(void **state)
{
	struct strlist metric = {0}, exclude = {0}, none = {0};
	const struct {
		struct compare_options options;
		const char *want;
	} cases[] = {
		{{.all = true, .metric = &none, .exclude = &none},
		 "will-it-scale.per_process_ops will-it-scale.time.user_time perf-stat.i.x perf-stat.i.y"},
		{{.all = true, .metric = &metric},
		 "will-it-scale.per_process_ops will-it-scale.time.user_time perf-stat.i.x"},
		{{.all = true, .metric = &metric, .exclude = &exclude},
		 "will-it-scale.per_process_ops will-it-scale.time.user_time"},
		{{.all = true, .kpi = true}, "will-it-scale.per_process_ops"},
		{{.kpi = true}, ""}, /* nothing changed, and the rule comes first */
		{{.all = true, .kpi = true, .metric = &none, .exclude = &metric}, ""},
	};

	(void)state;
	strlist_split(&metric, "*.x will*", ' ');
	strlist_add(&exclude, "perf-stat.*");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fixture fixture = {0};
		struct strbuf got = STRBUF_INIT;

		for (int list = 0; list < 2; list++) {
			add_list(&fixture, 3);
			put(&fixture, list, "will-it-scale.per_process_ops", "1 1 1");
			put(&fixture, list, "will-it-scale.time.user_time", "1 1 1");
			put(&fixture, list, "perf-stat.i.x", "1 1 1");
			put(&fixture, list, "perf-stat.i.y", "1 1 1");
		}
		run(&fixture, &cases[i].options);
		for (int j = 0; j < fixture.comparison.groups[0].rows_nr; j++)
			strbuf_addf(&got, "%s%s", j ? " " : "",
				    fixture.comparison.groups[0].rows[j].metric);
		assert_string_equal(got.buf, cases[i].want);
		strbuf_release(&got);
		comparison_release(&fixture.comparison);
	}
	strlist_release(&metric);
	strlist_release(&exclude);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_shown_for_one_commit_has_all_columns),
		cmocka_unit_test(a_metric_that_is_zero_in_all_collected_runs_is_none),
		cmocka_unit_test(incomplete_runs_count_in_failure_rows_only),
		cmocka_unit_test(incomplete_runs_make_no_change),
		cmocka_unit_test(the_base_stays_without_its_incomplete_runs),
		cmocka_unit_test(a_commit_none_of_whose_runs_completed_has_blank_cells),
		cmocka_unit_test(a_commit_without_the_group_has_blank_cells),
		cmocka_unit_test(groups_not_in_common_are_named),
		cmocka_unit_test(too_few_runs_are_warned_of),
		cmocka_unit_test(an_emulated_machine_is_warned_of_once),
		cmocka_unit_test(a_name_of_two_kinds_of_machines_is_warned_of),
		cmocka_unit_test(nothing_to_compare_is_no_error),
		cmocka_unit_test(a_kpi_that_the_rule_hides_is_kept_aside),
		cmocka_unit_test(rows_can_be_picked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
