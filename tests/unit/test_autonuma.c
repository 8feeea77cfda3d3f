// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "workload/autonuma_nodes.h"

#include "helpers.h"
#include "workload_fixture.h"

#include <sys/prctl.h>
#include <unistd.h>

#define GIB ((int64_t)1 << 30)

static void take(struct numa_nodes *nodes, const char *description, numa_keep *keep)
{
	hwloc_topology_t topology;

	if (hwloc_topology_init(&topology) || hwloc_topology_set_synthetic(topology, description) ||
	    hwloc_topology_load(topology))
		fail_msg("%s", description);
	numa_nodes_take(nodes, topology, keep);
}

/* "node:cpus=bytes", e.g. "0:0-1=1024 1:2-3=1024" */
static void describe(const struct numa_nodes *nodes, struct strbuf *out)
{
	for (int i = 0; i < nodes->nr; i++) {
		char list[64];

		hwloc_bitmap_list_snprintf(list, sizeof(list), nodes->v[i].cpus);
		strbuf_addf(out, "%s%d:%s=%lld", i ? " " : "", nodes->v[i].number, list,
			    (long long)nodes->v[i].bytes);
	}
}

static void test_nodes_of_a_topology(void **state)
{
	static const struct {
		const char *topology, *nodes;
		int cpus;
	} cases[] = {
		{"node:2(memory=1024) core:2 pu:1", "0:0-1=1024 1:2-3=1024", 4},
		{"node:1(memory=1024) core:2 pu:2", "0:0-3=1024", 4},
		{"node:4(memory=7) pu:2(indexes=0,4,1,5,2,6,3,7)",
		 "0:0,4=7 1:1,5=7 2:2,6=7 3:3,7=7", 8},
		/* numbers with gaps, the order of the topology is not that of the numbers */
		{"node:2(memory=9 indexes=8,4) pu:1", "4:1=9 8:0=9", 2},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf got = STRBUF_INIT;
		struct numa_nodes nodes;

		take(&nodes, cases[i].topology, NULL);
		describe(&nodes, &got);
		if (!streq(got.buf, cases[i].nodes))
			fail_msg("%s: %s", cases[i].topology, got.buf);
		assert_int_equal(nodes.cpus, cases[i].cpus);
		assert_int_equal(nodes.left_out, 0);
		strbuf_release(&got);
		numa_nodes_release(&nodes);
		numa_nodes_release(&nodes);
	}
}

/* A machine, given all its sets, of nodes 0 and 1 with a CPU each; only node 0 has memory. */
#define SETS(cpus, nodes)                                                                          \
	"cpuset=\"" cpus "\" complete_cpuset=\"" cpus "\" nodeset=\"" nodes                        \
	"\" complete_nodeset=\"" nodes "\" "
static const char no_memory_on_1[] =
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	"<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
	"<topology version=\"2.0\">\n"
	"<object type=\"Machine\" os_index=\"0\" " SETS(
		"0x3",
		"0x3") "allowed_cpuset=\"0x3\" allowed_nodeset=\"0x3\" gp_index=\"1\">\n"
		       "<object type=\"Package\" os_index=\"0\" " SETS(
			       "0x1",
			       "0x1") "gp_index=\"2\">\n"
				      "<object type=\"NUMANode\" os_index=\"0\" " SETS(
					      "0x1",
					      "0x1") "gp_index=\"3\" local_memory=\"1024\"/>\n"
						     "<object type=\"PU\" os_index=\"0\" " SETS(
							     "0x1",
							     "0x1") "gp_index=\"4\"/>\n"
								    "</object>\n"
								    "<object type=\"Package\" os_index=\"1\" " SETS(
									    "0x2",
									    "0x2") "gp_index=\"5\">\n"
										   "<object type=\"NUMANode\" os_index=\"1\" " SETS(
											   "0x2",
											   "0x2") "gp_index=\"6\"/>\n"
												  "<object type=\"PU\" os_index=\"1\" " SETS(
													  "0x2",
													  "0x2") "gp_index=\"7\"/>\n"
														 "</object>\n</object>\n</topology>\n";

static void take_xml(struct numa_nodes *nodes, const char *xml)
{
	hwloc_topology_t topology;

	if (hwloc_topology_init(&topology) ||
	    hwloc_topology_set_xmlbuffer(topology, xml, (int)strlen(xml) + 1) ||
	    hwloc_topology_load(topology))
		fail_msg("bad XML");
	numa_nodes_take(nodes, topology, NULL);
}

/* The kernel's word on the topology below: node 3 is memory for all, with no CPU of its own. */
static void node_3_has_no_cpus(hwloc_cpuset_t cpus, int number)
{
	if (number == 3)
		hwloc_bitmap_zero(cpus);
}

static void test_nodes_without_cpus_or_without_memory_are_left_out(void **state)
{
	static const char expander[] =
		"[numanode(memory=4096)] group:3 [numanode(memory=1024)] pu:1";
	struct strbuf got = STRBUF_INIT;
	struct numa_nodes nodes;

	(void)state;
	take(&nodes, expander, NULL);
	assert_int_equal(nodes.nr, 4); /* so it is the kernel's word that counts */
	numa_nodes_release(&nodes);
	take(&nodes, expander, node_3_has_no_cpus);
	describe(&nodes, &got);
	assert_string_equal(got.buf, "0:0=1024 1:1=1024 2:2=1024");
	assert_int_equal(nodes.left_out, 1);
	assert_int_equal(nodes.cpus, 3);
	numa_nodes_release(&nodes);
	take_xml(&nodes, no_memory_on_1);
	strbuf_reset(&got);
	describe(&nodes, &got);
	assert_string_equal(got.buf, "0:0=1024");
	assert_int_equal(nodes.left_out, 1);
	strbuf_release(&got);
	numa_nodes_release(&nodes);
}

static void test_this_machine_has_a_node_with_all_its_cpus(void **state)
{
	struct numa_nodes nodes;
	struct err err;

	(void)state;
	assert_int_equal(numa_nodes_read(&nodes, &err), 0);
	assert_true(nodes.nr >= 1);
	assert_true(nodes.cpus >= 1);
	assert_true(nodes.v[0].bytes > 1 << 20);
	numa_nodes_release(&nodes);
}

static void test_parts_spread_over_nodes(void **state)
{
	static const struct {
		int parts, nodes;
		const char *spans;
	} cases[] = {
		{2, 2, "0-1 1-2"}, /* numa01: a process on each half of the nodes */
		{2, 4, "0-2 2-4"},
		{2, 3, "0-1 1-3"},
		{2, 1, "0-1 0-1"},
		{4, 4, "0-1 1-2 2-3 3-4"},
		{8, 2, "0-1 0-1 0-1 0-1 1-2 1-2 1-2 1-2"}, /* numa02: threads, node after node */
		{3, 2, "0-1 0-1 1-2"},
		{5, 3, "0-1 0-1 1-2 1-2 2-3"},
		{1, 4, "0-4"},
		{2, 8, "0-4 4-8"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf got = STRBUF_INIT;

		for (int part = 0; part < cases[i].parts; part++) {
			struct numa_span span = numa_span_of(part, cases[i].parts, cases[i].nodes);

			strbuf_addf(&got, "%s%d-%d", part ? " " : "", span.from, span.to);
		}
		if (!streq(got.buf, cases[i].spans))
			fail_msg("%d on %d: %s", cases[i].parts, cases[i].nodes, got.buf);
		strbuf_release(&got);
	}
}

/* However many parts there are, every node gets some and no place lies outside. */
static void check_spans(int parts, int nodes)
{
	int covered = 0;

	for (int part = 0; part < parts; part++) {
		struct numa_span span = numa_span_of(part, parts, nodes);

		assert_true(span.from >= 0 && span.from <= covered);
		assert_true(span.from < span.to && span.to <= nodes);
		if (span.to > covered)
			covered = span.to;
	}
	assert_int_equal(covered, nodes);
}

static void test_spans_cover_all_nodes(void **state)
{
	(void)state;
	for (int nodes = 1; nodes <= 9; nodes++)
		for (int parts = 1; parts <= 40; parts++)
			check_spans(parts, nodes);
}

static void test_inverse_binding_puts_memory_elsewhere(void **state)
{
	(void)state;
	assert_int_equal(numa_memory_part(NUMA_HARD, 0, 2), 0);
	assert_int_equal(numa_memory_part(NUMA_INVERSE, 0, 2), 1);
	assert_int_equal(numa_memory_part(NUMA_INVERSE, 1, 2), 0);
	assert_int_equal(numa_memory_part(NUMA_INVERSE, 0, 4), 3);
}

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

static void test_what_does_not_fit_is_refused(void **state)
{
	static const struct {
		const char *topology, *test;
		int64_t mem, available;
		bool one_node;
		const char *message; /* NULL: fits */
	} cases[] = {
		{"node:1(memory=99GiB) pu:4", "numa01", GIB, 99 * GIB, false,
		 "needs two NUMA nodes with CPUs and memory, here is 1 (one_node=allow runs it all "
		 "the same)"},
		{"node:1(memory=99GiB) pu:4", "numa01", GIB, 99 * GIB, true, NULL},
		{"node:2(memory=4GiB) pu:4", "numa01", 3 * GIB, 7 * GIB, false, NULL},
		{"node:2(memory=4GiB) pu:4", "numa01", 3 * GIB, 5 * GIB, false,
		 "needs 6144 MiB of memory, 5120 MiB are available (give a smaller mem=)"},
		{"node:2(memory=4GiB) pu:4", "numa01", 3 * GIB, -1, false, NULL},
		{"node:2(memory=2GiB) pu:4", "numa01_HARD_BIND", 3 * GIB, 99 * GIB, false,
		 "needs 3072 MiB on nodes 0 to 0, which have 2048 MiB (give a smaller mem=)"},
		{"node:4(memory=2GiB) pu:4", "numa01_HARD_BIND", 3 * GIB, 99 * GIB, false, NULL},
		{"node:4(memory=1GiB) pu:4", "numa01_INVERSE_BIND", 3 * GIB, 99 * GIB, false,
		 "needs 3072 MiB on nodes 0 to 1, which have 2048 MiB (give a smaller mem=)"},
		{"node:2(memory=2GiB) pu:4", "numa01", 3 * GIB, 99 * GIB, false, NULL},
		{"node:4(memory=1GiB) pu:4", "numa02_HARD_BIND", 4 * GIB, 99 * GIB, false, NULL},
		{"node:4(memory=1GiB) pu:4", "numa02_HARD_BIND", 5 * GIB, 99 * GIB, false,
		 "needs 1280 MiB on nodes 0 to 0, which have 1024 MiB (give a smaller mem=)"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct numa_config config = {
			.test = (const struct numa_test *)workload_find_test(&autonuma_workload,
									     cases[i].test),
			.mem = cases[i].mem,
			.loops = 1,
			.one_node = cases[i].one_node,
		};
		struct numa_nodes nodes;
		struct err err = {"fits"};
		int status;

		take(&nodes, cases[i].topology, NULL);
		status = numa_check(&config, &nodes, cases[i].available, &err);
		assert_int_equal(status, cases[i].message ? -1 : 0);
		assert_string_equal(err.msg, cases[i].message ? cases[i].message : "fits");
		numa_nodes_release(&nodes);
	}
}

static void test_bad_parameters_are_refused(void **state)
{
	static const struct {
		const char *params, *message;
	} cases[] = {
		{"nr_task=4", "nr_task: no such parameter; there are mem, loops, one_node"},
		{"mem=1K", "mem=1K: give a size of at least 1048576 bytes, as 3G, 512M or 64K"},
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
		cmocka_unit_test(test_nodes_of_a_topology),
		cmocka_unit_test(test_nodes_without_cpus_or_without_memory_are_left_out),
		cmocka_unit_test(test_this_machine_has_a_node_with_all_its_cpus),
		cmocka_unit_test(test_parts_spread_over_nodes),
		cmocka_unit_test(test_spans_cover_all_nodes),
		cmocka_unit_test(test_inverse_binding_puts_memory_elsewhere),
		cmocka_unit_test(test_threads_and_sizes_are_the_suites),
		cmocka_unit_test(test_what_does_not_fit_is_refused),
		cmocka_unit_test(test_bad_parameters_are_refused),
		cmocka_unit_test(test_every_test_runs),
		cmocka_unit_test(test_the_loops_are_really_done),
		cmocka_unit_test(test_all_memory_is_touched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
