// SPDX-License-Identifier: GPL-2.0-only
#include "workload/will_it_scale/placement.h"

#include "workload/topology.h"

#include <errno.h>

int placement_init(struct placement *placement, enum affinity affinity, struct err *err)
{
	*placement = (struct placement){.affinity = affinity};
	if (affinity == AFFINITY_NONE ||
	    topology_load(&placement->topology, &placement->saved, err) == 0)
		return 0;
	return err_set(err, "%s (try affinity=none)", err->msg);
}

void placement_release(struct placement *placement)
{
	if (placement->topology)
		hwloc_topology_destroy(placement->topology);
	if (placement->saved)
		hwloc_bitmap_free(placement->saved);
	*placement = (struct placement){0};
}

hwloc_const_cpuset_t placement_cpus(hwloc_topology_t topology, enum affinity affinity, int task)
{
	hwloc_obj_type_t type = affinity == AFFINITY_CORE ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
	hwloc_obj_t object;
	int nr;

	if (affinity == AFFINITY_NONE)
		return NULL;
	if (hwloc_get_nbobjs_by_type(topology, type) <= 0)
		type = HWLOC_OBJ_PU; /* some virtual machines do not say what a core is */
	nr = hwloc_get_nbobjs_by_type(topology, type);
	object = nr > 0 ? hwloc_get_obj_by_type(topology, type, (unsigned)(task % nr)) : NULL;
	return object ? object->cpuset : NULL;
}

int placement_move_to(const struct placement *placement, int task, struct err *err)
{
	hwloc_const_cpuset_t cpus = placement_cpus(placement->topology, placement->affinity, task);
	char *list = NULL;

	if (!cpus || hwloc_set_cpubind(placement->topology, cpus, HWLOC_CPUBIND_THREAD) == 0)
		return 0;
	hwloc_bitmap_list_asprintf(&list, cpus);
	err_set_errno(err, errno, "task %d cannot be bound to CPU %s (try affinity=none)", task,
		      list ? list : "?");
	free(list);
	return -1;
}

void placement_move_back(const struct placement *placement)
{
	if (placement->affinity != AFFINITY_NONE)
		hwloc_set_cpubind(placement->topology, placement->saved, HWLOC_CPUBIND_THREAD);
}
