/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEASURE_USAGE_H
#define MEASURE_USAGE_H
/* <testcase>.time.*: what GNU time -v prints, from wait4()'s rusage, under the kernel test robot's names. */
#include "model/run.h"

#include <sys/resource.h>

/*
 * Sets prefix.time.elapsed_time, .user_time, .system_time (s, floats, not rounded), .elapsed_time.max,
 * .percent_of_cpu_this_job_got (whole), .maximum_resident_set_size (KiB), .minor_page_faults,
 * .major_page_faults, .voluntary_context_switches, .involuntary_context_switches, .file_system_inputs,
 * .file_system_outputs, .page_size. A zero is the integer 0.
 */
void usage_add(struct run *run, const char *prefix, const struct rusage *rusage, double wall_s);

#endif
