/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_GUEST_H
#define LAB_GUEST_H
/*
 * This program as PID 1 of a guest: mounts what is needed, loads the modules it was given, reads /plan, does its
 * runs with one_run() (the same code as on the host), sends each to the host and waits for the answer, powers off.
 * No shell.
 *
 *	guest.c          the life of PID 1
 *	guest_system.c   mounts, console, power
 *	guest_modules.c  modules
 *	guest_port.c     the line to the host
 *	guest_link.c     frames that get through
 *	guest_runs.c     the plan
 *
 * What goes wrong is told to the host (FRAME_FAIL) and on the console. It does not end: a kernel whose first
 * process ends panics. Nor does the kernel's out of memory killer ever choose it; the processes of tests are
 * all there is to choose from.
 */

/* Never returns. Called by main() when it is PID 1 and /plan is there. */
_Noreturn void guest_main(void);

#endif
