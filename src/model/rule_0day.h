/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MODEL_RULE_0DAY_H
#define MODEL_RULE_0DAY_H
/*
 * Which metrics the kernel test robot shows. No mean, deviation or significance is involved: in short, a metric
 * has changed if half of the runs of each side lie beyond all or half of the other's, and by 1% or 5%. What is
 * shown is decided for each new commit against the base alone. The rule is followed to the letter, slips
 * included; model/rule_0day_names.h has the part of it that is data.
 */
#include "base/strmap.h"
#include "model/compare.h"
#include "model/matrix.h"

/* Names of metrics in the order of discovery, each once. The strings belong to the sets. */
struct metric_names {
	const char **v;
	int nr, alloc;
	struct strmap seen;
};
void metric_names_release(struct metric_names *names);
void metric_names_add(struct metric_names *names, const char *name);

/*
 * Adds the metrics to show for this pair. Where a side has incomplete runs, both matrices lose them on the
 * way; the base stays so for the pairs that follow, as it does in the robot.
 */
void rule_0day_select(struct metric_names *shown, struct matrix *base, struct matrix *new,
		      const struct compare_options *options);

/* Fewer runs than that on both sides, and nothing but failures can be shown. */
enum {
	RULE_0DAY_MIN_RUNS = 3
};

/* What the rule sees of one metric on one side: the sorted values without the outermost of many. */
struct rule_0day_sample {
	struct number min, median, max; /* median: the upper one, always a measured value */
	int nr; /* 0: nothing left */
};

/*
 * Sorts values in place; drops those equal to -1 while that is the smallest ("no data"); from 32 values on
 * drops one at each end, from 64 two, from 96 three, but never more than margin.
 */
struct rule_0day_sample rule_0day_sample(struct number *values, int nr, int margin);

/* The ordinary test of change: at least half of each side lies beyond the other's median or end. */
bool rule_0day_changed(const struct rule_0day_sample *base, const struct rule_0day_sample *new);

/* The change is large enough, in per cent and in absolute terms. */
bool rule_0day_large_enough(const char *name, const struct rule_0day_sample *base,
			    const struct rule_0day_sample *new);

#endif
