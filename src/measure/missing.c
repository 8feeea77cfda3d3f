// SPDX-License-Identifier: GPL-2.0-only
#include "measure/missing.h"

#include "base/strbuf.h"

void missing_add(struct missing *missing, const char *name, const char *reason)
{
	strlist_add(&missing->names, name);
	strlist_add(&missing->reasons, reason);
}

static void warn_of(const struct missing *missing, const char *reason, struct strlist *warnings)
{
	struct strbuf names = STRBUF_INIT;

	for (int i = 0; i < missing->names.nr; i++)
		if (streq(missing->reasons.v[i], reason))
			strbuf_additem(&names, ", ", "%s", missing->names.v[i]);
	strlist_addf(warnings, "%s: %s", reason, names.buf);
	strbuf_release(&names);
}

void missing_warn(const struct missing *missing, struct strlist *warnings)
{
	struct strlist done = {0};

	for (int i = 0; i < missing->reasons.nr; i++) {
		if (strlist_has(&done, missing->reasons.v[i]))
			continue;
		strlist_add(&done, missing->reasons.v[i]);
		warn_of(missing, missing->reasons.v[i], warnings);
	}
	strlist_release(&done);
}

void missing_release(struct missing *missing)
{
	strlist_release(&missing->names);
	strlist_release(&missing->reasons);
}
