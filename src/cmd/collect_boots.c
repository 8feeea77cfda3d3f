// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/collect.h"

#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "cmd/progress.h"
#include "lab/boots.h"
#include "store/store.h"
#include "workload/param.h"

/* One of what follows the image, "commit=LABEL" and the like. */
static int parse_detail(const char *text, struct pool *pool, struct boots_kernel *out,
			struct err *err)
{
	const struct {
		const char *key;
		const char **value;
	} details[] = {
		{"commit=", &out->commit.name},
		{"subject=", &out->commit.subject},
		{"modules=", &out->modules},
	};

	for (size_t i = 0; i < ARRAY_SIZE(details); i++) {
		size_t length = strlen(details[i].key);

		if (!starts_with(text, details[i].key) || !text[length])
			continue;
		*details[i].value = pool_strdup(pool, text + length);
		return 0;
	}
	return err_set(err,
		       "after the image there may be commit=LABEL, modules=DIR and, as the last, "
		       "subject=TEXT, not %s",
		       text);
}

/* Subjects have commas: one is the rest of the text. */
static int parse_details(const char *text, struct pool *pool, struct boots_kernel *out,
			 struct err *err)
{
	while (*text) {
		size_t length = starts_with(text, "subject=") ? strlen(text) : strcspn(text, ",");

		if (length && parse_detail(pool_strndup(pool, text, length), pool, out, err))
			return -1;
		text += length;
		text += *text == ',';
	}
	return 0;
}

/* The label of a kernel that was given none: the release in the image's head */
static int name_by_release(struct boots_kernel *kernel, struct pool *pool, struct err *err)
{
	char *release;

	if (vm_check_image(kernel->image, err))
		return -1;
	release = vm_image_release(kernel->image);
	kernel->commit.name = pool_strdup(pool, release);
	free(release);
	if (!kernel->commit.name)
		return err_set(err, "the image tells no release: name it with ,commit=LABEL");
	return 0;
}

/* "IMAGE[,commit=LABEL][,modules=DIR][,subject=TEXT]" */
static int parse_kernel(const char *text, struct pool *pool, struct boots_kernel *out,
			struct err *err)
{
	size_t length = strcspn(text, ",");
	int status;

	*out = (struct boots_kernel){.image = pool_strndup(pool, text, length)};
	if (!length)
		status = err_set(err, "names no image");
	else
		status = parse_details(text + length, pool, out, err);
	if (status == 0 && !out->commit.name)
		status = name_by_release(out, pool, err);
	if (status)
		err_prefix(err, "--kernel %s", text);
	return status;
}

static int parse_kernels(const struct collect_args *args, struct pool *pool,
			 struct boots_kernel *out, struct err *err)
{
	if (args->kernels.nr > BOOTS_KERNELS_MAX)
		return err_set(err, "--kernel: more than %d kernels", BOOTS_KERNELS_MAX);
	for (int i = 0; i < args->kernels.nr; i++) {
		if (parse_kernel(args->kernels.v[i], pool, &out[i], err))
			return -1;
		for (int k = 0; k < i; k++)
			if (streq(out[k].commit.name, out[i].commit.name))
				return err_set(
					err,
					"--kernel: two kernels are called %s: tell them apart with ,commit=LABEL",
					out[i].commit.name);
	}
	return 0;
}

/* As the guest is to parse them again. */
static void copy_picks(const struct collect_args *args, struct strlist *out)
{
	for (int i = 0; i < args->picks_nr; i++) {
		const struct pick *pick = &args->picks[i];

		strlist_add(out, args->pick_texts[i]);
		strlist_add(out, pick->unit ? pick->unit : "");
		strlist_add(out, pick->better == BETTER_HIGHER	? "higher"
				 : pick->better == BETTER_LOWER ? "lower"
								: "");
	}
}

static void names_of(const struct boots_config *config, struct strbuf *out)
{
	for (int i = 0; i < config->kernels_nr; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "", config->kernels[i].commit.name);
}

static int run_boots(const struct boots_config *config, const struct plan *plan,
		     const struct progress_boots *shown, const char *db)
{
	struct progress progress;
	struct campaign_observer observer = progress_observer(&progress, plan, shown);
	struct boots boots = {config, plan, &observer, cmd_open_store(db, true)};
	struct strbuf names = STRBUF_INIT;
	struct campaign_result result;
	struct err err;
	int status, exit_status;

	if (!boots.store)
		return EXIT_FAILED;
	collect_catch_signals();
	collect_note_order(config->campaign);
	names_of(config, &names);
	status = boots_run(&boots, &result, &err);
	progress_release(&progress);
	if (status)
		cmd_failed(&err);
	exit_status = collect_summary(&result, names.buf);
	if (result.stopped)
		cmd_note("the same command line with --resume goes on from here");
	else if (config->resume && !status && !result.stored)
		cmd_note("no run was missing");
	strbuf_release(&names);
	store_close(boots.store);
	return status ? EXIT_FAILED : exit_status;
}

static int parse_memory(const struct collect_args *args, struct pool *pool, int64_t *out,
			struct err *err)
{
	struct job job = {0};
	int status;

	/* How much a guest needs depends on the rest of the machine: vm_check_config() knows. */
	params_set(&job.params, pool, "--vm-mem", args->memory);
	status = param_bytes(&job, "--vm-mem", 1, out, err);
	params_release(&job.params);
	return status;
}

static int plan_and_run(struct boots_config *config, const struct collect_args *args,
			struct pool *pool)
{
	struct boots_kernel kernels[BOOTS_KERNELS_MAX];
	const char *names[BOOTS_KERNELS_MAX];
	const struct progress_boots shown = {names, boots_boot_s(&config->vm)};
	struct plan plan = {0};
	struct err err;
	int status;

	config->kernels = kernels;
	config->kernels_nr = args->kernels.nr;
	if (parse_memory(args, pool, &config->vm.memory_bytes, &err))
		return cmd_usage(&err);
	if (parse_kernels(args, pool, kernels, &err) || boots_plan(config, &plan, &err)) {
		plan_release(&plan);
		return cmd_usage(&err);
	}
	for (int i = 0; i < config->kernels_nr; i++)
		names[i] = kernels[i].commit.name;
	if (args->dry_run)
		status = collect_print_plan(&plan, config->campaign, &shown);
	else
		status = run_boots(config, &plan, &shown, args->db);
	plan_release(&plan);
	return status;
}

int collect_boots(const struct campaign_config *campaign, const struct collect_args *args)
{
	struct strlist picks = {0};
	struct pool pool = {0};
	struct boots_config config = {
		.campaign = campaign,
		.boots = args->boots,
		.files = &args->files,
		.modules = &args->modules,
		.picks = &picks,
		.resume = args->resume,
		.vm =
			{
				.qemu = args->qemu,
				.accel = (enum vm_accel)args->accel,
				.cpus = args->cpus,
				.nodes = args->nodes,
				.append = args->append,
				.deterministic = args->deterministic,
			},
	};
	int status;

	copy_picks(args, &picks);
	status = plan_and_run(&config, args, &pool);
	strlist_release(&picks);
	pool_release(&pool);
	return status;
}
