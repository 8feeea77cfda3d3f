// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/rule_0day_names.h"

static void what_is_a_failure(void **state)
{
	static const struct {
		const char *name;
		bool want;
	} cases[] = {
		{"dmesg.BUG:soft_lockup", true},
		{"kmsg.idx=#,offset=", true},
		{"last_state.is_incomplete_run", true},
		{"stderr.x", true},
		{"boot.killed_by_signal", true},
		{"killed_by_signal", false}, /* something must be in front */
		{"kmemleak.1.unreferenced_object.0x", true},
		{"kmemleak.unreferenced_object.0x", false},
		{"xfstests.ext4.001.fail", true},
		{"xfstests.seconds", false},
		{"locktoture.lock_hotplug", false},
		{"locktoture.x.lock_hotplug.y", true},
		{"rcutoture.x.rcu_hotplug", true},
		{"ltp.x.pass", true},
		{"ltp.x.pass.y", false},
		{"ltp.x.fail", true},
		{"ltp.x.failures.more", true},
		{"ltp.x.fail_count", false},
		{"ltp.a_b.fail", true},
		{".fail", false},
		{"perf-profile.self.cycles-pp.warn", true},
		{"perf-profile.children.cycles-pp.warn_slowpath", false},
		{"perf-profile.self.cycles-pp.error_entry", false},
		{"perf-profile.calltrace.cycles-pp.error_entry.asm", false},
		{"x.time.fail", false},
		{"dmesg.time.fail", false}, /* no failure with .time. in it */
		{"dmesg.timestamp:x", false},
		{"dmesg.bootstage:x", false},
		{"proc-vmstat.pgmigrate_fail", false},
		{"perf-stat.i.ipc", false},
		{"", false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (rule_0day_is_failure(cases[i].name) != cases[i].want)
			fail_msg("%s should %sbe a failure", cases[i].name,
				 cases[i].want ? "" : "not ");
}

static void the_stem_of_a_verdict(void **state)
{
	static const struct {
		const char *name;
		size_t want;
	} cases[] = {
		{"ltp.x.fail", 5},	 {"ltp.x.warnings", 5}, {"ltp.x.error.count", 5},
		{"ltp.fail.x.fail", 10}, {"ltp.a_b.fail", 7},	{"ltp.x.fail_a", 0},
		{"ltp.x.pass", 0},	 {".fail", 0},		{"", 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(rule_0day_fail_stem(cases[i].name), cases[i].want);
}

static void what_is_denied(void **state)
{
	static const char *const denied[] = {
		"buddyinfo.x",	     "diskstats.x",	 "interrupts.CPU0.x",	"max_iostat.x",
		"pagetypeinfo.x",    "slabinfo.x",	 "softirqs.SCHED",	"zoneinfo.x",
		"dmesg.timestamp:x", "kmsg.bootstage:x", "dmesg.boot_failures", "tcrypt.x",
	};
	static const char *const shown[] = {
		"boot-meminfo.x",
		"boot-slabinfo.x",
		"boot-time.boot",
		"cpuidle.C1.time",
		"iostat.sda.util",
		"lock_stat.x",
		"meminfo.Mapped",
		"mpstat.cpu.all.usr%",
		"numa-meminfo.node0.Mapped",
		"numa-numastat.node0.numa_hit",
		"numa-vmstat.node0.numa_hit",
		"perf-profile.self.x",
		"perf-stat.i.ipc",
		"proc-vmstat.pgfault",
		"sched_debug.x",
		"time.user_time",
		"turbostat.PkgWatt",
		"uptime.boot",
		"vmstat.cpu.us",
		"will-it-scale.time.user_time",
		"perf-sched.x",
		"dmesg.BUG:x",
		"softirq",
		"nobody.knows",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(denied); i++)
		if (!rule_0day_denied(denied[i]))
			fail_msg("%s should be denied", denied[i]);
	for (size_t i = 0; i < ARRAY_SIZE(shown); i++)
		if (rule_0day_denied(shown[i]))
			fail_msg("%s should not be denied", shown[i]);
}

static void what_is_a_test(void **state)
{
	static const char *const benchmarks[] = {
		"will-it-scale.x",
		"autonuma-benchmark.x",
		"unixbench.score",
		"hackbench.x",
		"netperf.x",
		"fio.x",
		"fio-basic.x",
		"stress-ng.x",
		"aim7.x",
		"aim9.x",
		"vm-scalability.x",
		"pigz.x",
		"ebizzy.x",
		"fsmark.x",
		"filebench.x",
		"ftq.x",
		"iperf.x",
		"kbuild.x",
		"lmbench3.x",
		"libmicro.x",
		"nepim.x",
		"pft.x",
		"pts.x",
		"phoronix-test-suite.x",
		"reaim.x",
		"sysbench-cpu.x",
		"tbench.x",
		"thrulay.x",
		"command.x",
		"fake.x",
		"ycsb-redis.x",
	};
	static const char *const functional[] = {"xfstests.x", "ltp.x", "kernel-selftests.x",
						 "boot.x"};
	static const char *const others[] = {"perf-stat.i.ipc",
					     "will-it-scalex.y",
					     "will-it",
					     "fi.x",
					     "iostat.x",
					     "zzz.x",
					     "",
					     ".x",
					     "a.x"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(benchmarks); i++)
		if (!rule_0day_is_test(benchmarks[i]) || !rule_0day_is_benchmark(benchmarks[i]))
			fail_msg("%s should be a benchmark", benchmarks[i]);
	for (size_t i = 0; i < ARRAY_SIZE(functional); i++)
		if (!rule_0day_is_test(functional[i]) || rule_0day_is_benchmark(functional[i]))
			fail_msg("%s should be a functional test", functional[i]);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (rule_0day_is_test(others[i]))
			fail_msg("%s should be no test", others[i]);
}

static void results_are_a_tests_own_numbers(void **state)
{
	(void)state;
	assert_true(rule_0day_is_result("will-it-scale.per_process_ops"));
	assert_false(rule_0day_is_result("will-it-scale.time.user_time"));
	assert_false(rule_0day_is_result("perf-stat.i.ipc"));
}

static void for_performance_1_per_cent_counts(void **state)
{
	static const char *const yes[] = {
		"will-it-scale.x",
		"autonuma-benchmark.x",
		"perf-stat.i.ipc",
		"proc-vmstat.pgfault",
		"vmstat.cpu.us",
		"vmstat.io.bi",
		"vmstat.swap.so",
		"vmstat.system.cs",
		"energy.x",
		"boot-time.boot",
		"interrupts.CAL:Function_call_interrupts",
		"perf-c2c.HITM.total",
		"turbostat.%Busy",
		"turbostat.C1%",
		"turbostat.C1E%",
		"turbostat.PkgWatt",
		"turbostat.Pkg%pc2",
		"turbostat.Pkg%pc9",
		"time.user_time",
		"xfstests.time.user_time",
		"x.times",
	};
	static const char *const no[] = {
		"xfstests.x",
		"numa-vmstat.node0.numa_hit",
		"numa-meminfo.node0.Mapped",
		"meminfo.Mapped",
		"numa-numastat.node0.numa_hit",
		"perf-sched.x",
		"sched_debug.x",
		"mpstat.cpu.all.usr%",
		"uptime.boot",
		"vmstat.procs.r",
		"vmstat.memory.free",
		"turbostat.C6%",
		"turbostat.Pkg%pc1",
		"interrupts.x",
		"x.time",
		"uptimes.x",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(yes); i++)
		if (!rule_0day_is_performance(yes[i]))
			fail_msg("%s should be a performance metric", yes[i]);
	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		if (rule_0day_is_performance(no[i]))
			fail_msg("%s should be no performance metric", no[i]);
}

static void floors_are_those_of_the_first_line_that_matches(void **state)
{
	static const struct {
		const char *name;
		double max, delta;
		bool below;
	} cases[] = {
		{"x.time.elapsed_time", 300, 5, false},
		{"x.time.elapsed_time", 300, 4.99, true},
		{"x.time.elapsed_time.max", 300, 4.99, true},
		{"x.time.system_time", 9.9, 9, true},
		{"x.time.major_page_faults", 1000, 500, false},
		{"x.time.swaps", 999, 999, true},
		{"x.time.file_system_inputs", 10000, 4999, true},
		{"numa-vmstat.node0.nr_mapped", 100, 50, false},
		{"numa-vmstat.node0.nr_mapped", 100, 49, true},
		{"proc-vmstat.nr_mapped", 100, 50,
		 false}, /* so 1000 of the family is not asked for */
		{"proc-vmstat.pgfault", 1000, 900, true},
		{"proc-vmstat.pgfault", 1000.5, 1, false},
		{"proc-vmstat.allocstall", 100, 50, false},
		{"proc-vmstat.allocstall_normal", 100, 50, true}, /* not meant by that line */
		{"proc-vmstat.pgmigrate_fail", 99, 99, true},
		{"proc-vmstat.compact_stall", 100, 50, false},
		{"iostat.sda.await", 49, 40, true},
		{"iostat.sda.r_await", 50, 25, false},
		{"iostat.sda.r/s", 49, 40, true},
		{"iostat.sda.wkB/s", 100, 50, false},
		{"iostat.sda.%util", 9, 9, true},
		{"iostat.sda.svctm", 1, 1, true},
		{"iostat.sda.svctm", 1.1, 1, false},
		{"interrupts.CPU0.x", 100, 50, false},
		{"interrupts.CPU0.x", 99, 50, true},
		{"slabinfo.x", 1e6, 100, true},
		{"slabinfo.x", 1e6, 101, false},
		{"buddyinfo.x", 1e6, 100, true},
		{"pagetypeinfo.x", 1e6, 101, false},
		{"softirqs.x", 10000, 1e4, true},
		{"softirqs.x", 10001, 1, false},
		{"boot-meminfo.x", 1000, 1, true},
		{"meminfo.x", 1001, 1, false},
		{"vmstat.io.bi", 100, 49, true},
		{"vmstat.system.in", 99, 90, true},
		{"perf-c2c.HITM.total", 3000, 1500, false},
		{"perf-stat.i.x", 0.1, 0.01, false}, /* anything else passes */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (rule_0day_below_floor(cases[i].name, cases[i].max, cases[i].delta) !=
		    cases[i].below)
			fail_msg("%s %g %g should %sbe too small", cases[i].name, cases[i].max,
				 cases[i].delta, cases[i].below ? "" : "not ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_a_failure),
		cmocka_unit_test(the_stem_of_a_verdict),
		cmocka_unit_test(what_is_denied),
		cmocka_unit_test(what_is_a_test),
		cmocka_unit_test(results_are_a_tests_own_numbers),
		cmocka_unit_test(for_performance_1_per_cent_counts),
		cmocka_unit_test(floors_are_those_of_the_first_line_that_matches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
