/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_GUEST_H
#define LAB_GUEST_H
/*
 * This program as PID 1 of a guest: mounts what is needed, reads /plan, does its runs with one_run() (the same
 * code as on the host), sends each over the data port and waits for the answer, powers off. No shell.
 */

/* Never returns. Called by main() when it is PID 1 and /plan is there. */
_Noreturn void guest_main(void);

#endif
