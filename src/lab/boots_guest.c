// SPDX-License-Identifier: GPL-2.0-only
#include "lab/boots_guest.h"

#include "base/strbuf.h"

enum {
	DETERMINISTIC_RUN_S = 60,
	EMULATED_SLOWNESS = 5,
};

double boots_guest_timeout_s(const struct boots_config *config)
{
	const struct campaign_config *campaign = config->campaign;

	if (campaign->run.timeout_s <= 0 && config->vm.deterministic && !campaign->argv)
		return DETERMINISTIC_RUN_S;
	return campaign->run.timeout_s;
}

static double timeout_s(const struct boots_guest_spec *spec, const struct job *job)
{
	double seconds = boots_guest_timeout_s(spec->config);

	if (seconds > 0)
		return seconds;
	return campaign_timeout_s(job) * (spec->accel == VM_TCG ? EMULATED_SLOWNESS : 1);
}

static const char *kind_of(const struct boots_guest_spec *spec)
{
	if (spec->config->vm.deterministic)
		return MACHINE_DETERMINISTIC;
	return spec->accel == VM_KVM ? "kvm" : MACHINE_EMULATED;
}

/* A random UUID: the guest's own is not random where nothing is. */
static const char *draw_boot_id(struct pool *pool)
{
	struct run run;

	run_init(&run); /* its id is 32 random digits */
	return pool_printf(pool, "%.8s-%.4s-%.4s-%.4s-%.12s", run.id, run.id + 8, run.id + 12,
			   run.id + 16, run.id + 20);
}

static void add_run(struct boots_guest *guest, const struct boots_guest_spec *spec, int place)
{
	const struct plan_run *planned = &spec->plan->runs[place];
	const struct job *job = &spec->plan->jobs[planned->job];
	struct guest_plan *plan = &guest->plan;
	struct guest_run *told;
	struct run drawn;

	GROW(guest->runs, plan->runs_nr, guest->runs_alloc);
	run_init(&drawn);
	guest->runs[plan->runs_nr] = (struct boots_guest_run){.place = place};
	memcpy(guest->runs[plan->runs_nr].id, drawn.id, sizeof(drawn.id));

	GROW(plan->runs, plan->runs_nr, plan->runs_alloc);
	told = &plan->runs[plan->runs_nr];
	*told = (struct guest_run){.place = plan->runs_nr, .iteration = planned->iteration};
	snprintf(told->id, sizeof(told->id), "%032x", (unsigned)plan->runs_nr);
	told->job = *job;
	told->job.params = (struct params){0};
	params_copy(&told->job.params, &plan->pool, &job->params);
	told->timeout_s = timeout_s(spec, job);
	plan->runs_nr++;
}

static void describe_guest(struct boots_guest *guest, const struct boots_guest_spec *spec)
{
	const struct boots_config *config = spec->config;
	const struct one_run_config *run = &config->campaign->run;
	struct guest_plan *plan = &guest->plan;
	struct strbuf machine = STRBUF_INIT;
	struct vm_config vm = config->vm;

	vm.accel = spec->accel;
	vm_machine_name(&machine, &vm);
	if (config->campaign->machine) {
		strbuf_reset(&machine);
		strbuf_addstr(&machine, config->campaign->machine);
	}
	plan->commit.name = "guest";
	plan->machine = pool_strdup(&plan->pool, machine.buf);
	plan->kind = kind_of(spec);
	plan->boot_id = "guest";
	plan->counters = run->counters;
	plan->fake_workload = run->fake_workload;
	plan->deterministic = vm.deterministic;
	for (int i = 0; run->events && i < run->events->nr; i++)
		strlist_add(&plan->events, run->events->v[i]);
	for (int i = 0; config->picks && i < config->picks->nr; i++)
		strlist_add(&plan->picks, config->picks->v[i]);
	strbuf_release(&machine);
}

bool boots_guest_make(struct boots_guest *guest, const struct boots_guest_spec *spec)
{
	const struct plan_boot *boot = spec->boot;

	guest->commit = spec->config->kernels[boot->kernel].commit;
	guest->boot_id = draw_boot_id(&guest->plan.pool);
	describe_guest(guest, spec);
	for (int place = boot->first; place < boot->first + boot->nr; place++)
		if (!spec->done[place])
			add_run(guest, spec, place);
	return guest->plan.runs_nr > 0;
}

void boots_guest_release(struct boots_guest *guest)
{
	guest_plan_release(&guest->plan);
	free(guest->runs);
	*guest = (struct boots_guest){0};
}

void boots_guest_begins(struct boots_guest *guest, int i)
{
	guest->runs[i].start_ns = wall_ns();
}

void boots_guest_name(const struct boots_guest *guest, int i, struct run *run)
{
	const struct boots_guest_run *known = &guest->runs[i];

	memcpy(run->id, known->id, sizeof(run->id));
	run->commit.name = pool_strdup(&run->pool, guest->commit.name);
	run->commit.hash = pool_strdup(&run->pool, guest->commit.hash);
	run->commit.subject = pool_strdup(&run->pool, guest->commit.subject);
	run->boot_id = pool_strdup(&run->pool, guest->boot_id);
	run->start_ns = known->start_ns ? known->start_ns : wall_ns();
}
