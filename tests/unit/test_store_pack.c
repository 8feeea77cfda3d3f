// SPDX-License-Identifier: GPL-2.0-only
#include "store/pack.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct number none(void)
{
	return (struct number){.kind = NUMBER_NONE};
}

static void assert_same_number(struct number a, struct number b)
{
	assert_int_equal(a.kind, b.kind);
	if (a.kind != NUMBER_NONE) /* i and d share their bits */
		assert_memory_equal(&a.i, &b.i, sizeof(a.i));
}

/* The bytes were worked out by hand from the description in pack.h. */
static void one_value_has_the_bytes_described(void **state)
{
	static const struct {
		int64_t id;
		struct number value;
		size_t len;
		unsigned char bytes[20];
	} cases[] = {
		{1, {NUMBER_INT, {.i = 0}}, 2, {0x08, 0x00}},
		{1, {NUMBER_INT, {.i = 1}}, 2, {0x08, 0x02}},
		{1, {NUMBER_INT, {.i = -1}}, 2, {0x08, 0x01}},
		{1, {NUMBER_INT, {.i = 64}}, 3, {0x08, 0x80, 0x01}},
		{16, {NUMBER_INT, {.i = 0}}, 3, {0x80, 0x01, 0x00}},
		{1,
		 {NUMBER_INT, {.i = INT64_MIN}},
		 11,
		 {0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}},
		{1,
		 {NUMBER_INT, {.i = INT64_MAX}},
		 11,
		 {0x08, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}},
		{1, {NUMBER_NONE, {0}}, 1, {0x0b}},
		/* 7.0 = 7 / 10^0 -> 14 * 16; 84.63 = 8463 / 10^2 -> 16926 * 16 + 2 = 0x42 0x1e2 */
		{1, {NUMBER_FLOAT, {.d = 7.0}}, 3, {0x0a, 0xe0, 0x01}},
		{1, {NUMBER_FLOAT, {.d = 84.63}}, 4, {0x0a, 0xe2, 0xc3, 0x10}},
		{1, {NUMBER_FLOAT, {.d = -0.0}}, 9, {0x09, 0, 0, 0, 0, 0, 0, 0, 0x80}},
		{1,
		 {NUMBER_FLOAT, {.d = 1.0 / 3}},
		 9,
		 {0x09, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0xd5, 0x3f}},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf out = STRBUF_INIT;
		struct packer packer = {.out = &out};

		pack_value(&packer, cases[i].id, cases[i].value);
		assert_int_equal(out.len, cases[i].len);
		assert_memory_equal(out.buf, cases[i].bytes, cases[i].len);
		strbuf_release(&out);
	}
}

static const double floats[] = {
	0.0,
	-0.0,
	1.0,
	-1.0,
	0.1,
	1e308,
	-1e308,
	1e-300,
	DBL_MIN,
	DBL_TRUE_MIN,
	-DBL_TRUE_MIN,
	DBL_MAX,
	DBL_EPSILON,
	1.0 / 3,
	0x1p44,
	0x1p53,
	0x1p53 + 2,
	9007199254740993.0,
	84.63,
	1e15,
	1e-15,
	1.5e-15,
	123456.75,
	0.30000000000000004,
	1e22,
	1e23,
	1048088.0,
	17592186044416.5,
	(double)INFINITY,
	(double)-INFINITY,
	(double)NAN,
};
static const int64_t wholes[] = {0,
				 1,
				 -1,
				 63,
				 64,
				 -64,
				 -65,
				 127,
				 128,
				 8191,
				 8192,
				 1 << 20,
				 INT32_MIN,
				 INT32_MAX,
				 INT64_C(1) << 62,
				 -(INT64_C(1) << 62),
				 INT64_MAX,
				 INT64_MIN,
				 INT64_MAX - 1,
				 INT64_MIN + 1};
/* forwards, backwards, the same again, to both ends */
static const int64_t ids[] = {5, 6, 7, 1, 1000000, 2, 2, PACK_ID_MAX, 1, 300};

static struct number nth(size_t i)
{
	if (i < ARRAY_SIZE(floats))
		return number_float(floats[i]);
	i -= ARRAY_SIZE(floats);
	return i < ARRAY_SIZE(wholes) ? number_int(wholes[i]) : none();
}

static void values_come_back_to_the_last_bit(void **state)
{
	size_t nr = ARRAY_SIZE(floats) + ARRAY_SIZE(wholes) + 3;
	struct strbuf out = STRBUF_INIT;
	struct packer packer = {.out = &out};
	struct unpacker in = {0};
	struct number value;
	int64_t id;

	(void)state;
	for (size_t i = 0; i < nr; i++)
		pack_value(&packer, ids[i % ARRAY_SIZE(ids)], nth(i));
	in.at = (unsigned char *)out.buf;
	in.end = in.at + out.len;
	for (size_t i = 0; i < nr; i++) {
		assert_int_equal(unpack_value(&in, &id, &value), 1);
		assert_int_equal(id, ids[i % ARRAY_SIZE(ids)]);
		assert_same_number(value, nth(i));
	}
	assert_int_equal(unpack_value(&in, &id, &value), 0);
	strbuf_release(&out);
}

/* A million floats of all sizes: xorshift64 bits as they are, and decimals of up to 15 places. */
static void random_floats_come_back_to_the_last_bit(void **state)
{
	uint64_t x = 0x9e3779b97f4a7c15;
	struct strbuf out = STRBUF_INIT;

	(void)state;
	for (int i = 0; i < 1000000; i++) {
		struct packer packer = {.out = &out};
		struct unpacker in;
		struct number value, back;
		int64_t id;

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		value.kind = NUMBER_FLOAT;
		if (i & 1)
			memcpy(&value.d, &x, sizeof(value.d));
		else
			value.d = (double)(int64_t)(x >> 20) / pow(10, (int)(x & 15));
		strbuf_reset(&out);
		pack_value(&packer, 1, value);
		in = (struct unpacker){(unsigned char *)out.buf, (unsigned char *)out.buf + out.len,
				       0};
		assert_int_equal(unpack_value(&in, &id, &back), 1);
		assert_same_number(value, back);
		assert_true(out.len <= 9);
	}
	strbuf_release(&out);
}

/* A value cut anywhere is damaged or, between two values, simply the end. */
static void cut_values_are_damage(void **state)
{
	struct strbuf out = STRBUF_INIT;
	struct packer packer = {.out = &out};

	(void)state;
	pack_value(&packer, 200, number_int(INT64_MIN));
	pack_value(&packer, 1, number_float(1.0 / 3));
	for (size_t len = 0; len < out.len; len++) {
		struct unpacker in = {(unsigned char *)out.buf, (unsigned char *)out.buf + len, 0};
		struct number value;
		int64_t id;
		int values = 0, status;

		while ((status = unpack_value(&in, &id, &value)) > 0)
			values++;
		assert_int_equal(status, len == 0 || len == 12 ? 0 : -1);
		assert_int_equal(values, len >= 12 ? 1 : 0);
	}
	strbuf_release(&out);
}

static void nonsense_is_damage(void **state)
{
	static const struct {
		const char *what;
		size_t len;
		unsigned char bytes[12];
	} cases[] = {
		{"id 0", 2, {0x00, 0x00}},
		{"id -1", 2, {0x04, 0x00}},
		{"id of 2^62", 11, {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1, 0}},
		{"a number of 11 bytes",
		 12,
		 {0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0}},
		{"a number beyond 64 bits",
		 11,
		 {0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02}},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct unpacker in = {cases[i].bytes, cases[i].bytes + cases[i].len, 0};
		struct number value;
		int64_t id;

		if (unpack_value(&in, &id, &value) != -1)
			fail_msg("%s was taken", cases[i].what);
	}
}

static void check_series(const double *time_s, const double *value, int nr, size_t len_max)
{
	struct strbuf out = STRBUF_INIT;
	double *time_back, *value_back;

	pack_series(&out, time_s, value, nr);
	assert_in_range(out.len, 7, len_max + 4);
	assert_int_equal(unpack_series(out.buf, out.len, &time_back, &value_back), nr);
	assert_memory_equal(time_back, time_s, (size_t)nr * sizeof(double));
	assert_memory_equal(value_back, value, (size_t)nr * sizeof(double));
	free(time_back);
	free(value_back);
	for (size_t cut = 0; cut < out.len; cut++)
		assert_int_equal(unpack_series(out.buf, cut, &time_back, &value_back), -1);
	for (size_t i = 0; i < out.len; i++) {
		out.buf[i] ^= 0x10; /* one bit is enough */
		assert_int_equal(unpack_series(out.buf, out.len, &time_back, &value_back), -1);
		out.buf[i] ^= 0x10;
	}
	strbuf_addch(&out, 0);
	assert_int_equal(unpack_series(out.buf, out.len, &time_back, &value_back), -1);
	strbuf_release(&out);
}

static void series_come_back_and_regular_ones_are_small(void **state)
{
	double grid[300], jitter[300], counts[300];

	(void)state;
	for (int i = 0; i < 300; i++) {
		grid[i] = i + 1;
		jitter[i] = (double)((i + 1) * INT64_C(1000000000) + i * 7919 % 100000) / 1e9;
		counts[i] = 1048088 + i * 31 % 500;
	}
	check_series(NULL, NULL, 0, 3);
	check_series(grid, counts, 1, 8);
	check_series(grid, counts, 2, 12);
	check_series(grid, grid, 300, 2 * 300 + 8); /* a byte a number */
	check_series(grid, counts, 300, 3 * 300 + 8);
	check_series(jitter, counts, 300, 6 * 300 + 16); /* nanoseconds: 3 to 4 bytes */
	check_series(floats, floats, (int)ARRAY_SIZE(floats), 16 * ARRAY_SIZE(floats) + 3);
	check_series(grid, floats, (int)ARRAY_SIZE(floats), 9 * ARRAY_SIZE(floats) + 6);
}

/* FNV-1a, 32 bit: the values published with the algorithm */
static void the_seal_is_the_published_hash(void **state)
{
	static const struct {
		const char *text;
		unsigned char seal[4];
	} cases[] = {
		{"", {0xc5, 0x9d, 0x1c, 0x81}},
		{"a", {0x2c, 0x29, 0x0c, 0xe4}},
		{"foobar", {0x68, 0xf9, 0x9c, 0xbf}},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf out = STRBUF_INIT;
		size_t len = strlen(cases[i].text);

		strbuf_addstr(&out, cases[i].text);
		pack_seal(&out);
		assert_int_equal(out.len, len + 4);
		assert_memory_equal(out.buf + len, cases[i].seal, 4);
		assert_int_equal(pack_unseal(out.buf, out.len), len);
		assert_int_equal(pack_unseal(out.buf, out.len - 1), -1);
		out.buf[0] ^= 1;
		assert_int_equal(pack_unseal(out.buf, out.len), -1);
		strbuf_release(&out);
	}
	assert_int_equal(pack_unseal("abc", 3), -1);
}

static void check_nonsense(const void *bytes, size_t len)
{
	struct strbuf sealed = STRBUF_INIT;
	double *time_s, *value;

	strbuf_add(&sealed, bytes, len);
	pack_seal(&sealed);
	assert_int_equal(unpack_series(sealed.buf, sealed.len, &time_s, &value), -1);
	strbuf_release(&sealed);
}

static void nonsense_series_are_damage_and_take_no_memory(void **state)
{
	/* 2^31 samples in 8 bytes; a column of unknown form; mantissas that run out of 64 bits */
	static const unsigned char many[] = {0x80, 0x80, 0x80, 0x80, 0x08, 0, 0, 0};
	static const unsigned char form[] = {1, 17, 0, 0, 0};
	static const unsigned char beyond[] = {2,    0,	   0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
					       0xff, 0xff, 0x01, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff,
					       0xff, 0xff, 0xff, 0x01, 0,    0,	   0};

	(void)state;
	check_nonsense(many, sizeof(many));
	check_nonsense(form, sizeof(form));
	check_nonsense(beyond, sizeof(beyond));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_value_has_the_bytes_described),
		cmocka_unit_test(values_come_back_to_the_last_bit),
		cmocka_unit_test(random_floats_come_back_to_the_last_bit),
		cmocka_unit_test(cut_values_are_damage),
		cmocka_unit_test(nonsense_is_damage),
		cmocka_unit_test(series_come_back_and_regular_ones_are_small),
		cmocka_unit_test(the_seal_is_the_published_hash),
		cmocka_unit_test(nonsense_series_are_damage_and_take_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
