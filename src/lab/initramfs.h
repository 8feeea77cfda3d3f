/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_INITRAMFS_H
#define LAB_INITRAMFS_H
/*
 * The guest's root file system, made in process with libarchive: newc cpio, gzip (which every kernel that can
 * unpack an initramfs knows), in anonymous memory (memfd): no file of ours is left over, however we end.
 *
 * What is in it:
 *
 *	/init                 this program
 *	/plan                 what the guest has to do
 *	/modules              its modules, as lab/guest_modules.h has them
 *	/proc /sys /dev /tmp  empty folders, /dev/console
 *	files from the host   at their real path (no symbolic link in it), with their mode, owned by root; every
 *	                      other name a program, a script or the loader uses for them is a symbolic link to it
 *	/bin/NAME             the user's command, if it was given without a folder (the guest has /bin in PATH);
 *	                      a relative path is looked up from /, the guest's working folder
 *
 * Files may be below /tmp: the guest mounts nothing there (its root is memory already).
 * The same inputs make the same bytes: entries are sorted, times are 0.
 */
#include "base/err.h"
#include "base/strlist.h"

struct modules;

struct initramfs_config {
	/* --vm-file: "HOST" or "HOST:GUEST"; programs and scripts bring what they need; NULL: none */
	const struct strlist *files;
	char *const
		*argv; /* the user's command: found in PATH, taken in like a --vm-file; or NULL */
	const void *plan; /* becomes /plan */
	size_t plan_length;
	const struct modules *modules; /* NULL: none */
};

/* Everything that would go into it is there; without packing it. plan and modules are not looked at. */
int initramfs_check(const struct initramfs_config *config, struct err *err);

/*
 * A sealed memfd to be given to QEMU, or -1. *bytes: what it takes when it is unpacked, in whole pages.
 * Libraries are found by the dynamic loader itself (its --list of the program), which runs none of it.
 */
int initramfs_make(const struct initramfs_config *config, int64_t *bytes, struct err *err);

/*
 * -1 if what initramfs_make() made does not fit into a guest of that much memory. Measured with kernels 6.1 and
 * 6.12: the root file system gets half of what is left when the kernel and the packed initramfs have theirs.
 */
int initramfs_check_fit(int fd, int64_t bytes, int64_t memory_bytes, struct err *err);

#endif
