// SPDX-License-Identifier: GPL-2.0-only
/*
 * A whole session over a line that changes bytes, loses and doubles them: each run that is handed over to be stored
 * is, to the last value, one that the guest has sent, and none is handed over twice; those that did not get through
 * are missed, and the session says so. QEMU is this program (fake_qemu.h), with the guest and its line in it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/session.h"

#include "fake_qemu.h"
#include "lab/guest_link.h"
#include "lab/wire.h"

#include <poll.h>
#include <sys/wait.h>

enum {
	RUNS = 4,
	VALUES = 300,
	TIMEOUT_MS =
		250, /* of the guest: what the host does not ask for again comes again anyway */
};

/* ---- What is sent: everything in it follows from its number */

static void make_run(struct run *run, int number)
{
	*run = (struct run){.iteration = number + 1};
	snprintf(run->id, sizeof(run->id), "%032x", (unsigned)number);
	run->commit.name = pool_strdup(&run->pool, "patched");
	run->machine.name = pool_strdup(&run->pool, "vm");
	run->testcase = pool_strdup(&run->pool, "fake");
	run->test = pool_printf(&run->pool, "test%d", number);
	for (int i = 0; i < VALUES; i++) {
		char *metric = pool_printf(&run->pool, "fake.metric%d", i);

		run_set(run, metric, number_int(number * VALUES + i));
	}
}

static void make_plan(struct guest_plan *plan)
{
	*plan = (struct guest_plan){.commit = {.name = "patched"}, .machine = "vm"};
	for (int i = 0; i < RUNS; i++) {
		struct guest_run *run;

		GROW(plan->runs, plan->runs_nr, plan->runs_alloc);
		run = &plan->runs[plan->runs_nr++];
		*run = (struct guest_run){.job = {.testcase = "fake", .test = "x"}, .place = i};
		snprintf(run->id, sizeof(run->id), "%032x", (unsigned)i);
	}
}

/* ---- QEMU, with a guest and a line that does damage */

static int tell_place(struct guest_link *link, int place, struct err *err)
{
	struct strbuf payload = STRBUF_INIT;
	int status;

	wire_put_place(&payload, place);
	status = guest_link_tell(link, FRAME_BEGIN, &payload, err);
	strbuf_release(&payload);
	return status;
}

static int deliver_run(struct guest_link *link, int number, struct err *err)
{
	struct strbuf payload = STRBUF_INIT;
	struct run run;
	int status;

	make_run(&run, number);
	wire_put_run(&payload, &run);
	status = guest_link_deliver(link, FRAME_RUN, &payload, err);
	strbuf_release(&payload);
	run_release(&run);
	return status;
}

static void __attribute__((noreturn)) be_guest(int fd)
{
	struct guest_link link = {.fd = fd, .timeout_ms = TIMEOUT_MS};
	struct strbuf payload = STRBUF_INIT;
	struct err err;
	int status;

	wire_put_hello(&payload, "6.1");
	status = guest_link_tell(&link, FRAME_HELLO, &payload, &err);
	strbuf_reset(&payload);
	for (int i = 0; status == 0 && i < RUNS; i++) {
		status = tell_place(&link, i, &err);
		if (status == 0)
			status = deliver_run(&link, i, &err);
	}
	if (status == 0)
		status = guest_link_deliver(&link, FRAME_DONE, &payload, &err);
	strbuf_release(&payload);
	guest_link_release(&link);
	_exit(status ? 1 : 0);
}

/* xorshift64* (Marsaglia; Vigna): the same damage for the same seed */
static uint64_t draw(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

static void relay(int from, int to, uint64_t *state, int64_t one_in)
{
	struct strbuf out = STRBUF_INIT;
	char part[4096];
	ssize_t got = recv(from, part, sizeof(part), MSG_DONTWAIT);

	for (ssize_t i = 0; i < got; i++) {
		uint64_t luck = draw(state);
		int copies = 1;
		char byte = part[i];

		if ((luck >> 20) % (uint64_t)one_in == 0) {
			copies = (int)(luck & 3); /* lost, changed, twice, three times */
			if (copies == 1)
				byte = (char)(byte ^ (1 << (luck >> 2 & 7)));
		}
		for (; copies > 0; copies--)
			strbuf_addch(&out, byte);
	}
	for (size_t done = 0; done < out.len;) {
		ssize_t sent = send(to, out.buf + done, out.len - done, MSG_NOSIGNAL);

		if (sent < 0)
			_exit(9);
		done += (size_t)sent;
	}
	strbuf_release(&out);
}

static void attend_guest(int wire, int near, uint64_t seed, int64_t one_in)
{
	struct pollfd fds[] = {{.fd = wire, .events = POLLIN}, {.fd = near, .events = POLLIN}};
	uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15);

	while (poll(fds, 2, 10) >= 0) {
		bool ended = waitpid(-1, NULL, WNOHANG) != 0;

		relay(near, wire, &state, one_in);
		relay(wire, near, &state, one_in);
		if (ended)
			return;
	}
}

/* "LINE:SEED:ONE-IN" */
static int fake_machine(const struct fake_qemu *q)
{
	struct strlist words = {0};
	int64_t seed = 1, one_in = 1;
	int pair[2], near[2];

	strlist_split(&words, q->what, ':');
	if (words.nr != 3 || !parse_i64(words.v[1], &seed) || !parse_i64(words.v[2], &one_in) ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, near) < 0)
		_exit(7);
	pair[0] = streq(words.v[0], "virtio") ? q->port : q->data;
	strlist_release(&words);
	fake_says(q->qmp, "{\"QMP\": {}}\r\n");
	fake_says(q->console, "[    0.0] Linux version 6.1\r\n");
	if (fork() == 0) {
		fcntl(near[1], F_SETFL, O_NONBLOCK);
		be_guest(near[1]);
	}
	close(near[1]);
	attend_guest(pair[0], near[0], (uint64_t)seed, one_in);
	return 0;
}

/* ---- The host */

struct taken {
	int times[RUNS];
	int wrong;
};

static int take_run(void *data, int place, struct run *run, struct err *err)
{
	struct strbuf got = STRBUF_INIT, sent = STRBUF_INIT;
	struct taken *taken = data;
	struct run wanted;

	(void)err;
	make_run(&wanted, place);
	wire_put_run(&got, run);
	wire_put_run(&sent, &wanted);
	taken->wrong += got.len != sent.len || memcmp(got.buf, sent.buf, got.len) != 0;
	taken->times[place]++;
	run_release(&wanted);
	strbuf_release(&got);
	strbuf_release(&sent);
	return 0;
}

static void ignore_place(void *data, int place)
{
	(void)data;
	(void)place;
}

static void ignore_seconds(void *data, double seconds)
{
	(void)data;
	(void)seconds;
}

static enum session_end hold_session(const char *what, struct taken *taken)
{
	static volatile sig_atomic_t stop;
	struct guest_plan plan;
	struct session_config config = {
		.vm = {.qemu = "/proc/self/exe",
		       .kernel = "k",
		       .accel = VM_TCG,
		       .cpus = 1,
		       .nodes = 1,
		       .memory_bytes = INT64_C(1) << 30,
		       .append = what},
		.plan = &plan,
		.boot_timeout_s = 60,
		.silence_s = 60,
		.stop = &stop,
		.data = taken,
		.run_begins = ignore_place,
		.run_ticks = ignore_seconds,
		.run_ended = take_run,
	};
	struct session_result result;
	enum session_end end;
	struct err err = {""};

	make_plan(&plan);
	if (session_run(&config, &result, &err))
		fail_msg("%s: %s", what, err.msg);
	end = result.end;
	if (end == SESSION_LOST && !result.reason.len)
		fail_msg("%s: lost without a reason", what);
	session_result_release(&result);
	guest_plan_release(&plan);
	return end;
}

/* The ends of a number of sessions with different damage. */
static int count_done(const char *line, int seeds, int one_in)
{
	int done = 0;

	for (int seed = 1; seed <= seeds; seed++) {
		char *what = xasprintf("%s:%d:%d", line, seed, one_in);
		struct taken taken = {0};
		bool all = hold_session(what, &taken) == SESSION_DONE;

		if (taken.wrong)
			fail_msg("%s: %d wrong runs", what, taken.wrong);
		for (int i = 0; i < RUNS; i++)
			if (taken.times[i] > 1 || (all && !taken.times[i]))
				fail_msg("%s: run %d came %d times", what, i, taken.times[i]);
		done += all;
		free(what);
	}
	return done;
}

/* A run is some 12 KB: about every second one comes damaged, and then again. */
static void runs_get_through_a_line_that_does_some_damage(void **state)
{
	(void)state;
	assert_int_equal(count_done("serial", 3, 20000), 3);
	assert_int_equal(count_done("virtio", 3, 20000), 3);
}

static void a_line_that_does_too_much_damage_loses_runs_and_forges_none(void **state)
{
	(void)state;
	assert_int_equal(count_done("serial", 1, 300), 0);
	assert_int_equal(count_done("virtio", 1, 50), 0);
}

static void a_line_without_damage_brings_all_at_once(void **state)
{
	(void)state;
	assert_int_equal(count_done("serial", 1, 2000000000), 1);
	assert_int_equal(count_done("virtio", 1, 2000000000), 1);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_without_damage_brings_all_at_once),
		cmocka_unit_test(runs_get_through_a_line_that_does_some_damage),
		cmocka_unit_test(a_line_that_does_too_much_damage_loses_runs_and_forges_none),
	};
	struct fake_qemu q;

	if (argc > 1) {
		fake_qemu_read(&q, argc, argv);
		return fake_machine(&q);
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
