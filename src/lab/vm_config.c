// SPDX-License-Identifier: GPL-2.0-only
#include "lab/vm.h"

#include "lab/vm_arch.h"
#include "measure/child.h"

#include <inttypes.h>

static const int64_t mib = 1 << 20;

enum {
	CPUS_MAX = 255, /* without an interrupt controller that not every kernel has */
	MEMORY_MIN_MIB = 128,
	NODE_MIN_MIB = 64,
	APPEND_MAX = 1500, /* x86 kernels take 2047 in all */
	CHECK_TIMEOUT_S = 20,
};

static int check_deterministic(const struct vm_config *config, struct err *err)
{
	if (config->accel == VM_KVM)
		return err_set(err, "--deterministic needs emulation, a processor's time is never "
				    "the same twice: leave out --accel kvm");
	if (config->cpus > 1)
		return err_set(err,
			       "--deterministic needs one CPU, the order in which %d CPUs run is "
			       "never the same twice: leave out --vm-cpus %d",
			       config->cpus, config->cpus);
	if (config->nodes > 1)
		return err_set(err,
			       "--deterministic needs one CPU and with it one node: leave out "
			       "--vm-nodes %d",
			       config->nodes);
	return 0;
}

static int check_memory(const struct vm_config *config, struct err *err)
{
	int64_t memory = config->memory_bytes / mib;

	if (config->memory_bytes % mib)
		return err_set(err, "--vm-mem: %" PRId64 " bytes are no whole number of MiB",
			       config->memory_bytes);
	if (memory < MEMORY_MIN_MIB)
		return err_set(err, "--vm-mem: %" PRId64 " MiB are not enough: a guest needs %d",
			       memory, MEMORY_MIN_MIB);
	if (memory / config->nodes < NODE_MIN_MIB)
		return err_set(
			err, "--vm-mem: %" PRId64 " MiB are not enough for %d nodes: each needs %d",
			memory, config->nodes, NODE_MIN_MIB);
	return 0;
}

static int check_append(const char *append, struct err *err)
{
	for (const char *s = append; *s; s++)
		if ((unsigned char)*s < ' ')
			return err_set(err,
				       "--append: has a line end or another control character");
	if (strlen(append) > APPEND_MAX)
		return err_set(err, "--append: is longer than the %d characters a kernel takes",
			       APPEND_MAX);
	return 0;
}

int vm_check_config(const struct vm_config *config, struct err *err)
{
	if (config->cpus < 1 || config->cpus > CPUS_MAX)
		return err_set(err, "--vm-cpus: a guest has 1 to %d CPUs, not %d", CPUS_MAX,
			       config->cpus);
	if (config->nodes < 1)
		return err_set(err, "--vm-nodes: a guest has at least one node, not %d",
			       config->nodes);
	if (config->deterministic && check_deterministic(config, err) < 0)
		return -1;
	if (config->nodes > config->cpus)
		return err_set(
			err, "--vm-nodes: %d nodes need at least as many CPUs, not %d (--vm-cpus)",
			config->nodes, config->cpus);
	if (check_memory(config, err) < 0)
		return -1;
	return config->append ? check_append(config->append, err) : 0;
}

bool vm_has_virtio(const struct vm_config *config)
{
	return !config->deterministic;
}

void vm_machine_name(struct strbuf *out, const struct vm_config *config)
{
	const char *kind = config->accel == VM_KVM ? "kvm" : "tcg";

	strbuf_addf(out, "vm-%dcpu-%dnode-%" PRId64 "M-%s", config->cpus, config->nodes,
		    config->memory_bytes / mib, config->deterministic ? "icount" : kind);
}

int vm_check_qemu(const char *qemu, struct err *err)
{
	const char *program = qemu ? qemu : VM_ARCH->qemu;
	char *const argv[] = {xstrdup(program), (char[]){"--version"}, NULL};
	struct child_spec spec = {.argv = argv, .timeout_s = CHECK_TIMEOUT_S, .output_max = 4096};
	struct child_result result;
	int status = child_run(&spec, &result, err);

	free(argv[0]);
	if (status < 0)
		return -1;
	if (result.status == RUN_OK && strstr(result.output.buf, "QEMU"))
		status = 0;
	else if (result.status == RUN_OK)
		status = err_set(err, "%s: is no QEMU (--qemu)", program);
	else if (result.exit_code == 127)
		status = err_set(
			err,
			"%s: cannot be started: install QEMU (Debian package %s) or name it "
			"with --qemu",
			program, VM_ARCH->package);
	else
		status = err_set(err, "%s: does not work (--qemu): %s", program, result.reason.buf);
	child_result_release(&result);
	return status;
}
