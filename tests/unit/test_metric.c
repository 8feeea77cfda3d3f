// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helpers.h"
#include "model/metric.h"

#define HEADING "pattern,unit,better,kind,kpi,floor,help\n"

static void the_embedded_catalogue_is_well_formed(void **state)
{
	struct err err;
	struct metric_catalogue *catalogue = metric_catalogue_parse(metrics_csv, &err);

	(void)state;
	if (!catalogue)
		fail_msg("%s", err.msg);
	metric_catalogue_free(catalogue);
}

static void every_entry_has_a_help_and_is_reached(void **state)
{
	const char *line = strchr(metrics_csv, '\n') + 1;
	int entries = 0;

	(void)state;
	for (; *line; line = strchr(line, '\n') + 1) {
		size_t len = strcspn(line, ",");
		char name[128];

		if (*line == '#')
			continue;
		entries++;
		assert_true(len < sizeof(name));
		memcpy(name, line, len);
		name[len] = '\0';
		/* the pattern as a name, with something in place of the wildcards, finds its own entry */
		for (char *p = name; *p; p++)
			if (*p == '*' || *p == '?')
				*p = 'q';
		if (strncmp(metric_info(name)->pattern, line, len) != 0 ||
		    metric_info(name)->pattern[len])
			fail_msg("%s is hidden behind %s", name, metric_info(name)->pattern);
		assert_string_not_equal(metric_info(name)->help, "");
	}
	assert_true(entries > 200);
}

static void what_is_known_of_a_name(void **state)
{
	static const struct {
		const char *name, *unit;
		enum metric_better better;
		enum metric_kind kind;
		bool kpi;
	} cases[] = {
		{"will-it-scale.per_process_ops", "ops/s", BETTER_HIGHER, METRIC_VALUE, true},
		{"will-it-scale.per_thread_ops", "ops/s", BETTER_HIGHER, METRIC_VALUE, true},
		{"will-it-scale.16.processes", "ops/s", BETTER_HIGHER, METRIC_VALUE, false},
		{"will-it-scale.16.processes_idle", "%", BETTER_UNKNOWN, METRIC_VALUE, false},
		{"will-it-scale.time.user_time", "s", BETTER_UNKNOWN, METRIC_VALUE, false},
		{"autonuma-benchmark.numa01_THREAD_ALLOC.seconds", "s", BETTER_LOWER, METRIC_VALUE,
		 true},
		{"autonuma-benchmark.time.elapsed_time.max", "s", BETTER_LOWER, METRIC_VALUE,
		 false},
		{"command.time.minor_page_faults", "faults", BETTER_LOWER, METRIC_COUNTER, false},
		{"command.rate", "", BETTER_UNKNOWN, METRIC_VALUE, true},
		{"time.user_time", "", BETTER_UNKNOWN, METRIC_VALUE, false},
		{"perf-stat.i.ipc", "instructions/cycle", BETTER_HIGHER, METRIC_VALUE, false},
		{"perf-stat.overall.dTLB-load-miss-rate%", "%", BETTER_LOWER, METRIC_VALUE, false},
		{"perf-stat.total.instructions", "instructions", BETTER_UNKNOWN, METRIC_COUNTER,
		 false},
		{"perf-stat.ps.instructions", "instructions/s", BETTER_UNKNOWN, METRIC_VALUE,
		 false},
		{"perf-stat.i.uncore_event", "1/s", BETTER_UNKNOWN, METRIC_VALUE, false},
		{"perf-profile.self.cycles-pp.pick_eevdf", "%", BETTER_UNKNOWN, METRIC_VALUE,
		 false},
		{"numa-meminfo.node0.MemUsed", "KiB", BETTER_UNKNOWN, METRIC_VALUE, false},
		{"numa-vmstat.node1.numa_miss", "pages", BETTER_LOWER, METRIC_COUNTER, false},
		{"proc-vmstat.nr_active_anon", "pages", BETTER_UNKNOWN, METRIC_VALUE, false},
		{"proc-vmstat.nr_dirtied", "pages", BETTER_UNKNOWN, METRIC_COUNTER, false},
		{"mpstat.cpu.all.usr%", "%", BETTER_UNKNOWN, METRIC_VALUE, false},
		{"dmesg.BUG:soft_lockup", "runs", BETTER_LOWER, METRIC_FAILURE, false},
		{"last_state.is_incomplete_run", "runs", BETTER_LOWER, METRIC_FAILURE, false},
		{"xfstests.generic.001.fail", "runs", BETTER_LOWER, METRIC_FAILURE, false},
		{"nobody.knows", "", BETTER_UNKNOWN, METRIC_VALUE, false},
		{"", "", BETTER_UNKNOWN, METRIC_VALUE, false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct metric_info *info = metric_info(cases[i].name);

		assert_non_null(info);
		if (!streq(info->unit, cases[i].unit) || info->better != cases[i].better ||
		    info->kind != cases[i].kind || info->kpi != cases[i].kpi)
			fail_msg("%s: %s (%s)", cases[i].name, info->pattern, info->unit);
	}
}

static void a_malformed_line_is_named(void **state)
{
	static const struct {
		const char *csv, *want;
	} cases[] = {
		{"", "metrics.csv:1: expected the heading"},
		{"a,b\n", "metrics.csv:1: expected the heading"},
		{HEADING "a,,higher,value,0,0\n", "metrics.csv:2: expected the 7 fields"},
		{HEADING "a.*,,up,value,0,0,x\n", "metrics.csv:2: better is 'up'"},
		{HEADING "# x\n\na.*,,higher,gauge,0,0,x\n", "metrics.csv:4: kind is 'gauge'"},
		{HEADING "a.*,,higher,value,yes,0,x\n", "metrics.csv:2: kpi is 'yes'"},
		{HEADING "a.*,,higher,value,0,,x\n", "metrics.csv:2: floor is ''"},
		{HEADING "a.*,,higher,value,0,-1,x\n", "metrics.csv:2: floor is '-1'"},
		{HEADING ",,higher,value,0,0,x\n", "metrics.csv:2: the pattern is empty"},
	};
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_null(metric_catalogue_parse(cases[i].csv, &err));
		if (!starts_with(err.msg, cases[i].want))
			fail_msg("%s", err.msg);
	}
	metric_catalogue_free(NULL);
}

static void the_first_pattern_that_matches_decides(void **state)
{
	static const struct {
		const char *name, *unit;
	} cases[] = {
		{"a.special", "1"}, /* of two patterns of the family */
		{"a.other", "2"},
		{"b.special", "3"}, /* one that names no family, in front */
		{"b.time", "4"},
		{"b.other", "5"},
		{"c", "6"},
		{"d", ""},
		{"an-exceedingly-long-name-of-a-family-which-no-pattern-of-ours-can-have.special",
		 "3"},
	};
	struct err err;
	struct metric_catalogue *catalogue = metric_catalogue_parse(
		HEADING
		"a.special,1,unknown,value,0,0,x\na.*,2,unknown,value,0,0,x\n"
		"*.special,3,unknown,value,0,0,x\n?.time,4,unknown,value,0,0,x\n"
		"b.*,5,unknown,value,0,0.5,commas, too, may be here\nc,6,unknown,value,0,0,x",
		&err);

	(void)state;
	assert_non_null(catalogue);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_string_equal(metric_catalogue_find(catalogue, cases[i].name)->unit,
				    cases[i].unit);
	assert_string_equal(metric_catalogue_find(catalogue, "b.other")->help,
			    "commas, too, may be here");
	assert_true(same_double(metric_catalogue_find(catalogue, "b.other")->floor, 0.5));
	metric_catalogue_free(catalogue);
}

static void profiles_and_percentages_change_in_points(void **state)
{
	(void)state;
	assert_true(metric_in_points("perf-profile.self.cycles-pp.x"));
	assert_true(metric_in_points("mpstat.cpu.all.usr%"));
	assert_true(metric_in_points("perf-stat.i.branch-miss-rate%"));
	assert_false(metric_in_points("turbostat.Pkg%pc2"));
	assert_false(metric_in_points("perf-stat.i.ipc"));
	assert_false(metric_in_points(""));
}

static void a_family_ends_at_the_first_dot(void **state)
{
	(void)state;
	assert_int_equal(metric_family_len("will-it-scale.16.processes"), 13);
	assert_int_equal(metric_family_len("softirqs"), 8);
	assert_int_equal(metric_family_len(".x"), 0);
}

static void directions_have_names(void **state)
{
	enum metric_better better = BETTER_LOWER;

	(void)state;
	assert_string_equal(metric_better_name(BETTER_UNKNOWN), "unknown");
	assert_string_equal(metric_better_name(BETTER_HIGHER), "higher");
	assert_string_equal(metric_better_name(BETTER_LOWER), "lower");
	assert_true(metric_better_parse("higher", &better));
	assert_int_equal(better, BETTER_HIGHER);
	assert_false(metric_better_parse("Lower", &better));
	assert_false(metric_better_parse("", &better));
	assert_int_equal(better, BETTER_HIGHER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_embedded_catalogue_is_well_formed),
		cmocka_unit_test(every_entry_has_a_help_and_is_reached),
		cmocka_unit_test(what_is_known_of_a_name),
		cmocka_unit_test(a_malformed_line_is_named),
		cmocka_unit_test(the_first_pattern_that_matches_decides),
		cmocka_unit_test(profiles_and_percentages_change_in_points),
		cmocka_unit_test(directions_have_names),
		cmocka_unit_test(a_family_ends_at_the_first_dot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
