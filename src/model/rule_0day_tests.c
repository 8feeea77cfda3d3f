// SPDX-License-Identifier: GPL-2.0-only
#include "model/rule_0day_names.h"

#include "model/metric.h"

/* The robot's testcases (a folder with a program in it), and `command` and `fake`, which are ours. Sorted. */
static const char *const benchmarks[] = {
	"aim7",
	"aim9",
	"apachebench",
	"autonuma-benchmark",
	"blogbench",
	"cassandra",
	"command",
	"cyclictest",
	"dbench",
	"dd-write",
	"ebizzy",
	"ext4-frags",
	"fake",
	"filebench",
	"fio",
	"fio-basic",
	"fishtank",
	"fsmark",
	"ftq",
	"fwq",
	"glbenchmark",
	"glmark2",
	"hackbench",
	"hpcc",
	"hpcg",
	"iozone",
	"iperf",
	"jbd2",
	"kbuild",
	"kernbench",
	"libmicro",
	"linkbench",
	"linpack",
	"lmbench",
	"lmbench3",
	"mbw",
	"memtier",
	"mlc",
	"multichase",
	"mutilate",
	"mwtest",
	"nepim",
	"netperf",
	"netpipe",
	"nuttcp",
	"oltp",
	"pedsort",
	"perf-bench-futex",
	"perf-bench-numa-mem",
	"perf-bench-sched-pipe",
	"pft",
	"phoronix-test-suite",
	"pigz",
	"plzip",
	"pmbench",
	"pts",
	"pxz",
	"qperf",
	"rcurefscale",
	"rcuscale",
	"reaim",
	"redis",
	"rt-tests",
	"schbench",
	"scimark2",
	"siege",
	"sockperf",
	"speccpu",
	"specjbb",
	"specpower",
	"stream",
	"stress-ng",
	"stutter",
	"sysbench",
	"sysbench-cpu",
	"sysbench-memory",
	"sysbench-mutex",
	"sysbench-threads",
	"tbench",
	"tbench4",
	"thrulay",
	"tlbflush",
	"unixbench",
	"usemem",
	"vm-scalability",
	"will-it-scale",
	"ycsb-mongodb",
	"ycsb-redis",
};

/* They pass or fail. Sorted. */
static const char *const functional[] = {
	"blktests",
	"boot",
	"cpu-hotplug",
	"fwts",
	"hwsim",
	"igt",
	"kernel-selftests",
	"kernel-selftests-bpf",
	"kvm-unit-tests",
	"kvm-unit-tests-qemu",
	"leaking-addresses",
	"libhugetlbfs",
	"locktorture",
	"ltp",
	"mce-test",
	"mdadm-selftests",
	"ndctl",
	"nvml",
	"packetdrill",
	"perf-sanity-tests",
	"piglit",
	"pmdk",
	"rcutorture",
	"trinity",
	"v4l2",
	"xfstests",
	"xsave-test",
};

struct text {
	const char *s;
	size_t len;
};

static int compare_text(const void *key, const void *element)
{
	const struct text *text = key;
	const char *const *name = element;
	int order = strncmp(text->s, *name, text->len);

	return order ? order : -(int)((*name)[text->len] != '\0');
}

static bool family_in(const char *const *table, size_t nr, const char *name)
{
	struct text family = {name, metric_family_len(name)};

	return bsearch(&family, table, nr, sizeof(*table), compare_text) != NULL;
}

bool rule_0day_is_benchmark(const char *name)
{
	return family_in(benchmarks, ARRAY_SIZE(benchmarks), name);
}

bool rule_0day_is_test(const char *name)
{
	return rule_0day_is_benchmark(name) || family_in(functional, ARRAY_SIZE(functional), name);
}
