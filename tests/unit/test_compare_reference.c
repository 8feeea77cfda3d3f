// SPDX-License-Identifier: GPL-2.0-only
/* The robot's own tables of its own data, to the byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helpers.h"
#include "model/compare.h"
#include "render/zero_day.h"

static const struct param set2x6_params[] = {
	{"compiler", "gcc-12"},
	{"cpufreq_governor", "performance"},
	{"kconfig", "x86_64-rhel-8.3"},
	{"mode", "process"},
	{"nr_task", "16"},
	{"rootfs", "debian-11.1-x86_64-20220510.cgz"},
};

/* Cuts the next field off, in place. */
static char *next_field(char **line)
{
	char *field = strsep(line, ",");

	assert_non_null(field);
	return field;
}

static struct set_list *list_of(struct set_list lists[2], int *nr, const char *commit)
{
	for (int i = 0; i < *nr; i++)
		if (streq(lists[i].commit.name, commit))
			return &lists[i];
	assert_true(*nr < 2);
	lists[*nr].commit.name = pool_strdup(&lists[*nr].pool, commit);
	return &lists[(*nr)++];
}

static void add_line(struct set_list lists[2], int *nr, const struct group_key *key, char *line)
{
	struct set_list *list = list_of(lists, nr, next_field(&line));
	struct set *set = set_list_get(list, key);
	int64_t run;
	struct number value;
	char *metric;

	assert_true(parse_i64(next_field(&line), &run));
	metric = next_field(&line);
	assert_true(number_parse(next_field(&line), &value));
	while (set->runs_nr <= run)
		set_add_run(list, set, &(struct set_run){.id = "0"});
	set_put(list, set, (int)run, metric, value);
}

static void load_set2x6(struct set_list lists[2])
{
	struct group_key key = {
		.machine = "lkp-skl-fpga01", .testcase = "will-it-scale", .test = "sched_yield"};
	struct strbuf csv = STRBUF_INIT;
	struct pool pool = {0};
	int nr = 0;
	char *rest, *line;

	for (size_t i = 0; i < ARRAY_SIZE(set2x6_params); i++)
		params_set(&key.params, &pool, set2x6_params[i].key, set2x6_params[i].value);
	read_whole("lkp/set2x6.csv", &csv);
	rest = csv.buf;
	strsep(&rest, "\n"); /* heading */
	while ((line = strsep(&rest, "\n")) && *line)
		add_line(lists, &nr, &key, line);
	assert_int_equal(nr, 2);
	strbuf_release(&csv);
	params_release(&key.params);
	pool_release(&pool);
}

/* What `perfcmp diff` would print. */
static char *render(const struct comparison *comparison)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	zero_day_render(file, comparison);
	fclose(file);
	return text;
}

static void check_table(const char *name, const struct compare_options *options)
{
	struct set_list lists[2] = {0};
	struct strbuf expected = STRBUF_INIT;
	struct comparison comparison;
	char path[128], *text;

	load_set2x6(lists);
	compare(&comparison, lists, 2, options);
	set_list_release(&lists[0]); /* the comparison must not need them */
	set_list_release(&lists[1]);
	text = render(&comparison);
	snprintf(path, sizeof(path), "lkp/tables/set2x6.%s.txt", name);
	read_whole(path, &expected);
	assert_string_equal(text, expected.buf);
	assert_int_equal(comparison.warnings.nr, 0);
	free(text);
	strbuf_release(&expected);
	comparison_release(&comparison);
}

static void every_table_is_the_robots_to_the_byte(void **state)
{
	static const struct {
		const char *name;
		struct compare_options options;
	} tables[] = {
		{"default", {0}},
		{"all", {.all = true}},
		{"more", {.more = true}},
		{"kpi", {.kpi = true}},
		{"p5", {.has_profile_threshold = true, .profile_threshold = 5}},
		{"p1", {.has_profile_threshold = true, .profile_threshold = 1}},
		{"p0.5", {.has_profile_threshold = true, .profile_threshold = 0.5}},
		{"p0.05", {.has_profile_threshold = true, .profile_threshold = 0.05}},
		{"default.count-order", {.order = ORDER_COUNT}},
		{"all.count-order", {.order = ORDER_COUNT, .all = true}},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		check_table(tables[i].name, &tables[i].options);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_table_is_the_robots_to_the_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
