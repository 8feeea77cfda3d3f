// SPDX-License-Identifier: GPL-2.0-only
#include "lab/wire.h"
#include "lab/wire_field.h"

#include <assert.h>

/* The user's command: a text with a NUL behind each argument; absent if there is none. */
static void put_argv(struct strbuf *out, const struct wire_field *field, const void *thing)
{
	const struct guest_run *run = thing;
	size_t begin;

	if (!run->job.argv)
		return;
	begin = wire_begin(out, field);
	for (char *const *arg = run->job.argv; *arg; arg++)
		strbuf_add(out, *arg, strlen(*arg) + 1);
	wire_end(out, begin);
}

static bool get_argv(struct wire_cursor content, const struct wire_field *field, void *thing,
		     struct pool *pool)
{
	struct wire_cursor count = content;
	struct guest_run *run = thing;
	size_t nr = 0;
	char **argv;

	(void)field;
	while (wire_take_text(&count))
		nr++;
	if (!nr || count.at != count.end)
		return false;
	argv = pool_alloc(pool, (nr + 1) * sizeof(*argv));
	for (size_t i = 0; i < nr; i++)
		argv[i] = pool_strdup(pool, wire_take_text(&content));
	run->job.argv = argv;
	return true;
}

static const struct wire_type argument_list = {.optional = true, .put = put_argv, .get = get_argv};

#define AT(member) offsetof(struct guest_run, member)
static const struct wire_field run_fields[] = {
	{1, 0, &wire_text, AT(job.testcase)},
	{2, 0, &wire_text, AT(job.test)},
	{3, 0, &wire_params, AT(job.params)},
	{4, 0, &argument_list, 0},
	{5, 0, &wire_int, AT(place)},
	{6, 0, &wire_int, AT(iteration)},
	{7, 0, &wire_double, AT(timeout_s)},
	{8, sizeof(((struct guest_run *)NULL)->id) - 1, &wire_hex, AT(id)},
};
#undef AT
static_assert(ARRAY_SIZE(run_fields) <= WIRE_FIELDS_MAX, "wire_get_table");
static const struct wire_table run_table = {run_fields, (int)ARRAY_SIZE(run_fields)};

static void put_runs(struct strbuf *out, const struct wire_field *field, const void *thing)
{
	const struct guest_plan *plan = thing;

	for (int i = 0; i < plan->runs_nr; i++) {
		size_t begin = wire_begin(out, field);

		wire_put_table(out, &run_table, &plan->runs[i]);
		wire_end(out, begin);
	}
}

static bool get_run(struct wire_cursor content, const struct wire_field *field, void *thing,
		    struct pool *pool)
{
	struct guest_plan *plan = thing;
	struct guest_run *run;

	(void)field;
	GROW(plan->runs, plan->runs_nr, plan->runs_alloc);
	run = &plan->runs[plan->runs_nr++];
	*run = (struct guest_run){0};
	return wire_get_table(content, &run_table, run, pool) && run->job.testcase && run->job.test;
}

static const struct wire_type one_run_each = {.repeated = true, .put = put_runs, .get = get_run};

#define AT(member) offsetof(struct guest_plan, member)
static const struct wire_field plan_fields[] = {
	{1, 0, &wire_text, AT(commit.name)},
	{2, 0, &wire_text, AT(commit.hash)},
	{3, 0, &wire_text, AT(commit.subject)},
	{4, 0, &wire_text, AT(machine)},
	{5, 0, &wire_text, AT(kind)},
	{6, 0, &wire_text, AT(boot_id)},
	{7, COUNTERS_OFF + 1, &wire_enum, AT(counters)},
	{8, 0, &wire_list, AT(events)},
	{9, 0, &wire_bool, AT(deterministic)},
	{10, 0, &wire_bool, AT(fake_workload)},
	{11, 0, &wire_list, AT(picks)},
	{12, 0, &one_run_each, 0},
};
static_assert(ARRAY_SIZE(plan_fields) <= WIRE_FIELDS_MAX, "wire_get_table");
static const struct wire_table plan_table = {plan_fields, (int)ARRAY_SIZE(plan_fields)};

void guest_plan_release(struct guest_plan *plan)
{
	for (int i = 0; i < plan->runs_nr; i++)
		params_release(&plan->runs[i].job.params);
	free(plan->runs);
	strlist_release(&plan->events);
	strlist_release(&plan->picks);
	pool_release(&plan->pool);
	*plan = (struct guest_plan){0};
}

void wire_put_plan(struct strbuf *out, const struct guest_plan *plan)
{
	wire_put_table(out, &plan_table, plan);
}

int wire_get_plan(const void *data, size_t length, struct guest_plan *plan, struct err *err)
{
	struct wire_cursor content = {data, (const char *)data + length};

	if (!wire_get_table(content, &plan_table, plan, &plan->pool))
		return err_set(err, "the guest's plan (%zu bytes) is damaged", length);
	if (!plan->commit.name)
		return err_set(err, "the guest's plan does not name the commit");
	if (plan->picks.nr % 3)
		return err_set(err, "the guest's plan is damaged: %d texts for picks",
			       plan->picks.nr);
	return 0;
}
