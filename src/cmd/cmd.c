// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/cmd.h"

#include <errno.h>
#include <stdarg.h>

#include "base/printable.h"
#include "base/strbuf.h"
#include "model/params.h"
#include "store/store.h"

static int print_message(const struct err *err, int status)
{
	cmd_note("perfcmp: %s", err->msg);
	return status;
}

int cmd_failed(const struct err *err)
{
	return print_message(err, EXIT_FAILED);
}

int cmd_usage(const struct err *err)
{
	return print_message(err, EXIT_USAGE);
}

void cmd_note(const char *fmt, ...)
{
	struct strbuf safe = STRBUF_INIT;
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	add_printable(&safe, text, true);
	fprintf(stderr, "%s\n", safe.buf);
	strbuf_release(&safe);
	free(text);
}

bool cmd_parse(const struct command *command, char **argv, void *args, struct opts_rest *rest,
	       int *status)
{
	struct err err;

	if (opts_parse(command, argv, args, rest, &err)) {
		*status = cmd_usage(&err);
		return false;
	}
	if (rest->help) {
		opts_print_help(stdout, command);
		*status = cmd_finish(EXIT_DONE);
		return false;
	}
	return true;
}

int cmd_params(const char *option, const struct strlist *texts, struct pool *pool,
	       struct params *out, struct err *err)
{
	for (int i = 0; i < texts->nr; i++) {
		struct param param;

		if (!param_split(pool, texts->v[i], &param))
			return err_set(err, "--%s %s: write it as key=value", option, texts->v[i]);
		if (params_get(out, param.key))
			return err_set(err, "--%s %s: %s is given twice", option, texts->v[i],
				       param.key);
		params_set(out, pool, param.key, param.value);
	}
	return 0;
}

int cmd_finish(int status)
{
	struct err err;

	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	if (errno == EPIPE)
		return status == EXIT_DONE ? EXIT_FAILED : status;
	err_set_errno(&err, errno, "standard output");
	return cmd_failed(&err);
}

struct store *cmd_open_store(const char *db, bool write)
{
	char *path = store_default_path(db);
	struct err err;
	struct store *store = store_open(path, write ? STORE_WRITE : STORE_READ, &err);

	if (!store)
		cmd_failed(&err);
	free(path);
	return store;
}
