// SPDX-License-Identifier: GPL-2.0-only
#include "model/params.h"

/* Order of the texts "key=value", which is not that of the keys alone: "a-b=1" is before "a=1". */
static int param_cmp(const void *a, const void *b)
{
	const struct param *p = a, *q = b;
	const char *s = p->key, *t = q->key;
	int c, d;

	while (*s && *s == *t) {
		s++;
		t++;
	}
	c = *s ? (unsigned char)*s : '=';
	d = *t ? (unsigned char)*t : '=';
	if (c != d)
		return c - d;
	return *s || *t ? (*s ? 1 : -1) : strcmp(p->value, q->value);
}

void params_set(struct params *params, struct pool *pool, const char *key, const char *value)
{
	struct param *place = NULL;

	for (int i = 0; i < params->nr; i++)
		if (streq(params->v[i].key, key))
			place = &params->v[i];
	if (!place) {
		GROW(params->v, params->nr, params->alloc);
		place = &params->v[params->nr++];
		place->key = pool_strdup(pool, key);
	}
	place->value = pool_strdup(pool, value);
	qsort(params->v, (size_t)params->nr, sizeof(*params->v), param_cmp);
}

const char *params_get(const struct params *params, const char *key)
{
	for (int i = 0; i < params->nr; i++)
		if (streq(params->v[i].key, key))
			return params->v[i].value;
	return NULL;
}

bool params_equal(const struct params *a, const struct params *b)
{
	if (a->nr != b->nr)
		return false;
	for (int i = 0; i < a->nr; i++)
		if (!streq(a->v[i].key, b->v[i].key) || !streq(a->v[i].value, b->v[i].value))
			return false;
	return true;
}

void params_release(struct params *params)
{
	free(params->v);
	*params = (struct params){0};
}

void params_copy(struct params *to, struct pool *pool, const struct params *from)
{
	for (int i = 0; i < from->nr; i++)
		params_set(to, pool, from->v[i].key, from->v[i].value);
}

bool param_split(struct pool *pool, const char *text, struct param *out)
{
	const char *equals = strchr(text, '=');

	if (!equals || equals == text)
		return false;
	out->key = pool_strndup(pool, text, (size_t)(equals - text));
	out->value = pool_strdup(pool, equals + 1);
	return true;
}
