// SPDX-License-Identifier: GPL-2.0-only
/* CSV text -> runs, warnings with the right line numbers, and errors. */
#include "base/strbuf.h"
#include "import/import.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#define HEADER "commit,run,metric,value\n"

/* "commit#iteration: metric=value metric=value|" for each run */
static int describe(void *data, struct run *run, struct err *err)
{
	struct strbuf *out = data;

	(void)err;
	strbuf_addf(out, "%s#%d:", run->commit.name, run->iteration);
	for (int i = 0; i < run->values_nr; i++) {
		char text[40];

		number_format(run->values[i].value, text, sizeof(text));
		strbuf_addf(out, " %s=%s", run->values[i].metric, text);
	}
	strbuf_addch(out, '|');
	return 0;
}

static void write_file(const char *path, const void *bytes, size_t len)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
}

struct result {
	struct strbuf runs, warnings; /* warnings: a line each */
	struct err err;
	int status;
};

static void import_bytes(struct result *result, const void *bytes, size_t len)
{
	static const struct import_options none;
	struct strlist warnings = {0};

	*result = (struct result){.runs = STRBUF_INIT, .warnings = STRBUF_INIT};
	write_file("f.csv", bytes, len);
	result->status = import_find("csv")->read("f.csv", &none, describe, &result->runs,
						  &warnings, &result->err);
	for (int i = 0; i < warnings.nr; i++)
		strbuf_addf(&result->warnings, "%s\n", warnings.v[i]);
	strlist_release(&warnings);
}

static void result_release(struct result *result)
{
	strbuf_release(&result->runs);
	strbuf_release(&result->warnings);
}

struct given {
	const char *text;
	const char *runs;
	const char *warnings; /* each line of it is the beginning of one; NULL: none */
};

static void check_warnings(const char *got, const char *expected)
{
	const char *all = got;

	while (expected && *expected) {
		size_t len = strcspn(expected, "\n");

		if (strncmp(got, expected, len) != 0)
			fail_msg("expected '%.*s' in:\n%s", (int)len, expected, all);
		got = strchr(got, '\n') + 1;
		expected += len + (expected[len] == '\n');
	}
	if (*got)
		fail_msg("not expected: %s", got);
}

static void check_given(const struct given *given, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct result result;

		import_bytes(&result, given[i].text, strlen(given[i].text));
		if (result.status)
			fail_msg("%s\n%s", given[i].text, result.err.msg);
		if (!streq(result.runs.buf, given[i].runs))
			fail_msg("%s\nbecame %s\nnot    %s", given[i].text, result.runs.buf,
				 given[i].runs);
		check_warnings(result.warnings.buf, given[i].warnings);
		result_release(&result);
	}
}

static void rows_become_runs(void **state)
{
	static const struct given given[] = {
		{HEADER "a,0,m,1\na,0,n,2\na,1,m,3\nb,0,m,4\n", "a#1: m=1 n=2|a#2: m=3|b#1: m=4|",
		 NULL},
		/* not adjacent; runs in order of first appearance; metrics in order of rows */
		{HEADER "b,9,n,1\na,0,m,2\nb,1,m,3\nb,9,m,4\na,0,n,5\n",
		 "b#1: n=1 m=4|a#1: m=2 n=5|b#2: m=3|", NULL},
		/* columns in another order, and others among them */
		{"value,metric,run,commit\n1,m,0,a\n", "a#1: m=1|", NULL},
		{"x,value,metric,unit,run,commit\n1,2,m,s,0,a\n", "a#1: m=2|",
		 "f.csv:1: column 'x' is ignored\nf.csv:1: column 'unit' is ignored"},
		/* names that look alike are different */
		{HEADER "a1,0,m,1\na,10,m,2\n", "a1#1: m=1|a#1: m=2|", NULL},
		{HEADER "a,1:,m,1\na1,:,m,2\n", "a#1: m=1|a1#1: m=2|", NULL},
	};

	(void)state;
	check_given(given, ARRAY_SIZE(given));
}

static void values_keep_their_kind(void **state)
{
	static const struct given given[] = {
		{HEADER "a,0,whole,7\na,0,float,7.0\na,0,exp,1e3\na,0,neg,-0\na,0,negf,-0.0\n",
		 "a#1: whole=7 float=7.0 exp=1000.0 neg=0 negf=-0.0|", NULL},
		{HEADER "a,0,max,9223372036854775807\na,0,min,-9223372036854775808\n"
			"a,0,more,9223372036854775808\n",
		 "a#1: max=9223372036854775807 min=-9223372036854775808 more=9.223372036854776e+18|",
		 NULL},
		{HEADER "a,0,x,0.1\na,0,y,1e308\na,0,z,4.9406564584124654e-324\n",
		 "a#1: x=0.1 y=1e+308 z=5e-324|", NULL},
	};

	(void)state;
	check_given(given, ARRAY_SIZE(given));
}

static void quotes_line_ends_and_marks_are_understood(void **state)
{
	static const struct given given[] = {
		{"commit,run,metric,value\r\na,0,m,1\r\na,0,n,2\r\n", "a#1: m=1 n=2|", NULL},
		{"commit,run,metric,value\ra,0,m,1\ra,0,n,x\r", "a#1: m=1|",
		 "f.csv:3: 'x' is no number"},
		{"\xef\xbb\xbf" HEADER "a,0,m,1\n", "a#1: m=1|", NULL},
		{"\xef\xbb\xbf\"commit\",\"run\",\"metric\",\"value\"\n\"a\",\"0\",\"m\",\"1\"\n",
		 "a#1: m=1|", NULL},
		{HEADER "\"a,b\"\"c\",0,\" m \",1\n", "a,b\"c#1:  m =1|", NULL},
		{HEADER "a,0,\"two\nlines\",1\n", "a#1: two\nlines=1|", NULL},
		{HEADER " a , 0 ,\tm, 1 \n", "a#1: m=1|", NULL}, /* blanks are no part of a field */
		{"\n\r\n  \n" HEADER "\n\na,0,m,1\n\n\n", "a#1: m=1|", NULL},
		{HEADER "\xff\xfe,0,\xc3(,1\n", "\xff\xfe#1: \xc3(=1|", NULL},
	};

	(void)state;
	check_given(given, ARRAY_SIZE(given));
}

static void lines_are_counted_as_an_editor_does(void **state)
{
	static const struct given given[] = {
		/* a quoted line end is a line; a row is named by the line where it begins */
		{HEADER "a,\"\n\n0\",m,x\na,0,m,y\n\n\na,0,m,1\n", "a#1:|a#2: m=1|",
		 "f.csv:2: 'x' is no number\nf.csv:5: 'y' is no number"},
		{"\n\n" HEADER "\r\na,\"\r\n\",m,x\r\na,0,m,y\r\na,0,m,1\r\n", "a#1:|a#2: m=1|",
		 "f.csv:5: 'x' is no number\nf.csv:7: 'y' is no number"},
		{HEADER "a,\"\r\r\",m,x\ra,0,m,y\ra,0,m,1\r", "a#1:|a#2: m=1|",
		 "f.csv:2: 'x' is no number\nf.csv:5: 'y' is no number"},
	};

	(void)state;
	check_given(given, ARRAY_SIZE(given));
}

static void what_is_no_number_is_missing(void **state)
{
	static const struct given given[] = {
		{HEADER "a,0,m,\na,0,n,nan\na,0,o,-inf\na,0,p,none\na,0,q,0x10\na,0,r,5\n",
		 "a#1: r=5|",
		 "f.csv:2: '' is no number: m is missing in that run\nf.csv:3: 'nan' is\n"
		 "f.csv:4: '-inf' is\nf.csv:5: 'none' is\nf.csv:6: '0x10' is"},
		/* the first five are named, the others counted */
		{HEADER "a,0,a,x\na,0,b,x\na,0,c,x\na,0,d,x\na,0,e,x\na,0,f,x\na,0,g,x\na,0,h,1\n",
		 "a#1: h=1|",
		 "f.csv:2:\nf.csv:3:\nf.csv:4:\nf.csv:5:\nf.csv:6:\n"
		 "f.csv: 2 more values that are no numbers"},
		/* a run without a single value is a run all the same */
		{HEADER "a,0,m,nan\na,1,m,1\n", "a#1:|a#2: m=1|", "f.csv:2: 'nan' is no number"},
		{HEADER "a,0,m,1e999\na,0,n,1\n", "a#1: n=1|", "f.csv:2: '1e999' is no number"},
	};

	(void)state;
	check_given(given, ARRAY_SIZE(given));
}

static void damaged_rows_cost_themselves(void **state)
{
	static const struct given given[] = {
		{HEADER "a,0,m\na,0,m,1,2,3\na,0,n,1\n", "a#1: n=1|",
		 "f.csv:2: 3 columns, not 4: the row is left out\nf.csv:3: 6 columns, not 4"},
		{HEADER "a,0,m,1\na,0,n,12", "a#1: m=1|",
		 "f.csv:3: the file ends inside this line"},
		{HEADER "a,0,m,1\na,0,\"n", "a#1: m=1|", "f.csv:3: the file ends inside this line"},
		/* of a row of several lines it is the last that is cut */
		{HEADER "a,0,m,1\na,0,\"n\nx\",12", "a#1: m=1|",
		 "f.csv:4: the file ends inside this line: the row is left out"},
		{HEADER "a,0,m,1\na,0,\"n\nx\"", "a#1: m=1|",
		 "f.csv:4: the file ends inside this line"},
		{HEADER "a,0,m,1\na,0,\"n\nx\",", "a#1: m=1|",
		 "f.csv:4: the file ends inside this line"},
		{HEADER ",0,m,1\na,,m,1\na,0,,1\na,0,m,2\n", "a#1: m=2|",
		 "f.csv:2: the commit is empty\nf.csv:3: the run is empty\nf.csv:4: the metric is empty"},
		{HEADER "a,0,m\"x\",1\na,0,\"m\"x,1\na,0,m,2\n", "a#1: m=2|",
		 "f.csv:2: a quote in a field\nf.csv:3: a quote in a field"},
		/* of equal ones the last counts, in the place of the first; a missing one does not */
		{HEADER "a,0,m,1\na,0,n,2\na,0,m,3\na,0,n,\n", "a#1: m=3 n=2|",
		 "f.csv:5: '' is no number\nf.csv:4: m of commit a, run 0 is given again"},
	};
	static const char nul[] = HEADER "a,0,m\0x,1\na,0,m,2\n";
	struct result result;

	(void)state;
	check_given(given, ARRAY_SIZE(given));
	import_bytes(&result, nul, sizeof(nul) - 1);
	assert_string_equal(result.runs.buf, "a#1: m=2|");
	check_warnings(result.warnings.buf, "f.csv:2: a NUL byte: the row is left out");
	result_release(&result);
}

static void what_would_make_wrong_numbers_is_refused(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"", "f.csv: no runs in it"},
		{"\n\n", "f.csv: no runs in it"},
		{HEADER, "f.csv: no runs in it"},
		{HEADER "a,0,m\n", "f.csv: no runs in it"},
		{"commit,run,metric,val\na,0,m,1\n",
		 "f.csv:1: no column 'value': the first line must"},
		{"a,0,m,1\n", "f.csv:1: no column 'commit'"},
		{"commit;run;metric;value\na;0;m;1\n", "separated by commas"},
		{HEADER "a,0,m,1\na,0,n,\"12,5\"\n",
		 "f.csv:3: '12,5' has a decimal comma: write the file with decimal points (LC_ALL=C)"},
		{HEADER "a,0,m,12,5\n", "f.csv:2: '12,5' has a decimal comma"},
		{HEADER "a,0,m,-1,25\n", "f.csv:2: '-1,25' has a decimal comma"},
		{HEADER "a,0,m,\"1,234,567.5\"\n", "has a decimal comma"},
		{HEADER "a,0,\"m,1\na,0,n,2\n",
		 "f.csv:2: a quote that begins in this row is never closed"},
		{HEADER "a,0,m,1\na,0,\"m,1\na,0,n,2",
		 "f.csv:3: a quote that begins in this row is never closed"},
		{HEADER "a,0,\"m,1\na,0,\"n\",2\n",
		 "f.csv:2: a quote opened in this row is closed wrongly"},
		{"\xff\xfe"
		 "c\0o\0",
		 "f.csv: is UTF-16 text"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct result result;

		import_bytes(&result, cases[i].text, strlen(cases[i].text));
		if (result.status != -1 || !strstr(result.err.msg, cases[i].message) ||
		    strchr(result.err.msg, '\n'))
			fail_msg("%s\nwas taken, or told as: %s", cases[i].text, result.err.msg);
		assert_string_equal(result.runs.buf, "");
		result_release(&result);
	}
}

static void a_quote_left_open_in_a_large_file_is_told_early(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct result result;

	(void)state;
	strbuf_addstr(&text, HEADER "a,0,m,1\na,0,\"m,1\n");
	for (int i = 0; i < 200000; i++)
		strbuf_addf(&text, "a,0,m%d,1\n", i);
	import_bytes(&result, text.buf, text.len);
	assert_int_equal(result.status, -1);
	assert_string_equal(result.err.msg,
			    "f.csv:3: a row of more than a megabyte: is a quote left open there?");
	result_release(&result);
	memset(text.buf, 'x', text.len); /* one line */
	import_bytes(&result, text.buf, text.len);
	assert_string_equal(result.err.msg,
			    "f.csv:1: a row of more than a megabyte: is a quote left open there?");
	result_release(&result);
	strbuf_release(&text);
}

static void files_that_cannot_be_read_are_named(void **state)
{
	static const struct import_options none;
	struct strlist warnings = {0};
	struct err err;

	(void)state;
	assert_int_equal(
		import_find("csv")->read("not-there.csv", &none, describe, NULL, &warnings, &err),
		-1);
	assert_string_equal(err.msg, "not-there.csv: cannot be read: No such file or directory");
	assert_int_equal(import_find("csv")->read("/", &none, describe, NULL, &warnings, &err), -1);
	assert_string_equal(err.msg, "/: cannot be read: Is a directory");
	assert_int_equal(warnings.nr, 0);
}

static int keep(void *data, struct run *run, struct err *err)
{
	(void)err;
	run_release(data);
	*(struct run *)data = *run;
	*run = (struct run){0};
	return 0;
}

static void a_run_says_where_it_comes_from(void **state)
{
	static const char hash[] = "28313f827f4c6cf4353d4d3086d96439582d19cf";
	struct param nr_task = {"nr_task", "16"};
	struct params params = {&nr_task, 1, 0};
	struct import_options options = {0};
	struct strlist warnings = {0};
	struct run run = {0};
	struct err err;
	char text[200];

	(void)state;
	snprintf(text, sizeof(text), HEADER "%s,0,m,1\n", hash);
	write_file("a.b.csv", text, strlen(text));
	assert_int_equal(
		import_find("csv")->read("./a.b.csv", &options, keep, &run, &warnings, &err), 0);
	assert_int_equal(strlen(run.id), 32);
	assert_string_equal(run.commit.name, hash);
	assert_string_equal(run.commit.hash, hash);
	assert_null(run.commit.subject);
	assert_string_equal(run.machine.name, "imported");
	assert_string_equal(run.machine.kind, "unknown");
	assert_string_equal(run.testcase, "imported");
	assert_string_equal(run.test, "a.b");
	assert_int_equal(run.params.nr, 0);
	assert_int_equal(run.status, RUN_OK);
	assert_true(run.start_ns == 0);
	assert_null(run.kernel.release);
	assert_null(run.boot_id);

	options = (struct import_options){"box", "will-it-scale", "sched_yield", &params,
					  "sched: faster"};
	assert_int_equal(import_find("csv")->read("a.b.csv", &options, keep, &run, &warnings, &err),
			 0);
	assert_string_equal(run.machine.name, "box");
	assert_string_equal(run.testcase, "will-it-scale");
	assert_string_equal(run.test, "sched_yield");
	assert_string_equal(params_get(&run.params, "nr_task"), "16");
	assert_string_equal(run.commit.subject, "sched: faster");
	run_release(&run);
	strlist_release(&warnings);
}

static int refuse_third(void *data, struct run *run, struct err *err)
{
	(void)run;
	return ++*(int *)data == 3 ? err_set(err, "enough") : 0;
}

static void an_error_of_the_sink_ends_the_import(void **state)
{
	static const char text[] = HEADER "a,0,m,1\na,1,m,1\na,2,m,1\na,3,m,1\n";
	static const struct import_options none;
	struct strlist warnings = {0};
	struct err err;
	int runs = 0;

	(void)state;
	write_file("f.csv", text, strlen(text));
	assert_int_equal(
		import_find("csv")->read("f.csv", &none, refuse_third, &runs, &warnings, &err), -1);
	assert_string_equal(err.msg, "enough");
	assert_int_equal(runs, 3);
}

static void formats_are_found_by_name(void **state)
{
	int nr;
	const struct import_format *formats = import_all(&nr);

	(void)state;
	assert_true(nr > 0);
	for (int i = 0; i < nr; i++)
		assert_ptr_equal(import_find(formats[i].name), &formats[i]);
	assert_null(import_find("no such format"));
	assert_null(import_find(""));
}

static int enter(void **state)
{
	char folder[] = "/tmp/perfcmp-import.XXXXXX";

	if (!mkdtemp(folder) || chdir(folder))
		return -1;
	*state = xstrdup(folder);
	return 0;
}

static int leave(void **state)
{
	char *folder = *state;
	int status;

	remove("f.csv");
	remove("a.b.csv");
	status = chdir("/") || rmdir(folder);
	free(folder);
	return status;
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter, leave)
	const struct CMUnitTest tests[] = {
		IN_FOLDER(rows_become_runs),
		IN_FOLDER(values_keep_their_kind),
		IN_FOLDER(quotes_line_ends_and_marks_are_understood),
		IN_FOLDER(lines_are_counted_as_an_editor_does),
		IN_FOLDER(what_is_no_number_is_missing),
		IN_FOLDER(damaged_rows_cost_themselves),
		IN_FOLDER(what_would_make_wrong_numbers_is_refused),
		IN_FOLDER(a_quote_left_open_in_a_large_file_is_told_early),
		IN_FOLDER(files_that_cannot_be_read_are_named),
		IN_FOLDER(a_run_says_where_it_comes_from),
		IN_FOLDER(an_error_of_the_sink_ends_the_import),
		IN_FOLDER(formats_are_found_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
