/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MODEL_STATS_H
#define MODEL_STATS_H
/*
 * Sums and moments of a few measured values. A NUMBER_NONE or NAN among them makes every result NAN; who
 * wants it to be a 0, or left out, says so before.
 */
#include "model/number.h"

/*
 * Whole numbers are added exactly; from the first float on the sum is compensated (Neumaier, "Rundungsfehler-
 * analyse einiger Verfahren zur Summation endlicher Summen", 1974). 0 for no value. This is what the robot's
 * language does, and hardly more expensive than the naive sum.
 */
double stats_sum(const struct number *v, int nr);

/* NAN for no value. */
double stats_mean(const struct number *v, int nr);

/*
 * Population standard deviation (divided by nr), around the mean given; 0 for one value, NAN for none. The
 * terms are those of the robot, so that the last digit agrees: (1 / nr) * sum of squares, added plainly.
 */
double stats_sd_population(const struct number *v, int nr, double mean);

/* Ascending; equal values, of whatever kind, keep their order; what is no number comes last. */
void stats_sort(struct number *v, int nr);

#endif
