// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_root.h"
#include "measure/machine.h"
#include "measure/sysfile.h"

#include <sys/sysinfo.h>
#include <sys/utsname.h>

static const struct fake_file server[] = {
	{"/proc/sys/kernel/osrelease", "6.8.0-rc3-00123-g0ede61d8589c\n"},
	{"/proc/sys/kernel/version", "#1 SMP PREEMPT_DYNAMIC Thu Jan  1 00:00:00 UTC 2026\n"},
	{"/proc/sys/kernel/hostname", "lkp-skl\n"},
	{"/proc/sys/kernel/random/boot_id", "8ffd6f4c-4b02-4a27-a1cc-03e6a0c8b6e1\n"},
	{"/proc/sys/kernel/randomize_va_space", "2\n"},
	{"/proc/sys/kernel/numa_balancing", "1\n"},
	{"/proc/cmdline", "BOOT_IMAGE=/vmlinuz root=/dev/sda1 preempt=none preempt=full quiet\n"},
	{"/proc/loadavg", "0.42 0.30 0.20 1/500 4711\n"},
	{"/proc/meminfo", "MemTotal:       196608000 kB\nMemFree:        1024 kB\n"},
	{"/proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel\t\t: 85\n"
			  "model name\t: Intel(R) Xeon(R) Gold 6139 CPU @ 2.30GHz\n"
			  "microcode\t: 0x2006e05\nflags\t\t: fpu vme hypervisor_not sse2\n\n"
			  "processor\t: 1\nmodel name\t: another\n"},
	{"/proc/self/status", "Name:\tx\nCpus_allowed:\tf\nCpus_allowed_list:\t0-17,36-53\n"},
	{"/proc/self/cgroup", "0::/user.slice/a.scope\n"},
	{"/sys/fs/cgroup/user.slice/cpu.max", "1600000 100000\n"},
	{"/sys/fs/cgroup/user.slice/a.scope/cpu.max", "max 100000\n"},
	{"/sys/devices/system/cpu/online", "0-71\n"},
	{"/sys/devices/system/cpu/isolated", "2-3\n"},
	{"/sys/devices/system/cpu/nohz_full", "(null)\n"},
	{"/sys/devices/system/cpu/smt/control", "on\n"},
	{"/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n"},
	{"/sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance\n"},
	{"/sys/devices/system/cpu/cpufreq/policy0/scaling_driver", "intel_pstate\n"},
	{"/sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "powersave\n"},
	{"/sys/devices/system/cpu/cpufreq/policy1/scaling_driver", "intel_pstate\n"},
	{"/sys/devices/system/cpu/cpufreq/policy2/scaling_governor", "performance\n"},
	{"/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n"},
	{"/sys/devices/system/node/online", "0-1\n"},
	{"/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"},
	{NULL, NULL},
};

static void a_server_is_described_in_full(void **state)
{
	static const struct {
		const char *key, *want; /* NULL: must be absent */
	} facts[] = {
		{"aslr", "2"},
		{"cgroup_cpu_limit", "16.00"},
		{"clocksource", "tsc"},
		{"cpufreq_driver", "intel_pstate"},
		{"cpufreq_governor", "performance,powersave"},
		{"cpus_allowed", "0-17,36-53"},
		{"isolcpus", "2-3"},
		{"load_start", "0.42"},
		{"microcode", "0x2006e05"},
		{"nohz_full", NULL},
		{"numa_balancing", "1"},
		{"preempt", "full"},
		{"smt", "on"},
		{"thp", "madvise"},
		{"turbo", "off"},
	};
	char *root = fake_root_new(server);
	struct run run;

	(void)state;
	run_init(&run);
	machine_describe_at(root, &run, NULL);
	assert_string_equal(run.kernel.release, "6.8.0-rc3-00123-g0ede61d8589c");
	assert_string_equal(run.kernel.version,
			    "#1 SMP PREEMPT_DYNAMIC Thu Jan  1 00:00:00 UTC 2026");
	assert_string_equal(run.kernel.hash, "0ede61d8589c");
	assert_string_equal(run.kernel.cmdline, "BOOT_IMAGE=/vmlinuz root=/dev/sda1 preempt=none "
						"preempt=full quiet");
	assert_string_equal(run.machine.name, "lkp-skl");
	assert_string_equal(run.machine.kind, "real");
	assert_string_equal(run.machine.cpu_model, "Intel(R) Xeon(R) Gold 6139 CPU @ 2.30GHz");
	assert_int_equal(run.machine.cpus, 72);
	assert_int_equal(run.machine.nodes, 2);
	assert_int_equal(run.machine.memory_bytes, 196608000LL * 1024);
	assert_string_equal(run.boot_id, "8ffd6f4c-4b02-4a27-a1cc-03e6a0c8b6e1");
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		const char *value = params_get(&run.facts, facts[i].key);

		if (facts[i].want)
			assert_string_equal(value ? value : "", facts[i].want);
		else
			assert_null(value);
	}
	run_release(&run);
	fake_root_remove(root);
}

static void what_is_not_there_is_left_out(void **state)
{
	static const struct fake_file nothing[] = {{NULL, NULL}};
	char *root = fake_root_new(nothing);
	struct run run;

	(void)state;
	run_init(&run);
	machine_describe_at(root, &run, "mine");
	assert_string_equal(run.machine.name, "mine");
	assert_string_equal(run.machine.kind, "unknown");
	assert_null(run.machine.cpu_model);
	assert_int_equal(run.machine.cpus, 0);
	assert_int_equal(run.machine.nodes, 0);
	assert_int_equal(run.machine.memory_bytes, 0);
	assert_null(run.kernel.release);
	assert_null(run.kernel.hash);
	assert_null(run.boot_id);
	assert_int_equal(run.facts.nr, 0);
	run_release(&run);
	fake_root_remove(root);
}

/* One file makes one fact, or the kind or model of the machine (key NULL or ""). */
static const struct {
	struct fake_file files[3];
	const char *key, *want;
} fact_cases[] = {
	{{{"/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n"}}, "turbo", "on"},
	{{{"/sys/devices/system/cpu/cpufreq/boost", "1\n"}}, "turbo", "on"},
	{{{"/sys/devices/system/cpu/cpufreq/boost", "0\n"}}, "turbo", "off"},
	{{{"/sys/devices/system/cpu/cpufreq/policy0/boost", "1\n"},
	  {"/sys/devices/system/cpu/cpufreq/policy1/boost", "1\n"}},
	 "turbo",
	 "on"},
	{{{"/sys/devices/system/cpu/cpufreq/policy0/boost", "1\n"},
	  {"/sys/devices/system/cpu/cpufreq/policy1/boost", "0\n"}},
	 "turbo",
	 "mixed"},
	{{{"/sys/kernel/debug/sched/preempt", "none voluntary full (lazy)\n"}}, "preempt", "lazy"},
	{{{"/proc/sys/kernel/version", "#1 SMP PREEMPT_RT Debian\n"}}, "preempt", "rt"},
	{{{"/proc/sys/kernel/version", "#1 SMP PREEMPT_DYNAMIC Debian\n"}}, "preempt", "dynamic"},
	{{{"/proc/sys/kernel/version", "#1 SMP PREEMPT Debian\n"}}, "preempt", "full"},
	{{{"/proc/sys/kernel/version", "#1 SMP Debian\n"}}, "preempt", NULL},
	{{{"/sys/devices/system/cpu/isolated", "\n"}}, "isolcpus", NULL},
	{{{"/sys/devices/system/cpu/nohz_full", "1-7\n"}}, "nohz_full", "1-7"},
	{{{"/proc/self/status", "A:\t1\nCpus_allowed_list:\t0-3\n"},
	  {"/sys/devices/system/cpu/online", "0-3\n"}},
	 "cpus_allowed",
	 NULL},
	{{{"/proc/self/cgroup", "0::/\n"}, {"/sys/fs/cgroup/cpu.max", "50000 100000\n"}},
	 "cgroup_cpu_limit",
	 "0.50"},
	{{{"/proc/self/cgroup", "0::/../../x\n"}, {"/sys/fs/cgroup/cpu.max", "150000 100000\n"}},
	 "cgroup_cpu_limit",
	 "1.50"},
	{{{"/proc/self/cgroup", "0::/a\n"}, {"/sys/fs/cgroup/a/cpu.max", "max 100000\n"}},
	 "cgroup_cpu_limit",
	 NULL},
	{{{"/proc/self/cgroup", "9:memory:/m\n4:cpu,cpuacct:/a/b\n0::/c\n"},
	  {"/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "200000\n"},
	  {"/sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n"}},
	 "cgroup_cpu_limit",
	 "2.00"},
	{{{"/proc/self/cgroup", "4:cpu:/\n"},
	  {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"},
	  {"/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"}},
	 "cgroup_cpu_limit",
	 NULL},
	{{{"/proc/cpuinfo", "flags\t\t: fpu hypervisor\n"}}, "kind", "vm"},
	{{{"/proc/cpuinfo", "flags\t\t: hypervisor fpu\n"}}, "kind", "vm"},
	{{{"/proc/cpuinfo", "flags\t\t: fpu\n"}}, "kind", "real"},
	{{{"/proc/cpuinfo", "Features\t: fp asimd\n"}}, "kind", "unknown"},
	{{{"/proc/cpuinfo", "flags\t\t: fpu\n"}, {"/sys/hypervisor/type", "xen\n"}}, "kind", "vm"},
	{{{"/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"}},
	 "model",
	 "ARM implementer 0x41 part 0xd0c"},
	{{{"/proc/cpuinfo", "processor\t: 0\ncpu\t\t: POWER9, altivec supported\n"}},
	 "model",
	 "POWER9, altivec supported"},
	{{{"/proc/cpuinfo", "cpu MHz\t: 2000\ncpu cores\t: 4\n"}}, "model", NULL},
};

static void each_fact_comes_from_its_file(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(fact_cases); i++) {
		struct fake_file files[ARRAY_SIZE(fact_cases[i].files) + 1] = {{NULL, NULL}};
		const char *got;
		struct run run;
		char *root;

		memcpy(files, fact_cases[i].files, sizeof(fact_cases[i].files));
		root = fake_root_new(files);
		run_init(&run);
		machine_describe_at(root, &run, NULL);
		if (streq(fact_cases[i].key, "kind"))
			got = run.machine.kind;
		else if (streq(fact_cases[i].key, "model"))
			got = run.machine.cpu_model;
		else
			got = params_get(&run.facts, fact_cases[i].key);
		if (fact_cases[i].want)
			assert_string_equal(got ? got : "(none)", fact_cases[i].want);
		else
			assert_null(got);
		run_release(&run);
		fake_root_remove(root);
	}
}

static void a_kernel_without_numa_has_one_node(void **state)
{
	static const struct fake_file files[] = {{"/sys/devices/system/cpu/online", "0\n"},
						 {NULL, NULL}};
	char *root = fake_root_new(files);
	struct run run;

	(void)state;
	run_init(&run);
	machine_describe_at(root, &run, NULL);
	assert_int_equal(run.machine.cpus, 1);
	assert_int_equal(run.machine.nodes, 1);
	run_release(&run);
	fake_root_remove(root);
}

static void the_hash_is_in_the_release(void **state)
{
	static const struct {
		const char *release, *want;
	} cases[] = {
		{"6.8.0-g0ede61d8589c", "0ede61d8589c"},
		{"6.8.0-00123-g0ede61d8589c-dirty", "0ede61d8589c"},
		{"6.8.0-rc1-00001-gabcdef1+", "abcdef1"},
		{"6.8.0-generic-g0ede61d8589c", "0ede61d8589c"},
		{"6.8.0-g1234567.x86_64", "1234567"},
		{"6.8.0-g0ede61d8589c.g1111111", "0ede61d8589c"},
		{"6.1.0-13-amd64", NULL},
		{"6.8.0-generic", NULL},
		{"6.8.0-gabcdef", NULL}, /* six digits */
		{"6.8.0-g0ede61d8589cX", NULL},
		{"6.8.0-gcc12", NULL},
		{"6.8.0-g", NULL},
		{"-g", NULL},
		{"", NULL},
		{"g0ede61d8589c", NULL},
		{"6.8-g0123456789012345678901234567890123456789",
		 "0123456789012345678901234567890123456789"},
		{"6.8-g01234567890123456789012345678901234567891", NULL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct pool pool = {0};
		const char *hash = machine_release_hash(&pool, cases[i].release);

		if (cases[i].want)
			assert_string_equal(hash ? hash : "(none)", cases[i].want);
		else
			assert_null(hash);
		pool_release(&pool);
	}
}

static void lists_of_cpus_are_counted(void **state)
{
	static const struct {
		const char *list;
		int want;
	} cases[] = {
		{"0", 1},  {"0-3", 4},	   {"0-3,8,10-11", 7}, {"5-5", 1},	  {"", 0},
		{"x", 0},  {"3-1", 0},	   {"0-3,x", 0},       {"0-99999999", 0}, {"0-3-5", 0},
		{"-1", 0}, {"0,2,4,6", 4}, {"3-", 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(sysfile_count_list(cases[i].list), cases[i].want);
}

static void this_machine_agrees_with_its_system_calls(void **state)
{
	struct utsname uts;
	struct sysinfo info;
	struct run run;

	(void)state;
	assert_int_equal(uname(&uts), 0);
	assert_int_equal(sysinfo(&info), 0);
	run_init(&run);
	machine_describe(&run, NULL);
	assert_string_equal(run.kernel.release, uts.release);
	assert_string_equal(run.kernel.version, uts.version);
	assert_string_equal(run.machine.name, uts.nodename);
	assert_int_equal(run.machine.cpus, sysconf(_SC_NPROCESSORS_ONLN));
	assert_int_equal(machine_online_cpus(), sysconf(_SC_NPROCESSORS_ONLN));
	/* less in a container whose /proc is made up for it */
	assert_in_range(run.machine.memory_bytes, 1, (uint64_t)info.totalram * info.mem_unit);
	assert_int_equal(strlen(run.boot_id), 36);
	assert_non_null(params_get(&run.facts, "load_start"));
	run_release(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_server_is_described_in_full),
		cmocka_unit_test(what_is_not_there_is_left_out),
		cmocka_unit_test(each_fact_comes_from_its_file),
		cmocka_unit_test(a_kernel_without_numa_has_one_node),
		cmocka_unit_test(the_hash_is_in_the_release),
		cmocka_unit_test(lists_of_cpus_are_counted),
		cmocka_unit_test(this_machine_agrees_with_its_system_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
