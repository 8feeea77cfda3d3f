/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_GUEST_SYSTEM_H
#define LAB_GUEST_SYSTEM_H
/* The part of PID 1 that makes a bare kernel and an initramfs a system, and that switches it off. */
#include "base/err.h"

struct strbuf;

/*
 * Mounts what programs expect (/proc, /sys, /dev ...), opens the console (or the kernel's log, if it has none) as
 * standard input, output and error where the kernel did not, sets the environment. What a kernel lacks is left out, but for /proc, /sys
 * and /dev.
 */
int guest_system_setup(struct err *err);

int guest_system_read(const char *path, struct strbuf *out, struct err *err);

/* Writes a line to the console. */
void guest_system_say(const char *text);

/* Never returns. */
_Noreturn void guest_system_power_off(void);

#endif
