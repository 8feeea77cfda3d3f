/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_GUEST_LINK_H
#define LAB_GUEST_LINK_H
/*
 * The guest's end of the wire (lab/frame.h). One frame at a time waits for its answer: it is sent again when the
 * host asks for it (FRAME_NAK) or says nothing for a while. The other end is lab/guest_inbox.h.
 */
#include "base/err.h"
#include "lab/frame.h"

enum {
	GUEST_LINK_SENDS = 8, /* of one frame, at most */
	GUEST_LINK_TIMEOUT_MS = 10000,
	GUEST_LINK_BURST_MS = 50, /* requests to send again that come within that time are one */
};

struct guest_link {
	int fd; /* non-blocking; the caller's */
	/*
	 * How long to wait for the host to read or to answer. -1: for ever, for a guest whose clock runs ahead
	 * while it has nothing to do; the host asks again then.
	 */
	int timeout_ms;
	uint32_t seq; /* of the last frame sent */
	struct frame_reader reader;
	struct guest_posted *posted; /* what guest_link_settle() has to see to */
	int posted_nr, posted_alloc;
};
void guest_link_release(struct guest_link *link); /* not fd */

/* Sends a frame that nobody answers. */
int guest_link_tell(struct guest_link *link, enum frame_type type, const struct strbuf *payload,
		    struct err *err);

/* Sends a frame until the host has acknowledged it. */
int guest_link_deliver(struct guest_link *link, enum frame_type type, const struct strbuf *payload,
		       struct err *err);

/*
 * For a guest that must not be interrupted by answers: sends a frame now, and keeps it. Then, when interrupts
 * do no harm any more, all frames kept are sent again, each until it is acknowledged.
 */
int guest_link_post(struct guest_link *link, enum frame_type type, const struct strbuf *payload,
		    struct err *err);
int guest_link_settle(struct guest_link *link, struct err *err);

#endif
