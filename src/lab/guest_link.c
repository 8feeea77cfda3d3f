// SPDX-License-Identifier: GPL-2.0-only
#include "lab/guest_link.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

/* A frame, encoded. */
struct guest_posted {
	uint32_t seq;
	struct strbuf bytes;
};

void guest_link_release(struct guest_link *link)
{
	for (int i = 0; i < link->posted_nr; i++)
		strbuf_release(&link->posted[i].bytes);
	free(link->posted);
	frame_reader_release(&link->reader);
}

/* > 0: ready; 0: time is over; -1: an error. deadline_ns INT64_MAX: no deadline. */
static int wait_for(const struct guest_link *link, short events, int64_t deadline_ns)
{
	struct pollfd pfd = {.fd = link->fd, .events = events};
	int ready;

	do {
		int64_t left_ns = deadline_ns - clock_ns();
		int timeout_ms = -1;

		if (deadline_ns != INT64_MAX)
			timeout_ms = left_ns > 0 ? (int)(left_ns / 1000000) + 1 : 0;
		ready = poll(&pfd, 1, timeout_ms);
	} while (ready < 0 && errno == EINTR);
	return ready;
}

static int64_t deadline(int timeout_ms)
{
	return timeout_ms < 0 ? INT64_MAX : clock_ns() + (int64_t)timeout_ms * 1000000;
}

static int write_all(const struct guest_link *link, const struct strbuf *bytes, struct err *err)
{
	size_t done = 0;

	while (done < bytes->len) {
		ssize_t written = write(link->fd, bytes->buf + done, bytes->len - done);

		if (written >= 0) {
			done += (size_t)written;
			continue;
		}
		if (errno == EINTR)
			continue;
		if (errno != EAGAIN)
			return err_set_errno(err, errno, "sending to the host");
		if (wait_for(link, POLLOUT, deadline(link->timeout_ms)) <= 0)
			return err_set(err, "the host takes no more data");
	}
	return 0;
}

/* Reads what is there. False at the end of the line. */
static bool read_some(struct guest_link *link)
{
	char part[4096];
	ssize_t got;

	do
		got = read(link->fd, part, sizeof(part));
	while (got < 0 && errno == EINTR);
	if (got > 0)
		frame_feed(&link->reader, part, (size_t)got);
	return got > 0 || (got < 0 && errno == EAGAIN);
}

/* What comes within that time: answers to what was sent before, requests that come in a burst. */
static void discard_input(struct guest_link *link, int time_ms)
{
	int64_t deadline_ns = deadline(time_ms);
	struct frame frame;

	while (wait_for(link, POLLIN, deadline_ns) > 0)
		if (!read_some(link))
			break;
	while (frame_next(&link->reader, &frame))
		;
	frame_damaged(&link->reader);
}

enum answer {
	ANSWER_ACK,
	ANSWER_AGAIN,
	ANSWER_NONE,
	ANSWER_GONE,
};

/* A damaged answer may have been any. */
static enum answer take_answers(struct guest_link *link, uint32_t seq)
{
	struct frame frame;
	bool again = false;

	while (frame_next(&link->reader, &frame)) {
		if (frame.type == FRAME_ACK && frame.seq == seq)
			return ANSWER_ACK;
		again |= frame.type == FRAME_NAK;
	}
	return frame_damaged(&link->reader) || again ? ANSWER_AGAIN : ANSWER_NONE;
}

static enum answer wait_for_answer(struct guest_link *link, uint32_t seq)
{
	int64_t deadline_ns = deadline(link->timeout_ms);

	for (;;) {
		enum answer answer = take_answers(link, seq);

		if (answer != ANSWER_NONE)
			return answer;
		if (wait_for(link, POLLIN, deadline_ns) <= 0)
			return ANSWER_NONE;
		if (!read_some(link))
			return ANSWER_GONE;
	}
}

static int encode(struct strbuf *out, struct guest_link *link, enum frame_type type,
		  const struct strbuf *payload, struct err *err)
{
	if (frame_encode(out, type, ++link->seq, payload->buf, payload->len))
		return err_set(err, "%zu bytes are more than a frame to the host can hold",
			       payload->len);
	return 0;
}

int guest_link_tell(struct guest_link *link, enum frame_type type, const struct strbuf *payload,
		    struct err *err)
{
	struct strbuf bytes = STRBUF_INIT;
	int status = encode(&bytes, link, type, payload, err);

	if (status == 0)
		status = write_all(link, &bytes, err);
	strbuf_release(&bytes);
	return status;
}

static int send_until_answered(struct guest_link *link, uint32_t seq, const struct strbuf *bytes,
			       struct err *err)
{
	discard_input(link, 0);
	for (int i = 0; i < GUEST_LINK_SENDS; i++) {
		enum answer answer;

		if (write_all(link, bytes, err))
			return -1;
		answer = wait_for_answer(link, seq);
		if (answer == ANSWER_ACK)
			return 0;
		if (answer == ANSWER_GONE)
			return err_set(err, "the line to the host was closed");
		if (answer == ANSWER_AGAIN)
			discard_input(link, GUEST_LINK_BURST_MS);
	}
	return err_set(err, "the host did not acknowledge what was sent %d times",
		       GUEST_LINK_SENDS);
}

int guest_link_deliver(struct guest_link *link, enum frame_type type, const struct strbuf *payload,
		       struct err *err)
{
	struct strbuf bytes = STRBUF_INIT;
	int status = encode(&bytes, link, type, payload, err);

	if (status == 0)
		status = send_until_answered(link, link->seq, &bytes, err);
	strbuf_release(&bytes);
	return status;
}

int guest_link_post(struct guest_link *link, enum frame_type type, const struct strbuf *payload,
		    struct err *err)
{
	struct guest_posted *posted;

	GROW(link->posted, link->posted_nr, link->posted_alloc);
	posted = &link->posted[link->posted_nr++];
	*posted = (struct guest_posted){.bytes = STRBUF_INIT};
	if (encode(&posted->bytes, link, type, payload, err))
		return -1;
	posted->seq = link->seq;
	return write_all(link, &posted->bytes, err);
}

int guest_link_settle(struct guest_link *link, struct err *err)
{
	for (int i = 0; i < link->posted_nr; i++) {
		const struct guest_posted *posted = &link->posted[i];

		if (send_until_answered(link, posted->seq, &posted->bytes, err))
			return -1;
	}
	return 0;
}
