// SPDX-License-Identifier: GPL-2.0-only
/* The host's end where the guest has two lines to choose from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/guest_inbox.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

struct wires {
	struct guest_inbox inbox;
	int guest[GUEST_INBOX_LINES]; /* the guest's ends */
};

static void connect_wires(struct wires *wires)
{
	guest_inbox_init(&wires->inbox);
	wires->inbox.quiet_ms = 0;
	wires->inbox.silent_ms = 1;
	for (int i = 0; i < GUEST_INBOX_LINES; i++) {
		int pair[2];

		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
		guest_inbox_add_line(&wires->inbox, pair[0], pair[0]);
		wires->guest[i] = pair[1];
	}
}

static void release_wires(struct wires *wires)
{
	for (int i = 0; i < GUEST_INBOX_LINES; i++) {
		close(wires->inbox.lines[i].fd);
		if (wires->guest[i] >= 0)
			close(wires->guest[i]);
	}
	guest_inbox_release(&wires->inbox);
}

static void say(const struct wires *wires, int line, const char *bytes, size_t length)
{
	assert_int_equal(send(wires->guest[line], bytes, length, MSG_NOSIGNAL), length);
}

static void say_text(const struct wires *wires, int line, const char *text)
{
	say(wires, line, text, strlen(text));
}

/* flip: damages it */
static void say_frame(const struct wires *wires, int line, enum frame_type type, uint32_t seq,
		      bool flip)
{
	struct strbuf bytes = STRBUF_INIT;

	assert_int_equal(frame_encode(&bytes, type, seq, "payload", 7), 0);
	bytes.buf[bytes.len / 2] = (char)(bytes.buf[bytes.len / 2] ^ flip);
	say(wires, line, bytes.buf, bytes.len);
	strbuf_release(&bytes);
}

/* Takes what is there; acknowledges what wants it. Returns the number of new frames. */
static int attend(struct wires *wires)
{
	struct frame frame;
	int frames = 0;

	while (guest_inbox_read(&wires->inbox))
		while (guest_inbox_next(&wires->inbox, &frame)) {
			frames++;
			if (frame.type == FRAME_RUN)
				guest_inbox_ack(&wires->inbox, &frame);
		}
	poll(NULL, 0, 3);
	guest_inbox_tend(&wires->inbox);
	return frames;
}

/* What the guest hears on a line: "ACK 7 NAK " */
static void hears(const struct wires *wires, int line, const char *expected)
{
	struct frame_reader reader = {0};
	struct strbuf heard = STRBUF_INIT;
	struct frame frame;
	char part[4096];
	ssize_t got = recv(wires->guest[line], part, sizeof(part), MSG_DONTWAIT);

	if (got > 0)
		frame_feed(&reader, part, (size_t)got);
	while (frame_next(&reader, &frame)) {
		if (frame.type == FRAME_ACK)
			strbuf_addf(&heard, "ACK %u ", (unsigned)frame.seq);
		else
			strbuf_addstr(&heard, frame.type == FRAME_NAK ? "NAK " : "? ");
	}
	assert_string_equal(heard.buf, expected);
	strbuf_release(&heard);
	frame_reader_release(&reader);
}

static void answers_go_to_the_line_that_the_guest_is_on(void **state)
{
	(void)state;
	for (int line = 0; line < GUEST_INBOX_LINES; line++) {
		struct wires wires;
		int other = 1 - line;

		connect_wires(&wires);
		say_text(&wires, other, "[    1.0] somebody else\xf9 prints\r\n");
		say_frame(&wires, line, FRAME_HELLO, 1, false);
		say_frame(&wires, line, FRAME_RUN, 2, false);
		assert_int_equal(attend(&wires), 2);
		hears(&wires, line, "ACK 2 NAK "); /* it is silent since */
		say_text(&wires, other, "more\n");
		say_frame(&wires, line, FRAME_RUN, 3, true);
		assert_int_equal(attend(&wires), 0);
		hears(&wires, line, "NAK ");
		say_frame(&wires, line, FRAME_RUN, 3, false);
		say_frame(&wires, line, FRAME_RUN, 3, false);
		assert_int_equal(attend(&wires), 1);
		hears(&wires, line, "ACK 3 ACK 3 NAK ");
		hears(&wires, other, "");
		release_wires(&wires);
	}
}

static void nothing_is_sent_where_nothing_came(void **state)
{
	struct wires wires;

	(void)state;
	connect_wires(&wires);
	for (int i = 0; i < 3; i++)
		assert_int_equal(attend(&wires), 0);
	hears(&wires, 0, "");
	hears(&wires, 1, "");
	say_frame(&wires, 1, FRAME_HELLO, 1, true);
	assert_int_equal(attend(&wires), 0);
	hears(&wires, 0, "");
	hears(&wires, 1, "NAK ");
	release_wires(&wires);
}

/* A terminal that nobody has set up sends back what it is sent. */
static void what_was_sent_to_the_guest_is_none_of_its_frames(void **state)
{
	struct wires wires;

	(void)state;
	connect_wires(&wires);
	say_frame(&wires, 1, FRAME_RUN, 1, false);
	say_frame(&wires, 0, FRAME_ACK, 9, false);
	say_frame(&wires, 0, FRAME_NAK, 10, false);
	assert_int_equal(attend(&wires), 1);
	say_frame(&wires, 1, FRAME_RUN, 2, false);
	assert_int_equal(attend(&wires), 1);
	hears(&wires, 0, "");
	release_wires(&wires);
}

static void a_line_that_ended_leaves_the_other(void **state)
{
	struct wires wires;

	(void)state;
	connect_wires(&wires);
	close(wires.guest[0]);
	wires.guest[0] = -1;
	assert_int_equal(attend(&wires), 0);
	say_frame(&wires, 1, FRAME_RUN, 1, false);
	assert_int_equal(attend(&wires), 1);
	hears(&wires, 1, "ACK 1 NAK ");
	release_wires(&wires);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_go_to_the_line_that_the_guest_is_on),
		cmocka_unit_test(nothing_is_sent_where_nothing_came),
		cmocka_unit_test(what_was_sent_to_the_guest_is_none_of_its_frames),
		cmocka_unit_test(a_line_that_ended_leaves_the_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
