// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "workload/autonuma_nodes.h"

#include "base/strbuf.h"
#include "workload/param.h"

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

static void test_what_does_not_fit_is_refused(void **state)
{
	static const struct {
		const char *topology, *test;
		int64_t mem, available;
		bool one_node;
		const char *message; /* NULL: fits */
	} cases[] = {
		{"node:1(memory=99GiB) pu:4", "numa01", GIB, 99 * GIB, false,
		 "needs two NUMA nodes with CPUs and memory, here is 1 (--vm-nodes 2 makes them in "
		 "a virtual machine, --param one_node=allow does without)"},
		{"node:1(memory=99GiB) pu:4", "numa01", GIB, 99 * GIB, true, NULL},
		{"node:2(memory=4GiB) pu:4", "numa01", 3 * GIB, 7 * GIB, false, NULL},
		{"node:2(memory=4GiB) pu:4", "numa01", 3 * GIB, 5 * GIB, false,
		 "needs 6144 MiB of memory, 5120 MiB are available (give a smaller --param mem=)"},
		{"node:2(memory=4GiB) pu:4", "numa01", 3 * GIB, -1, false, NULL},
		{"node:2(memory=4GiB) pu:4", "numa01", PARAM_BYTES_MAX, 5 * GIB, false,
		 "needs 2147483648 MiB of memory, 5120 MiB are available (give a smaller --param mem=)"},
		{"node:2(memory=2GiB) pu:4", "numa01_HARD_BIND", 3 * GIB, 99 * GIB, false,
		 "needs 3072 MiB on nodes 0 to 0, which have 2048 MiB (give a smaller --param mem=)"},
		{"node:4(memory=2GiB) pu:4", "numa01_HARD_BIND", 3 * GIB, 99 * GIB, false, NULL},
		{"node:4(memory=1GiB) pu:4", "numa01_INVERSE_BIND", 3 * GIB, 99 * GIB, false,
		 "needs 3072 MiB on nodes 0 to 1, which have 2048 MiB (give a smaller --param mem=)"},
		{"node:2(memory=2GiB) pu:4", "numa01", 3 * GIB, 99 * GIB, false, NULL},
		{"node:4(memory=1GiB) pu:4", "numa02_HARD_BIND", 4 * GIB, 99 * GIB, false, NULL},
		{"node:4(memory=1GiB) pu:4", "numa02_HARD_BIND", 5 * GIB, 99 * GIB, false,
		 "needs 1280 MiB on nodes 0 to 0, which have 1024 MiB (give a smaller --param mem=)"},
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nodes_of_a_topology),
		cmocka_unit_test(test_nodes_without_cpus_or_without_memory_are_left_out),
		cmocka_unit_test(test_this_machine_has_a_node_with_all_its_cpus),
		cmocka_unit_test(test_parts_spread_over_nodes),
		cmocka_unit_test(test_spans_cover_all_nodes),
		cmocka_unit_test(test_inverse_binding_puts_memory_elsewhere),
		cmocka_unit_test(test_what_does_not_fit_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
