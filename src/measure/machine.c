// SPDX-License-Identifier: GPL-2.0-only
#include "measure/machine.h"

#include "measure/machine_facts.h"
#include "measure/sysfile.h"

#include <unistd.h>

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

const char *machine_release_hash(struct pool *pool, const char *release)
{
	const char *found = NULL;
	size_t found_len = 0;

	for (const char *s = strstr(release, "-g"); s; s = strstr(s + 1, "-g")) {
		size_t len = 0;

		while (is_hex(s[2 + len]))
			len++;
		if (len >= 7 && len <= 40 && strchr("-+.", s[2 + len])) {
			found = s + 2;
			found_len = len;
		}
	}
	return found ? pool_strndup(pool, found, found_len) : NULL;
}

/* The value of the first line "key   : value"; NULL if there is none. */
static const char *cpuinfo_field(struct pool *pool, const char *cpuinfo, const char *key)
{
	size_t len = strlen(key);

	for (const char *line = cpuinfo; line; line = strchr(line, '\n')) {
		const char *value;

		line += *line == '\n';
		if (strncmp(line, key, len) != 0)
			continue;
		value = line + len + strspn(line + len, " \t");
		if (*value != ':')
			continue;
		value += 1 + strspn(value + 1, " \t");
		return pool_strndup(pool, value, strcspn(value, "\n"));
	}
	return NULL;
}

static const char *cpu_model(struct pool *pool, const char *cpuinfo)
{
	static const char *const keys[] = {"model name", "cpu model", "cpu", "uarch"};
	const char *implementer, *part;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const char *model = cpuinfo_field(pool, cpuinfo, keys[i]);

		if (model)
			return model;
	}
	implementer = cpuinfo_field(pool, cpuinfo, "CPU implementer");
	part = cpuinfo_field(pool, cpuinfo, "CPU part");
	if (!implementer || !part)
		return NULL;
	return pool_printf(pool, "ARM implementer %s part %s", implementer, part);
}

/* The x86 CPUs say it in their flags, Xen in /sys; elsewhere it is not known. */
static const char *machine_kind(const char *root, struct pool *pool, const char *cpuinfo)
{
	const char *flags = cpuinfo_field(pool, cpuinfo, "flags");
	const char *padded;

	if (sysfile_exists(root, "/sys/hypervisor/type"))
		return "vm";
	if (!flags)
		return "unknown";
	padded = pool_printf(pool, " %s ", flags);
	return strstr(padded, " hypervisor ") ? "vm" : "real";
}

static int count_online(const char *root, struct pool *pool, const char *what)
{
	const char *list = sysfile_read(pool, root, "/sys/devices/system/%s/online", what);

	return list ? sysfile_count_list(list) : 0;
}

/* A kernel without NUMA has no folder of nodes, and one node. */
static int count_nodes(const char *root, struct pool *pool)
{
	if (sysfile_exists(root, "/sys/devices/system/cpu") &&
	    !sysfile_exists(root, "/sys/devices/system/node"))
		return 1;
	return count_online(root, pool, "node");
}

static int64_t memory_bytes(const char *root, struct pool *pool)
{
	const char *meminfo = sysfile_read(pool, root, "/proc/meminfo");
	const char *total = meminfo ? cpuinfo_field(pool, meminfo, "MemTotal") : NULL;
	int64_t kib;

	if (!total || !parse_i64(pool_strndup(pool, total, strcspn(total, " ")), &kib))
		return 0;
	return kib * 1024;
}

static void describe_kernel(const char *root, struct run *run)
{
	struct kernel *kernel = &run->kernel;

	kernel->release = sysfile_read(&run->pool, root, "/proc/sys/kernel/osrelease");
	kernel->version = sysfile_read(&run->pool, root, "/proc/sys/kernel/version");
	kernel->cmdline = sysfile_read(&run->pool, root, "/proc/cmdline");
	kernel->hash = kernel->release ? machine_release_hash(&run->pool, kernel->release) : NULL;
}

static void describe_machine(const char *root, struct run *run, const char *name)
{
	struct machine *machine = &run->machine;
	struct pool *pool = &run->pool;
	const char *cpuinfo = sysfile_read(pool, root, "/proc/cpuinfo");

	if (!cpuinfo)
		cpuinfo = "";
	machine->name = name ? pool_strdup(pool, name)
			     : sysfile_read(pool, root, "/proc/sys/kernel/hostname");
	machine->kind = machine_kind(root, pool, cpuinfo);
	machine->cpu_model = cpu_model(pool, cpuinfo);
	machine->cpus = count_online(root, pool, "cpu");
	machine->nodes = count_nodes(root, pool);
	machine->memory_bytes = memory_bytes(root, pool);
	machine_facts(root, run, cpuinfo_field(pool, cpuinfo, "microcode"));
}

void machine_describe_at(const char *root, struct run *run, const char *name)
{
	describe_kernel(root, run);
	describe_machine(root, run, name);
	run->boot_id = sysfile_read(&run->pool, root, "/proc/sys/kernel/random/boot_id");
}

void machine_describe(struct run *run, const char *name)
{
	machine_describe_at("", run, name);
}

int machine_online_cpus(void)
{
	struct pool pool = {0};
	int cpus = count_online("", &pool, "cpu");

	pool_release(&pool);
	if (cpus <= 0)
		cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
	return cpus > 0 ? cpus : 1;
}
