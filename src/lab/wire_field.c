// SPDX-License-Identifier: GPL-2.0-only
#include "lab/wire_field.h"

#include "base/strlist.h"
#include "model/params.h"

#include <assert.h>
#include <ctype.h>

static_assert(sizeof(enum {SMALLEST, LARGEST = 100}) == sizeof(unsigned int), "wire_enum");

bool wire_take(struct wire_cursor *cursor, void *out, size_t size)
{
	if ((size_t)(cursor->end - cursor->at) < size)
		return false;
	memcpy(out, cursor->at, size);
	cursor->at += size;
	return true;
}

const char *wire_take_text(struct wire_cursor *cursor)
{
	size_t left = (size_t)(cursor->end - cursor->at);
	const char *text = cursor->at;
	const char *nul = left ? memchr(text, '\0', left) : NULL;

	if (!nul)
		return NULL;
	cursor->at = nul + 1;
	return text;
}

size_t wire_begin(struct strbuf *out, const struct wire_field *field)
{
	uint32_t length = 0;

	strbuf_addch(out, field->tag);
	strbuf_add(out, &length, sizeof(length));
	return out->len;
}

void wire_end(struct strbuf *out, size_t begin)
{
	uint32_t length = (uint32_t)(out->len - begin);

	memcpy(out->buf + begin - sizeof(length), &length, sizeof(length));
}

void wire_put(struct strbuf *out, const struct wire_field *field, const void *content,
	      size_t length)
{
	size_t begin = wire_begin(out, field);

	strbuf_add(out, content, length);
	wire_end(out, begin);
}

static const void *member(const struct wire_field *field, const void *thing)
{
	return (const char *)thing + field->offset;
}

static void *member_of(const struct wire_field *field, void *thing)
{
	return (char *)thing + field->offset;
}

static void put_text(struct strbuf *out, const struct wire_field *field, const void *thing)
{
	const char *const *text = member(field, thing);

	if (*text)
		wire_put(out, field, *text, strlen(*text));
}

static bool get_text(struct wire_cursor content, const struct wire_field *field, void *thing,
		     struct pool *pool)
{
	size_t length = (size_t)(content.end - content.at);
	const char **text = member_of(field, thing);

	if (length && memchr(content.at, '\0', length))
		return false;
	*text = pool_strndup(pool, content.at, length);
	return true;
}

const struct wire_type wire_text = {.optional = true, .put = put_text, .get = get_text};

/* Types whose bytes are their content. */
static bool get_bytes(struct wire_cursor content, void *out, size_t size)
{
	return wire_take(&content, out, size) && content.at == content.end;
}

static void put_int(struct strbuf *out, const struct wire_field *field, const void *thing)
{
	wire_put(out, field, member(field, thing), sizeof(int));
}

static bool get_int(struct wire_cursor content, const struct wire_field *field, void *thing,
		    struct pool *pool)
{
	(void)pool;
	return get_bytes(content, member_of(field, thing), sizeof(int));
}

const struct wire_type wire_int = {.put = put_int, .get = get_int};

static void put_i64(struct strbuf *out, const struct wire_field *field, const void *thing)
{
	wire_put(out, field, member(field, thing), sizeof(int64_t));
}

static bool get_i64(struct wire_cursor content, const struct wire_field *field, void *thing,
		    struct pool *pool)
{
	(void)pool;
	return get_bytes(content, member_of(field, thing), sizeof(int64_t));
}

const struct wire_type wire_i64 = {.put = put_i64, .get = get_i64};

static_assert(sizeof(double) == sizeof(int64_t), "wire_double");
const struct wire_type wire_double = {.put = put_i64, .get = get_i64};

static void put_bool(struct strbuf *out, const struct wire_field *field, const void *thing)
{
	const bool *value = member(field, thing);
	char byte = *value ? 1 : 0;

	wire_put(out, field, &byte, 1);
}

static bool get_bool(struct wire_cursor content, const struct wire_field *field, void *thing,
		     struct pool *pool)
{
	bool *value = member_of(field, thing);
	unsigned char byte;

	(void)pool;
	if (!get_bytes(content, &byte, 1) || byte > 1)
		return false;
	*value = byte == 1;
	return true;
}

const struct wire_type wire_bool = {.put = put_bool, .get = get_bool};

static bool get_enum(struct wire_cursor content, const struct wire_field *field, void *thing,
		     struct pool *pool)
{
	unsigned int value;

	(void)pool;
	if (!get_bytes(content, &value, sizeof(value)) || value >= field->limit)
		return false;
	memcpy(member_of(field, thing), &value, sizeof(value));
	return true;
}

const struct wire_type wire_enum = {.put = put_int, .get = get_enum};

static void put_hex(struct strbuf *out, const struct wire_field *field, const void *thing)
{
	const char *text = member(field, thing);

	wire_put(out, field, text, strnlen(text, field->limit));
}

static bool get_hex(struct wire_cursor content, const struct wire_field *field, void *thing,
		    struct pool *pool)
{
	size_t length = (size_t)(content.end - content.at);
	char *text = member_of(field, thing);

	(void)pool;
	if (length && length != field->limit)
		return false;
	for (size_t i = 0; i < length; i++)
		if (!isxdigit((unsigned char)content.at[i]))
			return false;
	memcpy(text, content.at, length);
	text[length] = '\0';
	return true;
}

const struct wire_type wire_hex = {.put = put_hex, .get = get_hex};

static void put_params(struct strbuf *out, const struct wire_field *field, const void *thing)
{
	const struct params *params = member(field, thing);
	size_t begin = wire_begin(out, field);

	for (int i = 0; i < params->nr; i++) {
		strbuf_add(out, params->v[i].key, strlen(params->v[i].key) + 1);
		strbuf_add(out, params->v[i].value, strlen(params->v[i].value) + 1);
	}
	wire_end(out, begin);
}

static bool get_params(struct wire_cursor content, const struct wire_field *field, void *thing,
		       struct pool *pool)
{
	struct params *params = member_of(field, thing);

	while (content.at < content.end) {
		const char *key = wire_take_text(&content);
		const char *value = key ? wire_take_text(&content) : NULL;

		if (!value || params->nr == WIRE_PARAMS_MAX || params_get(params, key))
			return false;
		params_set(params, pool, key, value);
	}
	return true;
}

const struct wire_type wire_params = {.put = put_params, .get = get_params};

static void put_list(struct strbuf *out, const struct wire_field *field, const void *thing)
{
	const struct strlist *list = member(field, thing);
	size_t begin = wire_begin(out, field);

	for (int i = 0; i < list->nr; i++)
		strbuf_add(out, list->v[i], strlen(list->v[i]) + 1);
	wire_end(out, begin);
}

static bool get_list(struct wire_cursor content, const struct wire_field *field, void *thing,
		     struct pool *pool)
{
	struct strlist *list = member_of(field, thing);

	(void)pool;
	while (content.at < content.end) {
		const char *text = wire_take_text(&content);

		if (!text)
			return false;
		strlist_add(list, text);
	}
	return true;
}

const struct wire_type wire_list = {.put = put_list, .get = get_list};

void wire_put_table(struct strbuf *out, const struct wire_table *table, const void *thing)
{
	for (int i = 0; i < table->nr; i++)
		table->fields[i].type->put(out, &table->fields[i], thing);
}

static int find_field(const struct wire_table *table, unsigned char tag)
{
	for (int i = 0; i < table->nr; i++)
		if (table->fields[i].tag == tag)
			return i;
	return -1;
}

static bool complete(const struct wire_table *table, const bool *seen)
{
	for (int i = 0; i < table->nr; i++) {
		const struct wire_type *type = table->fields[i].type;

		if (!seen[i] && !type->repeated && !type->optional)
			return false;
	}
	return true;
}

/* Takes the head of the next field and its content. The field's place in the table, -1: damaged. */
static int take_field(struct wire_cursor *content, const struct wire_table *table,
		      struct wire_cursor *inner)
{
	unsigned char tag;
	uint32_t length;

	if (!wire_take(content, &tag, 1) || !wire_take(content, &length, sizeof(length)) ||
	    length > (size_t)(content->end - content->at))
		return -1;
	*inner = (struct wire_cursor){content->at, content->at + length};
	content->at += length;
	return find_field(table, tag);
}

bool wire_get_table(struct wire_cursor content, const struct wire_table *table, void *thing,
		    struct pool *pool)
{
	bool seen[WIRE_FIELDS_MAX] = {0};

	while (content.at < content.end) {
		struct wire_cursor inner;
		int i = take_field(&content, table, &inner);
		const struct wire_type *type;

		if (i < 0)
			return false;
		type = table->fields[i].type;
		if ((seen[i] && !type->repeated) ||
		    !type->get(inner, &table->fields[i], thing, pool))
			return false;
		seen[i] = true;
	}
	return complete(table, seen);
}
