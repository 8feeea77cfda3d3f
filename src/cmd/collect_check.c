// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/collect.h"

#include "cmd/opts.h"

static int refuse_empty(const struct collect_args *args, struct err *err)
{
	const struct {
		const char *option, *value, *what;
	} texts[] = {
		{"commit", args->commit, "the name is empty"},
		{"machine", args->machine, "the name is empty"},
		{"name", args->name, "the name is empty"},
		{"events", args->events, "the list is empty"},
		{"qemu", args->qemu, "the path is empty"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (texts[i].value && !*texts[i].value)
			return err_set(err, "--%s: %s", texts[i].option, texts[i].what);
	return 0;
}

/* Options that are for machines in which kernels are booted. */
static int check_machine(const struct collect_args *args, struct err *err)
{
	const struct {
		const char *option;
		bool given;
	} options[] = {
		{"resume", args->resume},
		{"vm-module", args->modules.nr > 0},
		{"vm-file", args->files.nr > 0},
		{"append", args->append != NULL},
		{"qemu", args->qemu != NULL},
		{"boots", args->boots > 0},
		{"vm-cpus", args->cpus > 0},
		{"vm-mem", args->memory != NULL},
		{"vm-nodes", args->nodes > 0},
		{"accel", args->accel != 0},
		{"deterministic", args->deterministic},
	};

	for (size_t i = 0; !args->kernels.nr && i < ARRAY_SIZE(options); i++)
		if (options[i].given)
			return err_set(err,
				       "--%s is for kernels in virtual machines: give --kernel",
				       options[i].option);
	if (args->kernels.nr && args->commit)
		return err_set(err, "--commit: name each kernel: --kernel IMAGE,commit=LABEL");
	if (args->kernels.nr && args->subject)
		return err_set(err, "--subject: name each kernel's: --kernel IMAGE,subject=TEXT");
	if (args->deterministic && (args->runtime || args->warmup))
		return err_set(err,
			       "--%s: a deterministic run is counted in operations: give "
			       "--param ops=N and --param warmup_ops=N",
			       args->runtime ? "runtime" : "warmup");
	return 0;
}

static int check_command(const struct collect_args *args, const struct opts_rest *rest,
			 struct err *err)
{
	if (!rest->command && !rest->args_nr)
		return err_set(err, "no test given: see perfcmp collect --help and --list-tests");
	if (!rest->command && (args->picks_nr || args->name))
		return err_set(err, "--pick and --name are for a command (after --)");
	if (!rest->command)
		return 0;
	if (rest->args_nr)
		return err_set(err, "%s: either tests or a command (after --), not both",
			       rest->args[0]);
	if (!rest->command[0] || !rest->command[0][0])
		return err_set(err, "no command after --");
	if (args->workload)
		return err_set(err, "--workload fake: a command is always run for real");
	return 0;
}

int collect_check(const struct collect_args *args, const struct opts_rest *rest, struct err *err)
{
	if (check_command(args, rest, err) || check_machine(args, err))
		return -1;
	return refuse_empty(args, err);
}
