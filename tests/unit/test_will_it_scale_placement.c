// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "workload/will_it_scale/placement.h"

#include "base/strbuf.h"

#include <sched.h>

static hwloc_topology_t synthetic(const char *description)
{
	hwloc_topology_t topology;

	if (hwloc_topology_init(&topology) || hwloc_topology_set_synthetic(topology, description) ||
	    hwloc_topology_load(topology))
		fail_msg("%s", description);
	return topology;
}

/* CPUs of tasks 0, 1, ... as "0-1 2-3" */
static void places(hwloc_topology_t topology, enum affinity affinity, int tasks, struct strbuf *out)
{
	for (int i = 0; i < tasks; i++) {
		char list[64];

		hwloc_bitmap_list_snprintf(list, sizeof(list),
					   placement_cpus(topology, affinity, i));
		strbuf_addf(out, "%s%s", i ? " " : "", list);
	}
}

static void test_tasks_are_placed_in_the_order_of_the_topology(void **state)
{
	static const struct {
		const char *topology;
		enum affinity affinity;
		int tasks;
		const char *places;
	} cases[] = {
		{"core:4 pu:1", AFFINITY_CORE, 6, "0 1 2 3 0 1"},
		{"core:2 pu:2", AFFINITY_CORE, 3, "0-1 2-3 0-1"},
		{"core:2 pu:2", AFFINITY_PU, 5, "0 1 2 3 0"},
		/* the kernel's usual numbers: hardware threads of a core are far apart */
		{"core:4 pu:2(indexes=core:pu)", AFFINITY_CORE, 5, "0,4 1,5 2,6 3,7 0,4"},
		{"core:4 pu:2(indexes=core:pu)", AFFINITY_PU, 8, "0 4 1 5 2 6 3 7"},
		/* two packages: the first is filled before the second */
		{"package:2 core:2 pu:2(indexes=0,4,2,6,1,5,3,7)", AFFINITY_CORE, 4,
		 "0,4 2,6 1,5 3,7"},
		{"pu:3", AFFINITY_CORE, 4, "0 1 2 0"}, /* cores are not known */
		{"pu:1", AFFINITY_PU, 2, "0 0"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		hwloc_topology_t topology = synthetic(cases[i].topology);
		struct strbuf got = STRBUF_INIT;

		places(topology, cases[i].affinity, cases[i].tasks, &got);
		if (!streq(got.buf, cases[i].places))
			fail_msg("%s: %s", cases[i].topology, got.buf);
		assert_null(placement_cpus(topology, AFFINITY_NONE, 0));
		strbuf_release(&got);
		hwloc_topology_destroy(topology);
	}
}

static int cpus_allowed(void)
{
	cpu_set_t set;

	assert_int_equal(sched_getaffinity(0, sizeof(set), &set), 0);
	return CPU_COUNT(&set);
}

static void test_the_caller_moves_and_comes_back(void **state)
{
	struct placement placement;
	struct err err;
	int before = cpus_allowed();

	(void)state;
	assert_int_equal(placement_init(&placement, AFFINITY_PU, &err), 0);
	assert_int_equal(placement_move_to(&placement, 1, &err), 0);
	assert_int_equal(cpus_allowed(), 1);
	placement_move_back(&placement);
	assert_int_equal(cpus_allowed(), before);
	placement_release(&placement);
	placement_release(&placement);
}

static void test_only_cpus_that_the_caller_may_use_are_used(void **state)
{
	struct placement placement;
	cpu_set_t before, one, now;
	struct err err;
	int cpu = 0;

	(void)state;
	sched_getaffinity(0, sizeof(before), &before);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &before))
			cpu = i; /* the last */
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
	assert_int_equal(placement_init(&placement, AFFINITY_CORE, &err), 0);
	for (int task = 0; task < 3; task++) {
		assert_int_equal(placement_move_to(&placement, task, &err), 0);
		sched_getaffinity(0, sizeof(now), &now);
		assert_true(CPU_EQUAL(&now, &one));
	}
	placement_release(&placement);
	sched_setaffinity(0, sizeof(before), &before);
}

static void test_without_affinity_nothing_is_bound(void **state)
{
	struct placement placement;
	struct err err;
	int before = cpus_allowed();

	(void)state;
	assert_int_equal(placement_init(&placement, AFFINITY_NONE, &err), 0);
	assert_int_equal(placement_move_to(&placement, 0, &err), 0);
	assert_int_equal(cpus_allowed(), before);
	placement_move_back(&placement);
	placement_release(&placement);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tasks_are_placed_in_the_order_of_the_topology),
		cmocka_unit_test(test_the_caller_moves_and_comes_back),
		cmocka_unit_test(test_only_cpus_that_the_caller_may_use_are_used),
		cmocka_unit_test(test_without_affinity_nothing_is_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
