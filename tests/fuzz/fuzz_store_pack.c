// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any bytes as packed values and series: numbers or damage, never a crash or a wild read. What was read is
 * packed again and must be read as the same.
 */
#include "store/pack.h"

struct value {
	int64_t id;
	struct number number;
};

/* A copy of its own, so that a read beyond the end is seen. */
static unsigned char *copy_of(const void *bytes, size_t len)
{
	unsigned char *copy = xmalloc(len);

	if (len)
		memcpy(copy, bytes, len);
	return copy;
}

static struct value *read_values(const void *bytes, size_t len, int *nr, int *status)
{
	unsigned char *copy = copy_of(bytes, len);
	struct unpacker in = {copy, copy + len, 0};
	struct value *values = NULL, value;
	int alloc = 0;

	*nr = 0;
	while ((*status = unpack_value(&in, &value.id, &value.number)) > 0) {
		GROW(values, *nr, alloc);
		values[(*nr)++] = value;
	}
	free(copy);
	return values;
}

static bool same_number(struct number a, struct number b)
{
	return a.kind == b.kind && (a.kind == NUMBER_NONE || a.i == b.i);
}

static void check_values(const uint8_t *bytes, size_t len)
{
	struct strbuf out = STRBUF_INIT;
	struct packer packer = {.out = &out};
	int nr, again_nr, status;
	struct value *values = read_values(bytes, len, &nr, &status), *again;

	for (int i = 0; i < nr; i++)
		pack_value(&packer, values[i].id, values[i].number);
	again = read_values(out.buf, out.len, &again_nr, &status);
	if (status || again_nr != nr)
		abort();
	for (int i = 0; i < nr; i++)
		if (values[i].id != again[i].id || !same_number(values[i].number, again[i].number))
			abort();
	free(values);
	free(again);
	strbuf_release(&out);
}

static int read_series(const struct strbuf *sealed, double **time_s, double **value)
{
	unsigned char *copy = copy_of(sealed->buf, sealed->len);
	int nr = unpack_series(copy, sealed->len, time_s, value);

	free(copy);
	return nr;
}

static void check_series(const uint8_t *bytes, size_t len)
{
	struct strbuf sealed = STRBUF_INIT, out = STRBUF_INIT;
	double *v[4];
	size_t size;
	int nr;

	strbuf_add(&sealed, bytes, len);
	pack_seal(&sealed);
	nr = read_series(&sealed, &v[0], &v[1]);
	if (nr >= 0) {
		size = (size_t)nr * sizeof(double);
		pack_series(&out, v[0], v[1], nr);
		if (read_series(&out, &v[2], &v[3]) != nr || memcmp(v[0], v[2], size) != 0 ||
		    memcmp(v[1], v[3], size) != 0)
			abort();
		for (int i = 0; i < 4; i++)
			free(v[i]);
	}
	strbuf_release(&sealed);
	strbuf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	int64_t inner = pack_unseal(bytes, len);

	if (inner > (int64_t)len)
		abort();
	check_values(bytes, len);
	check_series(bytes, len);
	return 0;
}
