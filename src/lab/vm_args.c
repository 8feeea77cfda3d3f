// SPDX-License-Identifier: GPL-2.0-only
#include "lab/vm_args.h"

#include "lab/vm_arch.h"

#include <inttypes.h>

static const int64_t mib = 1 << 20;

static void add_pair(struct strlist *args, const char *option, const char *value)
{
	strlist_add(args, option);
	strlist_add(args, value);
}

static void add_channel(struct strlist *args, const char *name, int fd)
{
	strlist_add(args, "-chardev");
	strlist_addf(args, "socket,id=%s,fd=%d", name, fd);
}

static void add_channels(struct strlist *args, const struct vm_fds *fds)
{
	strlist_add(args, "-chardev");
	strlist_addf(args, "file,id=console,path=/proc/self/fd/%d", fds->console);
	add_pair(args, "-serial", "chardev:console");
	add_pair(args, "-chardev", "stdio,id=data,signal=off");
	add_pair(args, "-serial", "chardev:data");
	add_channel(args, "qmp", fds->qmp);
	add_pair(args, "-mon", "chardev=qmp,mode=control");
}

static void add_virtio(struct strlist *args, const struct vm_arch *arch, int fd)
{
	add_pair(args, "-device", arch->virtio);
	add_channel(args, "port", fd);
	add_pair(args, "-device", "virtserialport,chardev=port,name=" VM_PORT_NAME);
}

static void add_processor(struct strlist *args, const struct vm_arch *arch,
			  const struct vm_config *config)
{
	const char *cpu = arch->cpu_tcg;

	if (config->accel == VM_KVM)
		cpu = arch->cpu_kvm;
	else if (config->deterministic)
		cpu = arch->cpu_exact;
	add_pair(args, "-accel", config->accel == VM_KVM ? "kvm" : "tcg");
	add_pair(args, "-cpu", cpu);
	if (!config->deterministic)
		return;
	add_pair(args, "-icount", "shift=0,sleep=off");
	add_pair(args, "-seed",
		 "1"); /* of what the machine gives the kernel for its random numbers */
	add_pair(args, "-rtc", "base=2024-01-01T00:00:00,clock=vm");
}

/* How many of `all` the node gets: the first ones get one more where it does not come out even. */
static int64_t share(int64_t all, int nodes, int node)
{
	return all / nodes + (node < all % nodes);
}

/* A node is a socket, or several; the kernel complains of a socket in two nodes. */
static void add_nodes(struct strlist *args, const struct vm_config *config)
{
	int sockets = config->cpus % config->nodes ? config->cpus : config->nodes;
	int64_t cpu = 0;

	strlist_add(args, "-smp");
	strlist_addf(args, "%d,sockets=%d,cores=%d,threads=1", config->cpus, sockets,
		     config->cpus / sockets);
	strlist_add(args, "-m");
	strlist_addf(args, "%" PRId64 "M", config->memory_bytes / mib);
	for (int i = 0; config->nodes > 1 && i < config->nodes; i++) {
		int64_t last = cpu + share(config->cpus, config->nodes, i) - 1;

		strlist_add(args, "-object");
		strlist_addf(args, "memory-backend-ram,id=memory%d,size=%" PRId64 "M", i,
			     share(config->memory_bytes / mib, config->nodes, i));
		strlist_add(args, "-numa");
		strlist_addf(args, "node,nodeid=%d,cpus=%" PRId64 "-%" PRId64 ",memdev=memory%d", i,
			     cpu, last, i);
		cpu = last + 1;
	}
}

static void add_kernel(struct strlist *args, const struct vm_arch *arch,
		       const struct vm_config *config, const struct vm_fds *fds)
{
	struct strbuf words = STRBUF_INIT;

	add_pair(args, "-kernel", config->kernel);
	strlist_add(args, "-initrd");
	strlist_addf(args, "/proc/self/fd/%d", fds->initrd);
	strlist_add(args, "-append");
	strbuf_addf(&words, "%s %s", arch->append,
		    config->early_console_only ? arch->append_early_only : arch->append_early);
	if (config->accel != VM_KVM)
		strbuf_addf(&words, " %s", arch->append_tcg);
	if (config->deterministic)
		strbuf_addstr(&words, " nokaslr norandmaps random.trust_cpu=off");
	if (config->append)
		strbuf_addf(&words, " %s", config->append);
	strlist_add(args, words.buf);
	strbuf_release(&words);
}

void vm_args(struct strlist *args, const struct vm_arch *arch, const struct vm_config *config,
	     const struct vm_fds *fds)
{
	strlist_add(args, config->qemu ? config->qemu : arch->qemu);
	add_pair(args, "-name", "perfcmp");
	strlist_add(args, "-no-user-config");
	strlist_add(args, "-nodefaults");
	strlist_add(args, "-no-reboot");
	add_pair(args, "-display", "none");
	add_pair(args, "-net", "none");
	add_pair(args, "-machine", arch->machine);
	add_processor(args, arch, config);
	add_nodes(args, config);
	add_channels(args, fds);
	if (vm_has_virtio(config))
		add_virtio(args, arch, fds->port);
	add_kernel(args, arch, config, fds);
}
