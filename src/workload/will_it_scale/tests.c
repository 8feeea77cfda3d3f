// SPDX-License-Identifier: GPL-2.0-only
#include "workload/will_it_scale/will_it_scale.h"

#include "workload/will_it_scale/test.h"

#define X(name) &wis_##name.base,
const struct workload_test *const wis_tests[WIS_TESTS_NR] = {
#include "workload/will_it_scale/tests.inc"
};
#undef X
