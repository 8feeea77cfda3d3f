// SPDX-License-Identifier: GPL-2.0-only
#include "measure/machine_facts.h"

#include "measure/sysfile.h"

#include <math.h>

static void set_fact(struct run *run, const char *key, const char *value)
{
	if (value && *value)
		params_set(&run->facts, &run->pool, key, value);
}

/* "always [madvise] never" -> "madvise" */
static const char *bracketed(struct pool *pool, const char *text)
{
	const char *open = strchr(text, '[');

	return open ? pool_strndup(pool, open + 1, strcspn(open + 1, "]")) : NULL;
}

static const char *first_word(struct pool *pool, const char *text)
{
	return pool_strndup(pool, text, strcspn(text, " \t\n"));
}

/* A list of CPUs; the kernel writes "(null)" for an empty one here and there. */
static const char *list_of_cpus(struct pool *pool, const char *text)
{
	return streq(text, "(null)") ? NULL : pool_strdup(pool, text);
}

/* Facts that one file tells. */
static const struct simple_fact {
	const char *key, *path;
	const char *(*refine)(struct pool *pool, const char *text); /* NULL: as it is */
} simple_facts[] = {
	{"aslr", "/proc/sys/kernel/randomize_va_space", NULL},
	{"clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource", NULL},
	{"isolcpus", "/sys/devices/system/cpu/isolated", list_of_cpus},
	{"load_start", "/proc/loadavg", first_word},
	{"nohz_full", "/sys/devices/system/cpu/nohz_full", list_of_cpus},
	{"numa_balancing", "/proc/sys/kernel/numa_balancing", NULL},
	{"smt", "/sys/devices/system/cpu/smt/control", NULL},
	{"thp", "/sys/kernel/mm/transparent_hugepage/enabled", bracketed},
};

static void add_simple_facts(const char *root, struct run *run)
{
	for (size_t i = 0; i < ARRAY_SIZE(simple_facts); i++) {
		const struct simple_fact *fact = &simple_facts[i];
		const char *text = sysfile_read(&run->pool, root, "%s", fact->path);

		if (text && fact->refine)
			text = fact->refine(&run->pool, text);
		set_fact(run, fact->key, text);
	}
}

static const char *on_off(const char *flag, const char *on)
{
	if (!flag)
		return NULL;
	return streq(flag, on) ? "on" : "off";
}

/* intel_pstate has its own switch; the others a common one, or (new kernels) one for each policy. */
static const char *turbo(const char *root, struct pool *pool)
{
	const char *flag =
		sysfile_read(pool, root, "/sys/devices/system/cpu/intel_pstate/no_turbo");

	if (flag)
		return on_off(flag, "0");
	flag = sysfile_read(pool, root, "/sys/devices/system/cpu/cpufreq/boost");
	if (!flag)
		flag = sysfile_read_all(pool, root,
					"/sys/devices/system/cpu/cpufreq/policy*/boost");
	if (flag && strchr(flag, ','))
		return "mixed";
	return on_off(flag, "1");
}

/* The value of a "name=value" on the kernel's command line; the last one counts. */
static const char *boot_option(const struct run *run, struct pool *pool, const char *name)
{
	const char *value = NULL;
	size_t len = strlen(name);

	for (const char *s = run->kernel.cmdline; s && *s; s += strcspn(s, " ")) {
		s += strspn(s, " ");
		if (strncmp(s, name, len) == 0 && s[len] == '=')
			value = pool_strndup(pool, s + len + 1, strcspn(s + len + 1, " "));
	}
	return value;
}

/* Only root sees the mode in debugfs; the version says what the kernel was built for. */
static const char *preempt(const char *root, struct run *run)
{
	const char *modes = sysfile_read(&run->pool, root, "/sys/kernel/debug/sched/preempt");
	const char *version = run->kernel.version ? run->kernel.version : "";
	const char *open = modes ? strchr(modes, '(') : NULL;
	const char *option;

	if (open)
		return pool_strndup(&run->pool, open + 1, strcspn(open + 1, ")"));
	if (strstr(version, "PREEMPT_RT"))
		return "rt";
	if (strstr(version, "PREEMPT_DYNAMIC")) {
		option = boot_option(run, &run->pool, "preempt");
		return option ? option : "dynamic";
	}
	return strstr(version, " PREEMPT ") ? "full" : NULL;
}

static const char *cpus_allowed(const char *root, struct pool *pool)
{
	const char *status = sysfile_read(pool, root, "/proc/self/status");
	const char *online = sysfile_read(pool, root, "/sys/devices/system/cpu/online");
	const char *list = status ? strstr(status, "\nCpus_allowed_list:\t") : NULL;

	if (!list || !online)
		return NULL;
	list += strlen("\nCpus_allowed_list:\t");
	list = pool_strndup(pool, list, strcspn(list, "\n"));
	return sysfile_count_list(list) < sysfile_count_list(online) ? list : NULL;
}

/* quota / period, both in us; INFINITY where there is no limit ("max" or -1). */
static double limit_of(const char *quota, const char *period)
{
	int64_t q, p;

	if (!quota || !period || !parse_i64(quota, &q) || !parse_i64(period, &p) || q <= 0 ||
	    p <= 0)
		return INFINITY;
	return (double)q / (double)p;
}

/* cgroup v2: cpu.max "QUOTA PERIOD"; v1: two files. */
static double group_limit(const char *root, struct pool *pool, const char *folder)
{
	const char *both = sysfile_read(pool, root, "%s/cpu.max", folder);
	const char *blank = both ? strchr(both, ' ') : NULL;

	if (blank)
		return limit_of(first_word(pool, both), blank + 1);
	return limit_of(sysfile_read(pool, root, "%s/cpu.cfs_quota_us", folder),
			sysfile_read(pool, root, "%s/cpu.cfs_period_us", folder));
}

/* The tightest limit of a group and of those above it. */
static double path_limit(const char *root, struct pool *pool, const char *mount, const char *path)
{
	char *folder = pool_printf(pool, "%s%s", mount, path);
	double limit = group_limit(root, pool, mount);

	while (strlen(folder) > strlen(mount)) {
		limit = fmin(limit, group_limit(root, pool, folder));
		*strrchr(folder, '/') = '\0';
	}
	return limit;
}

/* path: of one line of /proc/self/cgroup, "0::/a/b" (v2) or "4:cpu,cpuacct:/a/b" (v1). */
static double line_limit(const char *root, struct pool *pool, const char *line)
{
	const char *controllers = strchr(line, ':');
	const char *path = controllers ? strchr(controllers + 1, ':') : NULL;

	if (!path)
		return INFINITY;
	controllers = pool_strndup(pool, controllers + 1, (size_t)(path - controllers - 1));
	path++;
	if (*path != '/' || streq(path, "/") || strstr(path, "/.."))
		path = ""; /* outside our namespace, as it were: what is mounted is ours */
	if (!*controllers)
		return path_limit(root, pool, "/sys/fs/cgroup", path);
	if (strstr(pool_printf(pool, ",%s,", controllers), ",cpu,"))
		return path_limit(root, pool, "/sys/fs/cgroup/cpu", path);
	return INFINITY;
}

static const char *cgroup_cpu_limit(const char *root, struct pool *pool)
{
	const char *text = sysfile_read(pool, root, "/proc/self/cgroup");
	struct strlist lines = {0};
	double limit = INFINITY;

	if (text)
		strlist_split(&lines, text, '\n');
	for (int i = 0; i < lines.nr; i++)
		limit = fmin(limit, line_limit(root, pool, lines.v[i]));
	strlist_release(&lines);
	return isinf(limit) ? NULL : pool_printf(pool, "%.2f", limit);
}

void machine_facts(const char *root, struct run *run, const char *microcode)
{
	static const char policies[] = "/sys/devices/system/cpu/cpufreq/policy*";
	struct pool *pool = &run->pool;

	add_simple_facts(root, run);
	set_fact(run, "cpufreq_driver",
		 sysfile_read_all(pool, root, pool_printf(pool, "%s/scaling_driver", policies)));
	set_fact(run, "cpufreq_governor",
		 sysfile_read_all(pool, root, pool_printf(pool, "%s/scaling_governor", policies)));
	set_fact(run, "turbo", turbo(root, pool));
	set_fact(run, "microcode", microcode);
	set_fact(run, "preempt", preempt(root, run));
	set_fact(run, "cpus_allowed", cpus_allowed(root, pool));
	set_fact(run, "cgroup_cpu_limit", cgroup_cpu_limit(root, pool));
}
