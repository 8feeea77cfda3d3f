/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_FRAME_H
#define LAB_FRAME_H
/*
 * Records on the wire between host and guest: a byte stream (a serial port) that may lose, double or corrupt
 * bytes, and on which somebody else may print. Each frame stands for itself:
 *
 *	magic   4 bytes  0x01 'P' 'C' 'F'
 *	type    1
 *	seq     4        little-endian; the sender's, counting up
 *	length  4        of the payload, at most FRAME_MAX
 *	check   4        CRC-32 of the 13 bytes before
 *	payload
 *	check   4        CRC-32 of the payload
 *
 * The reader looks for the magic again after anything it cannot read.
 */
#include "base/strbuf.h"

enum { FRAME_MAX = 64 << 20 };

enum frame_type {
	FRAME_HELLO = 1, /* guest: up; payload: version of this protocol, kernel release */
	FRAME_BEGIN,     /* guest: a run begins; payload: its place in the plan */
	FRAME_TICK,      /* guest: alive; payload: seconds of the run under way */
	FRAME_RUN,       /* guest: a finished run (lab/wire.h); wants an answer */
	FRAME_DONE,      /* guest: the plan is done, power goes off; wants an answer */
	FRAME_FAIL,      /* guest: cannot go on; payload: text; wants an answer */
	FRAME_ACK,       /* host: got the frame seq */
	FRAME_NAK,       /* host: something damaged arrived: send again what was not acknowledged */
};

struct frame {
	enum frame_type type;
	uint32_t seq;
	const unsigned char *payload; /* into the reader; until the next frame_next() or frame_feed() */
	uint32_t length;
};

/* Appends an encoded frame. */
void frame_encode(struct strbuf *out, enum frame_type type, uint32_t seq, const void *payload, size_t length);

/* A zeroed reader is empty. */
struct frame_reader {
	struct strbuf buf; /* what was fed and not yet taken */
	size_t used;       /* bytes of buf that are done with */
	uint64_t skipped;  /* bytes that belonged to no frame */
	bool damaged;      /* a frame with a wrong check, or noise, was skipped since frame_damaged() was asked */
};
void frame_reader_release(struct frame_reader *reader);
void frame_feed(struct frame_reader *reader, const void *data, size_t length);
bool frame_next(struct frame_reader *reader, struct frame *out); /* false: not a whole one there */
bool frame_damaged(struct frame_reader *reader);                 /* tells and forgets */

#endif
