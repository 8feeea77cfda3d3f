/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_BOOTS_GUEST_H
#define LAB_BOOTS_GUEST_H
/*
 * What the guest of one boot is told, and whose its runs are. A guest is not told which commit it runs, nor
 * anything else that is drawn by chance or differs between two collections: its runs get their names here, when
 * they arrive. So two deterministic guests that do the same runs are the same to the last byte, whatever their
 * kernels are called.
 */
#include "lab/boots.h"
#include "lab/wire.h"

struct boots_guest {
	struct guest_plan plan; /* its runs are numbered from 0 */
	struct commit commit; /* the kernel's; not owned */
	const char *boot_id;
	struct boots_guest_run {
		int place; /* in the campaign's plan */
		char id[33];
		int64_t start_ns; /* wall clock; 0: has not begun */
	} * runs; /* plan.runs_nr of them */
	int runs_alloc;
};

struct boots_guest_spec {
	const struct boots_config *config;
	const struct plan *plan;
	const struct plan_boot *boot;
	const bool *done; /* by place: these are not to be done again */
	enum vm_accel accel;
};

/* guest must be zeroed. False: there is nothing left to do in this boot. */
bool boots_guest_make(struct boots_guest *guest, const struct boots_guest_spec *spec);
void boots_guest_release(struct boots_guest *guest);

/*
 * The time limit of a run as the guest is told; 0: none. A deterministic guest, whose seconds are instructions, has
 * one for built-in tests if the user sets none: no word comes from it before a run is over.
 */
double boots_guest_timeout_s(const struct boots_config *config);

/* Run i begins now. */
void boots_guest_begins(struct boots_guest *guest, int i);

/* Run i arrived, or is to be told of in its guest's place. */
void boots_guest_name(const struct boots_guest *guest, int i, struct run *run);

#endif
