/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WORKLOAD_AUTONUMA_H
#define WORKLOAD_AUTONUMA_H
/*
 * testcase "autonuma-benchmark": how well the kernel brings threads and their memory together on a machine
 * with several NUMA nodes. Same names, sizes and loops as the public suite:
 *
 *	numa01               two processes of 3 GiB, CPUs/2 threads each; every thread first zeroes the whole
 *	                     memory of its process, then 50 times more
 *	numa01_THREAD_ALLOC  the same, but after the first time each thread zeroes its own part, 1000 times
 *	numa02               one process of 1 GiB, which its first thread zeroes; one thread a CPU, each zeroing
 *	                     its own part 800 times
 *	numa02_SMT           the same with half as many threads
 *
 * _HARD_BIND: numa01: one process on the first half of the nodes, the other on the second, threads and
 * memory; numa02: each node's share of memory and threads on that node. What no balancing can beat.
 * _INVERSE_BIND: the threads where they are with _HARD_BIND, the memory on the other nodes. The worst case.
 * (The suite's numa01_INVERSE_BIND puts both memories on the second half, by a slip; here they are crossed.)
 *
 * The time is that of everything, from the start of the first process to the end of the last.
 */
#include "workload/workload.h"

extern const struct workload autonuma_workload;

enum numa_bind {
	NUMA_FREE, /* the kernel decides */
	NUMA_HARD,
	NUMA_INVERSE,
};

struct numa_test {
	struct workload_test base; /* first: the table of tests points here */
	bool two_processes; /* numa01 */
	bool own_part; /* a thread zeroes its own part of the memory */
	bool half; /* as many threads as half of the CPUs, in all processes together: numa02_SMT */
	enum numa_bind bind;
	const char *mem, *loops; /* defaults */
};

struct numa_config {
	const struct numa_test *test;
	int64_t mem; /* bytes of a process */
	int64_t loops;
	bool one_node; /* a machine with one node will do */
};
int numa_config_parse(struct numa_config *config, const struct job *job, struct err *err);

int numa_processes(const struct numa_test *test);
int numa_threads(const struct numa_test *test, int cpus); /* of one process, at least 1 */

/* In the child of the run. Returns the exit status; if it is not 0 child_fail() was called. */
int numa_run(const struct numa_config *config, struct child_io *io);

#endif
