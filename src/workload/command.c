// SPDX-License-Identifier: GPL-2.0-only
#include "workload/command.h"

#include "base/hash.h"
#include "base/strbuf.h"
#include "workload/workload.h"

enum {
	READABLE_MAX = 48, /* bytes of a name without a hash */
};

static int complete(struct job *job, struct pool *pool, int cpus, struct err *err)
{
	(void)pool;
	(void)cpus;
	if (!job->argv || !job->argv[0] || !*job->argv[0])
		return err_set(err, "no program: put it and its arguments after --");
	if (job->params.nr)
		return err_set(err, "%s: a command takes no parameters, only arguments",
			       job->params.v[0].key);
	return 0;
}

static const char *const no_params[] = {NULL};
static const char *const metrics[] = {"seconds", NULL};

const struct workload command_workload = {
	.testcase = "command",
	.help = "any program: perfcmp collect [options] -- PROGRAM ARGUMENT...",
	.params = no_params,
	.metrics = metrics,
	.complete = complete,
};

/* Text that may stand in a name as it is. ',' joins the arguments and so may not. */
static bool is_plain(const char *s)
{
	return s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			   "._+-=:@%")] == '\0';
}

/* Each argument with its NUL, so that "a b" and "ab" differ. */
static uint32_t hash_arguments(char *const *argv)
{
	uint32_t hash = HASH32_INIT;

	for (; *argv; argv++)
		hash = hash32_bytes(hash, *argv, strlen(*argv) + 1);
	return hash;
}

/* The program's name with what could not stand in a file name or a table made harmless. */
static void add_program(struct strbuf *out, const char *path)
{
	const char *slash = strrchr(path, '/');

	for (const char *s = slash ? slash + 1 : path; *s; s++) {
		char c[2] = {*s, '\0'};

		strbuf_addch(out, is_plain(c) ? *s : '_');
	}
}

const char *command_test_name(struct pool *pool, char *const *argv)
{
	struct strbuf name = STRBUF_INIT;
	const char *slash = strrchr(argv[0], '/');
	bool plain = is_plain(slash ? slash + 1 : argv[0]);
	const char *result;

	add_program(&name, argv[0]);
	for (int i = 1; argv[i]; i++) {
		plain = plain && *argv[i] && is_plain(argv[i]);
		if (plain)
			strbuf_addf(&name, ",%s", argv[i]);
	}
	if (!plain || name.len > READABLE_MAX) {
		strbuf_reset(&name);
		add_program(&name, argv[0]);
		strbuf_addf(&name, "-%08x", hash_arguments(argv + 1));
	}
	result = pool_strdup(pool, name.buf);
	strbuf_release(&name);
	return result;
}
