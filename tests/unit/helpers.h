/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TEST_HELPERS_H
#define TEST_HELPERS_H
/* For tests: numbers that are the same, sets built by hand, files of tests/data. */
#include "base/strbuf.h"
#include "model/set.h"

#include <math.h>

/* The same number, or both none. */
static inline bool same_double(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b);
	return !(a < b) && !(a > b);
}

static inline void read_whole(const char *name, struct strbuf *out)
{
	char path[512], part[4096];
	size_t len;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", TEST_DATA, name);
	file = fopen(path, "r");
	if (!file)
		fail_msg("cannot open %s", path);
	while ((len = fread(part, 1, sizeof(part), file)) > 0)
		strbuf_add(out, part, len);
	fclose(file);
}

/*
 * The set of one test on one machine, without parameters, in an empty list. Its runs have no boot: they are as
 * imported, and zeros stay (see set_list_drop_zeros()).
 */
static inline struct set *new_set(struct set_list *list, const char *commit, int runs)
{
	struct group_key key = {.machine = "box", .testcase = "will-it-scale", .test = "pipe1"};
	struct set_run run = {.id = "0"};
	struct set *set;

	list->commit.name = commit;
	set = set_list_get(list, &key);
	for (int i = 0; i < runs; i++)
		set_add_run(list, set, &run);
	return set;
}

/* values: "1 2.5 - 4", '-' where the run lacks the metric. */
static inline void put_values(struct set_list *list, const char *metric, const char *values)
{
	struct set *set = &list->v[0];
	char *copy = xstrdup(values), *rest = copy;
	int run = 0;

	for (char *word; (word = strsep(&rest, " ")); run++) {
		struct number value;

		if (streq(word, "-"))
			continue;
		if (!number_parse(word, &value) || run >= set->runs_nr)
			fail_msg("bad values of %s: %s", metric, values);
		set_put(list, set, run, metric, value);
	}
	free(copy);
}

#endif
