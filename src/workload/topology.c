// SPDX-License-Identifier: GPL-2.0-only
#include "workload/topology.h"

#include <errno.h>

static int load(hwloc_topology_t topology, hwloc_cpuset_t allowed)
{
	if (hwloc_topology_load(topology) ||
	    hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_THREAD))
		return -1;
	return hwloc_topology_restrict(topology, allowed, 0);
}

int topology_load(hwloc_topology_t *topology, hwloc_cpuset_t *allowed, struct err *err)
{
	hwloc_topology_t loaded;
	hwloc_cpuset_t cpus;

	if (hwloc_topology_init(&loaded))
		return err_set_errno(err, errno, "CPU topology: cannot be read");
	cpus = hwloc_bitmap_alloc();
	if (!cpus)
		out_of_memory();
	if (load(loaded, cpus)) {
		err_set_errno(err, errno, "CPU topology: cannot be read");
		hwloc_topology_destroy(loaded);
		hwloc_bitmap_free(cpus);
		return -1;
	}
	*topology = loaded;
	*allowed = cpus;
	return 0;
}
