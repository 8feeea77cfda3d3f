// SPDX-License-Identifier: GPL-2.0-only
/*
 * A guest and its host over a wire that fails at one place: every run arrives once, in order and whole, or the
 * guest says that it cannot go on. The guest is a child process; between it and the host, a relay does the damage.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/guest_runs.h"

#include "lab/guest_inbox.h"
#include "lab/guest_link.h"
#include "lab/wire.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum fault {
	NO_FAULT,
	FLIP, /* a bit, in the middle of the frame */
	FLIP_START,
	DROP_BYTE,
	DROP_HALF,
	DROP_ALL,
	TWICE,
	NOISE, /* before the frame */
	FAULTS,
};

/* One direction of the wire: what came, as far as it is no whole frame yet, and what is to happen to which frame. */
struct lane {
	int from, to;
	struct strbuf held;
	int frames; /* passed on so far */
	enum fault fault;
	int first, last; /* frames it happens to, from 0 */
};

struct host {
	struct guest_inbox inbox;
	struct lane up, down; /* from the guest, to the guest */
	pid_t guest;
	bool silent; /* no answers, and nothing asked for */
	int places[16], places_nr; /* of BEGIN */
	int ids[16], runs_nr; /* of RUN, the number in the id */
	struct run last; /* the last one */
	int ticks;
	bool hello, done;
	struct strbuf failure;
};

enum {
	TIMEOUT_MS = 200,
	QUIET_MS = 5,
};

static void make_pair(int fd[2])
{
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fd), 0);
}

/* What PID 1 does after its setup. */
static void be_guest(int fd, const struct guest_plan *plan, int timeout_ms)
{
	struct guest_link link = {.fd = fd, .timeout_ms = timeout_ms};
	struct strbuf text = STRBUF_INIT;
	struct err err = {""};
	int status = guest_do_runs(plan, &link, &err);

	if (status == 0)
		status = guest_link_deliver(&link, FRAME_DONE, &text, &err);
	if (status) {
		strbuf_addstr(&text, err.msg);
		guest_link_deliver(&link, FRAME_FAIL, &text, &err);
	}
	guest_link_release(&link);
	_exit(status ? 1 : 0);
}

static void start_host(struct host *host, const struct guest_plan *plan, int timeout_ms)
{
	int wire[2], near[2];

	make_pair(wire);
	make_pair(near);
	host->guest = fork();
	assert_true(host->guest >= 0);
	if (host->guest == 0)
		be_guest(wire[1], plan, timeout_ms);
	close(wire[1]);
	host->up.from = host->down.to = wire[0];
	host->up.to = host->down.from = near[0];
	guest_inbox_init(&host->inbox);
	guest_inbox_add_line(&host->inbox, near[1], near[1]);
	host->inbox.quiet_ms = QUIET_MS;
}

static void send_bytes(const struct lane *lane, const char *data, size_t length)
{
	while (length) {
		ssize_t sent = send(lane->to, data, length, MSG_NOSIGNAL);

		if (sent < 0 && errno == EAGAIN) {
			struct pollfd pfd = {.fd = lane->to, .events = POLLOUT};

			poll(&pfd, 1, -1);
			continue;
		}
		if (sent < 0)
			return; /* nobody is there any more */
		data += sent;
		length -= (size_t)sent;
	}
}

/* The length of the first frame held; 0: it may go on. Frames begin with 0xf9, and have it nowhere else. */
static size_t frame_length(const struct strbuf *held)
{
	struct frame_reader reader = {0};
	const char *next = held->len > 1 ? memchr(held->buf + 1, 0xf9, held->len - 1) : NULL;
	size_t length = next ? (size_t)(next - held->buf) : held->len;
	struct frame frame;
	bool whole;

	frame_feed(&reader, held->buf, length);
	whole = frame_next(&reader, &frame);
	frame_reader_release(&reader);
	return whole || next ? length : 0;
}

static void pass_frame(struct lane *lane, size_t length)
{
	bool faulty = lane->frames >= lane->first && lane->frames <= lane->last;
	enum fault fault = faulty ? lane->fault : NO_FAULT;
	char *frame = lane->held.buf;
	size_t half = length / 2;

	if (fault == FLIP)
		frame[half] = (char)(frame[half] ^ 4);
	if (fault == FLIP_START)
		frame[0] = (char)(frame[0] ^ 4);
	if (fault == NOISE)
		send_bytes(lane, "\r\n[   1.0] noise\xf9\r\n", 19);
	if (fault == TWICE)
		send_bytes(lane, frame, length);
	if (fault == DROP_BYTE || fault == DROP_HALF)
		send_bytes(lane, frame, half);
	if (fault == DROP_BYTE)
		send_bytes(lane, frame + half + 1, length - half - 1);
	if (fault != DROP_BYTE && fault != DROP_HALF && fault != DROP_ALL)
		send_bytes(lane, frame, length);
	lane->frames++;
}

/* False at the end of the line. */
static bool relay(struct lane *lane)
{
	char part[4096];
	ssize_t got = read(lane->from, part, sizeof(part));
	size_t length;

	if (got > 0)
		strbuf_add(&lane->held, part, (size_t)got);
	while (lane->held.len && (length = frame_length(&lane->held)) > 0) {
		struct strbuf rest = STRBUF_INIT;

		pass_frame(lane, length);
		strbuf_add(&rest, lane->held.buf + length, lane->held.len - length);
		strbuf_release(&lane->held);
		lane->held = rest;
	}
	return got > 0 || (got < 0 && errno == EAGAIN);
}

static void take_run(struct host *host, const struct frame *frame)
{
	struct err err = {""};

	run_release(&host->last);
	if (wire_get_run(frame->payload, frame->length, &host->last, &err))
		fail_msg("%s", err.msg);
	assert_in_range(host->runs_nr, 0, ARRAY_SIZE(host->ids) - 1);
	host->ids[host->runs_nr++] = host->last.id[31] - '0';
}

static void take_frame(struct host *host, const struct frame *frame)
{
	struct strbuf release = STRBUF_INIT;
	struct err err = {""};
	double seconds;

	switch (frame->type) {
	case FRAME_HELLO:
		host->hello = true;
		assert_int_equal(wire_get_hello(frame->payload, frame->length, &release, &err), 0);
		strbuf_release(&release);
		return;
	case FRAME_BEGIN:
		assert_int_equal(wire_get_place(frame->payload, frame->length,
						&host->places[host->places_nr++], &err),
				 0);
		return;
	case FRAME_TICK:
		host->ticks++;
		assert_int_equal(wire_get_seconds(frame->payload, frame->length, &seconds, &err),
				 0);
		return;
	case FRAME_RUN:
		take_run(host, frame);
		break;
	case FRAME_DONE:
		host->done = true;
		break;
	case FRAME_FAIL:
		strbuf_add(&host->failure, frame->payload, frame->length);
		break;
	default:
		fail_msg("a frame of type %d", (int)frame->type);
	}
	if (!host->silent)
		guest_inbox_ack(&host->inbox, frame);
}

/* False once the guest has ended. */
static bool attend_once(struct host *host)
{
	struct pollfd pfd[2] = {{.fd = host->up.from, .events = POLLIN},
				{.fd = host->down.from, .events = POLLIN}};
	struct frame frame;
	bool alive;

	poll(pfd, 2, QUIET_MS);
	alive = relay(&host->up);
	while (guest_inbox_read(&host->inbox))
		while (guest_inbox_next(&host->inbox, &frame))
			take_frame(host, &frame);
	if (!host->silent)
		guest_inbox_tend(&host->inbox);
	relay(&host->down);
	return alive;
}

/* Until the guest has ended. Returns its exit status. */
static int attend(struct host *host)
{
	int status;

	while (attend_once(host))
		;
	assert_int_equal(waitpid(host->guest, &status, 0), host->guest);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void release_host(struct host *host)
{
	close(host->up.from);
	close(host->up.to);
	close(host->inbox.lines[0].fd);
	guest_inbox_release(&host->inbox);
	strbuf_release(&host->up.held);
	strbuf_release(&host->down.held);
	strbuf_release(&host->failure);
	run_release(&host->last);
}

static struct guest_run *add_run(struct guest_plan *plan, const char *test)
{
	struct guest_run *run;

	GROW(plan->runs, plan->runs_nr, plan->runs_alloc);
	run = &plan->runs[plan->runs_nr];
	*run = (struct guest_run){
		.job = {.testcase = "fake", .test = test},
		.place = 2 * plan->runs_nr,
		.iteration = plan->runs_nr + 1,
		.timeout_s = 30,
	};
	snprintf(run->id, sizeof(run->id), "%032x", plan->runs_nr++);
	return run;
}

static void make_plan(struct guest_plan *plan, int runs)
{
	*plan = (struct guest_plan){
		.commit = {.name = "patched", .hash = "abc"},
		.machine = "vm-2cpu",
		.kind = "emulated",
		.boot_id = "boot-7",
		.counters = COUNTERS_OFF,
	};
	for (int i = 0; i < runs; i++)
		add_run(plan, "steady");
}

static void a_run_says_what_it_is_of(void **state)
{
	struct guest_plan plan;
	struct host host = {0};

	(void)state;
	make_plan(&plan, 2);
	start_host(&host, &plan, TIMEOUT_MS);
	assert_int_equal(attend(&host), 0);
	assert_true(host.hello && host.done);
	assert_int_equal(host.places_nr, 2);
	assert_int_equal(host.places[0], 0);
	assert_int_equal(host.places[1], 2);
	assert_int_equal(host.runs_nr, 2);
	assert_string_equal(host.last.id, "00000000000000000000000000000001");
	assert_string_equal(host.last.commit.name, "patched");
	assert_string_equal(host.last.commit.hash, "abc");
	assert_null(host.last.commit.subject);
	assert_string_equal(host.last.machine.name, "vm-2cpu");
	assert_string_equal(host.last.machine.kind, "emulated");
	assert_string_equal(host.last.boot_id, "boot-7");
	assert_string_equal(host.last.testcase, "fake");
	assert_string_equal(host.last.test, "steady");
	assert_int_equal(host.last.iteration, 2);
	assert_int_equal(host.last.status, RUN_OK);
	assert_true(host.last.machine.cpus > 0 && host.last.kernel.release);
	assert_true(number_double(run_get(&host.last, "fake.ops")) > 999 &&
		    number_double(run_get(&host.last, "fake.ops")) < 1001);
	release_host(&host);
	guest_plan_release(&plan);
}

/* up: the fault is on the way to the host */
static void check_fault(enum fault fault, int first, int last, bool up, bool deterministic)
{
	struct guest_plan plan;
	struct host host = {0};
	struct lane *lane = up ? &host.up : &host.down;

	make_plan(&plan, 2);
	plan.deterministic = deterministic;
	host.up.last = host.down.last = -1;
	lane->fault = fault;
	lane->first = first;
	lane->last = last;
	start_host(&host, &plan, TIMEOUT_MS);
	host.inbox.deferred = deterministic;
	if (attend(&host) != 0 || host.runs_nr != 2 || !host.done ||
	    host.ids[0] + host.ids[1] != 1 || (!deterministic && host.ids[0] != 0) ||
	    host.last.status != RUN_OK)
		fail_msg("fault %d of frames %d to %d, %s: %d runs, %s", (int)fault, first, last,
			 up ? "to the host" : "to the guest", host.runs_nr, host.failure.buf);
	release_host(&host);
	guest_plan_release(&plan);
}

/* HELLO BEGIN RUN BEGIN RUN DONE up, three ACKs down; what is sent again makes them more. */
static void one_fault_loses_no_run(void **state)
{
	(void)state;
	for (int fault = FLIP; fault < FAULTS; fault++) {
		for (int i = 0; i < 6; i++)
			check_fault((enum fault)fault, i, i, true, false);
		for (int i = 0; i < 3; i++)
			check_fault((enum fault)fault, i, i, false, false);
	}
}

static void several_faults_in_a_row_lose_no_run(void **state)
{
	(void)state;
	for (int fault = FLIP; fault < FAULTS; fault++) {
		check_fault((enum fault)fault, 2, 4, true, false);
		check_fault((enum fault)fault, 0, 2, false, false);
	}
}

/* HELLO BEGIN RUN BEGIN RUN, then RUN RUN DONE and their three answers. */
static void faults_lose_no_run_of_a_deterministic_guest(void **state)
{
	(void)state;
	for (int fault = FLIP; fault < FAULTS; fault++) {
		for (int i = 2; i < 8; i++)
			check_fault((enum fault)fault, i, i, true, true);
		check_fault((enum fault)fault, 2, 5, true, true);
		check_fault((enum fault)fault, 0, 1, false, true);
	}
}

/* An answer would be an interrupt in the middle of a run. */
static void a_deterministic_guest_hears_nothing_before_its_last_run(void **state)
{
	struct guest_plan plan;
	struct host host = {0};

	(void)state;
	make_plan(&plan, 3);
	plan.deterministic = true;
	host.up.fault = NOISE;
	host.down.last = -1;
	start_host(&host, &plan, TIMEOUT_MS);
	host.inbox.deferred = true;
	host.inbox.silent_ms = 1;
	do {
		assert_int_equal(host.down.frames, 0);
		attend_once(&host);
	} while (host.runs_nr < 3);
	assert_int_equal(attend(&host), 0);
	assert_int_equal(host.runs_nr, 3);
	assert_true(host.done);
	release_host(&host);
	guest_plan_release(&plan);
}

static void a_guest_without_answers_gives_up(void **state)
{
	struct guest_plan plan;
	struct host host = {.silent = true};

	(void)state;
	make_plan(&plan, 3);
	host.up.last = host.down.last = -1;
	start_host(&host, &plan, 10);
	assert_int_equal(attend(&host), 1);
	assert_int_equal(host.runs_nr, GUEST_LINK_SENDS);
	for (int i = 0; i < host.runs_nr; i++)
		assert_int_equal(host.ids[i], 0);
	assert_false(host.done);
	/* HELLO, BEGIN, RUN and FAIL as often as that */
	assert_int_equal(host.up.frames, 2 + 2 * GUEST_LINK_SENDS);
	assert_non_null(strstr(host.failure.buf, "did not acknowledge"));
	release_host(&host);
	guest_plan_release(&plan);
}

/* Where the guest's clock cannot be trusted only the host asks again. */
static void the_host_asks_when_nothing_comes(void **state)
{
	struct guest_plan plan;
	struct host host = {0};

	(void)state;
	make_plan(&plan, 2);
	host.up.fault = DROP_ALL;
	host.up.first = 2;
	host.up.last = 3;
	host.down.last = -1;
	start_host(&host, &plan, -1);
	host.inbox.silent_ms = 20;
	assert_int_equal(attend(&host), 0);
	assert_int_equal(host.runs_nr, 2);
	assert_true(host.done);
	release_host(&host);
	guest_plan_release(&plan);
}

static void runs_that_fail_arrive_as_such(void **state)
{
	static char program[] = "/nonexistent/program";
	static char *argv[] = {program, NULL};
	struct guest_plan plan;
	struct host host = {0};

	(void)state;
	make_plan(&plan, 0);
	add_run(&plan, "crash");
	add_run(&plan, "gone")->job =
		(struct job){.testcase = "command", .test = "x", .argv = argv};
	start_host(&host, &plan, TIMEOUT_MS);
	assert_int_equal(attend(&host), 0);
	assert_int_equal(host.runs_nr, 2);
	assert_int_equal(host.last.status, RUN_FAILED);
	assert_int_equal(host.last.exit_code, 127);
	assert_non_null(strstr(host.last.reason, program));
	assert_true(run_get(&host.last, "last_state.is_incomplete_run").i == 1);
	assert_true(host.done);
	release_host(&host);
	guest_plan_release(&plan);
}

static void a_pick_that_makes_no_sense_fails_the_guest(void **state)
{
	struct guest_plan plan;
	struct host host = {0};

	(void)state;
	make_plan(&plan, 1);
	strlist_add(&plan.picks, "ops=((");
	strlist_add(&plan.picks, "");
	strlist_add(&plan.picks, "");
	start_host(&host, &plan, TIMEOUT_MS);
	assert_int_equal(attend(&host), 1);
	assert_int_equal(host.runs_nr, 0);
	assert_non_null(strstr(host.failure.buf, "ops"));
	release_host(&host);
	guest_plan_release(&plan);
}

static void picks_are_found_in_the_output(void **state)
{
	static char program[] = "printf", text[] = "12 ops\\n34 ops\\n";
	static char *argv[] = {program, text, NULL};
	struct guest_plan plan;
	struct host host = {0};

	(void)state;
	make_plan(&plan, 0);
	add_run(&plan, "x")->job = (struct job){.testcase = "command", .test = "x", .argv = argv};
	strlist_add(&plan.picks, "ops=([0-9]+) ops");
	strlist_add(&plan.picks, "ops");
	strlist_add(&plan.picks, "higher");
	start_host(&host, &plan, TIMEOUT_MS);
	assert_int_equal(attend(&host), 0);
	assert_true(run_get(&host.last, "command.ops").i == 34);
	assert_string_equal(params_get(&host.last.facts, "pick.ops.unit"), "ops");
	assert_string_equal(params_get(&host.last.facts, "pick.ops.better"), "higher");
	release_host(&host);
	guest_plan_release(&plan);
}

/* The test takes 1.6 s: at 0.25 s and once more. */
static void a_run_ticks_once_a_second_unless_deterministic(void **state)
{
	(void)state;
	for (int deterministic = 0; deterministic < 2; deterministic++) {
		struct guest_plan plan;
		struct host host = {0};
		struct guest_run *run;

		make_plan(&plan, 0);
		plan.deterministic = deterministic;
		run = add_run(&plan, "slow");
		params_set(&run->job.params, &plan.pool, "seconds", "1.6");
		start_host(&host, &plan, TIMEOUT_MS);
		assert_int_equal(attend(&host), 0);
		assert_int_equal(host.last.status, RUN_OK);
		if (deterministic)
			assert_int_equal(host.ticks, 0);
		else
			assert_in_range(host.ticks, 1, 2);
		release_host(&host);
		guest_plan_release(&plan);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_says_what_it_is_of),
		cmocka_unit_test(one_fault_loses_no_run),
		cmocka_unit_test(several_faults_in_a_row_lose_no_run),
		cmocka_unit_test(faults_lose_no_run_of_a_deterministic_guest),
		cmocka_unit_test(a_deterministic_guest_hears_nothing_before_its_last_run),
		cmocka_unit_test(a_guest_without_answers_gives_up),
		cmocka_unit_test(the_host_asks_when_nothing_comes),
		cmocka_unit_test(runs_that_fail_arrive_as_such),
		cmocka_unit_test(a_pick_that_makes_no_sense_fails_the_guest),
		cmocka_unit_test(picks_are_found_in_the_output),
		cmocka_unit_test(a_run_ticks_once_a_second_unless_deterministic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
