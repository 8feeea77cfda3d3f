/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_GUEST_INBOX_H
#define LAB_GUEST_INBOX_H
/*
 * The host's end of the wire to one boot of a guest: delivers each frame once and sends the answers. The other
 * end is lab/guest_link.h.
 *
 * The guest may have several lines to choose from. It is on the one on which its last whole frame came: answers go
 * there. Others may have anything on them (a console, the echo of a terminal), which is read, so that nobody has to
 * wait, and forgotten. To a line on which nothing came nothing is sent.
 *
 *	while (guest_inbox_read(&inbox))		as long as there is something to read
 *		while (guest_inbox_next(&inbox, &frame))
 *			store what it brings, then guest_inbox_ack(&inbox, &frame);
 *	guest_inbox_tend(&inbox);			at least once a second
 */
#include "lab/frame.h"

enum {
	GUEST_INBOX_QUIET_MS = 200, /* after the last byte something damaged is asked for again */
	GUEST_INBOX_SILENT_MS = 10000, /* nothing came: whatever was sent is asked for again */
	GUEST_INBOX_LINES = 2,
};

struct guest_line {
	int fd, answer_fd; /* to read from; a socket to write to; non-blocking, the caller's */
	struct frame_reader reader;
	bool damaged; /* since something was asked for again */
	int64_t last_ns; /* when a byte came, or something was asked for again */
};

struct guest_inbox {
	struct guest_line lines[GUEST_INBOX_LINES];
	int lines_nr;
	int line; /* the one that the guest is on */
	int quiet_ms, silent_ms; /* as above, after guest_inbox_init() */
	/*
	 * Set it for a deterministic guest: an answer is an interrupt at a time that nothing determines, so none
	 * is sent before the guest waits for it. It does when it sends something again, or DONE, or FAIL.
	 */
	bool deferred;
	uint32_t seen; /* seq of the last new frame */
	uint32_t *acked; /* seq of the frames acknowledged */
	int acked_nr, acked_alloc;
};
void guest_inbox_init(struct guest_inbox *inbox); /* without a line */
/* GUEST_INBOX_LINES at most; one socket may be both ways */
void guest_inbox_add_line(struct guest_inbox *inbox, int fd, int answer_fd);
void guest_inbox_release(struct guest_inbox *inbox); /* not the descriptors; takes a zeroed one */

/* Reads what is there, up to some 64 KiB of each line. False: nothing. */
bool guest_inbox_read(struct guest_inbox *inbox);

/*
 * A frame that is new. One that was acknowledged before is acknowledged again; one that wants an answer and got
 * none is new whenever it comes. False: none.
 */
bool guest_inbox_next(struct guest_inbox *inbox, struct frame *out);

/* What the frame (RUN, DONE, FAIL) brought is safe: the guest may forget it. */
void guest_inbox_ack(struct guest_inbox *inbox, const struct frame *frame);

/* Asks for what arrived damaged, or not at all, once the line is quiet. */
void guest_inbox_tend(struct guest_inbox *inbox);

#endif
