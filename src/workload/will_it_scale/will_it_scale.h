/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WORKLOAD_WILL_IT_SCALE_H
#define WORKLOAD_WILL_IT_SCALE_H
/*
 * testcase "will-it-scale": the same names and the same meaning of one operation as the public suite, in an
 * implementation of its own.
 */
#include "workload/workload.h"

extern const struct workload will_it_scale_workload;

#define X(name) +1
enum {
	WIS_TESTS_NR = 0
#include "workload/will_it_scale/tests.inc"
};
#undef X

/* Every test, by name: the first member of a struct wis_test. */
extern const struct workload_test *const wis_tests[WIS_TESTS_NR];

#endif
