// SPDX-License-Identifier: GPL-2.0-only
#include "lab/boots.h"

#include "lab/boots_guest.h"
#include "lab/boots_key.h"
#include "lab/session.h"
#include "store/campaign.h"

#include <math.h>

enum {
	BOOT_TIMEOUT_S = 120,
	SILENCE_S = 60,
	/*
	 * A deterministic guest is silent through a run, and its seconds are instructions: so many of ours for one
	 * of its own, on the slowest of machines.
	 */
	DETERMINISTIC_BOOT_TIMEOUT_S = 600,
	DETERMINISTIC_SLOWNESS = 40,
	BOOT_KVM_S = 2, /* measured, with what is around it; under emulation with two CPUs */
	BOOT_TCG_S = 6,
};

/* A campaign under way. */
struct work {
	const struct boots *boots;
	struct campaign_result *result;
	struct campaign_place place;
	bool *done; /* by place */
	enum vm_accel accel; /* what works here, as far as we know */
	const struct plan_boot *boot;
	struct boots_guest guest;
};

static int start_campaign(struct work *work, struct err *err)
{
	const struct boots *boots = work->boots;
	char *key = boots_key(boots);
	int found = 0, status;

	if (boots->config->resume)
		found = store_campaign_find(boots->store, key, &work->place.campaign, err);
	if (found == 0 && boots->config->resume)
		status = err_set(
			err,
			"--resume: no campaign with this command line and these kernels is in the database");
	else if (found == 0)
		status = store_campaign_new(boots->store, key, &work->place.campaign, err);
	else
		status = found < 0 ? -1
				   : store_campaign_places(boots->store, work->place.campaign,
							   work->done, boots->plan->runs_nr, err);
	free(key);
	return status;
}

/* ---- One boot */

/* What is still to be done in this boot; false: nothing. */
static bool make_guest(struct work *work)
{
	const struct boots_guest_spec spec = {
		.config = work->boots->config,
		.plan = work->boots->plan,
		.boot = work->boot,
		.done = work->done,
		.accel = work->accel,
	};

	work->guest = (struct boots_guest){0};
	return boots_guest_make(&work->guest, &spec);
}

static int store_run(struct work *work, int place, const struct run *run, struct err *err)
{
	work->place.place = place;
	if (work->done[place]) /* a guest that did not hear us sends it again */
		return 0;
	if (store_add_campaign_run(work->boots->store, &work->place, run, err))
		return -1;
	work->done[place] = true;
	work->result->stored++;
	work->result->failed += run->status != RUN_OK;
	work->boots->observer->run_ended(work->boots->observer->data, run);
	return 0;
}

static void on_boot_tick(void *data, double elapsed_s)
{
	struct work *work = data;

	work->boots->observer->boot_ticks(work->boots->observer->data, elapsed_s);
}

static int on_run(void *data, int i, struct run *run, struct err *err)
{
	struct work *work = data;

	boots_guest_name(&work->guest, i, run);
	return store_run(work, work->guest.runs[i].place, run, err);
}

static void tell_begin(struct work *work, int i)
{
	work->boots->observer->run_begins(work->boots->observer->data, work->boots->plan,
					  work->guest.runs[i].place);
}

static void on_begin(void *data, int i)
{
	struct work *work = data;

	boots_guest_begins(&work->guest, i);
	tell_begin(work, i);
}

static void on_tick(void *data, double elapsed_s)
{
	struct work *work = data;

	work->boots->observer->run_ticks(work->boots->observer->data, elapsed_s);
}

/* The run that the guest cannot tell of any more. */
static void describe_lost(struct work *work, int i, struct run *run)
{
	const struct guest_plan *plan = &work->guest.plan;
	const struct guest_run *what = &plan->runs[i];
	char *release = vm_image_release(work->boots->config->kernels[work->boot->kernel].image);

	boots_guest_name(&work->guest, i, run);
	run->kernel.release = pool_strdup(&run->pool, release);
	run->machine.name = pool_strdup(&run->pool, plan->machine);
	run->machine.kind = pool_strdup(&run->pool, plan->kind);
	run->testcase = pool_strdup(&run->pool, what->job.testcase);
	run->test = pool_strdup(&run->pool, what->job.test);
	params_copy(&run->params, &run->pool, &what->job.params);
	run->iteration = what->iteration;
	free(release);
}

static int store_lost(struct work *work, int i, const struct session_result *session,
		      struct err *err)
{
	const struct run *trouble = session->trouble;
	struct run run;
	int status;

	run_init(&run);
	describe_lost(work, i, &run);
	run.status = RUN_FAILED;
	run.reason = pool_strdup(&run.pool, session->reason.buf);
	run.last_output =
		pool_strdup(&run.pool, session->console.len ? session->console.buf : NULL);
	run_set(&run, "last_state.is_incomplete_run", number_int(1));
	if (!session->booted)
		run_set(&run, "last_state.booting", number_int(1));
	for (int k = 0; trouble && k < trouble->values_nr; k++)
		run_set(&run, trouble->values[k].metric, trouble->values[k].value);
	for (int k = 0; trouble && k < trouble->warnings.nr; k++)
		strlist_add(&run.warnings, trouble->warnings.v[k]);
	if (!session->booted || session->place < 0)
		tell_begin(work, i);
	status = store_run(work, work->guest.runs[i].place, &run, err);
	run_release(&run);
	return status;
}

/*
 * Of a guest that was lost in a run, that run is lost; of one that did not come up, all of its runs; of one that
 * was lost between two runs, the next.
 */
static int store_losses(struct work *work, const struct session_result *session, struct err *err)
{
	for (int i = 0; i < work->guest.plan.runs_nr; i++) {
		if (work->done[work->guest.runs[i].place])
			continue;
		if (session->place >= 0 && session->place != i)
			continue;
		if (store_lost(work, i, session, err))
			return -1;
		if (session->booted)
			break;
	}
	return 0;
}

static void fall_back(struct work *work, const struct session_result *session)
{
	char *text = xasprintf(
		"KVM cannot run a guest here (%s): emulating instead; times are those of an emulator",
		session->reason.buf);

	work->accel = VM_TCG;
	work->boots->observer->note(work->boots->observer->data, text);
	free(text);
}

static double boot_timeout_s(const struct boots_config *config)
{
	return config->vm.deterministic ? DETERMINISTIC_BOOT_TIMEOUT_S : BOOT_TIMEOUT_S;
}

static double silence_s(const struct boots_config *config)
{
	double run_s = boots_guest_timeout_s(config);

	if (!config->vm.deterministic)
		return SILENCE_S;
	return run_s > 0 ? SILENCE_S + DETERMINISTIC_SLOWNESS * run_s : INFINITY;
}

static int refuse_kvm(const struct session_result *session, struct err *err)
{
	return err_set(err, "KVM cannot run a guest here (%s): leave out --accel kvm",
		       session->reason.buf);
}

/* A session for what is left of the boot. */
static int boot_once(struct work *work, struct err *err)
{
	const struct boots_config *config = work->boots->config;
	struct session_config session = {
		.vm = config->vm,
		.plan = &work->guest.plan,
		.files = config->files,
		.modules_folder = config->kernels[work->boot->kernel].modules,
		.modules = config->modules,
		.argv = config->campaign->argv,
		.boot_timeout_s = boot_timeout_s(config),
		.silence_s = silence_s(config),
		.stop = config->campaign->run.stop,
		.data = work,
		.boot_ticks = on_boot_tick,
		.run_begins = on_begin,
		.run_ticks = on_tick,
		.run_ended = on_run,
	};
	struct session_result result;
	int status;

	session.vm.kernel = config->kernels[work->boot->kernel].image;
	session.vm.accel = work->accel;
	work->boots->observer->boot_begins(work->boots->observer->data, work->boots->plan,
					   (int)(work->boot - work->boots->plan->boots));
	status = session_run(&session, &result, err);
	if (status == 0 && result.end == SESSION_NO_ACCEL && config->vm.accel == VM_AUTO)
		fall_back(work, &result);
	else if (status == 0 && result.end == SESSION_NO_ACCEL)
		status = refuse_kvm(&result, err);
	else if (status == 0 && result.end == SESSION_LOST)
		status = store_losses(work, &result, err);
	if (status == 0 && result.end == SESSION_STOPPED)
		work->result->stopped = true;
	session_result_release(&result);
	return status;
}

/* Until each run of the boot is stored: every session takes at least one off, or changes what it runs on. */
static int do_boot(struct work *work, struct err *err)
{
	int status = 0;

	while (status == 0 && !work->result->stopped && make_guest(work)) {
		status = boot_once(work, err);
		boots_guest_release(&work->guest);
	}
	boots_guest_release(&work->guest);
	return status;
}

double boots_boot_s(const struct vm_config *vm)
{
	bool kvm = vm->accel == VM_KVM || (vm->accel == VM_AUTO && access("/dev/kvm", W_OK) == 0);

	return kvm ? BOOT_KVM_S : BOOT_TCG_S;
}

int boots_run(const struct boots *boots, struct campaign_result *result, struct err *err)
{
	struct work work = {.boots = boots, .result = result};
	int status;

	*result = (struct campaign_result){0};
	work.accel = boots->config->vm.accel == VM_TCG || boots->config->vm.deterministic ? VM_TCG
											  : VM_KVM;
	work.done = xcalloc((size_t)boots->plan->runs_nr, sizeof(*work.done));
	status = start_campaign(&work, err);
	for (int i = 0; status == 0 && !result->stopped && i < boots->plan->boots_nr; i++) {
		work.boot = &boots->plan->boots[i];
		status = do_boot(&work, err);
	}
	free(work.done);
	return status;
}
