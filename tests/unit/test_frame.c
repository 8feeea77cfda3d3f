// SPDX-License-Identifier: GPL-2.0-only
/* Whatever happens to the bytes on the wire, what is read is what was sent, and the reader finds its way back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/frame.h"

enum {
	FRAMES = 3,
	SEQ = 1000, /* of the first frame of a stream */
	LAST_SEQ = SEQ + FRAMES,
};

/* Payloads of one length, so that the header of one fits the content of another. */
static const char payloads[FRAMES][9] = {
	"\xf9\xfa one!",
	"\0\1two\xff\n",
	"three=3.",
};
enum {
	PAYLOAD = 8
};

static void add_frame(struct strbuf *out, int i)
{
	assert_int_equal(
		frame_encode(out, FRAME_RUN, (uint32_t)(SEQ + i), payloads[i % FRAMES], PAYLOAD),
		0);
}

/* Where each frame of the stream begins, and where the last one ends. */
static void make_stream(struct strbuf *out, size_t begins[FRAMES + 1])
{
	for (int i = 0; i < FRAMES; i++) {
		begins[i] = out->len;
		add_frame(out, i);
	}
	begins[FRAMES] = out->len;
}

/* How often each frame of the stream arrived; all else that arrives is wrong. */
struct arrived {
	int count[FRAMES + 1];
	bool damaged;
};

static void take_all(struct frame_reader *reader, struct arrived *arrived)
{
	struct frame frame;

	while (frame_next(reader, &frame)) {
		assert_int_equal(frame.type, FRAME_RUN);
		assert_in_range(frame.seq, SEQ, LAST_SEQ);
		assert_int_equal(frame.length, PAYLOAD);
		assert_memory_equal(frame.payload, payloads[(frame.seq - SEQ) % FRAMES], PAYLOAD);
		arrived->count[frame.seq - SEQ]++;
	}
}

/* What arrives of these bytes. Then a good frame is sent, which must arrive whatever was before. */
static struct arrived receive(const struct strbuf *bytes)
{
	struct frame_reader reader = {0};
	struct strbuf good = STRBUF_INIT;
	struct arrived arrived = {0};

	frame_feed(&reader, bytes->buf, bytes->len);
	take_all(&reader, &arrived);
	add_frame(&good, FRAMES);
	frame_feed(&reader, good.buf, good.len);
	take_all(&reader, &arrived);
	assert_int_equal(arrived.count[FRAMES], 1);
	arrived.damaged = frame_damaged(&reader);
	assert_false(frame_damaged(&reader));
	strbuf_release(&good);
	frame_reader_release(&reader);
	return arrived;
}

static int sum(const struct arrived *arrived)
{
	int all = 0;

	for (int i = 0; i < FRAMES; i++)
		all += arrived->count[i];
	return all;
}

/* Checks from Python's zlib. */
static void the_bytes_of_a_frame(void **state)
{
	static const struct {
		enum frame_type type;
		uint32_t seq;
		const char *payload;
		size_t payload_length;
		const char *bytes;
		size_t length;
	} table[] = {
		{FRAME_ACK, 0x5, "", 0,
		 "\xf9\x07\x05\x00\x00\x00\x00\x00\x00\x00\x03\x77\x88\xca\x03\x77\x88\xca", 18},
		{FRAME_TICK, 0x1020304, "1.5", 3,
		 "\xf9\x03\x04\x03\x02\x01\x03\x00\x00\x00\x59\x1b\x3b\x08\x31\x2e\x35\x33\xac\x0c\xfc",
		 21},
		{FRAME_RUN, 0xf9fa, "\xf9\xfa", 3,
		 "\xf9\x04\xfa\xda\xfa\xd9\x00\x00\x03\x00\x00\x00\xc4\x9d\x1d\x36\xfa\xd9\xfa\xda\x00\x5e\x3e\x48\x9a",
		 25},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct strbuf out = STRBUF_INIT;

		assert_int_equal(frame_encode(&out, table[i].type, table[i].seq, table[i].payload,
					      table[i].payload_length),
				 0);
		assert_int_equal(out.len, table[i].length);
		assert_memory_equal(out.buf, table[i].bytes, (int)table[i].length);
		strbuf_release(&out);
	}
}

static void check_round_trip(const void *payload, size_t length)
{
	struct frame_reader reader = {0};
	struct strbuf out = STRBUF_INIT;
	struct frame frame;

	assert_int_equal(frame_encode(&out, FRAME_FAIL, UINT32_MAX, payload, length), 0);
	frame_feed(&reader, out.buf, out.len);
	assert_true(frame_next(&reader, &frame));
	assert_int_equal(frame.type, FRAME_FAIL);
	assert_int_equal(frame.seq, UINT32_MAX);
	assert_int_equal(frame.length, length);
	if (length)
		assert_memory_equal(frame.payload, payload, (int)length);
	assert_false(frame_next(&reader, &frame));
	assert_false(frame_damaged(&reader));
	assert_int_equal(reader.skipped, 0);
	strbuf_release(&out);
	frame_reader_release(&reader);
}

static void any_payload_comes_back(void **state)
{
	enum {
		LARGE = 1 << 20
	};
	unsigned char all[256];
	unsigned char *large = xmalloc(LARGE);

	(void)state;
	for (size_t i = 0; i < sizeof(all); i++)
		all[i] = (unsigned char)i;
	for (size_t i = 0; i < LARGE; i++)
		large[i] = (unsigned char)(i % 3 ? 0xf9 : i / 3);
	check_round_trip(NULL, 0);
	check_round_trip(all, 1);
	check_round_trip(all, sizeof(all));
	check_round_trip("\xf9\xf9\xfa\xfa", 4);
	check_round_trip(large, LARGE);
	free(large);
}

static void a_payload_that_is_too_long_is_refused(void **state)
{
	struct strbuf out = STRBUF_INIT;

	(void)state;
	assert_int_equal(frame_encode(&out, FRAME_RUN, 1, "", (size_t)FRAME_MAX + 1), -1);
	assert_int_equal(out.len, 0);
}

static void pieces_of_any_size_make_the_same_frames(void **state)
{
	struct strbuf stream = STRBUF_INIT;
	size_t begins[FRAMES + 1];

	(void)state;
	make_stream(&stream, begins);
	for (size_t piece = 1; piece <= stream.len; piece++) {
		struct frame_reader reader = {0};
		struct arrived arrived = {0};

		for (size_t at = 0; at < stream.len; at += piece) {
			size_t left = stream.len - at;

			frame_feed(&reader, stream.buf + at, left < piece ? left : piece);
			take_all(&reader, &arrived);
		}
		assert_int_equal(sum(&arrived), FRAMES);
		assert_false(frame_damaged(&reader));
		frame_reader_release(&reader);
	}
	strbuf_release(&stream);
}

/* Frames may also be fed while others wait to be taken. */
static void what_waits_is_kept_when_more_comes(void **state)
{
	struct frame_reader reader = {0};
	struct strbuf stream = STRBUF_INIT;
	struct arrived arrived = {0};
	size_t begins[FRAMES + 1];
	struct frame frame;

	(void)state;
	make_stream(&stream, begins);
	frame_feed(&reader, stream.buf, stream.len);
	assert_true(frame_next(&reader, &frame));
	frame_feed(&reader, stream.buf, stream.len);
	take_all(&reader, &arrived);
	assert_int_equal(arrived.count[0], 1);
	assert_int_equal(arrived.count[1], 2);
	assert_int_equal(arrived.count[2], 2);
	assert_false(frame_damaged(&reader));
	strbuf_release(&stream);
	frame_reader_release(&reader);
}

static void a_flipped_bit_costs_one_frame(void **state)
{
	struct strbuf stream = STRBUF_INIT;
	size_t begins[FRAMES + 1];

	(void)state;
	make_stream(&stream, begins);
	for (size_t bit = 0; bit < 8 * stream.len; bit++) {
		char *byte = &stream.buf[bit / 8];
		struct arrived arrived;

		*byte = (char)(*byte ^ (1 << bit % 8));
		arrived = receive(&stream);
		*byte = (char)(*byte ^ (1 << bit % 8));
		assert_true(arrived.damaged);
		for (int i = 0; i < FRAMES; i++) {
			bool hit = bit / 8 >= begins[i] && bit / 8 < begins[i + 1];

			assert_int_equal(arrived.count[i], hit ? 0 : 1);
		}
	}
	strbuf_release(&stream);
}

static void a_changed_byte_costs_one_frame(void **state)
{
	struct strbuf stream = STRBUF_INIT;
	size_t begins[FRAMES + 1];

	(void)state;
	make_stream(&stream, begins);
	for (size_t at = 0; at < stream.len; at++) {
		char was = stream.buf[at];

		for (int c = 0; c < 256; c++) {
			struct arrived arrived;

			if ((char)c == was)
				continue;
			stream.buf[at] = (char)c;
			arrived = receive(&stream);
			assert_int_equal(sum(&arrived), FRAMES - 1);
			assert_true(arrived.damaged);
		}
		stream.buf[at] = was;
	}
	strbuf_release(&stream);
}

/* The frames that end before `from` and those that begin at or behind `to` arrive. */
static void assert_untouched_arrive(const struct arrived *arrived, const size_t *begins,
				    size_t from, size_t to)
{
	for (int i = 0; i < FRAMES; i++)
		if (begins[i + 1] <= from || begins[i] >= to)
			assert_in_range(arrived->count[i], 1, 2);
}

static void a_lost_part_costs_the_frames_it_touches(void **state)
{
	struct strbuf stream = STRBUF_INIT, bytes = STRBUF_INIT;
	size_t begins[FRAMES + 1];

	(void)state;
	make_stream(&stream, begins);
	for (size_t from = 0; from < stream.len; from++) {
		for (size_t to = from + 1; to <= stream.len; to++) {
			struct arrived arrived;

			strbuf_reset(&bytes);
			strbuf_add(&bytes, stream.buf, from);
			strbuf_add(&bytes, stream.buf + to, stream.len - to);
			arrived = receive(&bytes);
			assert_untouched_arrive(&arrived, begins, from, to);
			assert_true(sum(&arrived) < FRAMES);
		}
	}
	strbuf_release(&bytes);
	strbuf_release(&stream);
}

static void a_doubled_part_is_never_a_wrong_payload(void **state)
{
	struct strbuf stream = STRBUF_INIT, bytes = STRBUF_INIT;
	size_t begins[FRAMES + 1];

	(void)state;
	make_stream(&stream, begins);
	for (size_t from = 0; from < stream.len; from++) {
		for (size_t to = from + 1; to <= stream.len; to++) {
			struct arrived arrived;

			strbuf_reset(&bytes);
			strbuf_add(&bytes, stream.buf, to);
			strbuf_add(&bytes, stream.buf + from, stream.len - from);
			arrived = receive(&bytes);
			assert_untouched_arrive(&arrived, begins, from, to);
		}
	}
	strbuf_release(&bytes);
	strbuf_release(&stream);
}

static void noise_costs_no_more_than_the_frame_it_is_in(void **state)
{
	static const char *const noises[] = {
		"\n[    3.141592] Kernel panic - not syncing: Fatal exception\r\n",
		"\xf9",
		"\xfa",
		"\xf9\xf9\xfa\xd9\xfa",
		"\x01",
		"\xf9\x04\xe8\x03",
	};
	struct strbuf stream = STRBUF_INIT, bytes = STRBUF_INIT;
	size_t begins[FRAMES + 1];

	(void)state;
	make_stream(&stream, begins);
	for (size_t n = 0; n < ARRAY_SIZE(noises); n++) {
		for (size_t at = 0; at <= stream.len; at++) {
			struct arrived arrived;

			strbuf_reset(&bytes);
			strbuf_add(&bytes, stream.buf, at);
			strbuf_addstr(&bytes, noises[n]);
			strbuf_add(&bytes, stream.buf + at, stream.len - at);
			arrived = receive(&bytes);
			assert_true(arrived.damaged);
			assert_true(sum(&arrived) >= FRAMES - 1);
			assert_untouched_arrive(&arrived, begins, at, at);
		}
	}
	strbuf_release(&bytes);
	strbuf_release(&stream);
}

/* xorshift: the same in every run of the test. */
static uint32_t next_random(uint32_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 17;
	*x ^= *x << 5;
	return *x;
}

static void random_bytes_are_no_frame(void **state)
{
	struct strbuf bytes = STRBUF_INIT;
	uint32_t x = 1;

	(void)state;
	for (int i = 0; i < 300; i++) {
		struct arrived arrived;

		strbuf_reset(&bytes);
		for (int k = 0; k < 1000; k++) {
			uint32_t r = next_random(&x);

			strbuf_addch(&bytes, r % 20 ? (int)(r >> 8 & 0xff) : 0xf9);
		}
		arrived = receive(&bytes);
		assert_int_equal(sum(&arrived), 0);
		assert_true(arrived.damaged);
	}
	strbuf_release(&bytes);
}

/* A test that prints frames cannot make the host take its output for one. */
static void a_frame_in_a_payload_is_no_frame(void **state)
{
	struct strbuf inner = STRBUF_INIT, outer = STRBUF_INIT;

	(void)state;
	add_frame(&inner, 0);
	add_frame(&inner, 1);
	assert_int_equal(frame_encode(&outer, FRAME_RUN, SEQ, inner.buf, inner.len), 0);
	for (size_t from = 1; from < outer.len; from++) {
		struct strbuf rest = STRBUF_INIT;
		struct arrived arrived;

		strbuf_add(&rest, outer.buf + from, outer.len - from);
		arrived = receive(&rest);
		assert_int_equal(sum(&arrived), 0);
		strbuf_reset(&rest);
		strbuf_add(&rest, outer.buf, from);
		arrived = receive(&rest);
		assert_int_equal(sum(&arrived), 0);
		strbuf_release(&rest);
	}
	strbuf_release(&outer);
	strbuf_release(&inner);
}

/* Bit by bit, as the definition has it. */
static uint32_t crc(const unsigned char *data, size_t length)
{
	uint32_t c = 0xffffffff;

	for (size_t i = 0; i < 8 * length; i++) {
		c ^= data[i / 8] >> i % 8 & 1;
		c = c & 1 ? c >> 1 ^ 0xedb88320 : c >> 1;
	}
	return ~c;
}

/* Headers whose check is right, and which make no sense nevertheless. */
static void a_header_that_makes_no_sense_is_skipped_at_once(void **state)
{
	static const unsigned char headers[][9] = {
		{0, 1, 0, 0, 0, 0, 0, 0, 0}, /* type */
		{FRAME_TYPES, 1, 0, 0, 0, 0, 0, 0, 0},
		{0xff, 1, 0, 0, 0, 0, 0, 0, 0},
		{FRAME_RUN, 1, 0, 0, 0, 1, 0, 0, 4}, /* length: FRAME_MAX + 1 */
		{FRAME_RUN, 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(headers); i++) {
		uint32_t check = crc(headers[i], 9);
		struct frame_reader reader = {0};
		struct frame frame;

		frame_feed(&reader, "\xf9", 1);
		frame_feed(&reader, headers[i], 9);
		for (int k = 0; k < 4; k++) {
			unsigned char byte = (unsigned char)(check >> 8 * k);

			assert_true(byte != 0xf9 && byte != 0xfa);
			assert_false(frame_next(&reader, &frame));
			assert_false(frame_damaged(&reader));
			frame_feed(&reader, &byte, 1);
		}
		assert_false(frame_next(&reader, &frame));
		assert_true(frame_damaged(&reader));
		assert_int_equal(reader.skipped, 14);
		frame_reader_release(&reader);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_bytes_of_a_frame),
		cmocka_unit_test(any_payload_comes_back),
		cmocka_unit_test(a_payload_that_is_too_long_is_refused),
		cmocka_unit_test(pieces_of_any_size_make_the_same_frames),
		cmocka_unit_test(what_waits_is_kept_when_more_comes),
		cmocka_unit_test(a_flipped_bit_costs_one_frame),
		cmocka_unit_test(a_changed_byte_costs_one_frame),
		cmocka_unit_test(a_lost_part_costs_the_frames_it_touches),
		cmocka_unit_test(a_doubled_part_is_never_a_wrong_payload),
		cmocka_unit_test(noise_costs_no_more_than_the_frame_it_is_in),
		cmocka_unit_test(random_bytes_are_no_frame),
		cmocka_unit_test(a_frame_in_a_payload_is_no_frame),
		cmocka_unit_test(a_header_that_makes_no_sense_is_skipped_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
