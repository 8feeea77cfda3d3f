/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_FRAME_H
#define LAB_FRAME_H
/*
 * Records on the wire between host and guest: a byte stream (a serial port) that may lose, double or corrupt
 * bytes, and on which somebody else may print. Each frame stands for itself:
 *
 *	0xf9    1       start of a frame, and nowhere else in it
 *	type    1
 *	seq     4       little-endian; the sender's, counting up
 *	length  4       of the payload, at most FRAME_MAX
 *	check   4       CRC-32 of the 9 bytes before
 *	payload
 *	check   4       CRC-32 of type, seq, length and payload
 *
 * Bytes of value 0xf9 and 0xfa after the start are sent as two: 0xfa and the byte xor 0x20. Neither occurs in
 * UTF-8 text. So a reader is back in step at the next start whatever came before, and what a test printed is
 * never taken for a frame, even if it is one.
 *
 * Note: the second check without the header would accept the header of one frame with the payload of another;
 * one that ran over the first check would forget the header (a CRC continued over its own value is constant).
 */
#include "base/strbuf.h"

enum {
	FRAME_MAX = 64 << 20
};

enum frame_type {
	FRAME_HELLO = 1, /* guest: up; payload: version of this protocol, kernel release */
	FRAME_BEGIN, /* guest: a run begins; payload: its place in the plan */
	FRAME_TICK, /* guest: alive; payload: seconds of the run under way */
	FRAME_RUN, /* guest: a finished run (lab/wire.h); wants an answer */
	FRAME_DONE, /* guest: does no more runs, power goes off; wants an answer */
	FRAME_FAIL, /* guest: cannot go on; payload: text; wants an answer */
	FRAME_ACK, /* host: got the frame seq */
	FRAME_NAK, /* host: something damaged arrived: send again what was not acknowledged */
	FRAME_TYPES,
};

struct frame {
	enum frame_type type;
	uint32_t seq;
	const unsigned char
		*payload; /* into the reader; until the next frame_next() or frame_feed() */
	uint32_t length;
};

/* Appends an encoded frame. A payload longer than FRAME_MAX is no frame: -1, and nothing is appended. */
int frame_encode(struct strbuf *out, enum frame_type type, uint32_t seq, const void *payload,
		 size_t length);

/* A zeroed reader is empty. */
struct frame_reader {
	struct strbuf raw; /* what was fed */
	size_t used; /* bytes of raw that are done with */
	struct strbuf body; /* of the frame under way, unescaped */
	size_t need; /* length of body when it is whole, or can tell; 0: no frame under way */
	bool escaped; /* the last byte was the first of two */
	bool damaged; /* since frame_damaged() was asked */
	uint64_t skipped; /* bytes that belonged to no frame */
};
void frame_reader_release(struct frame_reader *reader);
void frame_feed(struct frame_reader *reader, const void *data, size_t length);
bool frame_next(struct frame_reader *reader, struct frame *out); /* false: not a whole one there */

/* A frame with a wrong check, an unfinished one, or noise was skipped: tells and forgets. */
bool frame_damaged(struct frame_reader *reader);

#endif
