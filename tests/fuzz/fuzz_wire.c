// SPDX-License-Identifier: GPL-2.0-only
/* Any bytes as a run or a plan (the first byte tells): refused, or written again as something that reads back. */
#include "lab/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
	if (!condition)
		abort();
}

static void require_same(const struct strbuf *a, const struct strbuf *b)
{
	require(a->len == b->len && memcmp(a->buf, b->buf, a->len) == 0);
}

static void try_run(const uint8_t *data, size_t size)
{
	struct strbuf once = STRBUF_INIT, twice = STRBUF_INIT;
	struct run run = {0}, back = {0};
	struct err err;

	if (wire_get_run(data, size, &run, &err) == 0) {
		require(run.commit.name && run.testcase && run.test && strlen(run.id) == 32);
		wire_put_run(&once, &run);
		require(wire_get_run(once.buf, once.len, &back, &err) == 0);
		wire_put_run(&twice, &back);
		require_same(&once, &twice);
	}
	run_release(&run);
	run_release(&back);
	strbuf_release(&once);
	strbuf_release(&twice);
}

static void try_plan(const uint8_t *data, size_t size)
{
	struct strbuf once = STRBUF_INIT, twice = STRBUF_INIT;
	struct guest_plan plan = {0}, back = {0};
	struct err err;

	if (wire_get_plan(data, size, &plan, &err) == 0) {
		require(plan.commit.name && plan.picks.nr % 3 == 0);
		wire_put_plan(&once, &plan);
		require(wire_get_plan(once.buf, once.len, &back, &err) == 0);
		wire_put_plan(&twice, &back);
		require_same(&once, &twice);
	}
	guest_plan_release(&plan);
	guest_plan_release(&back);
	strbuf_release(&once);
	strbuf_release(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size && data[0] == 'r')
		try_run(data + 1, size - 1);
	else if (size)
		try_plan(data + 1, size - 1);
	return 0;
}
