// SPDX-License-Identifier: GPL-2.0-only
/* A run and a guest's plan come back from the wire as they were, whatever is in them; damage is noticed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/wire.h"

#include "lab/wire_field.h"

#include <float.h>
#include <limits.h>
#include <math.h>

static const char run_id[] = "0123456789abcdef0123456789ABCDEF";

/* What is in texts when nobody is careful. */
static const char odd[] = "\xff\xfe \x01\x1b[2J;'\"\\\n\t%s%n \xc3\xa9 ../../etc";

static void assert_same_text(const char *a, const char *b)
{
	if (a && b)
		assert_string_equal(a, b);
	else
		assert_ptr_equal(a, b); /* both NULL: not known is not the same as empty */
}

static void assert_same_double(double a, double b)
{
	assert_memory_equal(&a, &b, sizeof(a));
}

static void assert_same_params(const struct params *a, const struct params *b)
{
	assert_int_equal(a->nr, b->nr);
	for (int i = 0; i < a->nr; i++) {
		assert_string_equal(a->v[i].key, b->v[i].key);
		assert_string_equal(a->v[i].value, b->v[i].value);
	}
}

static void assert_same_list(const struct strlist *a, const struct strlist *b)
{
	assert_int_equal(a->nr, b->nr);
	for (int i = 0; i < a->nr; i++)
		assert_string_equal(a->v[i], b->v[i]);
}

static void assert_same_commit(const struct commit *a, const struct commit *b)
{
	assert_same_text(a->name, b->name);
	assert_same_text(a->hash, b->hash);
	assert_same_text(a->subject, b->subject);
}

static void assert_same_origin(const struct run *a, const struct run *b)
{
	assert_string_equal(a->id, b->id);
	assert_same_commit(&a->commit, &b->commit);
	assert_same_text(a->kernel.release, b->kernel.release);
	assert_same_text(a->kernel.version, b->kernel.version);
	assert_same_text(a->kernel.cmdline, b->kernel.cmdline);
	assert_same_text(a->kernel.hash, b->kernel.hash);
	assert_same_text(a->machine.name, b->machine.name);
	assert_same_text(a->machine.kind, b->machine.kind);
	assert_same_text(a->machine.cpu_model, b->machine.cpu_model);
	assert_int_equal(a->machine.cpus, b->machine.cpus);
	assert_int_equal(a->machine.nodes, b->machine.nodes);
	assert_true(a->machine.memory_bytes == b->machine.memory_bytes);
	assert_same_text(a->boot_id, b->boot_id);
	assert_same_text(a->testcase, b->testcase);
	assert_same_text(a->test, b->test);
	assert_same_params(&a->params, &b->params);
	assert_same_params(&a->facts, &b->facts);
}

static void assert_same_course(const struct run *a, const struct run *b)
{
	assert_true(a->start_ns == b->start_ns);
	assert_same_double(a->wall_s, b->wall_s);
	assert_int_equal(a->iteration, b->iteration);
	assert_int_equal(a->status, b->status);
	assert_int_equal(a->exit_code, b->exit_code);
	assert_int_equal(a->signal, b->signal);
	assert_same_text(a->reason, b->reason);
	assert_same_text(a->last_output, b->last_output);
	assert_same_list(&a->warnings, &b->warnings);
}

static void assert_same_values(const struct run *a, const struct run *b)
{
	assert_int_equal(a->values_nr, b->values_nr);
	for (int i = 0; i < a->values_nr; i++) {
		struct number m = a->values[i].value, n = run_get(b, a->values[i].metric);

		assert_string_equal(a->values[i].metric, b->values[i].metric);
		assert_int_equal(m.kind, n.kind);
		if (m.kind != NUMBER_NONE) /* i and d share their bits */
			assert_true(m.i == n.i);
	}
}

static void assert_same_counters(const struct run *a, const struct run *b)
{
	assert_int_equal(a->counters_nr, b->counters_nr);
	for (int i = 0; i < a->counters_nr; i++) {
		const struct run_counter *c = &a->counters[i], *d = &b->counters[i];

		assert_string_equal(c->event, d->event);
		assert_true(c->value == d->value);
		assert_true(c->enabled_ns == d->enabled_ns);
		assert_true(c->running_ns == d->running_ns);
	}
}

static void assert_same_series(const struct run *a, const struct run *b)
{
	assert_int_equal(a->series_nr, b->series_nr);
	for (int i = 0; i < a->series_nr; i++) {
		const struct run_series *s = &a->series[i], *t = &b->series[i];

		assert_string_equal(s->metric, t->metric);
		assert_int_equal(s->nr, t->nr);
		for (int k = 0; k < s->nr; k++) {
			assert_same_double(s->time_s[k], t->time_s[k]);
			assert_same_double(s->value[k], t->value[k]);
		}
	}
}

static void assert_same_run(const struct run *a, const struct run *b)
{
	assert_same_origin(a, b);
	assert_same_course(a, b);
	assert_same_values(a, b);
	assert_same_counters(a, b);
	assert_same_series(a, b);
}

static void fill_values(struct run *run)
{
	static const double floats[] = {0, -0.0, 0.1, DBL_MAX, DBL_TRUE_MIN, INFINITY, -INFINITY};
	struct number none = {.kind = NUMBER_NONE};
	uint64_t odd_nan_bits = 0xfff80000deadbeef;
	double odd_nan;

	memcpy(&odd_nan, &odd_nan_bits, sizeof(odd_nan));
	run_set(run, "a.int", number_int(INT64_MIN));
	run_set(run, "a.none", none);
	run_set(run, "", number_int(-1));
	run_set(run, odd, number_float(odd_nan));
	for (size_t i = 0; i < ARRAY_SIZE(floats); i++) {
		char name[40];

		snprintf(name, sizeof(name), "perf-profile.self.cycles-pp.%zu", i);
		run_set(run, name, number_float(floats[i]));
	}
}

static void fill_counters(struct run *run)
{
	run_add_counter(run, &(struct run_counter){odd, UINT64_MAX, UINT64_MAX - 1, 1});
	run_add_counter(run, &(struct run_counter){"pmu/event=0x4,umask=0x3/", 0, 0, 0});
	for (int k = 0; k < 300; k++)
		run_add_sample(run, "fake.ops", k / 3.0, -k);
	run_add_sample(run, "", NAN, INFINITY);
}

static void fill_run(struct run *run)
{
	memcpy(run->id, run_id, sizeof(run_id));
	run->commit = (struct commit){"v6.12", "0ede61d8589c", odd};
	run->kernel = (struct kernel){"6.12.0-g0ede61d8589c", "#1 SMP", "", "0ede61d8589c"};
	run->machine = (struct machine){"vm-2cpu", "emulated", odd, 2, INT_MAX, INT64_MAX};
	run->boot_id = "6f0b1b5e";
	run->testcase = "will-it-scale";
	run->test = odd;
	params_set(&run->params, &run->pool, "nr_task", "16");
	params_set(&run->params, &run->pool, "empty", "");
	params_set(&run->params, &run->pool, odd, "a=b");
	params_set(&run->facts, &run->pool, "aslr", "2");
	run->start_ns = INT64_MIN;
	run->wall_s = 0.1;
	run->iteration = INT_MIN;
	run->status = RUN_TIMEOUT;
	run->exit_code = -1;
	run->signal = 9;
	run->reason = "did not end in 3 s";
	run->last_output = odd;
	fill_values(run);
	fill_counters(run);
	strlist_add(&run->warnings, "");
	strlist_add(&run->warnings, odd);
}

static void assert_comes_back(const struct run *run)
{
	struct strbuf bytes = STRBUF_INIT;
	struct run back = {0};
	struct err err = {""};

	wire_put_run(&bytes, run);
	if (wire_get_run(bytes.buf, bytes.len, &back, &err))
		fail_msg("%s", err.msg);
	assert_same_run(run, &back);
	run_release(&back);
	strbuf_release(&bytes);
}

static void a_run_comes_back(void **state)
{
	struct run run = {0};

	(void)state;
	fill_run(&run);
	assert_comes_back(&run);
	for (int i = RUN_OK; i <= RUN_TIMEOUT; i++) {
		run.status = (enum run_status)i;
		assert_comes_back(&run);
	}
	run_release(&run);
}

static void what_is_not_known_stays_so(void **state)
{
	struct run run = {.commit = {.name = ""}, .testcase = "", .test = ""};

	(void)state;
	memcpy(run.id, run_id, sizeof(run_id));
	assert_comes_back(&run);
	run_release(&run);
}

static void a_large_run_comes_back(void **state)
{
	char *text = xmalloc((1 << 20) + 1);
	struct run run = {.commit = {.name = "v1"}, .testcase = "command", .test = "x"};

	(void)state;
	memset(text, 'x', 1 << 20);
	text[1 << 20] = '\0';
	memcpy(run.id, run_id, sizeof(run_id));
	run.last_output = text;
	for (int i = 0; i < 20000; i++) {
		char name[40];

		snprintf(name, sizeof(name), "numa-vmstat.node%d.x", i);
		run_set(&run, name, number_int(i));
		run_add_sample(&run, "fake.ops", i, i);
	}
	assert_comes_back(&run);
	run_release(&run);
	free(text);
}

/* More can be added to a run that came over the wire, as the host does with what the console says. */
static void a_run_that_came_back_goes_on(void **state)
{
	struct strbuf bytes = STRBUF_INIT;
	struct run run = {0}, back = {0};
	struct err err = {""};

	(void)state;
	fill_run(&run);
	wire_put_run(&bytes, &run);
	assert_int_equal(wire_get_run(bytes.buf, bytes.len, &back, &err), 0);
	run_set(&back, "a.int", number_int(5));
	run_set(&back, "a.new", number_int(6));
	run_add_sample(&back, "fake.ops", 100, 7);
	assert_int_equal(back.values_nr, run.values_nr + 1);
	assert_true(run_get(&back, "a.int").i == 5 && run_get(&back, "a.new").i == 6);
	assert_int_equal(back.series_nr, run.series_nr);
	assert_int_equal(back.series[0].nr, run.series[0].nr + 1);
	run_release(&back);
	run_release(&run);
	strbuf_release(&bytes);
}

static void a_run_without_a_name_is_refused(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		struct strbuf bytes = STRBUF_INIT;
		struct run run = {0}, back = {0};
		struct err err = {""};

		fill_run(&run);
		if (i == 0)
			run.id[0] = '\0';
		else
			*(const char **[]){&run.commit.name, &run.testcase, &run.test}[i - 1] =
				NULL;
		wire_put_run(&bytes, &run);
		assert_int_equal(wire_get_run(bytes.buf, bytes.len, &back, &err), -1);
		assert_non_null(strstr(err.msg, "what it is of"));
		run_release(&back);
		run_release(&run);
		strbuf_release(&bytes);
	}
}

static void fill_plan(struct guest_plan *plan)
{
	static char program[] = "fio", empty[] = "", strange[] = "a b\xff";
	static char *argv[] = {program, empty, strange, NULL};

	plan->commit = (struct commit){"base", NULL, odd};
	plan->machine = "vm";
	plan->kind = "kvm";
	plan->boot_id = odd;
	plan->counters = COUNTERS_OFF;
	plan->deterministic = true;
	strlist_add(&plan->events, "cycles");
	strlist_add(&plan->events, "pmu/event=0x4,umask=0x3/");
	strlist_add(&plan->picks, "ops=(\\d+) ops");
	strlist_add(&plan->picks, "");
	strlist_add(&plan->picks, "higher");
	for (int i = 0; i < 3; i++) {
		struct guest_run *run;

		GROW(plan->runs, plan->runs_nr, plan->runs_alloc);
		run = &plan->runs[plan->runs_nr++];
		*run = (struct guest_run){
			.job = {.testcase = "fake", .test = "steady"},
			.place = INT_MAX - i,
			.iteration = i,
			.timeout_s = i / 3.0,
		};
		params_set(&run->job.params, &plan->pool, "value", i ? odd : "");
	}
	plan->runs[1].job.argv = argv;
	memcpy(plan->runs[2].id, run_id, sizeof(run_id));
}

static void assert_same_arguments(char *const *a, char *const *b)
{
	if (!a || !b) {
		assert_ptr_equal(a, b);
		return;
	}
	for (; *a && *b; a++, b++)
		assert_string_equal(*a, *b);
	assert_ptr_equal(*a, *b);
}

static void assert_same_guest_run(const struct guest_run *a, const struct guest_run *b)
{
	assert_same_text(a->job.testcase, b->job.testcase);
	assert_same_text(a->job.test, b->job.test);
	assert_same_params(&a->job.params, &b->job.params);
	assert_int_equal(a->place, b->place);
	assert_int_equal(a->iteration, b->iteration);
	assert_same_double(a->timeout_s, b->timeout_s);
	assert_string_equal(a->id, b->id);
	assert_same_arguments(a->job.argv, b->job.argv);
}

static void assert_same_plan(const struct guest_plan *a, const struct guest_plan *b)
{
	assert_same_commit(&a->commit, &b->commit);
	assert_same_text(a->machine, b->machine);
	assert_same_text(a->kind, b->kind);
	assert_same_text(a->boot_id, b->boot_id);
	assert_int_equal(a->counters, b->counters);
	assert_int_equal(a->deterministic, b->deterministic);
	assert_int_equal(a->fake_workload, b->fake_workload);
	assert_same_list(&a->events, &b->events);
	assert_same_list(&a->picks, &b->picks);
	assert_int_equal(a->runs_nr, b->runs_nr);
	for (int i = 0; i < a->runs_nr; i++)
		assert_same_guest_run(&a->runs[i], &b->runs[i]);
}

static void a_plan_comes_back(void **state)
{
	struct guest_plan plan = {0}, back = {0};
	struct strbuf bytes = STRBUF_INIT;
	struct err err = {""};

	(void)state;
	fill_plan(&plan);
	wire_put_plan(&bytes, &plan);
	if (wire_get_plan(bytes.buf, bytes.len, &back, &err))
		fail_msg("%s", err.msg);
	assert_same_plan(&plan, &back);
	guest_plan_release(&back);
	guest_plan_release(&back);
	guest_plan_release(&plan);
	strbuf_release(&bytes);
}

static void a_plan_that_makes_no_sense_is_refused(void **state)
{
	struct guest_plan plan = {0}, back = {0};
	struct strbuf bytes = STRBUF_INIT;
	struct err err = {""};

	(void)state;
	wire_put_plan(&bytes, &plan);
	assert_int_equal(wire_get_plan(bytes.buf, bytes.len, &back, &err), -1);
	assert_non_null(strstr(err.msg, "commit"));
	guest_plan_release(&back);
	strbuf_reset(&bytes);
	plan.commit.name = "v1";
	strlist_add(&plan.picks, "a=b");
	wire_put_plan(&bytes, &plan);
	assert_int_equal(wire_get_plan(bytes.buf, bytes.len, &back, &err), -1);
	assert_non_null(strstr(err.msg, "picks"));
	guest_plan_release(&back);
	guest_plan_release(&plan);
	strbuf_release(&bytes);
}

/* True if the bytes are a run or a plan. They are copied, so that a read beyond their end is seen. */
static bool readable(bool plan, const char *data, size_t length)
{
	char *copy = xmalloc(length);
	struct guest_plan guest_plan = {0};
	struct run run = {0};
	struct err err = {""};
	int status;

	if (length)
		memcpy(copy, data, length);
	status = plan ? wire_get_plan(copy, length, &guest_plan, &err)
		      : wire_get_run(copy, length, &run, &err);
	assert_int_equal(status == 0, !err.msg[0]);
	guest_plan_release(&guest_plan);
	run_release(&run);
	free(copy);
	return status == 0;
}

static void encode(struct strbuf *out, bool as_plan)
{
	struct guest_plan plan = {0};
	struct run run = {0};

	fill_run(&run);
	fill_plan(&plan);
	if (as_plan)
		wire_put_plan(out, &plan);
	else
		wire_put_run(out, &run);
	guest_plan_release(&plan);
	run_release(&run);
}

/* What follows the last field that must be there may be missing: each run of a plan is a field of its own. */
static void what_is_cut_short_is_damaged(void **state)
{
	(void)state;
	for (int plan = 0; plan < 2; plan++) {
		struct strbuf bytes = STRBUF_INIT;
		int whole = 0;

		encode(&bytes, plan);
		for (size_t length = 0; length < bytes.len; length++)
			whole += readable(plan, bytes.buf, length);
		assert_int_equal(whole, plan ? 3 : 0);
		assert_true(readable(plan, bytes.buf, bytes.len));
		strbuf_addch(&bytes, 0);
		assert_false(readable(plan, bytes.buf, bytes.len));
		strbuf_release(&bytes);
	}
}

/* No byte, however wrong, leads outside; the checks of frames see to it that none is wrong. */
static void any_wrong_byte_is_survived(void **state)
{
	static const unsigned char masks[] = {0x01, 0x80, 0xff};
	int refused = 0;

	(void)state;
	for (int plan = 0; plan < 2; plan++) {
		struct strbuf bytes = STRBUF_INIT;

		encode(&bytes, plan);
		for (size_t i = 0; i < 3 * bytes.len; i++) {
			char *byte = &bytes.buf[i / 3], was = *byte;

			*byte = (char)(was ^ masks[i % 3]);
			refused += !readable(plan, bytes.buf, bytes.len);
			*byte = was;
		}
		strbuf_release(&bytes);
	}
	assert_true(refused > 500);
}

/* One field, in a table of its own. */
struct thing {
	struct pool pool;
	bool flag;
	unsigned int choice;
	int number;
	const char *text;
	char hex[5];
	struct params params;
	struct strlist list;
};

static void fields_are_checked(void **state)
{
	static const struct {
		const struct wire_type *type;
		size_t offset;
		const char *content;
		size_t length;
		bool good;
	} table[] = {
#define ROW(type, member, content, good)                                                           \
	{&(type), offsetof(struct thing, member), content, sizeof(content) - 1, good}
		ROW(wire_bool, flag, "\0", true),
		ROW(wire_bool, flag, "\1", true),
		ROW(wire_bool, flag, "\2", false),
		ROW(wire_bool, flag, "", false),
		ROW(wire_bool, flag, "\1\1", false),
		ROW(wire_enum, choice, "\3\0\0\0", true),
		ROW(wire_enum, choice, "\4\0\0\0", false),
		ROW(wire_enum, choice, "\377\377\377\377", false),
		ROW(wire_enum, choice, "\0\0\0", false),
		ROW(wire_int, number, "\1\2\3\4", true),
		ROW(wire_int, number, "\1\2\3\4\5", false),
		ROW(wire_int, number, "", false),
		ROW(wire_text, text, "", true),
		ROW(wire_text, text, "abc", true),
		ROW(wire_text, text, "ab\0c", false),
		ROW(wire_text, text, "abc\0", false),
		ROW(wire_hex, hex, "", true),
		ROW(wire_hex, hex, "0aF9", true),
		ROW(wire_hex, hex, "0aG9", false),
		ROW(wire_hex, hex, "0aF", false),
		ROW(wire_hex, hex, "0aF90", false),
		ROW(wire_params, params, "", true),
		ROW(wire_params, params, "a\0001\0b\0\0", true),
		ROW(wire_params, params, "a\0", false),
		ROW(wire_params, params, "a\0001", false),
		ROW(wire_params, params, "a\0001\0a\0002\0", false),
		ROW(wire_list, list, "", true),
		ROW(wire_list, list, "a\0\0b\0", true),
		ROW(wire_list, list, "a\0b", false),
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		const struct wire_field field = {7, 4, table[i].type, table[i].offset};
		const struct wire_table one = {&field, 1};
		struct strbuf out = STRBUF_INIT;
		struct thing thing = {0};

		wire_put(&out, &field, table[i].content, table[i].length);
		if (wire_get_table((struct wire_cursor){out.buf, out.buf + out.len}, &one, &thing,
				   &thing.pool) != table[i].good)
			fail_msg("row %zu", i);
		params_release(&thing.params);
		strlist_release(&thing.list);
		pool_release(&thing.pool);
		strbuf_release(&out);
	}
}

/* Tag 1: a number, must be there. Tag 2: a text, may be. */
static void each_field_is_there_once(void **state)
{
	static const struct wire_field fields[] = {
		{1, 0, &wire_int, offsetof(struct thing, number)},
		{2, 0, &wire_text, offsetof(struct thing, text)},
	};
	static const struct wire_table two = {fields, 2};
	static const struct {
		const char *bytes;
		size_t length;
		bool good;
	} table[] = {
#define BYTES(bytes, good) {bytes, sizeof(bytes) - 1, good}
#define NUMBER "\1\4\0\0\0\7\0\0\0"
#define TEXT "\2\1\0\0\0x"
		BYTES(NUMBER, true),
		BYTES(NUMBER TEXT, true),
		BYTES(TEXT NUMBER, true),
		BYTES("", false),
		BYTES(TEXT, false),
		BYTES(NUMBER NUMBER, false),
		BYTES(NUMBER TEXT TEXT, false),
		BYTES(NUMBER "\3\0\0\0\0", false),
		BYTES(NUMBER "\0\0\0\0\0", false),
		BYTES(NUMBER "\2\2\0\0\0x", false),
		BYTES(NUMBER "\2\377\377\377\377x", false),
		BYTES(NUMBER "\2\1\0\0", false),
		BYTES(NUMBER "\2", false),
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct thing thing = {0};
		struct wire_cursor content = {table[i].bytes, table[i].bytes + table[i].length};

		if (wire_get_table(content, &two, &thing, &thing.pool) != table[i].good)
			fail_msg("row %zu", i);
		if (table[i].good)
			assert_int_equal(thing.number, 7);
		pool_release(&thing.pool);
	}
}

static void small_payloads_are_checked(void **state)
{
	static const struct {
		const char *text;
		int place; /* -1: damaged */
		double seconds; /* < 0: damaged */
	} table[] = {
		{"0", 0, 0},
		{"12", 12, 12},
		{"2147483647", INT_MAX, INT_MAX},
		{"2147483648", -1, 2147483648.0},
		{"-1", -1, -1},
		{"", -1, -1},
		{"1 ", -1, -1},
		{"0.250", -1, 0.25},
		{"nan", -1, -1},
		{"x", -1, -1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		size_t length = strlen(table[i].text);
		struct err err = {""};
		int place = -1;
		double seconds = -1;

		assert_int_equal(wire_get_place(table[i].text, length, &place, &err),
				 table[i].place < 0 ? -1 : 0);
		assert_int_equal(place, table[i].place);
		assert_int_equal(wire_get_seconds(table[i].text, length, &seconds, &err),
				 table[i].seconds < 0 ? -1 : 0);
		assert_same_double(seconds, table[i].seconds);
	}
}

static void greetings_of_another_version_are_refused(void **state)
{
	static const struct {
		const char *text, *release, *error;
	} table[] = {
		{"1 6.12.0 x", "6.12.0 x", NULL}, {"2 6.12.0", NULL, "version 2"},
		{"1", NULL, "no greeting"},	  {"", NULL, "no greeting"},
		{"x 6.12", NULL, "no greeting"},
	};
	struct strbuf out = STRBUF_INIT, release = STRBUF_INIT;
	struct err err = {""};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		int status = wire_get_hello(table[i].text, strlen(table[i].text), &release, &err);

		assert_int_equal(status, table[i].release ? 0 : -1);
		if (table[i].release)
			assert_string_equal(release.buf, table[i].release);
		else
			assert_non_null(strstr(err.msg, table[i].error));
		strbuf_reset(&release);
	}
	wire_put_hello(&out, "6.12.0-amd64");
	assert_int_equal(wire_get_hello(out.buf, out.len, &release, &err), 0);
	assert_string_equal(release.buf, "6.12.0-amd64");
	strbuf_release(&release);
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_comes_back),
		cmocka_unit_test(what_is_not_known_stays_so),
		cmocka_unit_test(a_large_run_comes_back),
		cmocka_unit_test(a_run_that_came_back_goes_on),
		cmocka_unit_test(a_run_without_a_name_is_refused),
		cmocka_unit_test(a_plan_comes_back),
		cmocka_unit_test(a_plan_that_makes_no_sense_is_refused),
		cmocka_unit_test(what_is_cut_short_is_damaged),
		cmocka_unit_test(any_wrong_byte_is_survived),
		cmocka_unit_test(fields_are_checked),
		cmocka_unit_test(each_field_is_there_once),
		cmocka_unit_test(small_payloads_are_checked),
		cmocka_unit_test(greetings_of_another_version_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
