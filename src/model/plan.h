/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MODEL_PLAN_H
#define MODEL_PLAN_H
/*
 * struct job: one test with one set of parameters, ready to be run. struct plan: which jobs, how often, in
 * which order. Pure: made from what the user asked for and from the machine's number of CPUs.
 */
#include "base/err.h"
#include "base/strlist.h"
#include "model/params.h"

struct job {
	const char *testcase, *test;
	struct params params; /* nr_task, mode, mem, loops, runtime ...: all the workload reads */
	char *const *argv; /* testcase "command": the user's command, NULL-terminated; else NULL */
};

#endif
