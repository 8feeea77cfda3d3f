// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/opts.h"

#include <getopt.h>

#include "base/strbuf.h"

enum {
	HELP_VALUE = 1000,
	FIRST_VALUE = 1001,
	HELP_COLUMN = 26
};

static void *variable(void *args, const struct opt *opt)
{
	return (char *)args + opt->offset;
}

static int parse_whole(const struct opt *opt, const char *text, int *out, struct err *err)
{
	int64_t value;

	if (!parse_i64(text, &value))
		return err_set(err, "--%s %s: not a whole number", opt->name, text);
	if ((double)value < opt->min || (double)value > opt->max)
		return err_set(err, "--%s %s: must be from %.0f to %.0f", opt->name, text, opt->min,
			       opt->max);
	*out = (int)value;
	return 0;
}

static int parse_number(const struct opt *opt, const char *text, double *out, struct err *err)
{
	double value;

	if (!parse_double(text, &value))
		return err_set(err, "--%s %s: not a number", opt->name, text);
	if (value < opt->min || value > opt->max)
		return err_set(err, "--%s %s: must be from %g to %g", opt->name, text, opt->min,
			       opt->max);
	*out = value;
	return 0;
}

static void add_choices(struct strbuf *sb, const struct opt *opt, const char *separator)
{
	for (int i = 0; opt->choices[i]; i++)
		strbuf_addf(sb, "%s%s", i ? separator : "", opt->choices[i]);
}

static int parse_choice(const struct opt *opt, const char *text, int *out, struct err *err)
{
	struct strbuf names = STRBUF_INIT;

	for (int i = 0; opt->choices[i]; i++) {
		if (streq(opt->choices[i], text)) {
			*out = i;
			return 0;
		}
	}
	add_choices(&names, opt, ", ");
	err_set(err, "--%s %s: must be one of %s", opt->name, text, names.buf);
	strbuf_release(&names);
	return -1;
}

static int parse_one(const struct opt *opt, const char *text, void *args, struct err *err)
{
	void *out = variable(args, opt);

	switch (opt->type) {
	case OPT_FLAG:
		*(bool *)out = true;
		return 0;
	case OPT_TEXT:
		*(const char **)out = text;
		return 0;
	case OPT_LIST:
		strlist_add(out, text);
		return 0;
	case OPT_WHOLE:
		return parse_whole(opt, text, out, err);
	case OPT_NUMBER:
		return parse_number(opt, text, out, err);
	case OPT_CHOICE:
		return parse_choice(opt, text, out, err);
	case OPT_CALL:
		return opt->set(args, text, err);
	}
	return 0;
}

/* What getopt stumbled over: a single letter, or the word before its place without "=VALUE". */
static int unknown_option(const struct command *command, const char *word, int code,
			  struct err *err)
{
	int len = (int)strcspn(word, "=");

	if (code == ':')
		return err_set(err, "%.*s needs an argument: see perfcmp %s --help", len, word,
			       command->name);
	if (optopt > 0 && optopt < HELP_VALUE)
		return err_set(err, "-%c: no such option: see perfcmp %s --help", optopt,
			       command->name);
	if (optopt)
		return err_set(err, "%.*s takes no argument: see perfcmp %s --help", len, word,
			       command->name);
	return err_set(err, "%.*s: no such option, or an ambiguous one: see perfcmp %s --help", len,
		       word, command->name);
}

/* Cuts argv at the first "--": what follows is the user's command. */
static int cut_command(const struct command *command, int argc, char **argv, struct opts_rest *rest)
{
	if (!command->takes_command)
		return argc;
	for (int i = 1; i < argc; i++) {
		if (streq(argv[i], "--")) {
			rest->command = argv + i + 1;
			argv[i] = NULL;
			return i;
		}
	}
	return argc;
}

static struct option *getopt_table(const struct command *command)
{
	struct option *table = xcalloc((size_t)command->opts_nr + 2, sizeof(*table));

	for (int i = 0; i < command->opts_nr; i++) {
		table[i].name = command->opts[i].name;
		table[i].has_arg =
			command->opts[i].type == OPT_FLAG ? no_argument : required_argument;
		table[i].val = FIRST_VALUE + i;
	}
	table[command->opts_nr] = (struct option){"help", no_argument, NULL, HELP_VALUE};
	return table;
}

int opts_parse(const struct command *command, char **argv, void *args, struct opts_rest *rest,
	       struct err *err)
{
	struct option *table = getopt_table(command);
	int argc = 0, code, status = 0;

	while (argv[argc])
		argc++;
	*rest = (struct opts_rest){0};
	argc = cut_command(command, argc, argv, rest);
	optind = 0; /* start anew: glibc's way */
	opterr = 0;
	while (status == 0 && (code = getopt_long(argc, argv, ":h", table, NULL)) != -1) {
		if (code == HELP_VALUE || code == 'h')
			rest->help = true;
		else if (code >= FIRST_VALUE)
			status = parse_one(&command->opts[code - FIRST_VALUE], optarg, args, err);
		else
			status = unknown_option(command, argv[optind - 1], code, err);
	}
	rest->args = argv + optind;
	rest->args_nr = argc - optind;
	free(table);
	return status;
}

void opts_release(const struct command *command, void *args)
{
	for (int i = 0; i < command->opts_nr; i++)
		if (command->opts[i].type == OPT_LIST)
			strlist_release(variable(args, &command->opts[i]));
}

/* Text after a column; its further lines are indented to the column. */
static void print_indented(FILE *out, const char *text, int column)
{
	for (; *text; text++) {
		fputc(*text, out);
		if (*text == '\n')
			fprintf(out, "%*s", column, "");
	}
	fputc('\n', out);
}

static void print_option(FILE *out, const struct opt *opt)
{
	struct strbuf left = STRBUF_INIT;

	strbuf_addf(&left, "  --%s", opt->name);
	if (opt->type == OPT_CHOICE) {
		strbuf_addch(&left, ' ');
		add_choices(&left, opt, "|");
	} else if (opt->arg) {
		strbuf_addf(&left, " %s", opt->arg);
	}
	fprintf(out, "%-*s", HELP_COLUMN, left.buf);
	if (left.len >= HELP_COLUMN)
		fprintf(out, "\n%*s", HELP_COLUMN, "");
	print_indented(out, opt->help, HELP_COLUMN);
	strbuf_release(&left);
}

void opts_print_help(FILE *out, const struct command *command)
{
	fputs("usage: perfcmp ", out);
	print_indented(out, command->synopsis, (int)strlen("usage: "));
	fprintf(out, "\n%s\n\n", command->summary);
	for (int i = 0; i < command->opts_nr; i++)
		print_option(out, &command->opts[i]);
	fprintf(out, "%-*s%s\n", HELP_COLUMN, "  --help", "this text");
	if (command->help)
		fprintf(out, "\n%s\n", command->help);
	fputs("\nexample:\n  ", out);
	print_indented(out, command->example, 2);
}

void opts_print_names(FILE *out, const struct command *command)
{
	for (int i = 0; i < command->opts_nr; i++) {
		const struct opt *opt = &command->opts[i];
		struct strbuf choices = STRBUF_INIT;

		if (opt->type == OPT_CHOICE)
			add_choices(&choices, opt, "|");
		fprintf(out, "--%s %s\n", opt->name,
			opt->type == OPT_CHOICE ? choices.buf
			: opt->arg		? opt->arg
						: "");
		strbuf_release(&choices);
	}
	fputs("--help\n", out);
}
