// SPDX-License-Identifier: GPL-2.0-only
#include "model/rule_0day_names.h"

#include "model/metric.h"
#include "model/pattern.h"

/* Families nobody reads, and noise of the kernel log. */
static const char *const denied[] = {
	"boot-meminfo.*",	"boot-slabinfo.*",   "boot-time.*",
	"buddyinfo.*",		"cpuidle.*",	     "diskstats.*",
	"dmesg.boot_failures*", "dmesg.bootstage:*", "dmesg.timestamp:*",
	"interrupts.*",		"iostat.*",	     "kmsg.boot_failures*",
	"kmsg.bootstage:*",	"kmsg.timestamp:*",  "lock_stat.*",
	"max_iostat.*",		"meminfo.*",	     "mpstat.*",
	"numa-meminfo.*",	"numa-numastat.*",   "numa-vmstat.*",
	"pagetypeinfo.*",	"perf-profile.*",    "perf-stat.*",
	"proc-vmstat.*",	"sched_debug.*",     "slabinfo.*",
	"softirqs.*",		"tcrypt.*",	     "time.*",
	"turbostat.*",		"uptime.*",	     "vmstat.*",
	"zoneinfo.*",
};

/* Denied when the robot looks for the commit to blame, but part of its reports, and so of this table. */
static const char *const reported[] = {
	"boot-meminfo.*", "boot-slabinfo.*", "boot-time.*", "cpuidle.*",      "iostat.*",
	"lock_stat.*",	  "meminfo.*",	     "mpstat.*",    "numa-meminfo.*", "numa-numastat.*",
	"numa-vmstat.*",  "perf-profile.*",  "perf-stat.*", "proc-vmstat.*",  "sched_debug.*",
	"time.*",	  "turbostat.*",     "uptime.*",    "vmstat.*",
};

static const char *const not_failures[] = {
	"*.bootstage:*",
	"*.time.*",
	"*.timestamp:*",
};

/* Beside these: what has a rule_0day_fail_stem(). The spelling of the third last is the robot's. */
static const char *const failures[] = {
	"dmesg*",
	"kmsg*",
	"last_state*",
	"stderr*",
	"kmemleak.?*unreferenced_object.?*",
	"locktoture.?*lock_hotplug*",
	"rcutoture.?*rcu_hotplug*",
	"xfstests.?*fail",
	"?*.pass",
	"?*killed_by*",
};

static const char *const logs[] = {
	"dmesg*",
	"kmsg*",
	"last_state*",
	"stderr*",
};

static const char *const performance[] = {
	"boot-slabinfo.*",
	"boot-time.*",
	"energy.*",
	"interrupts.CAL:Function_call_interrupts*",
	"iostat.*",
	"perf-c2c.HITM.total*",
	"perf-stat.*",
	"pmeter.*",
	"proc-vmstat.*",
	"turbostat.%Busy*",
	"turbostat.Bzy_MHz*",
	"turbostat.C1%*",
	"turbostat.C1E%*",
	"turbostat.CorWatt*",
	"turbostat.PkgTmp*",
	"turbostat.PkgWatt*",
	"turbostat.POLL%*",
	"turbostat.Pkg%pc2*",
	"turbostat.Pkg%pc3*",
	"turbostat.Pkg%pc4*",
	"turbostat.Pkg%pc5*",
	"turbostat.Pkg%pc6*",
	"turbostat.Pkg%pc7*",
	"turbostat.Pkg%pc8*",
	"turbostat.Pkg%pc9*",
	"turbostat.RAMWatt*",
	"vmstat.cpu.*",
	"vmstat.io.*",
	"vmstat.swap.*",
	"vmstat.system.*",
	"time?*",
	"*.time?*",
};

/* The first pattern that matches decides: hidden if max < least or delta < least / 2. */
static const struct floor_rule {
	const char *pattern;
	double least;
} floors[] = {
	{"*?time?elapsed_time*", 10}, /* seconds */
	{"*?time?user_time", 10},
	{"*?time?system_time", 10},
	{"*?time?voluntary_context_switches", 1000},
	{"*?time?involuntary_context_switches", 1000},
	{"*?time?minor_page_faults", 1000},
	{"*?time?major_page_faults", 1000},
	{"*?time?swaps", 1000},
	{"*?time?file_system_inputs", 10000},
	{"*?time?file_system_outputs", 10000},
	{"*vmstat*nr_*", 100}, /* proc-vmstat, numa-vmstat */
	{"interrupts*", 100},
	{"iostat?*avgrq-sz", 200},
	{"iostat?*await", 50}, /* r_await, w_await too */
	{"iostat?*r/s", 50},
	{"iostat?*w/s", 50},
	{"iostat?*rkB/s", 100},
	{"iostat?*wkB/s", 100},
	{"iostat?*util", 10},
	{"proc-vmstat?allocstall", 100}, /* not the allocstall_normal of later kernels */
	{"proc-vmstat?compact_fail", 100},
	{"proc-vmstat?compact_stall", 100},
	{"proc-vmstat?htlb_buddy_alloc_fail", 100},
	{"proc-vmstat?kswapd_high_wmark_hit_quickly", 100},
	{"proc-vmstat?kswapd_low_wmark_hit_quickly", 100},
	{"proc-vmstat?pgmigrate_fail", 100},
	{"vmstat?cpu?id", 10}, /* per cent */
	{"vmstat?cpu?st", 10},
	{"vmstat?cpu?us", 10},
	{"vmstat?cpu?wa", 10},
	{"vmstat?cpu?sy", 50},
	{"vmstat?io?bi", 100},
	{"vmstat?io?bo", 100},
	{"vmstat?system?cs", 100},
	{"vmstat?system?in", 100},
	{"perf-c2c?HITM?total", 3000},
};

/* Where no floor matches; the first line that matches decides. Hidden unless the number is above. */
static const struct family_floor {
	const char *pattern;
	enum {
		ABOVE_MAX,
		ABOVE_DELTA
	} what;
	double limit;
} family_floors[] = {
	{"iostat*", ABOVE_MAX, 1},	   {"pagetypeinfo*", ABOVE_DELTA, 100},
	{"buddyinfo*", ABOVE_DELTA, 100},  {"slabinfo*", ABOVE_DELTA, 100},
	{"proc-vmstat*", ABOVE_MAX, 1000}, {"*meminfo*", ABOVE_MAX, 1000},
	{"interrupts*", ABOVE_MAX, 10000}, {"softirqs*", ABOVE_MAX, 10000},
};

static bool any(const char *const *patterns, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (pattern_match(patterns[i], name))
			return true;
	return false;
}

bool rule_0day_denied(const char *name)
{
	return any(denied, ARRAY_SIZE(denied), name) && !any(reported, ARRAY_SIZE(reported), name);
}

bool rule_0day_is_log(const char *name)
{
	return any(logs, ARRAY_SIZE(logs), name);
}

size_t rule_0day_fail_stem(const char *name)
{
	static const char *const words[] = {".error", ".warn", ".fail"};
	const char *underscore = strrchr(name, '_');
	const char *last = NULL;

	if (!*name)
		return 0;
	for (const char *p = underscore ? underscore + 1 : name + 1; (p = strchr(p, '.')); p++)
		for (size_t i = 0; i < ARRAY_SIZE(words); i++)
			if (starts_with(p, words[i]))
				last = p;
	return last ? (size_t)(last - name) : 0;
}

bool rule_0day_is_failure(const char *name)
{
	if (!any(failures, ARRAY_SIZE(failures), name) && !rule_0day_fail_stem(name))
		return false;
	return !any(not_failures, ARRAY_SIZE(not_failures), name);
}

bool rule_0day_is_result(const char *name)
{
	return rule_0day_is_test(name) && !strstr(name, ".time.");
}

bool rule_0day_is_performance(const char *name)
{
	return rule_0day_is_benchmark(name) || any(performance, ARRAY_SIZE(performance), name);
}

static bool below_family_floor(const char *name, double max, double delta)
{
	for (size_t i = 0; i < ARRAY_SIZE(family_floors); i++) {
		const struct family_floor *floor = &family_floors[i];

		if (pattern_match(floor->pattern, name))
			return !((floor->what == ABOVE_MAX ? max : delta) > floor->limit);
	}
	return false;
}

bool rule_0day_below_floor(const char *name, double max, double delta)
{
	for (size_t i = 0; i < ARRAY_SIZE(floors); i++)
		if (pattern_match(floors[i].pattern, name))
			return max < floors[i].least || delta < floors[i].least / 2;
	return below_family_floor(name, max, delta);
}
