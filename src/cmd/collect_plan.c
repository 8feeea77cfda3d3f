// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/collect.h"

#include "base/printable.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "cmd/progress.h"

static void print_run(const struct plan *plan, int place)
{
	struct strbuf name = STRBUF_INIT;

	progress_job_name(&name, &plan->jobs[plan->runs[place].job]);
	printf("%d. %s iteration %d\n", place + 1, name.buf, plan->runs[place].iteration);
	strbuf_release(&name);
}

static void print_boot(const struct plan *plan, const struct progress_boots *boots, int boot)
{
	struct strbuf name = STRBUF_INIT;

	add_printable(&name, boots->kernels[plan->boots[boot].kernel], false);
	printf("boot %d of %d, %s\n", boot + 1, plan->boots_nr, name.buf);
	strbuf_release(&name);
}

static void print_runs(const struct plan *plan, const struct progress_boots *boots)
{
	int boot = 0;

	for (int i = 0; i < plan->runs_nr; i++) {
		if (boots && boot < plan->boots_nr && plan->boots[boot].first == i)
			print_boot(plan, boots, boot++);
		print_run(plan, i);
	}
}

static const char *plural(int nr)
{
	return nr == 1 ? "" : "s";
}

/* "4 runs, 1:00", "4 runs in 2 boots, 1:12", "4 runs in 2 boots, 12 s to boot, time of the runs not known" */
static void print_sum(const struct plan *plan, const struct progress_boots *boots)
{
	double runs_s = progress_expected_s(plan), boots_s = 0;
	char text[24];

	printf("%d run%s", plan->runs_nr, plural(plan->runs_nr));
	if (boots) {
		boots_s = plan->boots_nr * boots->boot_s;
		printf(" in %d boot%s", plan->boots_nr, plural(plan->boots_nr));
	}
	progress_duration(text, runs_s + boots_s);
	if (runs_s > 0)
		printf(", %s\n", text);
	else if (boots)
		printf(", %s to boot, time of the runs not known\n", text);
	else
		puts(", time not known");
}

int collect_print_plan(const struct plan *plan, const struct campaign_config *config,
		       const struct progress_boots *boots)
{
	print_runs(plan, boots);
	print_sum(plan, boots);
	if (config->order == PLAN_RANDOM)
		printf("random order of --seed %llu\n", (unsigned long long)config->seed);
	return EXIT_DONE;
}

void collect_note_order(const struct campaign_config *config)
{
	if (config->order == PLAN_RANDOM)
		cmd_note("random order of --seed %llu", (unsigned long long)config->seed);
}
