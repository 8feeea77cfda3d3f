// SPDX-License-Identifier: GPL-2.0-only
#include "measure/child_running.h"

#include "measure/child_wire.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	MESSAGES_AT_ONCE =
		4096, /* more than a socket holds: a flood may not keep us from the rest */
};

static void begin_measured(struct child_running *r)
{
	r->measuring = true;
	if (r->callbacks.begin)
		r->callbacks.begin(r->spec->data);
}

void child_end_measured(struct child_running *r)
{
	if (!r->measuring)
		return;
	r->measuring = false;
	if (r->callbacks.end)
		r->callbacks.end(r->spec->data);
}

void child_warning(struct child_running *r, const char *text)
{
	if (r->callbacks.warning)
		r->callbacks.warning(r->spec->data, text);
}

static void answer(struct child_running *r)
{
	while (send(r->sock, "", 1, MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
}

static void release_child(struct child_running *r)
{
	if (r->callbacks.started)
		r->callbacks.started(r->spec->data, r->pid);
	if (!r->spec->function)
		begin_measured(r);
	r->released_ns = clock_ns();
	r->next_tick_ns = r->released_ns + CHILD_TICK_NS;
	answer(r);
}

static void handle_message(struct child_running *r, const struct child_message *message)
{
	const struct child_callbacks *callbacks = &r->callbacks;

	switch (message->type) {
	case CHILD_READY:
		release_child(r);
		break;
	case CHILD_BEGIN:
		begin_measured(r);
		answer(r);
		break;
	case CHILD_END:
		child_end_measured(r);
		answer(r);
		break;
	case CHILD_VALUE:
		if (callbacks->value)
			callbacks->value(r->spec->data, message->text, message->value);
		break;
	case CHILD_SAMPLE:
		if (callbacks->sample)
			callbacks->sample(r->spec->data, message->text, message->time_s,
					  message->value.d);
		break;
	case CHILD_WARN:
		child_warning(r, message->text);
		break;
	case CHILD_FAIL:
		if (!r->failure.len)
			strbuf_addstr(&r->failure, message->text);
		break;
	default:
		r->exec_errno = message->errnum;
	}
}

/* READY comes once and first; the measured part is entered before it is left. */
static bool in_order(const struct child_running *r, enum child_message_type type)
{
	switch (type) {
	case CHILD_READY:
		return !r->released_ns;
	case CHILD_BEGIN:
		return r->spec->function && !r->measuring;
	case CHILD_END:
		return r->spec->function && r->measuring;
	default:
		return true;
	}
}

static void take_packet(struct child_running *r, const char *packet, size_t len)
{
	struct child_message message;
	bool whole = child_message_decode(packet, len, &message);

	if (whole && in_order(r, message.type)) {
		handle_message(r, &message);
		return;
	}
	if (whole && (message.type == CHILD_BEGIN || message.type == CHILD_END))
		answer(r); /* it waits for it */
	if (!r->warned_of_garbage)
		child_warning(r, "the test sent a malformed message, which was ignored");
	r->warned_of_garbage = true;
}

/* recv() says 0 for an empty packet as well. */
static bool hung_up(int sock)
{
	struct pollfd fd = {.fd = sock};

	return poll(&fd, 1, 0) != 0;
}

void child_take_messages(struct child_running *r)
{
	char packet[CHILD_PACKET_MAX + 1]; /* one more: a longer one is no message */

	for (int i = 0; i < MESSAGES_AT_ONCE && r->sock >= 0; i++) {
		ssize_t len = recv(r->sock, packet, sizeof(packet), MSG_DONTWAIT);

		if (len < 0 && errno == EINTR)
			continue;
		if (len < 0 && errno == EAGAIN)
			return;
		if (len < 0 || (len == 0 && hung_up(r->sock)))
			child_close_fd(&r->sock);
		else
			take_packet(r, packet, (size_t)len);
	}
}
