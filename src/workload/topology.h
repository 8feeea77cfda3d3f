/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WORKLOAD_TOPOLOGY_H
#define WORKLOAD_TOPOLOGY_H
/* This machine's CPUs and NUMA nodes, as far as the calling thread may run there. */
#include "base/err.h"

#include <hwloc.h>

/*
 * hwloc_topology_destroy() and hwloc_bitmap_free() take both; neither is set if it fails. allowed: the CPUs
 * that the calling thread may run on, and the topology holds no others.
 */
int topology_load(hwloc_topology_t *topology, hwloc_cpuset_t *allowed, struct err *err);

#endif
