// SPDX-License-Identifier: GPL-2.0-only
#include "measure/child_wire.h"

#include <assert.h>
#include <math.h>

struct header {
	uint32_t magic;
	uint16_t type, kind;
	int32_t errnum;
	uint32_t text_len;
	double time_s;
	int64_t bits; /* the number, whatever its kind */
};
static const uint32_t magic = 0x70636d70;
static_assert(sizeof(struct header) + CHILD_TEXT_MAX <= CHILD_PACKET_MAX, "a packet must fit");

static int64_t number_bits(struct number n)
{
	int64_t bits = n.kind == NUMBER_INT ? n.i : 0;

	if (n.kind == NUMBER_FLOAT)
		memcpy(&bits, &n.d, sizeof(bits));
	return bits;
}

static struct number number_from_bits(uint16_t kind, int64_t bits)
{
	double d;

	if (kind == NUMBER_INT)
		return number_int(bits);
	if (kind == NUMBER_NONE)
		return (struct number){.kind = NUMBER_NONE};
	memcpy(&d, &bits, sizeof(d));
	return number_float(d);
}

size_t child_message_encode(const struct child_message *message, char *buf)
{
	struct header header = {
		.magic = magic,
		.type = (uint16_t)message->type,
		.kind = (uint16_t)message->value.kind,
		.errnum = message->errnum,
		.text_len = (uint32_t)strnlen(message->text, CHILD_TEXT_MAX),
		.time_s = message->time_s,
		.bits = number_bits(message->value),
	};

	memcpy(buf, &header, sizeof(header));
	memcpy(buf + sizeof(header), message->text, header.text_len);
	return sizeof(header) + header.text_len;
}

static bool header_ok(const struct header *header, size_t len)
{
	return header->magic == magic && header->type >= CHILD_READY &&
	       header->type < CHILD_MESSAGE_TYPES && header->kind <= NUMBER_FLOAT &&
	       header->text_len <= CHILD_TEXT_MAX && sizeof(*header) + header->text_len == len;
}

static bool content_ok(const struct child_message *message)
{
	switch (message->type) {
	case CHILD_SAMPLE:
		return message->text[0] && isfinite(message->time_s) &&
		       message->value.kind == NUMBER_FLOAT;
	case CHILD_VALUE:
		return message->text[0];
	default:
		return true;
	}
}

bool child_message_decode(const char *buf, size_t len, struct child_message *out)
{
	struct header header;

	if (len < sizeof(header))
		return false;
	memcpy(&header, buf, sizeof(header));
	if (!header_ok(&header, len))
		return false;
	out->type = (enum child_message_type)header.type;
	out->errnum = header.errnum;
	out->time_s = header.time_s;
	out->value = number_from_bits(header.kind, header.bits);
	memcpy(out->text, buf + sizeof(header), header.text_len);
	out->text[header.text_len] = '\0';
	for (uint32_t i = 0; i < header.text_len; i++)
		if ((unsigned char)out->text[i] < ' ' || out->text[i] == 0x7f)
			out->text[i] = ' ';
	return content_ok(out);
}
