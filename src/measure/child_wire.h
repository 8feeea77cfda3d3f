/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEASURE_CHILD_WIRE_H
#define MEASURE_CHILD_WIRE_H
/*
 * Between child.c (the parent) and child_inside.c (the child): one message a SOCK_SEQPACKET packet, a fixed
 * header and then text without its NUL. The answer to READY, BEGIN and END is one byte. Both ends are the
 * same program, but the child may be out of its mind: the parent believes nothing it has not checked.
 */
#include "measure/child.h"

enum {
	CHILD_TEXT_MAX = 1000,
	CHILD_PACKET_MAX = 1200, /* no packet is longer */
};

enum child_message_type {
	CHILD_READY = 1, /* set up; waits to be released */
	CHILD_BEGIN,
	CHILD_END,
	CHILD_VALUE, /* text: metric */
	CHILD_SAMPLE, /* text: metric */
	CHILD_WARN, /* text: one line */
	CHILD_FAIL, /* text: one line */
	CHILD_NO_EXEC, /* errnum: why the program could not be executed */
	CHILD_MESSAGE_TYPES,
};

struct child_message {
	enum child_message_type type;
	int errnum;
	double time_s;
	struct number value;
	char text[CHILD_TEXT_MAX + 1]; /* no control characters after decoding */
};

struct child_io {
	int sock;
};

/* Writes the packet into buf (CHILD_PACKET_MAX bytes) and returns its length. */
size_t child_message_encode(const struct child_message *message, char *buf);
/* False if the bytes are no message. */
bool child_message_decode(const char *buf, size_t len, struct child_message *out);

/*
 * The rest of the child's life, right after fork: sets itself up, says READY, waits to be released, then runs
 * the function or executes the program. sock and output are its ends of the two connections.
 */
void child_inside(const struct child_spec *spec, int sock, int output, pid_t parent)
	__attribute__((noreturn));

#endif
