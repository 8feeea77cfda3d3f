// SPDX-License-Identifier: GPL-2.0-only
#include "lab/wire.h"
#include "lab/wire_field.h"

#include <assert.h>

/* Values: kind, 64 bits and name of each, one after the other. */
static void put_values(struct strbuf *out, const struct wire_field *field, const void *thing)
{
	const struct run *run = thing;
	size_t begin = wire_begin(out, field);

	for (int i = 0; i < run->values_nr; i++) {
		const struct run_value *value = &run->values[i];
		int64_t bits = value->value.kind == NUMBER_NONE ? 0 : value->value.i;

		strbuf_addch(out, (int)value->value.kind);
		strbuf_add(out, &bits, sizeof(bits));
		strbuf_add(out, value->metric, strlen(value->metric) + 1);
	}
	wire_end(out, begin);
}

static bool get_value(struct wire_cursor *content, struct run *run)
{
	struct number number = {.kind = NUMBER_NONE};
	unsigned char kind;
	const char *metric;

	if (!wire_take(content, &kind, 1) || !wire_take(content, &number.i, sizeof(number.i)))
		return false;
	metric = wire_take_text(content);
	if (!metric || kind > NUMBER_FLOAT || strmap_get(&run->index, metric, -1) >= 0)
		return false;
	number.kind = (enum number_kind)kind;
	run_set(run, metric, number);
	return true;
}

static bool get_values(struct wire_cursor content, const struct wire_field *field, void *thing,
		       struct pool *pool)
{
	(void)field;
	(void)pool;
	while (content.at < content.end)
		if (!get_value(&content, thing))
			return false;
	return true;
}

static const struct wire_type values = {.put = put_values, .get = get_values};

/* Counters: three numbers and the name of each. */
static void put_counters(struct strbuf *out, const struct wire_field *field, const void *thing)
{
	const struct run *run = thing;
	size_t begin = wire_begin(out, field);

	for (int i = 0; i < run->counters_nr; i++) {
		const struct run_counter *counter = &run->counters[i];
		uint64_t numbers[] = {counter->value, counter->enabled_ns, counter->running_ns};

		strbuf_add(out, numbers, sizeof(numbers));
		strbuf_add(out, counter->event, strlen(counter->event) + 1);
	}
	wire_end(out, begin);
}

static bool get_counter(struct wire_cursor *content, struct run *run, struct strmap *known)
{
	struct run_counter counter = {0};
	uint64_t numbers[3];

	if (!wire_take(content, numbers, sizeof(numbers)))
		return false;
	counter.event = wire_take_text(content);
	if (!counter.event || strmap_get(known, counter.event, 0))
		return false;
	strmap_put(known, counter.event, 1);
	counter.value = numbers[0];
	counter.enabled_ns = numbers[1];
	counter.running_ns = numbers[2];
	run_add_counter(run, &counter);
	return true;
}

static bool get_counters(struct wire_cursor content, const struct wire_field *field, void *thing,
			 struct pool *pool)
{
	struct strmap known = {0};
	bool good = true;

	(void)field;
	(void)pool;
	while (good && content.at < content.end)
		good = get_counter(&content, thing, &known);
	strmap_release(&known);
	return good;
}

static const struct wire_type counters = {.put = put_counters, .get = get_counters};

/* A field for each series: its name, the times of its samples, their values. */
static void put_series(struct strbuf *out, const struct wire_field *field, const void *thing)
{
	const struct run *run = thing;

	for (int i = 0; i < run->series_nr; i++) {
		const struct run_series *series = &run->series[i];
		size_t begin = wire_begin(out, field);

		strbuf_add(out, series->metric, strlen(series->metric) + 1);
		for (int k = 0; k < series->nr; k++)
			strbuf_add(out, &series->time_s[k], sizeof(double));
		for (int k = 0; k < series->nr; k++)
			strbuf_add(out, &series->value[k], sizeof(double));
		wire_end(out, begin);
	}
}

static bool get_series(struct wire_cursor content, const struct wire_field *field, void *thing,
		       struct pool *pool)
{
	const char *metric = wire_take_text(&content);
	size_t half = (size_t)(content.end - content.at) / 2;
	struct run_series *series;
	struct run *run = thing;

	(void)field;
	if (!metric || half % sizeof(double) || content.at + 2 * half != content.end ||
	    strmap_get(&run->series_index, metric, -1) >= 0)
		return false;
	GROW(run->series, run->series_nr, run->series_alloc);
	series = &run->series[run->series_nr++];
	*series = (struct run_series){
		.metric = pool_strdup(pool, metric),
		.nr = (int)(half / sizeof(double)),
		.alloc = (int)(half / sizeof(double)),
		.time_s = xmalloc(half),
		.value = xmalloc(half),
	};
	strmap_put(&run->series_index, series->metric, run->series_nr - 1);
	return wire_take(&content, series->time_s, half) &&
	       wire_take(&content, series->value, half);
}

static const struct wire_type one_series = {.repeated = true, .put = put_series, .get = get_series};

#define AT(member) offsetof(struct run, member)
static const struct wire_field fields[] = {
	{1, sizeof(((struct run *)NULL)->id) - 1, &wire_hex, AT(id)},
	{2, 0, &wire_text, AT(commit.name)},
	{3, 0, &wire_text, AT(commit.hash)},
	{4, 0, &wire_text, AT(commit.subject)},
	{5, 0, &wire_text, AT(kernel.release)},
	{6, 0, &wire_text, AT(kernel.version)},
	{7, 0, &wire_text, AT(kernel.cmdline)},
	{8, 0, &wire_text, AT(kernel.hash)},
	{9, 0, &wire_text, AT(machine.name)},
	{10, 0, &wire_text, AT(machine.kind)},
	{11, 0, &wire_text, AT(machine.cpu_model)},
	{12, 0, &wire_int, AT(machine.cpus)},
	{13, 0, &wire_int, AT(machine.nodes)},
	{14, 0, &wire_i64, AT(machine.memory_bytes)},
	{15, 0, &wire_text, AT(boot_id)},
	{16, 0, &wire_text, AT(testcase)},
	{17, 0, &wire_text, AT(test)},
	{18, 0, &wire_params, AT(params)},
	{19, 0, &wire_params, AT(facts)},
	{20, 0, &wire_i64, AT(start_ns)},
	{21, 0, &wire_double, AT(wall_s)},
	{22, 0, &wire_int, AT(iteration)},
	{23, RUN_TIMEOUT + 1, &wire_enum, AT(status)},
	{24, 0, &wire_int, AT(exit_code)},
	{25, 0, &wire_int, AT(signal)},
	{26, 0, &wire_text, AT(reason)},
	{27, 0, &wire_text, AT(last_output)},
	{28, 0, &values, 0},
	{29, 0, &counters, 0},
	{30, 0, &one_series, 0},
	{31, 0, &wire_list, AT(warnings)},
};
static_assert(ARRAY_SIZE(fields) <= WIRE_FIELDS_MAX, "wire_get_table");
static const struct wire_table table = {fields, (int)ARRAY_SIZE(fields)};

void wire_put_run(struct strbuf *out, const struct run *run)
{
	wire_put_table(out, &table, run);
}

int wire_get_run(const void *data, size_t length, struct run *run, struct err *err)
{
	struct wire_cursor content = {data, (const char *)data + length};

	if (!wire_get_table(content, &table, run, &run->pool))
		return err_set(err, "a run of %zu bytes from the guest is damaged", length);
	if (!run->id[0] || !run->commit.name || !run->testcase || !run->test)
		return err_set(err, "a run from the guest does not say what it is of");
	return 0;
}
