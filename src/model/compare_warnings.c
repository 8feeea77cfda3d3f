// SPDX-License-Identifier: GPL-2.0-only
#include "model/compare_warnings.h"

#include "base/strbuf.h"
#include "model/rule_0day.h"
#include "model/rule_0day_names.h"

static void warn_of_runs(struct comparison *out, const struct group *group,
			 const struct compare_columns *columns,
			 const struct compare_options *options)
{
	struct strbuf name = STRBUF_INIT;
	int base = columns->complete[0].columns_nr;

	group_key_describe(&name, &group->key);
	for (int i = 0; i < columns->nr; i++) {
		int runs = columns->complete[i].columns_nr;

		if (runs < group->runs[i])
			strlist_addf(&out->warnings,
				     "%s: %d of %d runs of %s did not complete and are left out",
				     name.buf, group->runs[i] - runs, group->runs[i],
				     out->commits[i].name);
		if (i > 0 && group->runs[i] && !options->all && !group->exact &&
		    base < RULE_0DAY_MIN_RUNS && runs < RULE_0DAY_MIN_RUNS)
			strlist_addf(
				&out->warnings,
				"%s: %d complete runs of %s and %d of %s: the 0-day rule shows only failures unless one side has %d",
				name.buf, base, out->commits[0].name, runs, out->commits[i].name,
				RULE_0DAY_MIN_RUNS);
	}
	strbuf_release(&name);
}

/* Once for all groups. */
static void note_exact(struct comparison *out)
{
	strlist_add_once(&out->warnings,
			 "numbers of a deterministic machine (icount) have no noise: each "
			 "difference has a cause; its seconds are 1e9 instructions");
}

static bool was_emulated(const struct set *set)
{
	for (int i = 0; set && i < set->runs_nr; i++)
		if (set->runs[i].emulated)
			return true;
	return false;
}

/* Once a machine. */
static void warn_of_emulation(struct comparison *out, const struct group *group,
			      const struct compare_columns *columns)
{
	bool emulated = false;
	char *text;

	for (int i = 0; i < columns->nr; i++)
		emulated |= was_emulated(columns->all[i].set);
	if (!emulated)
		return;
	text = xasprintf("%s is emulated: its times tell of the emulator as much as of the kernels",
			 group->key.machine);
	strlist_add_once(&out->warnings, text);
	free(text);
}

static int deterministic_nr(const struct set *set)
{
	int nr = 0;

	for (int i = 0; set && i < set->runs_nr; i++)
		nr += set->runs[i].deterministic;
	return nr;
}

/* One name for a machine with noise and one without. Once a machine. */
static void warn_of_mixture(struct comparison *out, const struct group *group,
			    const struct compare_columns *columns)
{
	int all = 0, deterministic = 0;
	char *text;

	for (int i = 0; i < columns->nr; i++) {
		const struct set *set = columns->all[i].set;

		all += set ? set->runs_nr : 0;
		deterministic += deterministic_nr(set);
	}
	if (deterministic == 0 || deterministic == all)
		return;
	text = xasprintf("%s names a deterministic machine and another one: do not compare their "
			 "runs, collect with a --machine for each",
			 group->key.machine);
	strlist_add_once(&out->warnings, text);
	free(text);
}

static void warn_of_missing_value(struct comparison *out, const struct row *row, int commit)
{
	const struct cell *cell = &row->cells[commit];

	if (cell->runs && cell->n < cell->runs)
		strlist_addf(&out->warnings,
			     "%s: missing in %d of %d runs of %s; the 0-day rule counts it as 0",
			     row->metric, cell->runs - cell->n, cell->runs,
			     out->commits[commit].name);
}

/* Of the tests' own results a missing value is not what one would expect; of all others it is common. */
static void warn_of_missing(struct comparison *out, const struct group *group)
{
	for (int i = 0; i < group->rows_nr; i++) {
		const struct row *row = &group->rows[i];

		if (row->failure || !rule_0day_is_result(row->metric))
			continue;
		for (int k = 0; k < out->commits_nr; k++)
			warn_of_missing_value(out, row, k);
	}
}

void compare_warn(struct comparison *out, const struct group *group,
		  const struct compare_columns *columns, const struct compare_options *options)
{
	warn_of_emulation(out, group, columns);
	warn_of_mixture(out, group, columns);
	warn_of_runs(out, group, columns, options);
	if (group->exact)
		note_exact(out);
	warn_of_missing(out, group);
}
