/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WORKLOAD_FAKE_H
#define WORKLOAD_FAKE_H
/*
 * testcase "fake": tests that measure nothing and take no time, with results that can be computed by hand.
 * They are here for good, so that scheduling, storing and comparing can be tried and tested exactly.
 *
 * Iteration k of a test gives fake.ops = value * (1 + spread/100 * x_k) * (1 + step/100 * (k - 1)). x_k is 0
 * (steady), a number from -1 to 1 that depends on seed and k alone (noisy), or +1 and -1 in turn (bimodal).
 * What would be beyond 1e18 is 1e18.
 * The parameters are value (1000), spread (10, per cent), step (0, per cent), seed (1), and those of single
 * tests: seconds (slow), lines (eat-output), metrics (wide), signal (crash), status (fail).
 *
 * The environment variable PERFCMP_FAKE ("value=1100,spread=2") overrides parameters without becoming part of
 * the run's parameters: two commits with different results are still the same group.
 * PERFCMP_ITERATION is the number of the iteration, from 1 (the default); collect sets it for each run.
 *
 * In place of another workload (collect --workload fake) the run reports that one's KPIs: numbers from 1000
 * to 1 000 000 that depend on the names of test and parameters.
 */
#include "workload/workload.h"

extern const struct workload fake_workload;

/* x_k of the noisy test: splitmix64 of seed and k as a number from -1 to 1. */
double fake_noise(uint64_t seed, int64_t iteration);

#endif
