// SPDX-License-Identifier: GPL-2.0-only
#include "model/compare.h"

#include "base/strbuf.h"
#include "model/compare_row.h"
#include "model/compare_warnings.h"
#include "model/pattern.h"
#include "model/rule_0day.h"
#include "model/rule_0day_names.h"
#include "model/rule_exact.h"

/* Everything at hand while the comparison is made. */
struct work {
	struct comparison *out;
	const struct set_list *lists;
	int lists_nr;
	const struct compare_options *options;
};

static const struct set *find_set(const struct set_list *list, const struct group_key *key)
{
	for (int i = 0; i < list->nr; i++)
		if (group_key_equal(&list->v[i].key, key))
			return &list->v[i];
	return NULL;
}

static bool has_group(const struct set_list *list, const struct group_key *key)
{
	return find_set(list, key) != NULL;
}

static void copy_commits(const struct work *work)
{
	struct comparison *out = work->out;

	out->commits_nr = work->lists_nr;
	out->commits = pool_alloc(&out->pool, (size_t)work->lists_nr * sizeof(*out->commits));
	for (int i = 0; i < work->lists_nr; i++) {
		const struct commit *commit = &work->lists[i].commit;

		out->commits[i].name = pool_strdup(&out->pool, commit->name);
		out->commits[i].hash = pool_strdup(&out->pool, commit->hash);
		out->commits[i].subject = pool_strdup(&out->pool, commit->subject);
	}
}

static struct group *add_group(const struct work *work, const struct group_key *key)
{
	struct comparison *out = work->out;
	struct group *group;

	GROW(out->groups, out->groups_nr, out->groups_alloc);
	group = &out->groups[out->groups_nr++];
	*group = (struct group){0};
	group->key.machine = pool_strdup(&out->pool, key->machine);
	group->key.testcase = pool_strdup(&out->pool, key->testcase);
	group->key.test = pool_strdup(&out->pool, key->test);
	params_copy(&group->key.params, &out->pool, &key->params);
	group->runs = pool_alloc(&out->pool, (size_t)work->lists_nr * sizeof(*group->runs));
	return group;
}

static struct compare_columns columns_of(const struct work *work, struct group *group)
{
	size_t nr = (size_t)work->lists_nr;
	struct compare_columns columns = {
		.nr = work->lists_nr,
		.all = xcalloc(nr, sizeof(*columns.all)),
		.complete = xcalloc(nr, sizeof(*columns.complete)),
	};
	int widest = 0;

	for (int i = 0; i < work->lists_nr; i++) {
		const struct set *set = find_set(&work->lists[i], &group->key);

		matrix_init(&columns.all[i], set);
		matrix_init(&columns.complete[i], set);
		matrix_drop_incomplete(&columns.complete[i]);
		group->runs[i] = columns.all[i].columns_nr;
		if (group->runs[i] > widest)
			widest = group->runs[i];
	}
	columns.scratch = xcalloc((size_t)widest, sizeof(*columns.scratch));
	return columns;
}

static void columns_release(struct compare_columns *columns)
{
	for (int i = 0; i < columns->nr; i++) {
		matrix_release(&columns->all[i]);
		matrix_release(&columns->complete[i]);
	}
	free(columns->all);
	free(columns->complete);
	free(columns->scratch);
}

static void add_all_names(struct metric_names *names, const struct set *set)
{
	for (int i = 0; set && i < set->metrics_nr; i++)
		metric_names_add(names, set->metrics[i].name);
}

/* Each commit's metrics, the base's last: the order in which the rule discovers them. */
static void select_all(struct metric_names *names, const struct compare_columns *columns)
{
	for (int i = 1; i < columns->nr; i++) {
		add_all_names(names, columns->all[i].set);
		add_all_names(names, columns->all[0].set);
	}
}

/* The rule takes incomplete runs out of the matrices it works on, so it gets its own. */
static void select_by_rule(const struct work *work, struct metric_names *names,
			   const struct compare_columns *columns)
{
	struct matrix base, new;

	matrix_init(&base, columns->all[0].set);
	for (int i = 1; i < columns->nr; i++) {
		if (!columns->all[i].set)
			continue;
		matrix_init(&new, columns->all[i].set);
		rule_0day_select(names, &base, &new, work->options);
		matrix_release(&new);
	}
	matrix_release(&base);
}

static void select_exact(const struct work *work, struct metric_names *names,
			 const struct compare_columns *columns)
{
	for (int i = 1; i < columns->nr; i++)
		if (columns->all[i].set)
			rule_exact_select(names, columns, i, work->options);
}

static bool is_exact(const struct compare_columns *columns)
{
	bool exact = true;

	for (int i = 1; i < columns->nr; i++)
		if (columns->all[i].set)
			exact &= rule_exact_applies(&columns->all[0], &columns->all[i]);
	return exact;
}

static struct row make_row(const struct work *work, const struct group *group, const char *metric,
			   const struct compare_columns *columns)
{
	bool exact = group->exact && rule_exact_is_instructions(metric);

	return compare_row(&work->out->pool, metric, exact, columns);
}

static bool is_wanted(const struct compare_options *options, const char *metric)
{
	if (options->kpi && !rule_0day_is_result(metric))
		return false;
	if (options->metric && options->metric->nr && !pattern_match_any(options->metric, metric))
		return false;
	return !pattern_match_any(options->exclude, metric);
}

static void add_rows(const struct work *work, struct group *group, const struct metric_names *names,
		     const struct compare_columns *columns)
{
	for (int i = 0; i < names->nr; i++) {
		if (!is_wanted(work->options, names->v[i]))
			continue;
		GROW(group->rows, group->rows_nr, group->rows_alloc);
		group->rows[group->rows_nr++] = make_row(work, group, names->v[i], columns);
	}
	compare_sort_rows(group->rows, group->rows_nr, columns->nr, work->options->order);
}

static void add_kpi_names(struct metric_names *names, const struct set *set)
{
	for (int i = 0; set && i < set->metrics_nr; i++)
		if (metric_info(set->metrics[i].name)->kpi)
			metric_names_add(names, set->metrics[i].name);
}

static void add_hidden_kpis(const struct work *work, struct group *group,
			    const struct metric_names *shown, const struct compare_columns *columns)
{
	struct metric_names kpis = {0};

	for (int i = 1; i <= columns->nr; i++)
		add_kpi_names(&kpis, columns->all[i % columns->nr].set); /* the base's last */
	for (int i = 0; i < kpis.nr; i++) {
		if (strmap_get(&shown->seen, kpis.v[i], 0) || !is_wanted(work->options, kpis.v[i]))
			continue;
		GROW(group->hidden_kpis, group->hidden_kpis_nr, group->hidden_kpis_alloc);
		group->hidden_kpis[group->hidden_kpis_nr++] =
			make_row(work, group, kpis.v[i], columns);
	}
	metric_names_release(&kpis);
}

static void compare_group(const struct work *work, const struct group_key *key)
{
	struct group *group = add_group(work, key);
	struct compare_columns columns = columns_of(work, group);
	struct metric_names shown = {0};

	group->exact = is_exact(&columns);
	if (work->options->all)
		select_all(&shown, &columns);
	else if (group->exact)
		select_exact(work, &shown, &columns);
	else
		select_by_rule(work, &shown, &columns);
	add_rows(work, group, &shown, &columns);
	add_hidden_kpis(work, group, &shown, &columns);
	compare_warn(work->out, group, &columns, work->options);
	metric_names_release(&shown);
	columns_release(&columns);
}

/* How many of lists[from...] have the group. */
static int count_lists(const struct work *work, int from, const struct group_key *key)
{
	int have = 0;

	for (int i = from; i < work->lists_nr; i++)
		have += has_group(&work->lists[i], key);
	return have;
}

/* Names the group if some commit lacks it. */
static void warn_of_gaps(const struct work *work, const struct group_key *key)
{
	int others = count_lists(work, 1, key);
	bool in_base = has_group(&work->lists[0], key);
	struct strbuf text = STRBUF_INIT;
	const char *separator = ": no runs of ";

	if (in_base && others == work->lists_nr - 1)
		return;
	group_key_describe(&text, key);
	for (int i = 0; i < work->lists_nr; i++) {
		if (has_group(&work->lists[i], key))
			continue;
		strbuf_addf(&text, "%s%s", separator, work->lists[i].commit.name);
		separator = ", ";
	}
	if (!in_base || !others)
		strbuf_addstr(&text, "; not compared");
	strlist_add_once(&work->out->warnings, text.buf);
	strbuf_release(&text);
}

void compare(struct comparison *out, struct set_list *lists, int lists_nr,
	     const struct compare_options *options)
{
	struct work work = {out, lists, lists_nr, options};

	*out = (struct comparison){0};
	for (int i = 0; options->rule == RULE_0DAY && i < lists_nr; i++)
		set_list_drop_zeros(&lists[i]);
	copy_commits(&work);
	if (!lists_nr)
		return;
	for (int i = 0; i < lists[0].nr; i++)
		if (count_lists(&work, 1, &lists[0].v[i].key))
			compare_group(&work, &lists[0].v[i].key);
	for (int i = 0; i < lists_nr; i++)
		for (int j = 0; j < lists[i].nr; j++)
			warn_of_gaps(&work, &lists[i].v[j].key);
}

void comparison_release(struct comparison *comparison)
{
	for (int i = 0; i < comparison->groups_nr; i++) {
		params_release(&comparison->groups[i].key.params);
		free(comparison->groups[i].rows);
		free(comparison->groups[i].hidden_kpis);
	}
	free(comparison->groups);
	strlist_release(&comparison->warnings);
	pool_release(&comparison->pool);
	*comparison = (struct comparison){0};
}
