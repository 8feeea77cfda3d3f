// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_root.h"
#include "measure/counters_access.h"

#include <errno.h>

/*
 * What a kernel would say: its setting, and whether the caller has CAP_PERFMON. Debian's kernels refuse ordinary
 * users everything from 3 on; others treat 3 like 2. always: what a filter or a missing system call says.
 */
struct refusing_kernel {
	int paranoid;
	bool capable, debian;
	int always;
};

static int ask(void *data, enum access access)
{
	static const int paranoid_max[] = {0, 1, 2};
	const struct refusing_kernel *kernel = data;

	if (kernel->always)
		return kernel->always;
	if (kernel->capable || kernel->paranoid <= paranoid_max[access])
		return 0;
	if (access == ACCESS_USER && !kernel->debian)
		return 0;
	return -EACCES;
}

struct outcome {
	int status; /* 0 or -1 */
	enum access access;
	const char *said; /* the whole warning or error; "" for none */
};

static void check(const struct refusing_kernel *kernel, enum counters_scope wanted,
		  const char *setting, const struct outcome *want)
{
	const struct fake_file files[] = {{"/proc/sys/kernel/perf_event_paranoid", setting},
					  {NULL, NULL}};
	char *root = fake_root_new(files);
	struct refusing_kernel copy = *kernel;
	struct access_probe probe = {.root = root, .try = ask, .data = &copy};
	struct strlist warnings = {0};
	struct err err = {""};
	enum access access = ACCESS_SYSTEM;

	assert_int_equal(counters_access_find(wanted, &probe, &access, &warnings, &err),
			 want->status);
	if (want->status < 0) {
		assert_string_equal(err.msg, want->said);
		assert_int_equal(warnings.nr, 0);
	} else {
		assert_int_equal(access, want->access);
		assert_int_equal(warnings.nr, want->said[0] ? 1 : 0);
		assert_string_equal(warnings.nr ? warnings.v[0] : "", want->said);
	}
	strlist_release(&warnings);
	fake_root_remove(root);
}

#define SET_TO(now, most)                                                                          \
	"kernel.perf_event_paranoid is " now ": set it to " most " or less with sysctl, or be root"

static void the_most_that_is_permitted_is_counted(void **state)
{
	static const struct {
		int paranoid;
		enum counters_scope wanted;
		struct outcome outcome;
	} cases[] = {
		{-1, COUNTERS_AUTO, {0, ACCESS_SYSTEM, ""}},
		{0, COUNTERS_AUTO, {0, ACCESS_SYSTEM, ""}},
		{1,
		 COUNTERS_AUTO,
		 {0, ACCESS_TASK,
		  "counters: only of the test itself, not of the whole system: " SET_TO("1", "0")}},
		{2,
		 COUNTERS_AUTO,
		 {0, ACCESS_USER,
		  "counters: only of the test itself, not of the whole system, and without the "
		  "kernel's part: " SET_TO("2", "0")}},
		{-1, COUNTERS_TASK, {0, ACCESS_TASK, ""}},
		{1, COUNTERS_TASK, {0, ACCESS_TASK, ""}},
		{2,
		 COUNTERS_TASK,
		 {0, ACCESS_USER,
		  "counters: only of the test itself, and without the kernel's part: " SET_TO(
			  "2", "1")}},
		{0, COUNTERS_SYSTEM, {0, ACCESS_SYSTEM, ""}},
		{1,
		 COUNTERS_SYSTEM,
		 {-1, 0, "counting the whole system is not permitted: " SET_TO("1", "0")}},
		{3,
		 COUNTERS_SYSTEM,
		 {-1, 0, "counting the whole system is not permitted: " SET_TO("3", "0")}},
		/* Debian's "nothing for ordinary users" */
		{3, COUNTERS_AUTO, {-1, 0, "perf events are not permitted: " SET_TO("3", "2")}},
		{3, COUNTERS_TASK, {-1, 0, "perf events are not permitted: " SET_TO("3", "2")}},
		{4, COUNTERS_AUTO, {-1, 0, "perf events are not permitted: " SET_TO("4", "2")}},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct refusing_kernel kernel = {.paranoid = cases[i].paranoid, .debian = true};
		char setting[16];

		snprintf(setting, sizeof(setting), "%d\n", cases[i].paranoid);
		check(&kernel, cases[i].wanted, setting, &cases[i].outcome);
	}
}

static void a_capability_overrides_the_setting(void **state)
{
	static const enum counters_scope scopes[] = {COUNTERS_AUTO, COUNTERS_SYSTEM};
	static const struct outcome all = {0, ACCESS_SYSTEM, ""};
	struct refusing_kernel kernel = {.paranoid = 4, .debian = true, .capable = true};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(scopes); i++)
		check(&kernel, scopes[i], "4\n", &all);
}

static void other_kernels_treat_3_like_2(void **state)
{
	static const struct outcome user = {
		0, ACCESS_USER,
		"counters: only of the test itself, not of the whole system, and without the "
		"kernel's part: " SET_TO("3", "0")};
	struct refusing_kernel kernel = {.paranoid = 3};

	(void)state;
	check(&kernel, COUNTERS_AUTO, "3\n", &user);
}

/* The setting would allow it: it must not be blamed. */
static void a_refusal_that_the_setting_does_not_explain_is_a_filter_s(void **state)
{
	static const struct outcome refused = {-1, 0,
					       "perf events are not permitted: perf_event_open is "
					       "refused by a container's filter or a security "
					       "module"};
	struct refusing_kernel kernel = {.always = -EPERM};

	(void)state;
	check(&kernel, COUNTERS_AUTO, "-1\n", &refused);
	check(&kernel, COUNTERS_TASK, "2\n", &refused);
	check(&kernel, COUNTERS_AUTO, "unreadable\n", &refused);
}

static void other_errors_are_told_as_they_are(void **state)
{
	static const struct {
		int error;
		struct outcome outcome;
	} cases[] = {
		{-ENOSYS, {-1, 0, "perf events do not work here: Function not implemented"}},
		{-EMFILE, {-1, 0, "perf events do not work here: Too many open files"}},
		{-ESRCH, {-1, 0, "the test ended before it could be counted"}},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct refusing_kernel kernel = {.always = cases[i].error};

		check(&kernel, COUNTERS_AUTO, "0\n", &cases[i].outcome);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_most_that_is_permitted_is_counted),
		cmocka_unit_test(a_capability_overrides_the_setting),
		cmocka_unit_test(other_kernels_treat_3_like_2),
		cmocka_unit_test(a_refusal_that_the_setting_does_not_explain_is_a_filter_s),
		cmocka_unit_test(other_errors_are_told_as_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
