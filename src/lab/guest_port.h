/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_GUEST_PORT_H
#define LAB_GUEST_PORT_H
/*
 * The guest's line to the host: the virtio port where the machine has one and the kernel a driver for it, else the
 * second serial port. It is chosen once, before the first word; the host listens on both (lab/guest_inbox.h).
 */
#include "base/err.h"
#include "lab/vm.h"

enum {
	/* A port shows some time after its driver found the device, and is connected some time after that. */
	GUEST_PORT_WAIT_MS = 5000,
};

/* Returns the descriptor, raw, non-blocking, closed on exec, or -1. */
int guest_port(struct err *err);

/* That one and no other. root: "" (a test has a tree of its own). */
int guest_port_open(enum vm_line line, const char *root, struct err *err);

#endif
