// SPDX-License-Identifier: GPL-2.0-only
#include "lab/guest.h"

#include "lab/guest_link.h"
#include "lab/guest_modules.h"
#include "lab/guest_port.h"
#include "lab/guest_runs.h"
#include "lab/guest_system.h"
#include "lab/wire.h"

static int read_plan(struct guest_plan *plan, struct err *err)
{
	struct strbuf bytes = STRBUF_INIT;
	int status = guest_system_read("/plan", &bytes, err);

	if (status == 0)
		status = wire_get_plan(bytes.buf, bytes.len, plan, err);
	strbuf_release(&bytes);
	return status;
}

static int do_plan(struct guest_link *link, struct err *err)
{
	struct strbuf nothing = STRBUF_INIT;
	struct guest_plan plan = {0};
	int status = read_plan(&plan, err);

	if (status == 0) {
		/* Its clock runs ahead while it waits: no time limit means anything there. */
		if (plan.deterministic)
			link->timeout_ms = -1;
		status = guest_do_runs(&plan, link, err);
	}
	if (status == 0)
		status = guest_link_deliver(link, FRAME_DONE, &nothing, err);
	guest_plan_release(&plan);
	return status;
}

static void tell_failure(struct guest_link *link, const struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	struct err ignored;

	guest_system_say(err->msg);
	strbuf_addstr(&text, err->msg);
	guest_link_deliver(link, FRAME_FAIL, &text, &ignored);
	strbuf_release(&text);
}

/* What is wrong with the modules can be told only when the line, which may need some of them, is there. */
void guest_main(void)
{
	struct guest_link link = {.timeout_ms = GUEST_LINK_TIMEOUT_MS};
	struct err err, why;
	int modules = 0, status = guest_system_setup(&err);

	if (status == 0) {
		modules = guest_modules_load(&why);
		link.fd = guest_port(&err);
	}
	if (status || link.fd < 0)
		guest_system_say(err.msg);
	else if (modules)
		tell_failure(&link, &why);
	else if (do_plan(&link, &err))
		tell_failure(&link, &err);
	guest_system_power_off();
}
