// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/boots_guest.h"

#include "base/strbuf.h"

static const struct boots_kernel kernels[] = {
	{.image = "a", .commit = {.name = "v6.1", .hash = "0123", .subject = "one"}},
	{.image = "b", .commit = {.name = "a much longer name"}},
};

/* Two kernels, two boots of each, one test twice a boot. */
struct fixture {
	struct campaign_config campaign;
	struct boots_config config;
	struct plan plan;
	bool done[8];
};

static void setup(struct fixture *f)
{
	const struct plan_boots how = {.kernels = 2, .boots = 2, .iterations = 2};
	const struct plan_test test = {.testcase = "will-it-scale", .test = "getppid1"};
	struct err err;

	*f = (struct fixture){.config = {.kernels = kernels,
					 .kernels_nr = 2,
					 .boots = 2,
					 .vm = {.cpus = 1,
						.nodes = 1,
						.memory_bytes = INT64_C(1) << 30,
						.deterministic = true}}};
	f->config.campaign = &f->campaign;
	assert_int_equal(plan_add_jobs(&f->plan, &test, &err), 0);
	assert_int_equal(plan_order_boots(&f->plan, &how, &err), 0);
	assert_int_equal(f->plan.boots_nr, 4);
	assert_int_equal(f->plan.runs_nr, 8);
}

static bool make(struct fixture *f, int boot, struct boots_guest *guest)
{
	const struct boots_guest_spec spec = {
		.config = &f->config,
		.plan = &f->plan,
		.boot = &f->plan.boots[boot],
		.done = f->done,
		.accel = VM_TCG,
	};

	*guest = (struct boots_guest){0};
	return boots_guest_make(guest, &spec);
}

static void the_guests_of_two_kernels_are_told_the_same(void **state)
{
	struct strbuf bytes[2] = {STRBUF_INIT, STRBUF_INIT};
	struct boots_guest guests[2];
	struct fixture f;

	(void)state;
	setup(&f);
	for (int i = 0; i < 2; i++) {
		assert_true(make(&f, i, &guests[i]));
		wire_put_plan(&bytes[i], &guests[i].plan);
	}
	assert_int_equal(bytes[0].len, bytes[1].len);
	assert_memory_equal(bytes[0].buf, bytes[1].buf, bytes[0].len);
	assert_string_not_equal(guests[0].boot_id, guests[1].boot_id);
	assert_string_not_equal(guests[0].runs[0].id, guests[1].runs[0].id);
	for (int i = 0; i < 2; i++) {
		boots_guest_release(&guests[i]);
		strbuf_release(&bytes[i]);
	}
	plan_release(&f.plan);
}

static void runs_get_their_names_on_arrival(void **state)
{
	struct boots_guest guest;
	struct fixture f;
	struct run run;

	(void)state;
	setup(&f);
	assert_true(make(&f, 0, &guest));
	assert_string_equal(guest.plan.kind, MACHINE_DETERMINISTIC);
	assert_string_equal(guest.plan.machine, "vm-1cpu-1node-1024M-icount");
	boots_guest_begins(&guest, 1);
	run_init(&run);
	boots_guest_name(&guest, 1, &run);
	assert_string_equal(run.id, guest.runs[1].id);
	assert_string_equal(run.commit.name, "v6.1");
	assert_string_equal(run.commit.hash, "0123");
	assert_string_equal(run.commit.subject, "one");
	assert_string_equal(run.boot_id, guest.boot_id);
	assert_int_equal(run.start_ns, guest.runs[1].start_ns);
	run_release(&run);
	/* one that never began starts when it is told of */
	run_init(&run);
	boots_guest_name(&guest, 0, &run);
	assert_true(run.start_ns > 0);
	run_release(&run);
	boots_guest_release(&guest);
	plan_release(&f.plan);
}

static void only_what_is_left_is_done(void **state)
{
	struct boots_guest guest;
	struct fixture f;
	int first;

	(void)state;
	setup(&f);
	first = f.plan.boots[3].first;
	f.done[first] = true;
	assert_true(make(&f, 3, &guest));
	assert_int_equal(guest.plan.runs_nr, 1);
	assert_int_equal(guest.plan.runs[0].place, 0);
	assert_int_equal(guest.runs[0].place, first + 1);
	boots_guest_release(&guest);
	f.done[first + 1] = true;
	assert_false(make(&f, 3, &guest));
	boots_guest_release(&guest);
	plan_release(&f.plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_guests_of_two_kernels_are_told_the_same),
		cmocka_unit_test(runs_get_their_names_on_arrival),
		cmocka_unit_test(only_what_is_left_is_done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
