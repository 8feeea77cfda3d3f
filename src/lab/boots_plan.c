// SPDX-License-Identifier: GPL-2.0-only
#include "lab/boots.h"

#include "lab/initramfs.h"
#include "lab/modules.h"
#include "workload/workload.h"

#include <unistd.h>

/* The modules are read once more at each boot, as the image is: what is wrong with them is better known now. */
static int check_kernel(const struct boots_config *config, const struct boots_kernel *kernel,
			struct err *err)
{
	const struct modules_config which = {
		.folder = kernel->modules,
		.image = kernel->image,
		.asked = config->modules,
		.serial_only = !vm_has_virtio(&config->vm),
	};
	struct modules modules = {0};
	int status = vm_check_image(kernel->image, err);

	if (status == 0)
		status = modules_find(&modules, &which, err);
	modules_release(&modules);
	return status;
}

/* Known beforehand, and the same in every guest. */
static int check_nodes(const struct boots_config *config, const struct plan *plan, struct err *err)
{
	const char *instead = config->vm.deterministic ? "" : "--vm-nodes 2, or ";

	if (config->vm.nodes > 1 || config->campaign->run.fake_workload)
		return 0;
	for (int i = 0; i < plan->jobs_nr; i++) {
		const struct job *job = &plan->jobs[i];
		const struct workload *workload = workload_find(job->testcase);

		if (workload && workload->needs_nodes && workload->needs_nodes(job))
			return err_set(
				err,
				"%s/%s: one NUMA node has nothing to balance: give %s--param "
				"one_node=allow to run it all the same",
				job->testcase, job->test, instead);
	}
	return 0;
}

/* All of it: what others use now they may give back. */
static int check_memory(const struct boots_config *config, struct err *err)
{
	const int64_t mib = 1 << 20;
	int64_t there = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);

	if (there <= 0 || config->vm.memory_bytes <= there)
		return 0;
	return err_set(err, "--vm-mem: %lld MiB are more than the %lld MiB of this machine",
		       (long long)(config->vm.memory_bytes / mib), (long long)(there / mib));
}

static int check_files(const struct boots_config *config, struct err *err)
{
	const struct initramfs_config files = {.files = config->files,
					       .argv = config->campaign->argv};

	return initramfs_check(&files, err);
}

int boots_plan(const struct boots_config *config, struct plan *plan, struct err *err)
{
	const struct campaign_config *campaign = config->campaign;
	const struct plan_boots how = {
		.kernels = config->kernels_nr,
		.boots = config->boots,
		.iterations = campaign->iterations,
		.order = campaign->order,
		.seed = campaign->seed,
	};

	for (int i = 0; i < config->kernels_nr; i++)
		if (check_kernel(config, &config->kernels[i], err))
			return -1;
	if (vm_check_config(&config->vm, err) || vm_check_qemu(config->vm.qemu, err))
		return -1;
	if (check_memory(config, err) || check_files(config, err) ||
	    campaign_jobs(campaign, plan, err) || check_nodes(config, plan, err))
		return -1;
	return plan_order_boots(plan, &how, err);
}
