// SPDX-License-Identifier: GPL-2.0-only
/* What a child that is out of its mind may send its parent. */
#include "measure/child_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
	if (!condition)
		abort();
}

static void check_text(const char *text)
{
	require(strlen(text) <= CHILD_TEXT_MAX);
	for (; *text; text++)
		require((unsigned char)*text >= ' ' && *text != 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct child_message message, again;
	char packet[CHILD_PACKET_MAX];
	size_t len;

	if (!child_message_decode((const char *)data, size, &message))
		return 0;
	require(message.type >= CHILD_READY && message.type < CHILD_MESSAGE_TYPES);
	check_text(message.text);
	len = child_message_encode(&message, packet);
	require(len == size);
	require(child_message_decode(packet, len, &again));
	require(again.type == message.type && streq(again.text, message.text));
	return 0;
}
