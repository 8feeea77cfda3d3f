// SPDX-License-Identifier: GPL-2.0-only
#include "lab/guest_inbox.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

void guest_inbox_init(struct guest_inbox *inbox, int fd)
{
	*inbox = (struct guest_inbox){
		.fd = fd,
		.quiet_ms = GUEST_INBOX_QUIET_MS,
		.silent_ms = GUEST_INBOX_SILENT_MS,
		.last_ns = clock_ns(),
	};
}

void guest_inbox_release(struct guest_inbox *inbox)
{
	frame_reader_release(&inbox->reader);
	free(inbox->acked);
	*inbox = (struct guest_inbox){.fd = -1};
}

bool guest_inbox_read(struct guest_inbox *inbox)
{
	char part[65536];
	ssize_t got;

	do
		got = read(inbox->fd, part, sizeof(part));
	while (got < 0 && errno == EINTR);
	if (got <= 0) {
		inbox->closed = got == 0 || errno != EAGAIN;
		return false;
	}
	inbox->last_ns = clock_ns();
	frame_feed(&inbox->reader, part, (size_t)got);
	return true;
}

/* An answer that cannot be written, or only in part, is one that gets lost: the guest asks again. */
static void answer(struct guest_inbox *inbox, enum frame_type type, uint32_t seq)
{
	struct strbuf bytes = STRBUF_INIT;

	frame_encode(&bytes, type, seq, NULL, 0);
	while (send(inbox->fd, bytes.buf, bytes.len, MSG_NOSIGNAL) < 0 && errno == EINTR)
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

bool guest_inbox_next(struct guest_inbox *inbox, struct frame *out)
{
	while (frame_next(&inbox->reader, out)) {
		bool newer = out->seq > inbox->seen;

		if (!newer || out->type == FRAME_DONE || out->type == FRAME_FAIL)
			inbox->deferred = false;
		if (newer)
			inbox->seen = out->seq;
		if (newer || (wants_answer(out) && !was_acked(inbox, out->seq)))
			return true;
		if (wants_answer(out))
			answer(inbox, FRAME_ACK, out->seq);
	}
	inbox->damaged |= frame_damaged(&inbox->reader);
	return false;
}

void guest_inbox_ack(struct guest_inbox *inbox, const struct frame *frame)
{
	if (!was_acked(inbox, frame->seq)) {
		GROW(inbox->acked, inbox->acked_nr, inbox->acked_alloc);
		inbox->acked[inbox->acked_nr++] = frame->seq;
	}
	if (!inbox->deferred)
		answer(inbox, FRAME_ACK, frame->seq);
}

/* Before it said anything the guest waits for nothing, and its terminal would send back what is sent to it. */
void guest_inbox_tend(struct guest_inbox *inbox)
{
	int64_t quiet_ms = (clock_ns() - inbox->last_ns) / 1000000;

	if (inbox->deferred || (!inbox->seen && !inbox->damaged))
		return;
	if (quiet_ms < (inbox->damaged ? inbox->quiet_ms : inbox->silent_ms))
		return;
	inbox->damaged = false;
	inbox->last_ns = clock_ns();
	answer(inbox, FRAME_NAK, 0);
}
