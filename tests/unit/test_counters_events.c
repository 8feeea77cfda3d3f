// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "fake_root.h"
#include "measure/counters.h"
#include "measure/event.h"
#include "measure/event_names.h"

#include <sys/wait.h>

static void lists_split_into_events(void **state)
{
	static const struct {
		const char *text, *want; /* joined by blanks */
	} cases[] = {
		{"", ""},
		{"cycles", "cycles"},
		{"cycles,instructions", "cycles instructions"},
		{",,cycles,, instructions ,", "cycles instructions"},
		{"cycles,cycles", "cycles"},
		{"uncore_imc_0/event=0x4,umask=0x3/", "uncore_imc_0/event=0x4,umask=0x3/"},
		{"a/x=1,y=2/,b,c/z/u,d", "a/x=1,y=2/ b c/z/u d"},
		{"{cpu-cycles,instructions},{dTLB-loads,dTLB-load-misses}",
		 "cpu-cycles instructions dTLB-loads dTLB-load-misses"},
		{"{a,b}:u,c", "a:u b:u c"},
		{"{a:k,b}:u", "a:ku b:u"},
		{"{a:u,b:u}:u", "a:u b:u"},
		{"{p/x=1,y=2/,b}:uk", "p/x=1,y=2/uk b:uk"},
		{"{a,b}:S,c", "a b c"},
		{"{a,b}:W", "a b"},
		{"{a}{b}", "a b"},
		{"{a,b", "a b"},
		{"a}b", "a b"},
		{"a,{b,c}:u,{d}:k", "a b:u c:u d:k"},
		{"sched:sched_switch,{x:y}:k", "sched:sched_switch x:y:k"},
		{"p/unclosed,a,b", "p/unclosed,a,b"},
		{"{}:u,{,},:", ":"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strlist events = {0};
		struct strbuf joined = STRBUF_INIT;

		counters_split_events(cases[i].text, &events);
		for (int j = 0; j < events.nr; j++)
			strbuf_addf(&joined, "%s%s", j ? " " : "", events.v[j]);
		assert_string_equal(joined.buf, cases[i].want);
		strbuf_release(&joined);
		strlist_release(&events);
	}
}

static void a_group_leaves_earlier_events_alone(void **state)
{
	struct strlist events = {0};

	(void)state;
	strlist_add(&events, "old");
	counters_split_events("a}:u,b", &events);
	assert_string_equal(events.v[0], "old");
	assert_string_equal(events.v[1], "a:u");
	assert_string_equal(events.v[2], "b");
	strlist_release(&events);
}

static void modifiers_end_the_name(void **state)
{
	static const struct {
		const char *name;
		size_t base;
	} cases[] = {
		{"cycles", 6},
		{"cycles:u", 6},
		{"cycles:ukhGHpp", 6},
		{"cycles:x", 8},
		{"cycles:", 7},
		{":u", 2},
		{"", 0},
		{"sched:sched_switch", 18},
		{"sched:sched_switch:k", 18},
		{"cpu/event=0x3c/", 15},
		{"cpu/event=0x3c/uk", 15},
		{"cpu/event=0x3c/x", 16},
		{"INST_RETIRED:ANY", 16},
		{"INST_RETIRED:ANY:u", 16},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(event_name_base(cases[i].name), cases[i].base);
}

/* An x86 server, and things found in real ones. */
#define DEVICES "/sys/bus/event_source/devices/"
static const struct fake_file server[] = {
	{DEVICES "cpu/type", "4\n"},
	{DEVICES "cpu/format/event", "config:0-7,32-35\n"},
	{DEVICES "cpu/format/umask", "config:8-15\n"},
	{DEVICES "cpu/format/edge", "config:18\n"},
	{DEVICES "cpu/format/ldlat", "config1:0-15\n"},
	{DEVICES "cpu/format/wide", "config2:0-63\n"},
	{DEVICES "cpu/format/odd", "nonsense\n"},
	{DEVICES "cpu/format/worse", "config:9-3\n"},
	{DEVICES "cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n"},
	{DEVICES "cpu/events/any", "event=?\n"},
	{DEVICES "uncore_imc_0/type", "20\n"},
	{DEVICES "uncore_imc_0/cpumask", "0,18\n"},
	{DEVICES "uncore_imc_0/format/event", "config:0-7\n"},
	{DEVICES "uncore_imc_0/format/umask", "config:8-15\n"},
	{DEVICES "uncore_imc_1/type", "21\n"},
	{DEVICES "uncore_imc_1/cpumask", "0,18\n"},
	{DEVICES "uncore_imc_1/format/event", "config:0-7\n"},
	{DEVICES "uncore_imc_1/format/umask", "config:8-15\n"},
	{DEVICES "uncore_imc_free/type", "23\n"},
	{DEVICES "uncore_odd_0/type", "24\n"},
	{DEVICES "uncore_odd_0/format/event", "config:0-7\n"},
	{DEVICES "uncore_odd_1/type", "25\n"},
	{DEVICES "uncore_odd_1/format/other", "config:0-7\n"},
	{DEVICES "power/type", "22\n"},
	{DEVICES "power/cpumask", "0,18\n"},
	{DEVICES "power/format/event", "config:0-7\n"},
	{DEVICES "power/events/energy-pkg", "event=0x02\n"},
	{DEVICES "power/events/energy-pkg.scale", "2.3283064365386962890625e-10\n"},
	{DEVICES "power/events/energy-pkg.unit", "Joules\n"},
	{DEVICES "broken/type", "none\n"},
	{"/sys/kernel/tracing/events/sched/sched_switch/id", "372\n"},
	{"/sys/kernel/debug/tracing/events/old/way/id", "12\n"},
	{NULL, NULL},
};

/* Two kinds of core, as Intel's hybrid CPUs show them. */
static const struct fake_file hybrid[] = {
	{DEVICES "cpu_core/type", "4\n"},
	{DEVICES "cpu_core/cpus", "0-15\n"},
	{DEVICES "cpu_core/format/event", "config:0-7\n"},
	{DEVICES "cpu_core/events/mem-loads", "event=0xcd\n"},
	{DEVICES "cpu_core/events/slots", "event=0x00,umask=0x4\n"},
	{DEVICES "cpu_core/format/umask", "config:8-15\n"},
	{DEVICES "cpu_atom/type", "10\n"},
	{DEVICES "cpu_atom/cpus", "16-23\n"},
	{DEVICES "cpu_atom/format/event", "config:0-7\n"},
	{DEVICES "cpu_atom/events/mem-loads", "event=0xd0\n"},
	{NULL, NULL},
};

struct wanted {
	const char *name;
	const char *events; /* "NAME type=T config=C [config1=C] [u|k|h|...] [on CPUS]; ..." */
};

static void describe_attr(const struct perf_event_attr *attr, struct strbuf *text)
{
	strbuf_addf(text, " type=%u config=0x%llx", attr->type, (unsigned long long)attr->config);
	if (attr->config1)
		strbuf_addf(text, " config1=0x%llx", (unsigned long long)attr->config1);
	if (attr->config2)
		strbuf_addf(text, " config2=0x%llx", (unsigned long long)attr->config2);
	if (attr->exclude_user || attr->exclude_kernel || attr->exclude_hv)
		strbuf_addf(text, " only %s%s%s", attr->exclude_user ? "" : "u",
			    attr->exclude_kernel ? "" : "k", attr->exclude_hv ? "" : "h");
	if (attr->precise_ip)
		strbuf_addf(text, " precise=%d", (int)attr->precise_ip);
}

static void describe(const struct event_list *list, struct strbuf *text)
{
	for (int i = 0; i < list->nr; i++) {
		const struct event *event = &list->v[i];

		strbuf_addf(text, "%s%s", i ? "; " : "", event->name);
		describe_attr(&event->attr, text);
		if (event->cpus)
			strbuf_addf(text, " on %s", event->cpus);
		if (event->whole_machine)
			strbuf_addstr(text, " (whole machine)");
		if (event->unit)
			strbuf_addf(text, " [%s]", event->unit);
	}
}

static void check_resolved(const struct fake_file *files, const struct wanted *wanted, size_t nr)
{
	char *root = fake_root_new(files);
	struct pmu_list pmus = {0};

	pmu_list_load(&pmus, root);
	for (size_t i = 0; i < nr; i++) {
		struct event_list list = {0};
		struct strbuf text = STRBUF_INIT;
		struct err err = {""};

		assert_int_equal(event_resolve(&pmus, wanted[i].name, &list, &err), EVENT_FOUND);
		describe(&list, &text);
		assert_string_equal(text.buf, wanted[i].events);
		strbuf_release(&text);
		event_list_release(&list);
	}
	pmu_list_release(&pmus);
	fake_root_remove(root);
}

/* The numbers are those of the kernel's perf_event.h. */
static void names_of_perf_list_are_known(void **state)
{
	static const struct wanted wanted[] = {
		{"cpu-cycles", "cpu-cycles type=0 config=0x0"},
		{"cycles", "cycles type=0 config=0x0"},
		{"CYCLES", "CYCLES type=0 config=0x0"},
		{"instructions", "instructions type=0 config=0x1"},
		{"cache-references", "cache-references type=0 config=0x2"},
		{"cache-misses", "cache-misses type=0 config=0x3"},
		{"branch-instructions", "branch-instructions type=0 config=0x4"},
		{"branches", "branches type=0 config=0x4"},
		{"branch-misses", "branch-misses type=0 config=0x5"},
		{"bus-cycles", "bus-cycles type=0 config=0x6"},
		{"stalled-cycles-frontend", "stalled-cycles-frontend type=0 config=0x7"},
		{"idle-cycles-frontend", "idle-cycles-frontend type=0 config=0x7"},
		{"stalled-cycles-backend", "stalled-cycles-backend type=0 config=0x8"},
		{"ref-cycles", "ref-cycles type=0 config=0x9"},
		{"cpu-clock", "cpu-clock type=1 config=0x0"},
		{"task-clock", "task-clock type=1 config=0x1"},
		{"page-faults", "page-faults type=1 config=0x2"},
		{"faults", "faults type=1 config=0x2"},
		{"context-switches", "context-switches type=1 config=0x3"},
		{"cs", "cs type=1 config=0x3"},
		{"cpu-migrations", "cpu-migrations type=1 config=0x4"},
		{"migrations", "migrations type=1 config=0x4"},
		{"minor-faults", "minor-faults type=1 config=0x5"},
		{"major-faults", "major-faults type=1 config=0x6"},
		{"alignment-faults", "alignment-faults type=1 config=0x7"},
		{"emulation-faults", "emulation-faults type=1 config=0x8"},
		{"bpf-output", "bpf-output type=1 config=0xa"},
		{"cgroup-switches", "cgroup-switches type=1 config=0xb"},
		{"L1-dcache-loads", "L1-dcache-loads type=3 config=0x0"},
		{"L1-dcache-load-misses", "L1-dcache-load-misses type=3 config=0x10000"},
		{"L1-dcache-stores", "L1-dcache-stores type=3 config=0x100"},
		{"L1-icache-load-misses", "L1-icache-load-misses type=3 config=0x10001"},
		{"LLC-loads", "LLC-loads type=3 config=0x2"},
		{"LLC-store-misses", "LLC-store-misses type=3 config=0x10102"},
		{"dTLB-loads", "dTLB-loads type=3 config=0x3"},
		{"dTLB-load-misses", "dTLB-load-misses type=3 config=0x10003"},
		{"dTLB-stores", "dTLB-stores type=3 config=0x103"},
		{"dTLB-store-misses", "dTLB-store-misses type=3 config=0x10103"},
		{"iTLB-loads", "iTLB-loads type=3 config=0x4"},
		{"iTLB-load-misses", "iTLB-load-misses type=3 config=0x10004"},
		{"branch-loads", "branch-loads type=3 config=0x5"},
		{"branch-load-misses", "branch-load-misses type=3 config=0x10005"},
		{"node-loads", "node-loads type=3 config=0x6"},
		{"node-load-misses", "node-load-misses type=3 config=0x10006"},
		{"node-stores", "node-stores type=3 config=0x106"},
		{"node-store-misses", "node-store-misses type=3 config=0x10106"},
		{"r1a8", "r1a8 type=4 config=0x1a8"},
		{"r01c4:u", "r01c4:u type=4 config=0x1c4 only u"},
		{"cycles:u", "cycles:u type=0 config=0x0 only u"},
		{"cycles:k", "cycles:k type=0 config=0x0 only k"},
		{"cycles:uk", "cycles:uk type=0 config=0x0 only uk"},
		{"cycles:ukh", "cycles:ukh type=0 config=0x0"},
		{"cycles:pp", "cycles:pp type=0 config=0x0 precise=2"},
		{"cycles:upppp", "cycles:upppp type=0 config=0x0 only u precise=3"},
	};

	(void)state;
	check_resolved(server, wanted, ARRAY_SIZE(wanted));
}

static void terms_go_where_the_format_says(void **state)
{
	static const struct wanted wanted[] = {
		{"cpu/event=0x3c/", "cpu/event=0x3c/ type=4 config=0x3c"},
		{"cpu/event=0x3c,umask=1/k", "cpu/event=0x3c,umask=1/k type=4 config=0x13c only k"},
		/* 12 bits in two places */
		{"cpu/event=0x1c2/", "cpu/event=0x1c2/ type=4 config=0x1000000c2"},
		{"cpu/event=4095,edge/", "cpu/event=4095,edge/ type=4 config=0xf000400ff"},
		{"cpu/ldlat=3,edge=1/", "cpu/ldlat=3,edge=1/ type=4 config=0x40000 config1=0x3"},
		{"cpu/config=0x1234,config1=5,config2=6/",
		 "cpu/config=0x1234,config1=5,config2=6/ type=4 config=0x1234 config1=0x5 "
		 "config2=0x6"},
		{"cpu/wide=0xffffffffffffffff/",
		 "cpu/wide=0xffffffffffffffff/ type=4 config=0x0 config2=0xffffffffffffffff"},
		{"cpu/mem-loads/", "cpu/mem-loads/ type=4 config=0x1cd config1=0x3"},
		{"cpu/mem-loads,ldlat=30/u",
		 "cpu/mem-loads,ldlat=30/u type=4 config=0x1cd config1=0x1e only u"},
		{"mem-loads", "mem-loads type=4 config=0x1cd config1=0x3"},
		{"mem-loads:u", "mem-loads:u type=4 config=0x1cd config1=0x3 only u"},
		{"cpu/cycles/", "cpu/cycles/ type=0 config=0x0"},
		{"cpu/dTLB-loads/u", "cpu/dTLB-loads/u type=3 config=0x3 only u"},
		{"uncore_imc_0/event=0x4,umask=0x3/",
		 "uncore_imc_0/event=0x4,umask=0x3/ type=20 config=0x304 on 0,18 (whole machine)"},
		{"uncore_imc/event=0x4/",
		 "uncore_imc_0/event=0x4/ type=20 config=0x4 on 0,18 (whole machine); "
		 "uncore_imc_1/event=0x4/ type=21 config=0x4 on 0,18 (whole machine)"},
		{"power/energy-pkg/", "power/energy-pkg/ type=22 config=0x2 on 0,18 (whole machine)"
				      " [2.3283064365386962890625e-10 Joules]"},
		{"sched:sched_switch", "sched:sched_switch type=2 config=0x174"},
		{"sched:sched_switch:k", "sched:sched_switch:k type=2 config=0x174 only k"},
		{"old:way", "old:way type=2 config=0xc"},
	};

	(void)state;
	check_resolved(server, wanted, ARRAY_SIZE(wanted));
}

/* In the order of their names, as sysfs is read. */
static void kinds_of_core_are_kept_apart(void **state)
{
	static const struct wanted wanted[] = {
		{"cycles", "cpu_atom/cycles/ type=0 config=0xa00000000 on 16-23; "
			   "cpu_core/cycles/ type=0 config=0x400000000 on 0-15"},
		{"dTLB-load-misses:u",
		 "cpu_atom/dTLB-load-misses/u type=3 config=0xa00010003 only u on 16-23; "
		 "cpu_core/dTLB-load-misses/u type=3 config=0x400010003 only u on 0-15"},
		{"r1a8", "cpu_atom/r1a8/ type=10 config=0x1a8 on 16-23; "
			 "cpu_core/r1a8/ type=4 config=0x1a8 on 0-15"},
		{"cpu_atom/cycles/", "cpu_atom/cycles/ type=0 config=0xa00000000 on 16-23"},
		{"cpu_core/cycles/u", "cpu_core/cycles/u type=0 config=0x400000000 only u on 0-15"},
		{"cpu_atom/event=0x3c/", "cpu_atom/event=0x3c/ type=10 config=0x3c on 16-23"},
		{"mem-loads", "cpu_atom/mem-loads/ type=10 config=0xd0 on 16-23; "
			      "cpu_core/mem-loads/ type=4 config=0xcd on 0-15"},
		{"slots", "cpu_core/slots/ type=4 config=0x400 on 0-15"},
		{"cpu-clock", "cpu-clock type=1 config=0x0"},
		{"page-faults", "page-faults type=1 config=0x2"},
	};

	(void)state;
	check_resolved(hybrid, wanted, ARRAY_SIZE(wanted));
}

static void a_name_that_is_none_is_told_from_one_of_elsewhere(void **state)
{
	static const struct {
		const char *name;
		enum event_found found;
		const char *message; /* part of it */
	} cases[] = {
		{"cylces", EVENT_UNKNOWN, "'cylces': did you mean cycles?"},
		{"page-fault", EVENT_UNKNOWN, "did you mean page-faults"},
		{"DTLB-load-miss", EVENT_UNKNOWN, "dTLB-load-misses"},
		{"utter nonsense", EVENT_UNKNOWN,
		 "no event is named 'utter nonsense': `perf list`"},
		{"", EVENT_UNKNOWN, "no event is named ''"},
		{"r12xyz", EVENT_UNKNOWN, "r12xyz"},
		{"cpu/event=0x3c", EVENT_UNKNOWN, "not of the form PMU/EVENT/"},
		{"/event=0x3c/", EVENT_UNKNOWN, "not of the form PMU/EVENT/"},
		{"cpu/", EVENT_UNKNOWN, "not of the form PMU/EVENT/"},
		{"cpu//", EVENT_UNKNOWN, "no event between the slashes"},
		{"cpu/,/", EVENT_UNKNOWN, "no event between the slashes"},
		{"cpu/evnt=1/", EVENT_UNKNOWN,
		 "no field 'evnt'; its fields are edge, event, ldlat"},
		{"cpu/event=0x1ffff/", EVENT_UNKNOWN,
		 "0x1ffff is too large for event (bits 0-7,32-35)"},
		{"cpu/edge=2/", EVENT_UNKNOWN, "2 is too large for edge (bits 18)"},
		{"cpu/event=two/", EVENT_UNKNOWN, "'two' is no number for event"},
		{"cpu/event=-1/", EVENT_UNKNOWN, "'-1' is no number for event"},
		{"cpu/event=/", EVENT_UNKNOWN, "'' is no number for event"},
		{"cpu/event=99999999999999999999999/", EVENT_UNKNOWN, "no number"},
		{"cpu/any/", EVENT_UNKNOWN, "'?' is no number for event"},
		{"cpu/odd=1/", EVENT_UNKNOWN, "no field 'odd'"},
		{"cpu/worse=1/", EVENT_UNKNOWN, "bits 9-3"},
		{"cpu/../format/event/", EVENT_UNKNOWN, "no event and no field"},
		{"uncore_imc/evnt=1/", EVENT_UNKNOWN, "no field 'evnt'"},
		/* the first of two would take it */
		{"uncore_odd/event=1/", EVENT_UNKNOWN,
		 "PMU uncore_odd_1 has no event and no field"},
		{"cpu_atom/cycles/", EVENT_ABSENT, "no PMU cpu_atom here, but cpu, power"},
		{"broken/x/", EVENT_ABSENT, "no PMU broken here"},
		{"kvm:kvm_exit", EVENT_ABSENT, "no such tracepoint here"},
		{"sched:no_such_thing", EVENT_ABSENT, "is tracefs mounted on"},
	};
	char *root = fake_root_new(server);
	struct pmu_list pmus = {0};

	(void)state;
	pmu_list_load(&pmus, root);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event_list list = {0};
		struct err err = {""};

		assert_int_equal(event_resolve(&pmus, cases[i].name, &list, &err), cases[i].found);
		assert_int_equal(list.nr, 0);
		if (!strstr(err.msg, cases[i].message))
			fail_msg("%s: \"%s\" does not say \"%s\"", cases[i].name, err.msg,
				 cases[i].message);
		event_list_release(&list);
	}
	pmu_list_release(&pmus);
	fake_root_remove(root);
}

static void without_sysfs_software_events_remain(void **state)
{
	static const struct fake_file nothing[] = {{NULL, NULL}};
	static const struct wanted wanted[] = {
		{"page-faults", "page-faults type=1 config=0x2"},
		{"cycles", "cycles type=0 config=0x0"},
	};

	(void)state;
	check_resolved(nothing, wanted, ARRAY_SIZE(wanted));
}

static void user_space_only_is_told_by_the_name(void **state)
{
	static const struct {
		const char *name, *want; /* NULL: nothing left to count */
	} cases[] = {
		{"cycles", "cycles:u"},
		{"cycles:u", "cycles:u"},
		{"cycles:uk", "cycles:u"},
		{"cycles:k", NULL},
		{"cpu/mem-loads/", "cpu/mem-loads/u"},
		{"cpu/mem-loads/uk", "cpu/mem-loads/u"},
		{"page-faults", "page-faults:u"},
		{"task-clock", "task-clock"}, /* time is counted whatever is excluded */
		{"cpu-clock", "cpu-clock"},
		{"context-switches", NULL}, /* would always be 0 */
		{"cs", NULL},
		{"cpu-migrations", NULL},
		{"cgroup-switches", NULL},
		{"sched:sched_switch", NULL},
	};
	char *root = fake_root_new(server);
	struct pmu_list pmus = {0};

	(void)state;
	pmu_list_load(&pmus, root);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event_list list = {0};
		struct err err;

		assert_int_equal(event_resolve(&pmus, cases[i].name, &list, &err), EVENT_FOUND);
		assert_int_equal(event_restrict_to_user(&list.v[0], &list.pool),
				 cases[i].want != NULL);
		if (cases[i].want) {
			assert_string_equal(list.v[0].name, cases[i].want);
			assert_true(list.v[0].attr.exclude_kernel && list.v[0].attr.exclude_hv);
		}
		event_list_release(&list);
	}
	pmu_list_release(&pmus);
	fake_root_remove(root);
}

static void the_default_events_are_the_robot_s(void **state)
{
	const struct strlist *events = counters_default_events();
	struct err err;

	(void)state;
	assert_int_equal(events->nr, 23);
	assert_string_equal(events->v[0], "cpu-cycles");
	assert_string_equal(events->v[22], "cpu-migrations");
	assert_int_equal(counters_check_events(events, &err), 0);
}

static void a_misspelt_event_is_refused(void **state)
{
	struct strlist events = {0};
	struct err err;

	(void)state;
	strlist_split(&events, "cycles,no_pmu_here/x/,instrctions", ',');
	assert_int_equal(counters_check_events(&events, &err), -1);
	assert_non_null(strstr(err.msg, "'instrctions': did you mean instructions"));
	strlist_release(&events);
}

/* libpfm4 looks at the CPU once, so another CPU needs another process. */
static void names_of_this_cpu_s_own_events_are_known(void **state)
{
#ifdef __x86_64__
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		struct pmu_list pmus = {0};
		struct event_list list = {0};
		struct err err;
		bool ok;

		setenv("LIBPFM_FORCE_PMU", "skl", 1);
		ok = event_resolve(&pmus, "INST_RETIRED:ANY_P:u", &list, &err) == EVENT_FOUND &&
		     list.nr == 1 && list.v[0].attr.type == PERF_TYPE_RAW &&
		     (list.v[0].attr.config & 0xffff) == 0xc0 && list.v[0].attr.exclude_kernel &&
		     streq(list.v[0].name, "INST_RETIRED:ANY_P:u") &&
		     event_resolve(&pmus, "amd64_fam17h_zen1::RETIRED_OPS", &list, &err) ==
			     EVENT_ABSENT;
		_exit(ok ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
#else
	print_message("built for another kind of CPU\n");
	skip();
#endif
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_this_cpu_s_own_events_are_known), /* before the others */
		cmocka_unit_test(lists_split_into_events),
		cmocka_unit_test(a_group_leaves_earlier_events_alone),
		cmocka_unit_test(modifiers_end_the_name),
		cmocka_unit_test(names_of_perf_list_are_known),
		cmocka_unit_test(terms_go_where_the_format_says),
		cmocka_unit_test(kinds_of_core_are_kept_apart),
		cmocka_unit_test(a_name_that_is_none_is_told_from_one_of_elsewhere),
		cmocka_unit_test(without_sysfs_software_events_remain),
		cmocka_unit_test(user_space_only_is_told_by_the_name),
		cmocka_unit_test(the_default_events_are_the_robot_s),
		cmocka_unit_test(a_misspelt_event_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
