/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MODEL_PERF_STAT_H
#define MODEL_PERF_STAT_H
/*
 * perf-stat.* of a run from its counters (spec: what the kernel test robot derives from `perf stat`), from the
 * counts of the whole measured part:
 *
 *	perf-stat.total.E    count, scaled by time enabled / time running where the event was multiplexed;
 *	                     cpu-clock and task-clock in ms
 *	perf-stat.ps.E       total / measured seconds
 *	perf-stat.overall.*  ratios of the totals: X-miss-rate% (misses / references; for TLBs and nodes
 *	                     misses / (loads + misses)), MPKI, ipc, cpi, instructions-per-iTLB-miss,
 *	                     cycles-between-cache-misses, and path-length = total.instructions / workload if
 *	                     exactly one metric of the run ends in ".workload"
 *
 * A ratio whose divisor is 0 or missing is left out. A total that was not
 * scaled is a whole number and stays one; a rate or ratio of 0 is the integer 0, the others are floats.
 */
#include "model/run.h"

void perf_stat_derive(struct run *run, double measured_s);

#endif
