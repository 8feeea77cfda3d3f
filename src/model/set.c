// SPDX-License-Identifier: GPL-2.0-only
#include "model/set.h"

#include "base/strbuf.h"

bool group_key_equal(const struct group_key *a, const struct group_key *b)
{
	return streq(a->machine, b->machine) && streq(a->testcase, b->testcase) &&
	       streq(a->test, b->test) && params_equal(&a->params, &b->params);
}

void group_key_describe(struct strbuf *out, const struct group_key *key)
{
	strbuf_addf(out, "%s/%s on %s", key->testcase, key->test, key->machine);
	for (int i = 0; i < key->params.nr; i++)
		strbuf_addf(out, "%s%s=%s", i ? " " : " (", key->params.v[i].key,
			    key->params.v[i].value);
	if (key->params.nr)
		strbuf_addch(out, ')');
}

static void set_release(struct set *set)
{
	for (int i = 0; i < set->runs_nr; i++)
		params_release(&set->runs[i].facts);
	for (int i = 0; i < set->metrics_nr; i++)
		free(set->metrics[i].value);
	free(set->runs);
	free(set->metrics);
	strmap_release(&set->index);
	params_release(&set->key.params);
}

void set_list_release(struct set_list *list)
{
	for (int i = 0; i < list->nr; i++)
		set_release(&list->v[i]);
	free(list->v);
	pool_release(&list->pool);
	*list = (struct set_list){0};
}

struct set *set_list_get(struct set_list *list, const struct group_key *key)
{
	struct set *set;

	for (int i = 0; i < list->nr; i++)
		if (group_key_equal(&list->v[i].key, key))
			return &list->v[i];
	GROW(list->v, list->nr, list->alloc);
	set = &list->v[list->nr++];
	*set = (struct set){0};
	set->key.machine = pool_strdup(&list->pool, key->machine);
	set->key.testcase = pool_strdup(&list->pool, key->testcase);
	set->key.test = pool_strdup(&list->pool, key->test);
	params_copy(&set->key.params, &list->pool, &key->params);
	return set;
}

int set_add_run(struct set_list *list, struct set *set, const struct set_run *run)
{
	struct set_run *copy;

	if (set->runs_nr >= set->runs_alloc) {
		GROW(set->runs, set->runs_nr, set->runs_alloc);
		for (int i = 0; i < set->metrics_nr; i++)
			set->metrics[i].value =
				xrealloc(set->metrics[i].value, (size_t)set->runs_alloc,
					 sizeof(struct number));
	}
	copy = &set->runs[set->runs_nr];
	*copy = (struct set_run){.status = run->status,
				 .deterministic = run->deterministic,
				 .emulated = run->emulated};
	copy->id = pool_strdup(&list->pool, run->id);
	copy->boot_id = pool_strdup(&list->pool, run->boot_id);
	params_copy(&copy->facts, &list->pool, &run->facts);
	for (int i = 0; i < set->metrics_nr; i++)
		set->metrics[i].value[set->runs_nr] = (struct number){.kind = NUMBER_NONE};
	return set->runs_nr++;
}

void set_put(struct set_list *list, struct set *set, int run, const char *metric,
	     struct number value)
{
	int i = strmap_get(&set->index, metric, -1);

	if (value.kind == NUMBER_NONE)
		return;
	if (i < 0) {
		struct set_metric *new;

		i = set->metrics_nr;
		GROW(set->metrics, set->metrics_nr, set->metrics_alloc);
		new = &set->metrics[set->metrics_nr++];
		new->name = pool_strdup(&list->pool, metric);
		new->value =
			xcalloc((size_t)set->runs_alloc, sizeof(*new->value)); /* all NUMBER_NONE */
		strmap_put(&set->index, new->name, i);
	}
	set->metrics[i].value[run] = value;
}

static bool all_whole_zeros(const struct set *set, const struct set_metric *metric)
{
	for (int i = 0; i < set->runs_nr; i++) {
		struct number value = metric->value[i];

		if (value.kind == NUMBER_FLOAT || (value.kind == NUMBER_INT && value.i != 0))
			return false;
	}
	return true;
}

static void drop_zeros(struct set *set)
{
	int kept = 0;

	strmap_release(&set->index);
	for (int i = 0; i < set->metrics_nr; i++) {
		struct set_metric metric = set->metrics[i];

		if (all_whole_zeros(set, &metric)) {
			free(metric.value);
			continue;
		}
		strmap_put(&set->index, metric.name, kept);
		set->metrics[kept++] = metric;
	}
	set->metrics_nr = kept;
}

static bool was_collected(const struct set *set)
{
	for (int i = 0; i < set->runs_nr; i++)
		if (!set->runs[i].boot_id)
			return false;
	return true;
}

void set_list_drop_zeros(struct set_list *list)
{
	for (int i = 0; i < list->nr; i++)
		if (was_collected(&list->v[i]))
			drop_zeros(&list->v[i]);
}

const struct set_metric *set_find(const struct set *set, const char *metric)
{
	int i = strmap_get(&set->index, metric, -1);

	return i < 0 ? NULL : &set->metrics[i];
}
