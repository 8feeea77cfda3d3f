/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WORKLOAD_WILL_IT_SCALE_PLACEMENT_H
#define WORKLOAD_WILL_IT_SCALE_PLACEMENT_H
/*
 * Which CPUs a task runs on. Cores and processing units (hardware threads) are numbered as hwloc does, so
 * that neighbours are near each other: node after node, core after core.
 */
#include "base/err.h"

#include <hwloc.h>

enum affinity {
	AFFINITY_CORE, /* task i on all hardware threads of core i; with more tasks than cores again from core 0 */
	AFFINITY_PU, /* task i on hardware thread i: both threads of a core before the next core */
	AFFINITY_NONE, /* wherever the scheduler wants */
};

struct placement {
	hwloc_topology_t topology;
	enum affinity affinity;
	hwloc_cpuset_t saved; /* where the caller may run */
};

/* Only CPUs that the calling process may run on are used. */
int placement_init(struct placement *placement, enum affinity affinity, struct err *err);
void placement_release(struct placement *placement); /* takes a zeroed one */

/*
 * The CPUs of a task, a part of the topology: not to be freed. NULL: wherever it may. The topology need not
 * be this machine's.
 */
hwloc_const_cpuset_t placement_cpus(hwloc_topology_t topology, enum affinity affinity, int task);

/*
 * Moves the calling thread to where the task shall run. What it starts there begins there, with its stack and
 * kernel structures in the near memory.
 */
int placement_move_to(const struct placement *placement, int task, struct err *err);
void placement_move_back(const struct placement *placement);

#endif
