// SPDX-License-Identifier: GPL-2.0-only
/* Page faults and context switches of an operation, from the resource usage of the tasks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "workload/will_it_scale/driver.h"

#include "workload/will_it_scale/will_it_scale.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#if defined(__SANITIZE_ADDRESS__)
#define SHADOW_FAULTS 0.13 /* a byte of shadow for eight */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SHADOW_FAULTS 0.13
#endif
#endif
#ifndef SHADOW_FAULTS
#define SHADOW_FAULTS 0.0
#endif

struct usage {
	long faults, switches;
};

static struct usage usage_of(const char *test, uint64_t ops)
{
	struct wis_config config = {
		.test = (const struct wis_test *)workload_find_test(&will_it_scale_workload, test),
		.nr_task = 1,
		.affinity = AFFINITY_PU,
	};
	struct rusage before, after;
	uint64_t count;
	struct err err;

	getrusage(RUSAGE_CHILDREN, &before);
	if (wis_drive_ops(&config, ops, &count, &err))
		fail_msg("%s", err.msg);
	getrusage(RUSAGE_CHILDREN, &after);
	return (struct usage){
		.faults = after.ru_minflt - before.ru_minflt + after.ru_majflt - before.ru_majflt,
		.switches = after.ru_nvcsw - before.ru_nvcsw + after.ru_nivcsw - before.ru_nivcsw,
	};
}

static void test_page_faults_of_an_operation(void **state)
{
	static const struct {
		const char *test;
		double least, most;
	} cases[] = {
		{"page_fault1", 0.99, 1.05},
		{"page_fault2", 0.99, 1.05},
		/* the kernel may map neighbours that are in the page cache as well */
		{"page_fault3", 0.001, 1.05},
		{"page_fault4", 0.001, 1.05},
		{"tlb_flush1", 1.05, 2.1},
		{"tlb_flush2", 1.95, 2.1},
		{"tlb_flush3", 1.05, 2.1},
		{"mmap1", 0, 0.05},
		{"getppid1", 0, 0.05},
	};

	(void)state;
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		long few = usage_of(cases[i].test, 500).faults;
		long many = usage_of(cases[i].test, 8500).faults;
		double faults = (double)(many - few) / 8000;

		if (faults < cases[i].least || faults > cases[i].most + SHADOW_FAULTS)
			fail_msg("%s: %g faults an operation", cases[i].test, faults);
	}
}

/* The task waits for its partner once a round trip, and the partner for the task. */
static void test_context_switch1_switches_once_an_operation(void **state)
{
	long few = usage_of("context_switch1", 1000).switches;
	long many = usage_of("context_switch1", 21000).switches;

	(void)state;
	/* others may push in: a switch more */
	if (many - few < 19500 || many - few > 30000)
		fail_msg("%ld switches for 20000 operations", many - few);
}

static void test_a_pipe_of_ones_own_does_not_switch(void **state)
{
	long few = usage_of("pipe1", 1000).switches;
	long many = usage_of("pipe1", 21000).switches;

	(void)state;
	assert_true(many - few < 2000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_page_faults_of_an_operation),
		cmocka_unit_test(test_context_switch1_switches_once_an_operation),
		cmocka_unit_test(test_a_pipe_of_ones_own_does_not_switch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
