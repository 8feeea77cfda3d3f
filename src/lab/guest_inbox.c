// SPDX-License-Identifier: GPL-2.0-only
#include "lab/guest_inbox.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

void guest_inbox_init(struct guest_inbox *inbox)
{
	*inbox = (struct guest_inbox){
		.quiet_ms = GUEST_INBOX_QUIET_MS,
		.silent_ms = GUEST_INBOX_SILENT_MS,
	};
}

void guest_inbox_add_line(struct guest_inbox *inbox, int fd, int answer_fd)
{
	inbox->lines[inbox->lines_nr++] =
		(struct guest_line){.fd = fd, .answer_fd = answer_fd, .last_ns = clock_ns()};
}

void guest_inbox_release(struct guest_inbox *inbox)
{
	for (int i = 0; i < inbox->lines_nr; i++)
		frame_reader_release(&inbox->lines[i].reader);
	free(inbox->acked);
	*inbox = (struct guest_inbox){0};
}

static bool read_line(struct guest_line *line)
{
	char part[65536];
	ssize_t got;

	do
		got = read(line->fd, part, sizeof(part));
	while (got < 0 && errno == EINTR);
	if (got <= 0)
		return false;
	line->last_ns = clock_ns();
	frame_feed(&line->reader, part, (size_t)got);
	return true;
}

bool guest_inbox_read(struct guest_inbox *inbox)
{
	bool some = false;

	for (int i = 0; i < inbox->lines_nr; i++)
		some |= read_line(&inbox->lines[i]);
	return some;
}

/* An answer that cannot be written, or only in part, is one that gets lost: the guest asks again. */
static void answer(const struct guest_line *line, enum frame_type type, uint32_t seq)
{
	struct strbuf bytes = STRBUF_INIT;

	frame_encode(&bytes, type, seq, NULL, 0);
	while (send(line->answer_fd, bytes.buf, bytes.len, MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
	strbuf_release(&bytes);
}

static bool wants_answer(const struct frame *frame)
{
	return frame->type == FRAME_RUN || frame->type == FRAME_DONE || frame->type == FRAME_FAIL;
}

static bool was_acked(const struct guest_inbox *inbox, uint32_t seq)
{
	for (int i = inbox->acked_nr - 1; i >= 0; i--)
		if (inbox->acked[i] == seq)
			return true;
	return false;
}

/* A frame of the guest's; what else has the form of one (an answer of ours, sent back) is none. */
static bool next_frame(struct guest_inbox *inbox, struct frame *out)
{
	for (int i = 0; i < inbox->lines_nr; i++) {
		struct guest_line *line = &inbox->lines[i];

		while (frame_next(&line->reader, out)) {
			if (out->type == FRAME_ACK || out->type == FRAME_NAK)
				continue;
			inbox->line = i;
			return true;
		}
		line->damaged |= frame_damaged(&line->reader);
	}
	return false;
}

bool guest_inbox_next(struct guest_inbox *inbox, struct frame *out)
{
	while (next_frame(inbox, out)) {
		bool newer = out->seq > inbox->seen;

		if (!newer || out->type == FRAME_DONE || out->type == FRAME_FAIL)
			inbox->deferred = false;
		if (newer)
			inbox->seen = out->seq;
		if (newer || (wants_answer(out) && !was_acked(inbox, out->seq)))
			return true;
		if (wants_answer(out))
			answer(&inbox->lines[inbox->line], FRAME_ACK, out->seq);
	}
	return false;
}

void guest_inbox_ack(struct guest_inbox *inbox, const struct frame *frame)
{
	if (!was_acked(inbox, frame->seq)) {
		GROW(inbox->acked, inbox->acked_nr, inbox->acked_alloc);
		inbox->acked[inbox->acked_nr++] = frame->seq;
	}
	if (!inbox->deferred)
		answer(&inbox->lines[inbox->line], FRAME_ACK, frame->seq);
}

/*
 * Before it said anything the guest waits for nothing, and its terminal would send back what is sent to it. On the
 * other lines is nothing that it would send again.
 */
static bool waits(const struct guest_inbox *inbox, const struct guest_line *line)
{
	if (inbox->deferred)
		return false;
	return inbox->seen ? line == &inbox->lines[inbox->line] : line->damaged;
}

static void tend_line(const struct guest_inbox *inbox, struct guest_line *line)
{
	int64_t quiet_ms = (clock_ns() - line->last_ns) / 1000000;

	if (!waits(inbox, line) || quiet_ms < (line->damaged ? inbox->quiet_ms : inbox->silent_ms))
		return;
	line->damaged = false;
	line->last_ns = clock_ns();
	answer(line, FRAME_NAK, 0);
}

void guest_inbox_tend(struct guest_inbox *inbox)
{
	for (int i = 0; i < inbox->lines_nr; i++)
		tend_line(inbox, &inbox->lines[i]);
}
