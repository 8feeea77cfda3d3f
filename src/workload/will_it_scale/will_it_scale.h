/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WORKLOAD_WILL_IT_SCALE_H
#define WORKLOAD_WILL_IT_SCALE_H
/*
 * testcase "will-it-scale": the same names and the same meaning of one operation as the public suite, in an
 * implementation of its own.
 */
#include "workload/workload.h"

extern const struct workload will_it_scale_workload;

#endif
