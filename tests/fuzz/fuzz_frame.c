// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any bytes on the wire: the frames found in them do not depend on the pieces in which they came, are those that
 * encoding them again gives, and a good frame behind them is found.
 */
#include "lab/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
	if (!condition)
		abort();
}

static void check_encoding(const struct frame *frame)
{
	struct frame_reader reader = {0};
	struct strbuf bytes = STRBUF_INIT;
	struct frame back;

	require(!frame_encode(&bytes, frame->type, frame->seq, frame->payload, frame->length));
	frame_feed(&reader, bytes.buf, bytes.len);
	require(frame_next(&reader, &back) && !frame_damaged(&reader));
	require(back.type == frame->type && back.seq == frame->seq &&
		back.length == frame->length &&
		memcmp(back.payload, frame->payload, frame->length) == 0);
	strbuf_release(&bytes);
	frame_reader_release(&reader);
}

/* Feeds in pieces; returns a hash of all frames found. */
static uint64_t read_all(struct frame_reader *reader, const uint8_t *data, size_t size,
			 size_t piece)
{
	uint64_t hash = 0;
	struct frame frame;

	for (size_t at = 0; at < size; at += piece) {
		frame_feed(reader, data + at, size - at < piece ? size - at : piece);
		while (frame_next(reader, &frame)) {
			check_encoding(&frame);
			hash = hash * 31 + frame.type + frame.seq;
			for (uint32_t i = 0; i < frame.length; i++)
				hash = hash * 31 + frame.payload[i];
		}
	}
	return hash;
}

static uint64_t frames_in(const uint8_t *data, size_t size, size_t piece)
{
	struct frame_reader reader = {0};
	struct strbuf good = STRBUF_INIT;
	uint64_t hash = read_all(&reader, data, size, piece);
	struct frame frame;

	require(reader.skipped <= size);
	frame_encode(&good, FRAME_DONE, 77, "x", 1);
	frame_feed(&reader, good.buf, good.len);
	require(frame_next(&reader, &frame) && frame.type == FRAME_DONE && frame.seq == 77);
	strbuf_release(&good);
	frame_reader_release(&reader);
	return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size)
		require(frames_in(data, size, size) == frames_in(data, size, 1 + data[0] % 7));
	return 0;
}
