// SPDX-License-Identifier: GPL-2.0-only
#include "workload/workload.h"

#include "base/near.h"
#include "base/strbuf.h"
#include "measure/machine.h"
#include "workload/autonuma.h"
#include "workload/command.h"
#include "workload/fake.h"
#include "workload/will_it_scale/will_it_scale.h"

#include <fnmatch.h>

enum {
	NEAR_SHOWN = 4,
};

static const struct workload *const workloads[] = {
	&will_it_scale_workload,
	&autonuma_workload,
	&command_workload,
	&fake_workload,
};

const struct workload *const *workload_all(int *nr)
{
	*nr = (int)ARRAY_SIZE(workloads);
	return workloads;
}

const struct workload *workload_find(const char *testcase)
{
	for (size_t i = 0; i < ARRAY_SIZE(workloads); i++)
		if (streq(workloads[i]->testcase, testcase))
			return workloads[i];
	return NULL;
}

const struct workload_test *workload_find_test(const struct workload *workload, const char *name)
{
	for (int i = 0; i < workload->tests_nr; i++)
		if (streq(workload->tests[i]->name, name))
			return workload->tests[i];
	return NULL;
}

int workload_prepare(const struct workload *workload, struct job *job, struct pool *pool,
		     struct err *err)
{
	if (workload->complete(job, pool, machine_online_cpus(), err))
		return -1;
	return workload->check ? workload->check(job, err) : 0;
}

static void full_name(struct strbuf *out, const struct workload *workload, int test)
{
	strbuf_reset(out);
	strbuf_addf(out, "%s/%s", workload->testcase, workload->tests[test]->name);
}

/* A glob that begins with text from the hidden testcase's name means it; "*" does not. */
static bool meant(const struct workload *workload, const char *pattern)
{
	size_t literal = strcspn(pattern, "*?[");

	return !workload->hidden ||
	       (literal && strncmp(pattern, workload->testcase, literal) == 0) ||
	       starts_with(pattern, workload->testcase);
}

static int expand_in(const struct workload *workload, const char *pattern, struct strlist *out)
{
	bool all = streq(pattern, workload->testcase);
	struct strbuf name = STRBUF_INIT;
	int found = 0;

	for (int i = 0; i < workload->tests_nr && meant(workload, pattern); i++) {
		full_name(&name, workload, i);
		if (!all && fnmatch(pattern, name.buf, 0) != 0)
			continue;
		strlist_add_once(out, name.buf);
		found++;
	}
	strbuf_release(&name);
	return found;
}

/* How far a name is from what was typed: the testcase may have been left out or misspelt. */
static int distance_to(const char *name, const char *typed)
{
	const char *test = strchr(name, '/') + 1;
	const char *last = strrchr(typed, '/');
	int whole, part;

	if (last)
		return near_distance(last + 1, test);
	whole = near_distance(typed, name);
	part = near_distance(typed, test);
	return whole < part ? whole : part;
}

static void find_near(struct near *near, const char *typed)
{
	struct strbuf name = STRBUF_INIT;

	for (size_t w = 0; w < ARRAY_SIZE(workloads); w++) {
		for (int i = 0; i < workloads[w]->tests_nr; i++) {
			full_name(&name, workloads[w], i);
			if (meant(workloads[w], typed))
				near_add(near, name.buf, distance_to(name.buf, typed));
		}
	}
	strbuf_release(&name);
}

static int refuse(const char *typed, struct err *err)
{
	struct near near = {0};
	struct strbuf list = STRBUF_INIT;

	find_near(&near, typed);
	near_join(&near, NEAR_SHOWN, "", &list);
	err_set(err, "%s: no such test%s%s ('perfcmp collect --list-tests' names them all)", typed,
		near.nr ? "; near: " : "", list.buf);
	near_release(&near);
	strbuf_release(&list);
	return -1;
}

int workload_expand(const char *pattern, struct strlist *out, struct err *err)
{
	int found = 0;

	if (streq(pattern, command_workload.testcase))
		return err_set(err, "%s: put the program and its arguments after --", pattern);
	for (size_t i = 0; i < ARRAY_SIZE(workloads); i++)
		found += expand_in(workloads[i], pattern, out);
	return found ? 0 : refuse(pattern, err);
}
