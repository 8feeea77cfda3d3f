// SPDX-License-Identifier: GPL-2.0-only
/* One boot, with a QEMU that plays a guest: what goes wrong in it is a result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/session.h"

#include "fake_qemu.h"
#include "lab/frame.h"
#include "lab/wire.h"

enum {
	RUNS = 2,
};

static const char *const ids[RUNS] = {"00000000000000000000000000000001",
				      "00000000000000000000000000000002"};

/* ---- The guest, in a process of its own */

/* What it does, by the last word of the kernel's command line. */
static const struct script {
	const char *name;
	const char *boot, *run; /* on the console: before its first run, in its first run */
	const char *reason; /* of the first run, killed; NULL: it went well */
	enum {
		WHOLE, /* all runs arrive */
		SILENT, /* from the first run on */
		RESET, /* in the first run */
		NOTHING, /* done, without a run */
	} ends;
} scripts[] = {
	{"good", "[    0.1] Linux version 6\n", "", NULL, WHOLE},
	{"warn", "", "[   12.0] WARNING: CPU: 0 PID: 1 at lib/x.c:12 f+0x1/0x2\n", NULL, WHOLE},
	{"warn-at-boot", "[    0.5] WARNING: CPU: 0 PID: 1 at lib/x.c:12 f+0x1/0x2\n", "", NULL,
	 WHOLE},
	{"soft-lockup", "",
	 "[   30.0] watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [test:77]\n", NULL, WHOLE},
	{"rcu-stall", "", "[   30.0] rcu: INFO: rcu_sched self-detected stall on CPU\n", NULL,
	 WHOLE},
	{"oops", "",
	 "[   30.0] BUG: kernel NULL pointer dereference, address: 0000000000000008\n"
	 "[   30.0] Oops: 0002 [#1] PREEMPT SMP NOPTI\n",
	 NULL, WHOLE},
	{"oops-at-boot", "[    0.1] BUG: kernel NULL pointer dereference, address: 8\n", "", NULL,
	 WHOLE},
	{"oom", "",
	 "[   30.0] hog invoked oom-killer: gfp_mask=0x140dca(GFP_HIGHUSER_MOVABLE), order=0\n"
	 "[   30.1] Out of memory: Killed process 77 (hog) total-vm:186480kB\n",
	 "killed by signal 9 (Killed)", WHOLE},
	{"panic", "",
	 "[   30.0] BUG: kernel NULL pointer dereference, address: 0000000000000008\n"
	 "[   30.1] Kernel panic - not syncing: Fatal exception\n",
	 NULL, RESET},
	{"reset", "", "", NULL, RESET},
	{"silent", "", "", NULL, SILENT},
	{"nothing", "", "", NULL, NOTHING},
	{"mute", "perfcmp: something\n[    0.1] x\nperfcmp: no line to the host\n", "", NULL,
	 NOTHING},
};

static void send_frame(enum frame_type type, struct strbuf *payload)
{
	static uint32_t seq;
	struct strbuf bytes = STRBUF_INIT;

	frame_encode(&bytes, type, ++seq, payload->buf, payload->len);
	if (write(STDOUT_FILENO, bytes.buf, bytes.len) != (ssize_t)bytes.len)
		_exit(9);
	strbuf_release(&bytes);
	strbuf_release(payload);
}

/* The answer is short, and comes as one. */
static void hear_answer(void)
{
	char answer[256];

	if (read(STDIN_FILENO, answer, sizeof(answer)) <= 0)
		_exit(8);
}

static void send_run(const char *id, const char *reason)
{
	struct strbuf payload = STRBUF_INIT;
	struct run run = {0};

	memcpy(run.id, id, sizeof(run.id));
	run.commit.name = "c";
	run.testcase = "fake";
	run.test = "steady";
	run.iteration = 1;
	if (reason) {
		run.status = RUN_KILLED;
		run.signal = SIGKILL;
		run.reason = reason;
		run.last_output = "last words";
	}
	wire_put_run(&payload, &run);
	send_frame(FRAME_RUN, &payload);
	hear_answer();
	run_release(&run);
}

static void do_runs(const struct fake_qemu *q, const struct script *script)
{
	for (int i = 0; i < RUNS; i++) {
		struct strbuf payload = STRBUF_INIT;

		wire_put_place(&payload, 10 + i);
		send_frame(FRAME_BEGIN, &payload);
		fake_is_heard(STDOUT_FILENO);
		if (i == 0)
			fake_says(q->console, script->run);
		if (script->ends == SILENT)
			fake_sleeps();
		if (script->ends == RESET) {
			fake_says(q->qmp, "{\"event\": \"SHUTDOWN\", \"data\": "
					  "{\"reason\": \"guest-reset\"}}\r\n");
			_exit(0);
		}
		send_run(ids[i], i == 0 ? script->reason : NULL);
	}
}

static int play(const struct fake_qemu *q, const struct script *script)
{
	struct strbuf payload = STRBUF_INIT, none = STRBUF_INIT;

	fake_begins(q);
	fake_says(q->console, script->boot);
	fake_is_heard(q->console);
	wire_put_hello(&payload, "6.1");
	send_frame(FRAME_HELLO, &payload);
	if (script->ends != NOTHING)
		do_runs(q, script);
	send_frame(FRAME_DONE, &none);
	hear_answer();
	fake_says(q->qmp,
		  "{\"event\": \"SHUTDOWN\", \"data\": {\"reason\": \"guest-shutdown\"}}\r\n");
	return 0;
}

static int be_qemu(int argc, char **argv)
{
	struct fake_qemu q;

	fake_qemu_read(&q, argc, argv);
	for (size_t i = 0; i < ARRAY_SIZE(scripts); i++)
		if (streq(q.what, scripts[i].name))
			return play(&q, &scripts[i]);
	return fake_does(&q);
}

/* ---- The host */

struct host {
	volatile sig_atomic_t stop;
	struct session_result result;
	struct err err;
	int status; /* of session_run() */
	int ticks, begun, ended;
	struct strbuf metrics[RUNS]; /* "name name" of each run */
	struct strbuf reason, output; /* of the first run */
	struct strlist warnings;
};

static void on_boot_tick(void *data, double elapsed_s)
{
	struct host *host = data;

	assert_true(elapsed_s >= 0);
	host->ticks++;
}

static void on_begin(void *data, int place)
{
	struct host *host = data;

	assert_int_equal(place, 10 + host->begun++);
}

static void on_tick(void *data, double elapsed_s)
{
	(void)data;
	(void)elapsed_s;
}

static int on_end(void *data, int place, struct run *run, struct err *err)
{
	struct host *host = data;
	struct strbuf *metrics = &host->metrics[host->ended];

	(void)err;
	assert_int_equal(place, 10 + host->ended);
	for (int i = 0; i < run->values_nr; i++)
		strbuf_addf(metrics, "%s%s", i ? " " : "", run->values[i].metric);
	if (host->ended++ == 0) {
		strbuf_addstr(&host->reason, run->reason ? run->reason : "");
		strbuf_addstr(&host->output, run->last_output ? run->last_output : "");
		for (int i = 0; i < run->warnings.nr; i++)
			strlist_add(&host->warnings, run->warnings.v[i]);
	}
	return 0;
}

static void host_session(struct host *host, const char *what, enum vm_accel accel)
{
	struct guest_plan plan = {0};
	struct session_config config = {
		.vm =
			{
				.qemu = "/proc/self/exe",
				.kernel = "k",
				.accel = accel,
				.cpus = 1,
				.nodes = 1,
				.memory_bytes = INT64_C(4) << 30,
				.append = what,
			},
		.plan = &plan,
		.boot_timeout_s = 2,
		.silence_s = 2,
		.stop = &host->stop,
		.data = host,
		.boot_ticks = on_boot_tick,
		.run_begins = on_begin,
		.run_ticks = on_tick,
		.run_ended = on_end,
	};

	*host = (struct host){.reason = STRBUF_INIT, .output = STRBUF_INIT};
	for (int i = 0; i < RUNS; i++) {
		struct guest_run run = {.place = 10 + i, .iteration = 1};

		memcpy(run.id, ids[i], sizeof(run.id));
		run.job.testcase = "fake";
		run.job.test = "steady";
		GROW(plan.runs, plan.runs_nr, plan.runs_alloc);
		plan.runs[plan.runs_nr++] = run;
		strbuf_init(&host->metrics[i]);
	}
	plan.commit.name = "c";
	plan.machine = "m";
	host->status = session_run(&config, &host->result, &host->err);
	guest_plan_release(&plan);
}

static void host_release(struct host *host)
{
	session_result_release(&host->result);
	for (int i = 0; i < RUNS; i++)
		strbuf_release(&host->metrics[i]);
	strbuf_release(&host->reason);
	strbuf_release(&host->output);
	strlist_release(&host->warnings);
}

#define WARNED "dmesg.WARNING:at_lib/x.c:#f"
#define OOPSED "dmesg.BUG:kernel_NULL_pointer_dereference,address"

static void what_the_console_says_belongs_to_the_run_under_way(void **state)
{
	static const struct {
		const char *what, *metrics[RUNS], *warning;
		int ended;
	} cases[] = {
		{"good", {"", ""}, NULL, 2},
		{"warn", {WARNED, ""}, "WARNING: CPU: 0 PID: 1 at lib/x.c:12 f+0x1/0x2", 2},
		/* the first of the boot, if none is */
		{"warn-at-boot", {WARNED, ""}, "WARNING: CPU: 0 PID: 1 at lib/x.c:12 f+0x1/0x2", 2},
		{"soft-lockup",
		 {"dmesg.BUG:soft_lockup-CPU##stuck_for#s![test:#]", ""},
		 "watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [test:77]",
		 2},
		{"rcu-stall",
		 {"dmesg.INFO:rcu_sched_self-detected_stall_on_CPU", ""},
		 "rcu: INFO: rcu_sched self-detected stall on CPU",
		 2},
		/* the others have to be done in another boot */
		{"oops",
		 {OOPSED " dmesg.Oops:#[##]", ""},
		 "BUG: kernel NULL pointer dereference, address: 0000000000000008",
		 1},
		{"oops-at-boot",
		 {OOPSED, ""},
		 "BUG: kernel NULL pointer dereference, address: 8",
		 1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct host host;

		host_session(&host, cases[i].what, VM_TCG);
		assert_int_equal(host.status, 0);
		assert_int_equal(host.result.end, SESSION_DONE);
		assert_int_equal(host.ended, cases[i].ended);
		assert_string_equal(host.reason.buf, "");
		for (int k = 0; k < RUNS; k++)
			assert_string_equal(host.metrics[k].buf, cases[i].metrics[k]);
		assert_int_equal(host.warnings.nr, cases[i].warning ? 1 : 0);
		if (cases[i].warning) {
			assert_true(starts_with(host.warnings.v[0], "the kernel complained: "));
			assert_true(ends_with(host.warnings.v[0], cases[i].warning));
		}
		host_release(&host);
	}
}

static void a_test_that_the_kernel_killed_has_the_kernels_reason(void **state)
{
	struct host host;

	(void)state;
	host_session(&host, "oom", VM_TCG);
	assert_int_equal(host.result.end, SESSION_DONE);
	assert_int_equal(host.ended, 2);
	assert_string_equal(host.reason.buf,
			    "Out of memory: Killed process 77 (hog) total-vm:186480kB; killed by "
			    "signal 9 (Killed)");
	assert_string_equal(host.metrics[0].buf, "dmesg.invoked_oom-killer:gfp_mask=0x "
						 "dmesg.Out_of_memory:Killed_process");
	assert_true(starts_with(host.output.buf, "last words\n-- console:\n"));
	assert_non_null(strstr(host.output.buf, "[   30.1] Out of memory: Killed process 77"));
	host_release(&host);
}

static void a_guest_that_is_lost_leaves_a_reason_and_its_last_lines(void **state)
{
	static const struct {
		const char *what, *reason, *console, *trouble;
		int place;
		bool booted;
	} cases[] = {
		{"panic",
		 "Kernel panic - not syncing: Fatal exception (BUG: kernel NULL pointer "
		 "dereference, address: 0000000000000008)",
		 "[   30.1] Kernel panic - not syncing: Fatal exception\n",
		 "dmesg.Kernel_panic-not_syncing:Fatal_exception", 10, true},
		{"reset", "the guest's kernel reset the machine", "", NULL, 10, true},
		{"silent", "the guest hangs: not a word from it for 2 s", "", NULL, 10, true},
		{"nothing", "the guest powered off", "", NULL, -1, true},
		{"mute", "no line to the host; the guest powered off", "", NULL, -1, true},
		{"hang", "the kernel did not come up within 2 s", "", NULL, -1, false},
		{"halt", "the kernel's image cannot be unpacked: ZSTD-compressed data is corrupt",
		 "ZSTD-compressed data is corrupt\n\n -- System halted", NULL, -1, false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct host host;

		host_session(&host, cases[i].what, VM_TCG);
		assert_int_equal(host.status, 0);
		assert_int_equal(host.result.end, SESSION_LOST);
		assert_int_equal(host.ended, 0);
		assert_string_equal(host.result.reason.buf, cases[i].reason);
		assert_non_null(strstr(host.result.console.buf, cases[i].console));
		assert_int_equal(host.result.place, cases[i].place);
		assert_int_equal(host.result.booted, cases[i].booted);
		assert_true(host.ticks > 0);
		if (cases[i].trouble)
			assert_int_equal(run_get(host.result.trouble, cases[i].trouble).kind,
					 NUMBER_INT);
		host_release(&host);
	}
}

/* No memory for the guest, an option that this version does not have: no kernel is to blame. */
static void a_qemu_that_does_not_start_is_an_error(void **state)
{
	struct host host;

	(void)state;
	host_session(&host, "complain", VM_TCG);
	assert_int_equal(host.status, -1);
	assert_string_equal(host.err.msg, "QEMU ended with exit status 1: failed to initialize "
					  "kvm: No such file or directory");
	host_release(&host);
	host_session(&host, "complain", VM_KVM); /* emulation may work */
	assert_int_equal(host.status, 0);
	assert_int_equal(host.result.end, SESSION_NO_ACCEL);
	host_release(&host);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_console_says_belongs_to_the_run_under_way),
		cmocka_unit_test(a_test_that_the_kernel_killed_has_the_kernels_reason),
		cmocka_unit_test(a_guest_that_is_lost_leaves_a_reason_and_its_last_lines),
		cmocka_unit_test(a_qemu_that_does_not_start_is_an_error),
	};

	if (argc > 1)
		return be_qemu(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
