/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_WIRE_FIELD_H
#define LAB_WIRE_FIELD_H
/*
 * A struct as bytes, by a table of its members that serves both ways: each field is a tag (1 byte), the length
 * of its content (4) and the content. Texts have no NUL in them; a text that is NULL has no field; lists of
 * texts are texts with a NUL behind each. Numbers are as they are in memory: both ends are the same program.
 */
#include "base/err.h"
#include "base/pool.h"
#include "base/strbuf.h"

/* What is left to read. Reading beyond its end fails and changes nothing. */
struct wire_cursor {
	const char *at, *end;
};
bool wire_take(struct wire_cursor *cursor, void *out, size_t size);
const char *wire_take_text(struct wire_cursor *cursor); /* up to a NUL; NULL: there is none */

struct wire_field;

/* How a kind of member is written and read. thing is the struct the table is for. */
struct wire_type {
	bool optional; /* may be absent */
	bool repeated; /* may be absent, or there several times */
	void (*put)(struct strbuf *out, const struct wire_field *field, const void *thing);
	bool (*get)(struct wire_cursor content, const struct wire_field *field, void *thing,
		    struct pool *pool); /* false: the content is damaged */
};

extern const struct wire_type wire_text; /* const char *, NULL: absent */
extern const struct wire_type wire_int; /* int */
extern const struct wire_type wire_i64; /* int64_t */
extern const struct wire_type wire_double;
extern const struct wire_type wire_bool;
extern const struct wire_type wire_enum; /* an enum, from 0 to below limit */
extern const struct wire_type
	wire_hex; /* char[limit + 1]: limit hexadecimal digits, or none at all */
extern const struct wire_type wire_params; /* struct params */
extern const struct wire_type wire_list; /* struct strlist */

struct wire_field {
	unsigned char tag;
	unsigned int limit; /* what it means, the type says */
	const struct wire_type *type;
	size_t offset; /* of the member in its struct */
};

enum {
	WIRE_FIELDS_MAX = 64, /* in a table */
	WIRE_PARAMS_MAX = 1000, /* in a struct params: what is read takes time by their square */
};

struct wire_table {
	const struct wire_field *fields;
	int nr;
};

void wire_put_table(struct strbuf *out, const struct wire_table *table, const void *thing);

/* thing is zeroed. False: damaged, what was read so far is in it. Strings go to the pool. */
bool wire_get_table(struct wire_cursor content, const struct wire_table *table, void *thing,
		    struct pool *pool);

/* A field, with its content in one piece or written between begin and end. */
void wire_put(struct strbuf *out, const struct wire_field *field, const void *content,
	      size_t length);
size_t wire_begin(struct strbuf *out, const struct wire_field *field);
void wire_end(struct strbuf *out, size_t begin);

#endif
