/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WORKLOAD_AUTONUMA_NODES_H
#define WORKLOAD_AUTONUMA_NODES_H
/* Which NUMA nodes the tests of autonuma-benchmark use, and what belongs on which. */
#include "workload/autonuma.h"

#include <hwloc.h>

struct numa_node {
	hwloc_cpuset_t cpus;
	hwloc_nodeset_t node;
	int number; /* the kernel's */
	int64_t bytes;
};

/* The nodes that have both CPUs and memory, in order of their numbers. */
struct numa_nodes {
	hwloc_topology_t topology;
	struct numa_node *v;
	int nr, alloc;
	int left_out; /* nodes without CPUs or without memory */
	int cpus; /* of all nodes */
};

/* This machine's, as far as the calling process may use its CPUs. */
int numa_nodes_read(struct numa_nodes *nodes, struct err *err);

/*
 * Those of a loaded topology, which numa_nodes_release() destroys. keep(cpus, number) takes out of a node's CPUs
 * what the kernel does not count as the node's: hwloc gives a node without CPUs (memory on an expander) those of
 * the nodes near it. NULL: nothing is taken out.
 */
typedef void numa_keep(hwloc_cpuset_t cpus, int number);
void numa_nodes_take(struct numa_nodes *nodes, hwloc_topology_t topology, numa_keep *keep);

void numa_nodes_release(struct numa_nodes *nodes); /* takes a zeroed one */

/* Work is cut into parts of equal size; a part belongs on the nodes from `from` to `to` - 1 (places in v). */
struct numa_span {
	int from, to;
};
struct numa_span numa_span_of(int part, int parts, int nodes);

/* The part in whose place the memory of a part goes: another's if bind is NUMA_INVERSE. */
int numa_memory_part(enum numa_bind bind, int part, int parts);

/* Binds the calling thread, and those it will start, to the CPUs of a span; its new memory to another. */
int numa_bind_thread(const struct numa_nodes *nodes, struct numa_span cpus, struct numa_span memory,
		     struct err *err);

/*
 * Refuses one node (unless config->one_node) and too little memory: `available` bytes in all (-1: not known),
 * or a node's on which more is to be bound.
 */
int numa_check(const struct numa_config *config, const struct numa_nodes *nodes, int64_t available,
	       struct err *err);

#endif
