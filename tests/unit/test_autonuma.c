// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "workload/autonuma.h"

#include "workload_fixture.h"

#include <sys/prctl.h>
#include <unistd.h>

static void test_threads_and_sizes_are_the_suites(void **state)
{
	static const struct {
		const char *test;
		int processes, threads_of_8_cpus, threads_of_1_cpu;
		const char *mem, *loops;
	} cases[] = {
		{"numa01", 2, 4, 1, "3G", "50"},
		{"numa01_HARD_BIND", 2, 4, 1, "3G", "50"},
		{"numa01_INVERSE_BIND", 2, 4, 1, "3G", "50"},
		{"numa01_THREAD_ALLOC", 2, 4, 1, "3G", "1000"},
		{"numa01_THREAD_ALLOC_HARD_BIND", 2, 4, 1, "3G", "1000"},
		{"numa01_THREAD_ALLOC_INVERSE_BIND", 2, 4, 1, "3G", "1000"},
		{"numa02", 1, 8, 1, "1G", "800"},
		{"numa02_HARD_BIND", 1, 8, 1, "1G", "800"},
		{"numa02_INVERSE_BIND", 1, 8, 1, "1G", "800"},
		{"numa02_SMT", 1, 4, 1, "1G", "800"},
		{"numa02_SMT_HARD_BIND", 1, 4, 1, "1G", "800"},
		{"numa02_SMT_INVERSE_BIND", 1, 4, 1, "1G", "800"},
	};

	(void)state;
	assert_int_equal(autonuma_workload.tests_nr, ARRAY_SIZE(cases));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct numa_test *test = (const struct numa_test *)workload_find_test(
			&autonuma_workload, cases[i].test);

		assert_non_null(test);
		assert_int_equal(numa_processes(test), cases[i].processes);
		assert_int_equal(numa_threads(test, 8), cases[i].threads_of_8_cpus);
		assert_int_equal(numa_threads(test, 1), cases[i].threads_of_1_cpu);
		assert_string_equal(test->mem, cases[i].mem);
		assert_string_equal(test->loops, cases[i].loops);
		assert_int_equal(test->bind, ends_with(cases[i].test, "_HARD_BIND") ? NUMA_HARD
					     : ends_with(cases[i].test, "_INVERSE_BIND")
						     ? NUMA_INVERSE
						     : NUMA_FREE);
		assert_int_equal(test->own_part,
				 !starts_with(cases[i].test, "numa01") ||
					 strstr(cases[i].test, "THREAD_ALLOC") != NULL);
	}
}

static void test_bad_parameters_are_refused(void **state)
{
	static const struct {
		const char *params, *message;
	} cases[] = {
		{"nr_task=4", "nr_task: no such parameter; there are mem, loops, one_node"},
		{"mem=1K", "mem=1K: give a size from 1048576 bytes to 1024T, as 3G, 512M or 64K"},
		/* two processes of that size would be more than a number can hold */
		{"mem=5000000T",
		 "mem=5000000T: give a size from 1048576 bytes to 1024T, as 3G, 512M or 64K"},
		{"mem=1025T",
		 "mem=1025T: give a size from 1048576 bytes to 1024T, as 3G, 512M or 64K"},
		{"mem=-1", "mem=-1: give a size from 1048576 bytes to 1024T, as 3G, 512M or 64K"},
		{"mem=99999999999999999999",
		 "mem=99999999999999999999: give a size from 1048576 bytes to 1024T, as 3G, 512M or 64K"},
		{"loops=0", "loops=0: give a whole number from 1 to 1000000000"},
		{"one_node=yes", "one_node=yes: give one of refuse, allow"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fixture f;

		assert_int_equal(
			fixture_prepare(&f, "autonuma-benchmark", "numa01", cases[i].params), -1);
		assert_string_equal(f.err.msg, cases[i].message);
		fixture_release(&f);
	}
}

static double cpu_s(const struct fixture *f)
{
	const struct rusage *usage = &f->result.rusage;

	return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
	       (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

static void check_run(const char *test)
{
	char metric[128];
	struct fixture f;
	double seconds, min, max;

	fixture_run_ok(&f, "autonuma-benchmark", test, "mem=8M loops=3 one_node=allow");
	assert_int_equal(f.begins, 1);
	assert_int_equal(f.ends, 1);
	assert_int_equal(f.run.values_nr, 3);
	snprintf(metric, sizeof(metric), "autonuma-benchmark.%s.seconds", test);
	seconds = fixture_float(&f, metric);
	snprintf(metric, sizeof(metric), "autonuma-benchmark.%s.thread_min_seconds", test);
	min = fixture_float(&f, metric);
	snprintf(metric, sizeof(metric), "autonuma-benchmark.%s.thread_max_seconds", test);
	max = fixture_float(&f, metric);
	assert_true(min > 0 && min <= max && max <= seconds && seconds <= f.result.wall_s);
	fixture_release(&f);
}

static void test_every_test_runs(void **state)
{
	(void)state;
	for (int i = 0; i < autonuma_workload.tests_nr; i++)
		check_run(autonuma_workload.tests[i]->name);
}

/*
 * No processor writes 300 GB a second to memory or cache (64 bytes a cycle at 4.7 GHz): with less processor time
 * than that the memory was not zeroed as often as it should.
 */
static void test_the_loops_are_really_done(void **state)
{
	static const struct {
		const char *test, *params;
		double bytes_of_thread; /* of each thread, bytes it zeroes */
	} cases[] = {
		{"numa02_SMT", "mem=4M loops=2000 one_node=allow", 2000 * 4194304.0},
		{"numa01_THREAD_ALLOC", "mem=4M loops=2000 one_node=allow", 2 * 2000 * 4194304.0},
		{"numa01", "mem=4M loops=1000 one_node=allow", 2 * 1000 * 4194304.0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fixture f;

		fixture_run_ok(&f, "autonuma-benchmark", cases[i].test, cases[i].params);
		if (cpu_s(&f) < cases[i].bytes_of_thread / 300e9)
			fail_msg("%s: %g s", cases[i].test, cpu_s(&f));
		fixture_release(&f);
	}
}

static int without_huge_pages(const void *arg, struct child_io *io)
{
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	return fixture_work(arg, io);
}

static void test_all_memory_is_touched(void **state)
{
	static const struct {
		const char *test;
		long mib;
	} cases[] = {
		{"numa01", 64}, {"numa01_THREAD_ALLOC", 64}, {"numa02", 32}, {"numa02_SMT", 32}};
	long page_kib = sysconf(_SC_PAGESIZE) / 1024;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fixture f;
		long pages = cases[i].mib * 1024 / page_kib;

		fixture_prepare(&f, "autonuma-benchmark", cases[i].test,
				"mem=32M loops=2 one_node=allow");
		fixture_run(&f, without_huge_pages, 60);
		assert_int_equal(f.result.status, RUN_OK);
		/* threads meet at the same page now and then: both count a fault */
		if (f.result.rusage.ru_minflt < pages ||
		    f.result.rusage.ru_minflt > 2 * pages + 4000)
			fail_msg("%s: %ld faults, %ld pages", cases[i].test,
				 f.result.rusage.ru_minflt, pages);
		fixture_release(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads_and_sizes_are_the_suites),
		cmocka_unit_test(test_bad_parameters_are_refused),
		cmocka_unit_test(test_every_test_runs),
		cmocka_unit_test(test_the_loops_are_really_done),
		cmocka_unit_test(test_all_memory_is_touched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
