/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CMD_CMD_H
#define CMD_CMD_H
/* What the commands share: the table of commands, messages, opening the database. */
#include "base/err.h"
#include "cmd/opts.h"

struct params;
struct pool;
struct store;

extern const struct command cmd_collect, cmd_diff, cmd_import, cmd_list, cmd_show;

/* "perfcmp: message" on standard error; they return the exit status. */
int cmd_failed(const struct err *err);
int cmd_usage(const struct err *err);
void cmd_note(const char *fmt, ...) PRINTF_LIKE(1, 2); /* without "perfcmp: "; safe to print */

/*
 * Parses the options. True: go on. False: *status is the exit status (help was printed, or an error). The
 * argument struct must be released with opts_release() either way.
 */
bool cmd_parse(const struct command *command, char **argv, void *args, struct opts_rest *rest,
	       int *status) __attribute__((warn_unused_result));

/* The "key=value" texts of an option; a key that is given twice is refused. Strings go into the pool. */
int cmd_params(const char *option, const struct strlist *texts, struct pool *pool,
	       struct params *out, struct err *err);

/* Flushes standard output; a full disk or a closed pipe is an error like any other. */
int cmd_finish(int status);

/* The database at --db (or its default), opened; NULL: the message was printed. */
struct store *cmd_open_store(const char *db, bool write);

#endif
