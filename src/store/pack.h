/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef STORE_PACK_H
#define STORE_PACK_H
/*
 * The packed forms in which a run's values and sample series are stored. Pure functions. Nothing is lost:
 * what comes out is the same to the last bit (-0.0, denormals, NAN). Reading trusts nothing.
 *
 * Both end with a seal: 4 bytes, the 32-bit FNV-1a hash of the bytes before it, lowest byte first. SQLite has
 * no checksums of its own, and a damaged page must not become other numbers.
 *
 * Building stones:
 *	varint    whole number >= 0, 7 bits a byte, lowest first, highest bit set in all bytes but the last
 *	zigzag    signed to unsigned: 0, -1, 1, -2, 2 ... -> 0, 1, 2, 3, 4 ...
 *	decimal   a float that is mantissa / 10^places exactly, as most measured ones are (84.63 = 8463 / 10^2)
 *
 * Values of a run, one after the other to the end, in the order in which the run brought them:
 *	varint    zigzag(id of the metric - id of the metric before it, 0 before the first) * 4 + kind
 *	kind 0    whole number: varint zigzag(value)
 *	kind 1    float: 8 bytes, IEEE 754 binary64, lowest byte first
 *	kind 2    float, decimal: varint zigzag(mantissa) * 16 + places, places 0 to 15
 *	kind 3    missing: nothing
 *
 * Sample series: varint number of samples, column of times, column of values. A column:
 *	1 byte    places 0 to 15: every number is decimal with that many places, and there follow, as varint
 *	          zigzag, the differences of the mantissas (values), or the differences of those (times: a
 *	          regular grid is a row of zeros); or 16: each number as 8 bytes
 */
#include "base/strbuf.h"
#include "model/number.h"

struct packer {
	struct strbuf *out;
	int64_t id; /* of the metric before */
};

/* id: 1 to PACK_ID_MAX */
#define PACK_ID_MAX (INT64_MAX >> 4)
void pack_value(struct packer *packer, int64_t id, struct number value);

struct unpacker {
	const unsigned char *at, *end;
	int64_t id; /* of the metric before */
};

/* The next value: 1, 0 at the end, -1 if the bytes are damaged. */
int unpack_value(struct unpacker *unpacker, int64_t *id, struct number *value);

/* The seal at the end of packed bytes; unsealing gives their length without it, or -1 if it does not fit. */
void pack_seal(struct strbuf *out);
int64_t pack_unseal(const void *bytes, size_t len);

/* Series are sealed by these two functions themselves. */
void pack_series(struct strbuf *out, const double *time_s, const double *value, int nr);

/*
 * Number of samples; *time_s and *value are heap memory of that length. -1, and nothing allocated, if the
 * bytes are damaged.
 */
int unpack_series(const void *bytes, size_t len, double **time_s, double **value);

#endif
