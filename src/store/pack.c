// SPDX-License-Identifier: GPL-2.0-only
#include "store/pack.h"

#include "base/hash.h"

#include <float.h>
#include <math.h>

enum kind {
	KIND_WHOLE,
	KIND_FLOAT,
	KIND_DECIMAL,
	KIND_MISSING
};
enum {
	PLACES_MAX = 15,
	COLUMN_RAW = 16, /* in place of the number of decimal places */
	VARINT_MAX = 10, /* bytes of the longest one */
	SEAL_SIZE = 4
};

/* Beyond 2^44 a decimal takes no fewer bytes than the float itself. */
static const double value_mantissa_max = 0x1p44;
/* Second differences of mantissas up to 2^50 stay far from the ends of int64_t. */
static const double column_mantissa_max = 0x1p50;

static const double power_of_ten[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,	1e6,  1e7,
				      1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/* Both operands of the division are exact, so its result is the double nearest to the decimal number. */
_Static_assert(FLT_EVAL_METHOD == 0, "double arithmetic must round to double");

static bool same_bits(double a, double b)
{
	uint64_t a_bits, b_bits;

	memcpy(&a_bits, &a, sizeof(a));
	memcpy(&b_bits, &b, sizeof(b));
	return a_bits == b_bits;
}

static uint64_t zigzag(int64_t n)
{
	return ((uint64_t)n << 1) ^ (n < 0 ? UINT64_MAX : 0);
}

static int64_t unzigzag(uint64_t n)
{
	return (int64_t)((n >> 1) ^ (n & 1 ? UINT64_MAX : 0));
}

static void put_varint(struct strbuf *out, uint64_t n)
{
	unsigned char bytes[VARINT_MAX];
	size_t len = 0;

	for (; n > 0x7f; n >>= 7)
		bytes[len++] = (unsigned char)(n | 0x80);
	bytes[len++] = (unsigned char)n;
	strbuf_add(out, bytes, len);
}

static bool get_varint(struct unpacker *in, uint64_t *out)
{
	uint64_t n = 0;

	for (int shift = 0; shift < 64 && in->at < in->end; shift += 7) {
		unsigned char byte = *in->at++;

		if (shift == 63 && byte > 1)
			return false;
		n |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80)) {
			*out = n;
			return true;
		}
	}
	return false;
}

static void put_double(struct strbuf *out, double d)
{
	unsigned char bytes[8];
	uint64_t bits;

	memcpy(&bits, &d, sizeof(bits));
	for (int i = 0; i < 8; i++)
		bytes[i] = (unsigned char)(bits >> 8 * i);
	strbuf_add(out, bytes, sizeof(bytes));
}

static bool get_double(struct unpacker *in, double *out)
{
	uint64_t bits = 0;

	if (in->end - in->at < 8)
		return false;
	for (int i = 0; i < 8; i++)
		bits |= (uint64_t)*in->at++ << 8 * i;
	memcpy(out, &bits, sizeof(bits));
	return true;
}

/* False if d is not exactly a decimal number with so many places and a mantissa up to max. */
static bool to_decimal(double d, int places, double max, int64_t *mantissa)
{
	double scaled = d * power_of_ten[places];

	if (!(fabs(scaled) <= max))
		return false;
	*mantissa = llrint(scaled);
	return same_bits((double)*mantissa / power_of_ten[places], d);
}

static double from_decimal(int64_t mantissa, int places)
{
	return (double)mantissa / power_of_ten[places];
}

static void put_head(struct packer *packer, int64_t id, enum kind kind)
{
	put_varint(packer->out, zigzag(id - packer->id) << 2 | kind);
	packer->id = id;
}

static void pack_float(struct packer *packer, int64_t id, double d)
{
	int64_t mantissa;

	for (int places = 0; places <= PLACES_MAX; places++) {
		if (to_decimal(d, places, value_mantissa_max, &mantissa)) {
			put_head(packer, id, KIND_DECIMAL);
			put_varint(packer->out, zigzag(mantissa) << 4 | (unsigned)places);
			return;
		}
	}
	put_head(packer, id, KIND_FLOAT);
	put_double(packer->out, d);
}

void pack_value(struct packer *packer, int64_t id, struct number value)
{
	switch (value.kind) {
	case NUMBER_INT:
		put_head(packer, id, KIND_WHOLE);
		put_varint(packer->out, zigzag(value.i));
		break;
	case NUMBER_FLOAT:
		pack_float(packer, id, value.d);
		break;
	case NUMBER_NONE:
		put_head(packer, id, KIND_MISSING);
		break;
	}
}

static bool get_number(struct unpacker *in, enum kind kind, struct number *value)
{
	uint64_t n = 0;

	if (kind == KIND_MISSING) {
		*value = (struct number){.kind = NUMBER_NONE};
		return true;
	}
	if (kind == KIND_FLOAT) {
		value->kind = NUMBER_FLOAT;
		return get_double(in, &value->d);
	}
	if (!get_varint(in, &n))
		return false;
	if (kind == KIND_WHOLE)
		*value = number_int(unzigzag(n));
	else
		*value = number_float(from_decimal(unzigzag(n >> 4), (int)(n & 15)));
	return true;
}

int unpack_value(struct unpacker *in, int64_t *id, struct number *value)
{
	uint64_t head;

	if (in->at == in->end)
		return 0;
	if (!get_varint(in, &head))
		return -1;
	if (__builtin_add_overflow(in->id, unzigzag(head >> 2), id) || *id < 1 || *id > PACK_ID_MAX)
		return -1;
	in->id = *id;
	return get_number(in, (enum kind)(head & 3), value) ? 1 : -1;
}

void pack_seal(struct strbuf *out)
{
	uint32_t hash = hash32_bytes(HASH32_INIT, out->buf, out->len);

	for (int i = 0; i < SEAL_SIZE; i++)
		strbuf_addch(out, (int)(hash >> 8 * i & 0xff));
}

int64_t pack_unseal(const void *bytes, size_t len)
{
	const unsigned char *seal;
	uint32_t hash = 0;

	if (len < SEAL_SIZE)
		return -1;
	len -= SEAL_SIZE;
	seal = (const unsigned char *)bytes + len;
	for (int i = 0; i < SEAL_SIZE; i++)
		hash |= (uint32_t)seal[i] << 8 * i;
	return hash == hash32_bytes(HASH32_INIT, bytes, len) ? (int64_t)len : -1;
}

/* The fewest places with which all of them are decimal; COLUMN_RAW if there is no such number. */
static int column_places(const double *v, int nr)
{
	int64_t mantissa;
	int places = 0;

	for (int i = 0; i < nr; i++) {
		while (!to_decimal(v[i], places, column_mantissa_max, &mantissa))
			if (++places > PLACES_MAX)
				return COLUMN_RAW;
	}
	for (int i = 0; i < nr; i++) /* more places may be too many for one before */
		if (!to_decimal(v[i], places, column_mantissa_max, &mantissa))
			return COLUMN_RAW;
	return places;
}

/* order: 1 for differences, 2 for differences of differences */
static void put_column(struct strbuf *out, const double *v, int nr, int order)
{
	int places = column_places(v, nr);
	int64_t before = 0, step = 0;

	strbuf_addch(out, places);
	for (int i = 0; i < nr; i++) {
		int64_t mantissa;

		if (places == COLUMN_RAW) {
			put_double(out, v[i]);
			continue;
		}
		mantissa = llrint(v[i] * power_of_ten[places]);
		put_varint(out, zigzag(mantissa - before - step));
		if (order == 2)
			step = mantissa - before;
		before = mantissa;
	}
}

static bool get_decimal_column(struct unpacker *in, double *v, int nr, int order, int places)
{
	int64_t before = 0, step = 0;

	for (int i = 0; i < nr; i++) {
		uint64_t n;
		int64_t difference, mantissa;

		if (!get_varint(in, &n) || __builtin_add_overflow(step, unzigzag(n), &difference) ||
		    __builtin_add_overflow(before, difference, &mantissa))
			return false;
		v[i] = from_decimal(mantissa, places);
		if (order == 2)
			step = difference;
		before = mantissa;
	}
	return true;
}

static bool get_column(struct unpacker *in, double *v, int nr, int order)
{
	int places;

	if (in->at == in->end)
		return false;
	places = *in->at++;
	if (places <= PLACES_MAX)
		return get_decimal_column(in, v, nr, order, places);
	if (places != COLUMN_RAW)
		return false;
	for (int i = 0; i < nr; i++)
		if (!get_double(in, &v[i]))
			return false;
	return true;
}

void pack_series(struct strbuf *out, const double *time_s, const double *value, int nr)
{
	put_varint(out, (uint64_t)nr);
	put_column(out, time_s, nr, 2);
	put_column(out, value, nr, 1);
	pack_seal(out);
}

int unpack_series(const void *bytes, size_t len, double **time_s, double **value)
{
	int64_t inner = pack_unseal(bytes, len);
	struct unpacker in = {.at = bytes};
	uint64_t nr;

	if (inner < 0)
		return -1;
	in.end = in.at + inner;
	/* each sample takes a byte or more in each column, so that nr cannot ask for much memory */
	if (!get_varint(&in, &nr) || nr > (uint64_t)(in.end - in.at) / 2 || nr > INT32_MAX)
		return -1;
	*time_s = xcalloc(nr, sizeof(**time_s));
	*value = xcalloc(nr, sizeof(**value));
	if (get_column(&in, *time_s, (int)nr, 2) && get_column(&in, *value, (int)nr, 1) &&
	    in.at == in.end)
		return (int)nr;
	free(*time_s);
	free(*value);
	return -1;
}
