// SPDX-License-Identifier: GPL-2.0-only
#include "workload/autonuma_nodes.h"

#include "workload/topology.h"

#include <errno.h>
#include <numa.h>

static void keep_kernels_cpus(hwloc_cpuset_t cpus, int number)
{
	struct bitmask *mask = numa_allocate_cpumask();

	if (numa_node_to_cpus(number, mask) == 0) {
		hwloc_cpuset_t kernels = hwloc_bitmap_alloc();

		for (unsigned cpu = 0; cpu < mask->size; cpu++)
			if (numa_bitmask_isbitset(mask, cpu))
				hwloc_bitmap_set(kernels, cpu);
		hwloc_bitmap_and(cpus, cpus, kernels);
		hwloc_bitmap_free(kernels);
	}
	numa_free_cpumask(mask);
}

static void take_node(struct numa_nodes *nodes, hwloc_obj_t object, numa_keep *keep)
{
	struct numa_node node = {
		.cpus = hwloc_bitmap_dup(object->cpuset),
		.node = hwloc_bitmap_dup(object->nodeset),
		.number = (int)object->os_index,
		.bytes = (int64_t)object->attr->numanode.local_memory,
	};

	if (keep)
		keep(node.cpus, node.number);
	if (hwloc_bitmap_iszero(node.cpus) || !node.bytes) {
		hwloc_bitmap_free(node.cpus);
		hwloc_bitmap_free(node.node);
		nodes->left_out++;
		return;
	}
	GROW(nodes->v, nodes->nr, nodes->alloc);
	nodes->v[nodes->nr++] = node;
	nodes->cpus += hwloc_bitmap_weight(node.cpus);
}

static int by_number(const void *a, const void *b)
{
	const struct numa_node *p = a, *q = b;

	return p->number - q->number;
}

void numa_nodes_take(struct numa_nodes *nodes, hwloc_topology_t topology, numa_keep *keep)
{
	hwloc_obj_t object = NULL;

	*nodes = (struct numa_nodes){.topology = topology};
	while ((object = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, object)))
		take_node(nodes, object, keep);
	if (nodes->nr)
		qsort(nodes->v, (size_t)nodes->nr, sizeof(*nodes->v), by_number);
}

int numa_nodes_read(struct numa_nodes *nodes, struct err *err)
{
	hwloc_topology_t topology;
	hwloc_cpuset_t allowed;

	*nodes = (struct numa_nodes){0};
	if (topology_load(&topology, &allowed, err))
		return -1;
	hwloc_bitmap_free(allowed);
	numa_nodes_take(nodes, topology, numa_available() < 0 ? NULL : keep_kernels_cpus);
	return 0;
}

void numa_nodes_release(struct numa_nodes *nodes)
{
	for (int i = 0; i < nodes->nr; i++) {
		hwloc_bitmap_free(nodes->v[i].cpus);
		hwloc_bitmap_free(nodes->v[i].node);
	}
	free(nodes->v);
	if (nodes->topology)
		hwloc_topology_destroy(nodes->topology);
	*nodes = (struct numa_nodes){0};
}

struct numa_span numa_span_of(int part, int parts, int nodes)
{
	struct numa_span span = {
		.from = (int)((int64_t)part * nodes / parts),
		.to = (int)((int64_t)(part + 1) * nodes / parts),
	};

	if (span.to <= span.from) /* more parts than nodes: some share one */
		span.to = span.from + 1;
	return span;
}

int numa_memory_part(enum numa_bind bind, int part, int parts)
{
	return bind == NUMA_INVERSE ? parts - 1 - part : part;
}

int numa_bind_thread(const struct numa_nodes *nodes, struct numa_span cpus, struct numa_span memory,
		     struct err *err)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	int status;

	for (int i = cpus.from; i < cpus.to; i++)
		hwloc_bitmap_or(set, set, nodes->v[i].cpus);
	status = hwloc_set_cpubind(nodes->topology, set, HWLOC_CPUBIND_THREAD);
	hwloc_bitmap_zero(set);
	for (int i = memory.from; i < memory.to; i++)
		hwloc_bitmap_or(set, set, nodes->v[i].node);
	if (status == 0)
		status = hwloc_set_membind(nodes->topology, set, HWLOC_MEMBIND_BIND,
					   HWLOC_MEMBIND_THREAD | HWLOC_MEMBIND_STRICT |
						   HWLOC_MEMBIND_BYNODESET);
	if (status)
		err_set_errno(err, errno, "threads or memory cannot be bound to nodes");
	hwloc_bitmap_free(set);
	return status;
}

/* Memory bound to a span of nodes must fit there. */
static int check_span(const struct numa_nodes *nodes, struct numa_span span, int64_t needed,
		      struct err *err)
{
	int64_t bytes = 0;

	for (int i = span.from; i < span.to; i++)
		bytes += nodes->v[i].bytes;
	if (needed <= bytes)
		return 0;
	return err_set(
		err,
		"needs %lld MiB on nodes %d to %d, which have %lld MiB (give a smaller --param mem=)",
		(long long)(needed >> 20), nodes->v[span.from].number, nodes->v[span.to - 1].number,
		(long long)(bytes >> 20));
}

int numa_check(const struct numa_config *config, const struct numa_nodes *nodes, int64_t available,
	       struct err *err)
{
	const struct numa_test *test = config->test;
	int processes = numa_processes(test);
	int parts = test->two_processes ? 2 : nodes->nr;
	int64_t needed = config->mem * processes;

	if (nodes->nr < 2 && !config->one_node)
		return err_set(
			err,
			"needs two NUMA nodes with CPUs and memory, here %s %d "
			"(--vm-nodes 2 makes them in a virtual machine, --param one_node=allow does without)",
			nodes->nr == 1 ? "is" : "are", nodes->nr);
	if (!nodes->nr)
		return err_set(err, "no NUMA node has both CPUs and memory");
	if (available >= 0 && needed > available)
		return err_set(err,
			       "needs %lld MiB of memory, %lld MiB are available "
			       "(give a smaller --param mem=)",
			       (long long)(needed >> 20), (long long)(available >> 20));
	for (int i = 0; test->bind != NUMA_FREE && i < parts; i++)
		if (check_span(nodes, numa_span_of(i, parts, nodes->nr), needed / parts, err))
			return -1;
	return 0;
}
