/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CMD_OPTS_H
#define CMD_OPTS_H
/*
 * Options of a command as rows of a table: the same rows parse the command line, print the help and feed the
 * completion and the test that holds help and manual page together.
 */
#include "base/err.h"
#include "base/strlist.h"

enum opt_type {
	OPT_FLAG, /* bool; no argument */
	OPT_TEXT, /* const char * into argv */
	OPT_LIST, /* struct strlist; may be given more than once */
	OPT_WHOLE, /* int from min to max */
	OPT_NUMBER, /* double from min to max */
	OPT_CHOICE, /* int: the index of the argument in choices */
	OPT_CALL, /* whatever set() makes of it, in the order of the command line */
};

struct opt {
	const char *name; /* without "--" */
	enum opt_type type;
	size_t offset; /* of the variable in the command's argument struct */
	const char *
		arg; /* how help calls the argument, NULL for a flag; "[=PCT]"-like forms are not supported */
	const char *help; /* one line or more, separated by '\n' */
	double min, max;
	const char *const *choices; /* NULL-terminated */
	int (*set)(void *args, const char *text, struct err *err);
};

/* Rows of a table; ARG(member) must be the offset of the member in the command's argument struct. */
#define OPT_ROW_FLAG(n, m, h)                                                                      \
	{                                                                                          \
		.name = (n), .type = OPT_FLAG, .offset = ARG(m), .help = (h)                       \
	}
#define OPT_ROW_TEXT(n, m, a, h)                                                                   \
	{                                                                                          \
		.name = (n), .type = OPT_TEXT, .offset = ARG(m), .arg = (a), .help = (h)           \
	}
#define OPT_ROW_LIST(n, m, a, h)                                                                   \
	{                                                                                          \
		.name = (n), .type = OPT_LIST, .offset = ARG(m), .arg = (a), .help = (h)           \
	}
#define OPT_ROW_WHOLE(n, m, a, lo, hi, h)                                                          \
	{                                                                                          \
		.name = (n), .type = OPT_WHOLE, .offset = ARG(m), .arg = (a), .min = (lo),         \
		.max = (hi), .help = (h)                                                           \
	}
#define OPT_ROW_NUMBER(n, m, a, lo, hi, h)                                                         \
	{                                                                                          \
		.name = (n), .type = OPT_NUMBER, .offset = ARG(m), .arg = (a), .min = (lo),        \
		.max = (hi), .help = (h)                                                           \
	}
#define OPT_ROW_CHOICE(n, m, c, h)                                                                 \
	{                                                                                          \
		.name = (n), .type = OPT_CHOICE, .offset = ARG(m), .choices = (c), .help = (h)     \
	}
#define OPT_ROW_CALL(n, f, a, h)                                                                   \
	{                                                                                          \
		.name = (n), .type = OPT_CALL, .set = (f), .arg = (a), .help = (h)                 \
	}
#define OPT_ROW_DB(m)                                                                              \
	OPT_ROW_TEXT(                                                                              \
		"db", m, "FILE",                                                                   \
		"the database (default: $PERFCMP_DB, else\n$XDG_DATA_HOME/perfcmp/perfcmp.db)")

struct command {
	const char *name;
	const char *synopsis; /* lines, what follows "perfcmp " */
	const char *summary; /* one line */
	const char *help; /* paragraphs after the options, NULL if none */
	const char *example; /* lines */
	const struct opt *opts;
	int opts_nr;
	bool takes_command; /* "-- COMMAND ARG..." */
	/* argv[0] is the command's name, argv[-1] the program's. Returns the exit status. */
	int (*run)(char **argv);
};

enum exit_status {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_INTERRUPTED = 130,
};

/* What opts_parse() found beside the options. */
struct opts_rest {
	char **args; /* into argv */
	int args_nr;
	char **command; /* what follows "--", NULL if there was no "--" */
	bool help; /* --help was given */
};

/*
 * Parses argv (NULL-terminated; argv[0] is the command's name) into the struct at args. Options may be abbreviated as long as
 * they are unambiguous, and may stand behind other arguments. argv is reordered. --help is always known.
 */
int opts_parse(const struct command *command, char **argv, void *args, struct opts_rest *rest,
	       struct err *err);

/* Frees the lists of an argument struct. */
void opts_release(const struct command *command, void *args);

void opts_print_help(FILE *out, const struct command *command);

/* One line an option, "--name TYPE", for the completion script: `perfcmp --complete COMMAND`. */
void opts_print_names(FILE *out, const struct command *command);

#endif
