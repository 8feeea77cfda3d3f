// SPDX-License-Identifier: GPL-2.0-only
#include "measure/counters_access.h"

#include "measure/sysfile.h"

#include <errno.h>

/* perf_event_paranoid may be this at most. */
static const int paranoid_max[] = {
	[ACCESS_SYSTEM] = 0,
	[ACCESS_TASK] = 1,
	[ACCESS_USER] = 2,
};

static bool is_refusal(int error)
{
	return error == -EACCES || error == -EPERM;
}

/* Why `access` was refused, and what to do. */
static char *cause(const struct access_probe *probe, enum access access)
{
	struct pool pool = {0};
	const char *text = sysfile_read(&pool, probe->root, "/proc/sys/kernel/perf_event_paranoid");
	int64_t paranoid;
	char *result;

	if (text && parse_i64(text, &paranoid) && paranoid > paranoid_max[access])
		result = xasprintf(
			"kernel.perf_event_paranoid is %d: set it to %d or less with sysctl, or be root",
			(int)paranoid, paranoid_max[access]);
	else
		result = xasprintf(
			"perf_event_open is refused by a container's filter or a security module");
	pool_release(&pool);
	return result;
}

static int refused(const struct access_probe *probe, enum access access, const char *what,
		   struct err *err)
{
	char *why = cause(probe, access);

	err_set(err, "%s: %s", what, why);
	free(why);
	return -1;
}

static void warn_of_less(const struct access_probe *probe, enum access wanted, enum access allowed,
			 struct strlist *warnings)
{
	char *why = cause(probe, wanted);

	strlist_addf(warnings, "counters: only of the test itself%s%s: %s",
		     wanted == ACCESS_SYSTEM ? ", not of the whole system" : "",
		     allowed == ACCESS_USER ? ", and without the kernel's part" : "", why);
	free(why);
}

int counters_access_find(enum counters_scope wanted, const struct access_probe *probe,
			 enum access *out, struct strlist *warnings, struct err *err)
{
	int most = wanted == COUNTERS_TASK ? ACCESS_TASK : ACCESS_SYSTEM;
	int least = wanted == COUNTERS_SYSTEM ? ACCESS_SYSTEM : ACCESS_USER;
	int error = 0, access;

	for (access = most; access <= least; access++) {
		error = probe->try(probe->data, (enum access)access);
		if (!is_refusal(error))
			break;
	}
	if (access > least)
		return refused(probe, (enum access)least,
			       least == ACCESS_SYSTEM ? "counting the whole system is not permitted"
						      : "perf events are not permitted",
			       err);
	if (error == -ESRCH)
		return err_set(err, "the test ended before it could be counted");
	if (error)
		return err_set_errno(err, -error, "perf events do not work here");
	*out = (enum access)access;
	if (access != most)
		warn_of_less(probe, (enum access)most, *out, warnings);
	return 0;
}
