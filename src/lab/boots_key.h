/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_BOOTS_KEY_H
#define LAB_BOOTS_KEY_H
/*
 * What makes two campaigns over kernels the same one, so that --resume can go on: kernels, machine, tests with
 * their parameters, order and number of runs, options of the runs, files for the guest.
 */
struct boots;

/* The caller frees it. The contents of a file are what its size and time of change say. */
char *boots_key(const struct boots *boots);

#endif
