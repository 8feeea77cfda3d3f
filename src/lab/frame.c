// SPDX-License-Identifier: GPL-2.0-only
#include "lab/frame.h"

#include <endian.h>
#include <zlib.h>

enum {
	START = 0xf9,
	ESCAPE = 0xfa,
	ESCAPE_XOR = 0x20,
	HEADER_SIZE = 9,
	CHECK_SIZE = 4,
	PAYLOAD_AT = HEADER_SIZE + CHECK_SIZE,
};

static void store_u32(unsigned char *to, uint32_t n)
{
	uint32_t le = htole32(n);

	memcpy(to, &le, sizeof(le));
}

static uint32_t load_u32(const unsigned char *from)
{
	uint32_t le;

	memcpy(&le, from, sizeof(le));
	return le32toh(le);
}

static uint32_t header_check(const unsigned char *header)
{
	return (uint32_t)crc32_z(0, header, HEADER_SIZE);
}

static uint32_t frame_check(const unsigned char *header, const unsigned char *payload,
			    size_t length)
{
	uint32_t check = header_check(header);

	/* of no bytes crc32_z() may return its initial value */
	return length ? (uint32_t)crc32_z(check, payload, length) : check;
}

static bool special(unsigned char c)
{
	return c == START || c == ESCAPE;
}

static void add_escaped(struct strbuf *out, const unsigned char *data, size_t length)
{
	size_t plain = 0;

	for (size_t i = 0; i < length; i++) {
		if (!special(data[i]))
			continue;
		strbuf_add(out, data + plain, i - plain);
		strbuf_addch(out, ESCAPE);
		strbuf_addch(out, data[i] ^ ESCAPE_XOR);
		plain = i + 1;
	}
	strbuf_add(out, data + plain, length - plain);
}

int frame_encode(struct strbuf *out, enum frame_type type, uint32_t seq, const void *payload,
		 size_t length)
{
	unsigned char header[PAYLOAD_AT], check[CHECK_SIZE];

	if (length > FRAME_MAX)
		return -1;
	header[0] = (unsigned char)type;
	store_u32(header + 1, seq);
	store_u32(header + 5, (uint32_t)length);
	store_u32(header + HEADER_SIZE, header_check(header));
	store_u32(check, frame_check(header, payload, length));
	strbuf_addch(out, START);
	add_escaped(out, header, sizeof(header));
	if (length)
		add_escaped(out, payload, length);
	add_escaped(out, check, sizeof(check));
	return 0;
}

void frame_reader_release(struct frame_reader *reader)
{
	strbuf_release(&reader->raw);
	strbuf_release(&reader->body);
	*reader = (struct frame_reader){0};
}

void frame_feed(struct frame_reader *reader, const void *data, size_t length)
{
	struct strbuf *raw = &reader->raw;

	if (reader->used) {
		raw->len -= reader->used;
		memmove(raw->buf, raw->buf + reader->used, raw->len);
		reader->used = 0;
	}
	strbuf_add(raw, data, length);
}

static void abandon(struct frame_reader *reader)
{
	reader->skipped += reader->body.len + 1;
	reader->damaged = true;
	reader->need = 0;
}

static void start(struct frame_reader *reader)
{
	if (reader->need)
		abandon(reader);
	strbuf_reset(&reader->body);
	reader->need = PAYLOAD_AT;
	reader->escaped = false;
}

/* The body is as long as it has to be to tell more: false if what it tells is wrong. */
static bool take_header(struct frame_reader *reader)
{
	const unsigned char *body = (const unsigned char *)reader->body.buf;
	uint32_t length = load_u32(body + 5);

	if (load_u32(body + HEADER_SIZE) != header_check(body) || body[0] < FRAME_HELLO ||
	    body[0] >= FRAME_TYPES || length > FRAME_MAX)
		return false;
	reader->need = PAYLOAD_AT + (size_t)length + CHECK_SIZE;
	return true;
}

static bool take_frame(struct frame_reader *reader, struct frame *out)
{
	const unsigned char *body = (const unsigned char *)reader->body.buf;
	const unsigned char *payload = body + PAYLOAD_AT;
	uint32_t length = load_u32(body + 5);

	if (load_u32(payload + length) != frame_check(body, payload, length))
		return false;
	*out = (struct frame){
		.type = (enum frame_type)body[0],
		.seq = load_u32(body + 1),
		.payload = payload,
		.length = length,
	};
	reader->need = 0;
	return true;
}

/* A byte of a frame's body. True if it completes the frame. */
static bool take_byte(struct frame_reader *reader, unsigned char c, struct frame *out)
{
	strbuf_addch(&reader->body, c);
	if (reader->body.len < reader->need)
		return false;
	if (reader->need > PAYLOAD_AT) {
		if (take_frame(reader, out))
			return true;
		abandon(reader);
	} else if (!take_header(reader)) {
		abandon(reader);
	}
	return false;
}

static bool take_escaped(struct frame_reader *reader, unsigned char c, struct frame *out)
{
	reader->escaped = false;
	if (special(c ^ ESCAPE_XOR))
		return take_byte(reader, c ^ ESCAPE_XOR, out);
	abandon(reader);
	return false;
}

bool frame_next(struct frame_reader *reader, struct frame *out)
{
	while (reader->used < reader->raw.len) {
		unsigned char c = (unsigned char)reader->raw.buf[reader->used++];
		bool whole = false;

		if (c == START) {
			start(reader);
		} else if (!reader->need) {
			reader->skipped++;
			reader->damaged = true;
		} else if (reader->escaped) {
			whole = take_escaped(reader, c, out);
		} else if (c == ESCAPE) {
			reader->escaped = true;
		} else {
			whole = take_byte(reader, c, out);
		}
		if (whole)
			return true;
	}
	return false;
}

bool frame_damaged(struct frame_reader *reader)
{
	bool damaged = reader->damaged;

	reader->damaged = false;
	return damaged;
}
