// SPDX-License-Identifier: GPL-2.0-only
#include "model/rule_0day.h"

#include "base/strbuf.h"
#include "model/rule_0day_names.h"
#include "model/stats.h"

#include <math.h>

enum {
	MARGIN_ORDINARY = 3,
	MARGIN_FEW_IN_BASE = 1, /* for the new side, where the base has so few runs: */
	FEW_IN_BASE = 3
};

/* One pair under examination. */
struct pair {
	const struct matrix *base, *new;
	const struct compare_options *options;
	struct number threshold; /* of profiles; its kind matters */
	bool base_has_profile;
	bool logs_only; /* first pass where a run is incomplete */
	struct number *values; /* scratch, for the larger of the two */
	struct metric_names *shown;
};

/* One metric of it. */
struct candidate {
	const char *name;
	const struct set_metric *base, *new; /* NULL on a side without it */
	bool failure;
};

void metric_names_release(struct metric_names *names)
{
	free(names->v);
	strmap_release(&names->seen);
	*names = (struct metric_names){0};
}

void metric_names_add(struct metric_names *names, const char *name)
{
	if (strmap_get(&names->seen, name, 0))
		return;
	strmap_put(&names->seen, name, 1);
	GROW(names->v, names->nr, names->alloc);
	names->v[names->nr++] = name;
}

struct rule_0day_sample rule_0day_sample(struct number *values, int nr, int margin)
{
	int cut = nr >> 5 < margin ? nr >> 5 : margin;
	int first = 0;

	stats_sort(values, nr);
	while (first < nr && number_cmp(values[first], number_int(-1)) == 0)
		first++;
	first += cut;
	nr -= first + cut;
	if (nr < 1)
		return (struct rule_0day_sample){0};
	return (struct rule_0day_sample){
		.min = values[first],
		.median = values[first + nr / 2],
		.max = values[first + nr - 1],
		.nr = nr,
	};
}

/* What is no number is above nothing. */
static bool above(struct number a, struct number b)
{
	return number_cmp(a, b) > 0 && !isnan(number_double(a));
}

bool rule_0day_changed(const struct rule_0day_sample *base, const struct rule_0day_sample *new)
{
	return (above(base->min, new->median) && above(base->median, new->max)) ||
	       (above(new->min, base->median) && above(new->median, base->max));
}

bool rule_0day_large_enough(const char *name, const struct rule_0day_sample *base,
			    const struct rule_0day_sample *new)
{
	double a = number_double(new->median), b = number_double(base->median);
	double high = a > b ? a : b, low = a > b ? b : a;
	double max_a = number_double(new->max), max_b = number_double(base->max);
	double ratio = low > 0 ? high / low : 5;

	if (!(ratio > 1.01) || isnan(a - b))
		return false;
	if (!(ratio > 1.05) && !rule_0day_is_performance(name))
		return false;
	return !rule_0day_below_floor(name, max_a > max_b ? max_a : max_b, high - low);
}

static bool is_profile(const char *name)
{
	return starts_with(name, "perf-profile.");
}

/* A failure that is no message of the kernel is judged only if its opposite was seen in the base. */
static bool has_opposite(const struct matrix *base, const char *name)
{
	static const char *const words[] = {".error", ".warn", ".fail"};
	size_t stem = rule_0day_fail_stem(name);
	struct strbuf other = STRBUF_INIT;
	bool found = false;

	if (stem) {
		strbuf_addf(&other, "%.*s.pass", (int)stem, name);
		found = matrix_find(base, other.buf) != NULL;
	} else if (ends_with(name, ".pass")) {
		for (size_t i = 0; i < ARRAY_SIZE(words) && !found; i++) {
			strbuf_reset(&other);
			strbuf_addf(&other, "%.*s%s", (int)(strlen(name) - strlen(".pass")), name,
				    words[i]);
			found = matrix_find(base, other.buf) != NULL;
		}
	} else {
		found = true;
	}
	strbuf_release(&other);
	return found;
}

/* What can be said before looking at the values. */
static bool may_be_shown(const struct pair *pair, const struct candidate *it)
{
	const char *name = it->name;

	if (pair->logs_only && !starts_with(name, "dmesg.") && !starts_with(name, "last_state.") &&
	    !starts_with(name, "stderr."))
		return false;
	if (!pair->options->more && rule_0day_denied(name))
		return false;
	if (it->failure)
		return rule_0day_is_log(name) || has_opposite(pair->base, name);
	if (pair->base->columns_nr < RULE_0DAY_MIN_RUNS &&
	    pair->new->columns_nr < RULE_0DAY_MIN_RUNS)
		return false;
	return it->base || (is_profile(name) && pair->base_has_profile);
}

static struct rule_0day_sample sample(const struct pair *pair, const struct matrix *side,
				      const struct set_metric *metric, int margin)
{
	matrix_get(side, metric, pair->values);
	return rule_0day_sample(pair->values, side->columns_nr, margin);
}

static bool has_changed(const struct pair *pair, const struct candidate *it)
{
	bool few = pair->base->columns_nr <= FEW_IN_BASE;
	int margin = it->failure ? 0 : MARGIN_ORDINARY;
	struct rule_0day_sample base = sample(pair, pair->base, it->base, margin);
	struct rule_0day_sample new;

	if (few && !it->failure)
		margin = MARGIN_FEW_IN_BASE;
	new = sample(pair, pair->new, it->new, margin);
	if (!base.nr || !new.nr)
		return false;
	if (is_profile(it->name) && new.median.kind == pair->threshold.kind)
		return above(new.median, pair->threshold) || above(base.median, pair->threshold);
	if (it->failure ? number_cmp(base.max, new.max) == 0 : !rule_0day_changed(&base, &new))
		return false;
	return is_profile(it->name) || rule_0day_large_enough(it->name, &base, &new);
}

static void examine(const struct pair *pair, const struct set_metric *base,
		    const struct set_metric *new)
{
	struct candidate it = {.name = new ? new->name : base->name, .base = base, .new = new};

	it.failure = rule_0day_is_failure(it.name);
	if (may_be_shown(pair, &it) && has_changed(pair, &it))
		metric_names_add(pair->shown, it.name);
}

/* Metrics of the new side first, then those the base alone has. */
static void examine_all(const struct pair *pair)
{
	const struct set *new = pair->new->set, *base = pair->base->set;

	for (int i = 0; i < new->metrics_nr; i++) {
		const char *name = new->metrics[i].name;

		if (!pair->new->complete || !streq(name, INCOMPLETE_RUN))
			examine(pair, matrix_find(pair->base, name), &new->metrics[i]);
	}
	for (int i = 0; i < base->metrics_nr; i++) {
		const char *name = base->metrics[i].name;

		if ((!pair->base->complete || !streq(name, INCOMPLETE_RUN)) &&
		    !matrix_find(pair->new, name))
			examine(pair, &base->metrics[i], NULL);
	}
}

static bool has_profile(const struct set *set)
{
	for (int i = 0; i < set->metrics_nr; i++)
		if (is_profile(set->metrics[i].name))
			return true;
	return false;
}

void rule_0day_select(struct metric_names *shown, struct matrix *base, struct matrix *new,
		      const struct compare_options *options)
{
	int widest = base->columns_nr > new->columns_nr ? base->columns_nr : new->columns_nr;
	struct pair pair = {
		.base = base,
		.new = new,
		.options = options,
		/* The robot's default is the whole number, which no float equals in kind. */
		.threshold = options->has_profile_threshold
				     ? number_float(options->profile_threshold)
				     : number_int(5),
		.base_has_profile = has_profile(base->set),
		.shown = shown,
	};

	pair.values = xcalloc((size_t)widest, sizeof(*pair.values));
	if (matrix_has_incomplete(base) || matrix_has_incomplete(new)) {
		pair.logs_only = true;
		examine_all(&pair);
		matrix_drop_incomplete(base);
		matrix_drop_incomplete(new);
		pair.logs_only = false;
	}
	examine_all(&pair);
	free(pair.values);
}
