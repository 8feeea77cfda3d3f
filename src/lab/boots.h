/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_BOOTS_H
#define LAB_BOOTS_H
/*
 * A campaign over kernels: each is booted in a virtual machine, the boots alternate, and each run is stored as it
 * arrives. A guest that is lost costs the run under way; the others of its boot are done in another boot.
 */
#include "lab/campaign.h"
#include "lab/vm.h"

enum {
	BOOTS_KERNELS_MAX = 8
};

struct boots_kernel {
	const char *image;
	const char *modules; /* the folder of its modules, as in struct modules_config */
	struct commit commit;
};

struct boots_config {
	const struct campaign_config
		*campaign; /* tests, parameters, counters, order; its commit is not used */
	const struct boots_kernel *kernels; /* the first is the baseline */
	int kernels_nr;
	int boots; /* of each kernel */
	struct vm_config vm; /* kernel and initrd are filled in; accel may be VM_AUTO */
	const struct strlist *files; /* --vm-file */
	const struct strlist *modules; /* --vm-module */
	const struct strlist *picks; /* as in struct guest_plan */
	bool resume; /* go on with the newest campaign of the same configuration */
};

/* plan must be zeroed. Refuses kernels, modules, machines, files and tests that cannot be. */
int boots_plan(const struct boots_config *config, struct plan *plan, struct err *err);

/* About how long one boot takes, from QEMU's start to the first run. */
double boots_boot_s(const struct vm_config *vm);

/*
 * As campaign_run(); a fall back to emulation is told through observer->note. Runs that a resumed campaign has
 * already do not count in the result.
 */
struct boots {
	const struct boots_config *config;
	const struct plan *plan;
	const struct campaign_observer *observer;
	struct store *store;
};
int boots_run(const struct boots *boots, struct campaign_result *result, struct err *err);

#endif
