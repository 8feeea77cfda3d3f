// SPDX-License-Identifier: GPL-2.0-only
/* The command line of a command that has an option of every type. */
#include "cmd/opts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/strbuf.h"

struct args {
	bool flag;
	const char *text, *text_file;
	struct strlist list;
	int whole, choice;
	double number;
	struct strbuf calls; /* what the options of OPT_CALL were given, in their order */
};

static int add_pick(void *data, const char *text, struct err *err)
{
	struct args *args = data;

	if (streq(text, "bad"))
		return err_set(err, "--pick %s: refused", text);
	strbuf_addf(&args->calls, "pick %s;", text);
	return 0;
}

static int set_unit(void *data, const char *text, struct err *err)
{
	struct args *args = data;

	(void)err;
	strbuf_addf(&args->calls, "unit %s;", text);
	return 0;
}

static const char *const colours[] = {"red", "green", "blue", NULL};

#define ARG(member) offsetof(struct args, member)
static const struct opt opts[] = {
	OPT_ROW_FLAG("flag", flag, "a switch"),
	OPT_ROW_TEXT("text", text, "TEXT", "some text,\nin two lines"),
	OPT_ROW_TEXT("text-file", text_file, "FILE", "text that begins with another's name"),
	OPT_ROW_LIST("list", list, "ITEM", "items (repeatable)"),
	OPT_ROW_WHOLE("whole", whole, "N", 1, 100, "a whole number"),
	OPT_ROW_NUMBER("number", number, "X", -1.5, 1e6, "a number"),
	OPT_ROW_CHOICE("choice-of-colours", choice, colours, "a colour"),
	OPT_ROW_CALL("pick", add_pick, "NAME", "a pick"),
	OPT_ROW_CALL("unit", set_unit, "UNIT", "of the pick before it"),
};

static const struct command plain = {
	.name = "demo",
	.synopsis = "demo [options] ARG\nperfcmp demo --list",
	.summary = "Shows options.",
	.help = "More to read.\nIn two lines.",
	.example = "perfcmp demo --flag a\nperfcmp demo b",
	.opts = opts,
	.opts_nr = ARRAY_SIZE(opts),
};
static struct command runner; /* the same, with a command behind "--" */

enum {
	WORDS_MAX = 16
};

/* One parsed command line; the words are those after the command's name. */
struct parsed {
	char *copy, *argv[WORDS_MAX];
	struct args args;
	struct opts_rest rest;
	struct err err;
	int status;
};

/* line: words with single blanks between them; '' is an empty one. */
static void parse(struct parsed *p, const struct command *command, const char *line)
{
	static char name[] = "demo", empty[] = "";
	int argc = 0;
	char *rest;

	*p = (struct parsed){.copy = xstrdup(line)};
	strbuf_init(&p->args.calls);
	p->argv[argc++] = name;
	rest = *line ? p->copy : NULL;
	for (char *word; (word = strsep(&rest, " "));) {
		assert_true(argc < WORDS_MAX - 1);
		p->argv[argc++] = streq(word, "''") ? empty : word;
	}
	p->status = opts_parse(command, p->argv, &p->args, &p->rest, &p->err);
}

static void parse_ok(struct parsed *p, const struct command *command, const char *line)
{
	parse(p, command, line);
	if (p->status)
		fail_msg("%s: %s", line, p->err.msg);
}

static void parsed_release(struct parsed *p)
{
	opts_release(&plain, &p->args);
	strbuf_release(&p->args.calls);
	free(p->copy);
}

static void each_type_has_its_value(void **state)
{
	struct parsed p;

	(void)state;
	parse_ok(
		&p, &plain,
		"--flag --text words --list a --list b --whole 42 --number -0.5 --choice-of-colours blue");
	assert_true(p.args.flag);
	assert_string_equal(p.args.text, "words");
	assert_null(p.args.text_file);
	assert_int_equal(p.args.list.nr, 2);
	assert_string_equal(p.args.list.v[0], "a");
	assert_string_equal(p.args.list.v[1], "b");
	assert_int_equal(p.args.whole, 42);
	assert_true(fabs(p.args.number + 0.5) < 1e-15);
	assert_int_equal(p.args.choice, 2);
	assert_int_equal(p.rest.args_nr, 0);
	assert_null(p.rest.command);
	assert_false(p.rest.help);
	parsed_release(&p);
}

static void what_is_not_given_keeps_its_default(void **state)
{
	char name[] = "demo", *argv[] = {name, NULL};
	struct args args = {.text = "before", .whole = 7, .choice = 1};
	struct opts_rest rest;
	struct err err;

	(void)state;
	assert_int_equal(opts_parse(&plain, argv, &args, &rest, &err), 0);
	assert_string_equal(args.text, "before");
	assert_int_equal(args.whole, 7);
	assert_int_equal(args.choice, 1);
	assert_int_equal(args.list.nr, 0);
	assert_false(args.flag);
	opts_release(&plain, &args);
}

static void a_value_may_be_joined_by_an_equals_sign(void **state)
{
	struct parsed p;

	(void)state;
	parse_ok(&p, &plain, "--text=a=b --whole=1 --list= --number=1e6 --text-file=");
	assert_string_equal(p.args.text, "a=b");
	assert_string_equal(p.args.text_file, "");
	assert_int_equal(p.args.whole, 1);
	assert_int_equal(p.args.list.nr, 1);
	assert_string_equal(p.args.list.v[0], "");
	assert_true(fabs(p.args.number - 1e6) < 1e-9);
	parsed_release(&p);
}

static void names_may_be_abbreviated(void **state)
{
	struct parsed p;

	(void)state;
	parse_ok(&p, &plain, "--fl --text-f y --choice green --l=z --wh 3");
	assert_true(p.args.flag);
	assert_string_equal(p.args.text_file, "y");
	assert_int_equal(p.args.choice, 1);
	assert_int_equal(p.args.list.nr, 1);
	assert_int_equal(p.args.whole, 3);
	parsed_release(&p);
}

static void the_whole_name_is_no_abbreviation_of_a_longer_one(void **state)
{
	struct parsed p;

	(void)state;
	parse_ok(&p, &plain, "--text x");
	assert_string_equal(p.args.text, "x");
	assert_null(p.args.text_file);
	parsed_release(&p);
}

static void what_cannot_be_meant_is_refused_with_the_reason(void **state)
{
	static const struct {
		const char *line, *message;
	} cases[] = {
		{"--text", "--text needs an argument: see perfcmp demo --help"},
		{"a --whole", "--whole needs an argument: see perfcmp demo --help"},
		{"--nonesuch",
		 "--nonesuch: no such option, or an ambiguous one: see perfcmp demo --help"},
		{"--nonesuch=5 x",
		 "--nonesuch: no such option, or an ambiguous one: see perfcmp demo --help"},
		{"--te x", "--te: no such option, or an ambiguous one: see perfcmp demo --help"},
		{"-x", "-x: no such option: see perfcmp demo --help"},
		{"--flag=1", "--flag takes no argument: see perfcmp demo --help"},
		{"--help=1", "--help takes no argument: see perfcmp demo --help"},
		{"--whole 1.5", "--whole 1.5: not a whole number"},
		{"--whole x", "--whole x: not a whole number"},
		{"--whole ''", "--whole : not a whole number"},
		{"--whole 0", "--whole 0: must be from 1 to 100"},
		{"--whole 101", "--whole 101: must be from 1 to 100"},
		{"--whole -1", "--whole -1: must be from 1 to 100"},
		{"--whole 4294967297", "--whole 4294967297: must be from 1 to 100"},
		{"--whole 99999999999999999999",
		 "--whole 99999999999999999999: not a whole number"},
		{"--number x", "--number x: not a number"},
		{"--number nan", "--number nan: not a number"},
		{"--number inf", "--number inf: not a number"},
		{"--number 1e7", "--number 1e7: must be from -1.5 to 1e+06"},
		{"--number -2", "--number -2: must be from -1.5 to 1e+06"},
		{"--choice-of-colours pink",
		 "--choice-of-colours pink: must be one of red, green, blue"},
		{"--choice-of-colours re",
		 "--choice-of-colours re: must be one of red, green, blue"},
		{"--pick bad", "--pick bad: refused"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct parsed p;

		parse(&p, &plain, cases[i].line);
		assert_int_equal(p.status, -1);
		assert_string_equal(p.err.msg, cases[i].message);
		parsed_release(&p);
	}
}

static void nothing_is_read_behind_what_is_refused(void **state)
{
	struct parsed p;

	(void)state;
	parse(&p, &plain, "--pick a --pick bad --pick b");
	assert_int_equal(p.status, -1);
	assert_string_equal(p.args.calls.buf, "pick a;");
	parsed_release(&p);
}

static void calls_come_in_the_order_of_the_command_line(void **state)
{
	struct parsed p;

	(void)state;
	parse_ok(&p, &plain, "--pick a --unit s --flag word --pick b --pick=c --unit=m");
	assert_string_equal(p.args.calls.buf, "pick a;unit s;pick b;pick c;unit m;");
	parsed_release(&p);
}

/* The arguments as "a b c" */
static void assert_words(char *const *words, int nr, const char *expected)
{
	struct strbuf text = STRBUF_INIT;

	for (int i = 0; nr < 0 ? words[i] != NULL : i < nr; i++)
		strbuf_addf(&text, "%s%s", i ? " " : "", words[i]);
	assert_string_equal(text.buf, expected);
	strbuf_release(&text);
}

static void options_may_stand_behind_arguments(void **state)
{
	struct parsed p;

	(void)state;
	parse_ok(&p, &plain, "one --whole 2 two --flag three");
	assert_words(p.rest.args, p.rest.args_nr, "one two three");
	assert_int_equal(p.args.whole, 2);
	assert_true(p.args.flag);
	parsed_release(&p);
}

static void two_dashes_end_the_options(void **state)
{
	struct parsed p;

	(void)state;
	parse_ok(&p, &plain, "one -- --flag two");
	assert_words(p.rest.args, p.rest.args_nr, "one --flag two");
	assert_false(p.args.flag);
	assert_null(p.rest.command);
	parsed_release(&p);
}

static void a_command_follows_two_dashes(void **state)
{
	struct parsed p;

	(void)state;
	parse_ok(&p, &runner, "one --flag -- prog --whole x -- -y");
	assert_words(p.rest.args, p.rest.args_nr, "one");
	assert_true(p.args.flag);
	assert_int_equal(p.args.whole, 0);
	assert_non_null(p.rest.command);
	assert_words(p.rest.command, -1, "prog --whole x -- -y");
	parsed_release(&p);

	parse_ok(&p, &runner, "--");
	assert_non_null(p.rest.command);
	assert_words(p.rest.command, -1, "");
	assert_int_equal(p.rest.args_nr, 0);
	parsed_release(&p);

	parse_ok(&p, &runner, "one");
	assert_null(p.rest.command);
	parsed_release(&p);
}

static void two_dashes_are_no_argument_of_an_option(void **state)
{
	struct parsed p;

	(void)state;
	parse(&p, &runner, "--text -- prog");
	assert_int_equal(p.status, -1);
	assert_string_equal(p.err.msg, "--text needs an argument: see perfcmp demo --help");
	parsed_release(&p);
}

static void help_is_always_known(void **state)
{
	static const char *const lines[] = {"--help", "-h", "one --hel", "--flag -h two"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct parsed p;

		parse_ok(&p, &plain, lines[i]);
		assert_true(p.rest.help);
		parsed_release(&p);
	}
}

typedef void print(FILE *out, const struct command *command);

static void assert_prints(print *function, const struct command *command, const char *expected)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	function(out, command);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

static void the_help_text_is_made_of_the_table(void **state)
{
	(void)state;
	assert_prints(opts_print_help, &plain,
		      "usage: perfcmp demo [options] ARG\n"
		      "       perfcmp demo --list\n"
		      "\n"
		      "Shows options.\n"
		      "\n"
		      "  --flag                  a switch\n"
		      "  --text TEXT             some text,\n"
		      "                          in two lines\n"
		      "  --text-file FILE        text that begins with another's name\n"
		      "  --list ITEM             items (repeatable)\n"
		      "  --whole N               a whole number\n"
		      "  --number X              a number\n"
		      "  --choice-of-colours red|green|blue\n"
		      "                          a colour\n"
		      "  --pick NAME             a pick\n"
		      "  --unit UNIT             of the pick before it\n"
		      "  --help                  this text\n"
		      "\n"
		      "More to read.\n"
		      "In two lines.\n"
		      "\n"
		      "example:\n"
		      "  perfcmp demo --flag a\n"
		      "  perfcmp demo b\n");
}

static void the_completion_gets_names_and_arguments(void **state)
{
	(void)state;
	assert_prints(opts_print_names, &plain,
		      "--flag \n"
		      "--text TEXT\n"
		      "--text-file FILE\n"
		      "--list ITEM\n"
		      "--whole N\n"
		      "--number X\n"
		      "--choice-of-colours red|green|blue\n"
		      "--pick NAME\n"
		      "--unit UNIT\n"
		      "--help\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_type_has_its_value),
		cmocka_unit_test(what_is_not_given_keeps_its_default),
		cmocka_unit_test(a_value_may_be_joined_by_an_equals_sign),
		cmocka_unit_test(names_may_be_abbreviated),
		cmocka_unit_test(the_whole_name_is_no_abbreviation_of_a_longer_one),
		cmocka_unit_test(what_cannot_be_meant_is_refused_with_the_reason),
		cmocka_unit_test(nothing_is_read_behind_what_is_refused),
		cmocka_unit_test(calls_come_in_the_order_of_the_command_line),
		cmocka_unit_test(options_may_stand_behind_arguments),
		cmocka_unit_test(two_dashes_end_the_options),
		cmocka_unit_test(a_command_follows_two_dashes),
		cmocka_unit_test(two_dashes_are_no_argument_of_an_option),
		cmocka_unit_test(help_is_always_known),
		cmocka_unit_test(the_help_text_is_made_of_the_table),
		cmocka_unit_test(the_completion_gets_names_and_arguments),
	};

	runner = plain;
	runner.takes_command = true;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
