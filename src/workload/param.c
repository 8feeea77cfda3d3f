// SPDX-License-Identifier: GPL-2.0-only
#include "workload/param.h"

#include "base/strbuf.h"

static void join(struct strbuf *out, const char *const *names)
{
	for (int i = 0; names[i]; i++)
		strbuf_additem(out, ", ", "%s", names[i]);
}

int param_check_names(const struct job *job, const char *const *names, struct err *err)
{
	for (int i = 0; i < job->params.nr; i++) {
		struct strbuf list = STRBUF_INIT;
		int known = 0;

		while (names[known] && !streq(names[known], job->params.v[i].key))
			known++;
		if (names[known])
			continue;
		join(&list, names);
		err_set(err, "%s: no such parameter; there are %s", job->params.v[i].key, list.buf);
		strbuf_release(&list);
		return -1;
	}
	return 0;
}

void param_default(struct job *job, struct pool *pool, const char *key, const char *value)
{
	if (!params_get(&job->params, key))
		params_set(&job->params, pool, key, value);
}

static const char *get(const struct job *job, const char *key)
{
	const char *value = params_get(&job->params, key);

	return value ? value : "";
}

int param_whole(const struct job *job, const char *key, struct param_range range, int64_t *out,
		struct err *err)
{
	const char *text = get(job, key);
	int64_t value;

	if (!parse_i64(text, &value) || (double)value < range.min || (double)value > range.max)
		return err_set(err, "%s=%s: give a whole number from %.0f to %.0f", key, text,
			       range.min, range.max);
	*out = value;
	return 0;
}

int param_number(const struct job *job, const char *key, struct param_range range, double *out,
		 struct err *err)
{
	const char *text = get(job, key);
	double value;

	if (!parse_double(text, &value) || value < range.min || value > range.max)
		return err_set(err, "%s=%s: give a number from %g to %g", key, text, range.min,
			       range.max);
	*out = value;
	return 0;
}

int param_choice(const struct job *job, const char *key, const char *const *choices, int *out,
		 struct err *err)
{
	struct strbuf list = STRBUF_INIT;
	const char *text = get(job, key);

	for (int i = 0; choices[i]; i++) {
		if (streq(choices[i], text)) {
			*out = i;
			return 0;
		}
	}
	join(&list, choices);
	err_set(err, "%s=%s: give one of %s", key, text, list.buf);
	strbuf_release(&list);
	return -1;
}

/* The factor of a one-letter suffix, 1 for none, 0 for another. */
static int64_t suffix_factor(const char *suffix)
{
	static const struct {
		char letter;
		int shift;
	} units[] = {{'K', 10}, {'M', 20}, {'G', 30}, {'T', 40}};

	if (!*suffix)
		return 1;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if ((suffix[0] & ~0x20) == units[i].letter && !suffix[1])
			return (int64_t)1 << units[i].shift;
	return 0;
}

int param_bytes(const struct job *job, const char *key, int64_t min, int64_t *out, struct err *err)
{
	const char *text = get(job, key);
	size_t digits = strspn(text, "0123456789");
	char number[24];
	int64_t value, bytes;

	snprintf(number, sizeof(number), "%.*s", (int)(digits < 20 ? digits : 0), text);
	if (!parse_i64(number, &value) ||
	    __builtin_mul_overflow(value, suffix_factor(text + digits), &bytes) || bytes < min ||
	    bytes > PARAM_BYTES_MAX)
		return err_set(err,
			       "%s=%s: give a size from %lld bytes to %lldT, as 3G, 512M or 64K",
			       key, text, (long long)min, (long long)(PARAM_BYTES_MAX >> 40));
	*out = bytes;
	return 0;
}
