// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/cmd.h"
#include "lab/guest.h"

#include "base/near.h"

#include <locale.h>
#include <signal.h>
#include <unistd.h>

static const struct command *const commands[] = {
	&cmd_collect, &cmd_diff, &cmd_import, &cmd_list, &cmd_show,
};

static void print_overview(FILE *out)
{
	fputs("usage: perfcmp COMMAND [options] ...\n\n"
	      "Did this commit make the kernel faster or slower, by how much, and why?\n\n",
	      out);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		fprintf(out, "  %-10s%s\n", commands[i]->name, commands[i]->summary);
	fputs("\n  perfcmp COMMAND --help    options and an example\n"
	      "  perfcmp --version\n"
	      "  perfcmp --options COMMAND the command's options, for completion scripts\n\n"
	      "example:\n"
	      "  perfcmp collect --kernel base/bzImage,commit=base --kernel new/bzImage,commit=new "
	      "will-it-scale/getppid1\n"
	      "  perfcmp diff base new\n",
	      out);
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (streq(commands[i]->name, name))
			return commands[i];
	return NULL;
}

static int unknown_command(const char *name)
{
	struct near near = {0};
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		near_add(&near, commands[i]->name, near_distance(name, commands[i]->name));
	if (near.nr)
		err_set(&err, "%s: no such command; did you mean %s?", name, near.v[0].name);
	else
		err_set(&err, "%s: no such command: see perfcmp --help", name);
	near_release(&near);
	return cmd_usage(&err);
}

static int print_options(const char *name)
{
	const struct command *command = name ? find_command(name) : NULL;

	if (!command)
		for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
			puts(commands[i]->name);
	else
		opts_print_names(stdout, command);
	return cmd_finish(EXIT_DONE);
}

int main(int argc, char **argv)
{
	const struct command *command;

	if (getpid() == 1 && access("/plan", R_OK) == 0)
		guest_main();
	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error like a full disk */
	setlocale(LC_CTYPE, "C.UTF-8"); /* numbers stay as in C whatever the environment says */
	if (argc < 2) {
		print_overview(stderr);
		return EXIT_USAGE;
	}
	if (streq(argv[1], "--version")) {
		puts("perfcmp " PERFCMP_VERSION);
		return cmd_finish(EXIT_DONE);
	}
	if (streq(argv[1], "--options"))
		return print_options(argv[2]);
	if (streq(argv[1], "--help") || streq(argv[1], "-h") ||
	    (streq(argv[1], "help") && !argv[2])) {
		print_overview(stdout);
		return cmd_finish(EXIT_DONE);
	}
	if (streq(argv[1], "help")) {
		static char help[] = "--help";

		argv[1] = argv[2];
		argv[2] = help;
	}
	command = find_command(argv[1]);
	return command ? command->run(argv + 1) : unknown_command(argv[1]);
}
