// SPDX-License-Identifier: GPL-2.0-only
#include "base/hash.h"

static const uint64_t prime = UINT64_C(0x100000001b3);
static const uint32_t prime32 = UINT32_C(0x01000193);

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len)
{
	const unsigned char *byte = bytes;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ byte[i]) * prime;
	return hash;
}

uint64_t hash_text(uint64_t hash, const char *s)
{
	for (; *s; s++)
		hash = (hash ^ (unsigned char)*s) * prime;
	return hash;
}

uint64_t hash_name(uint64_t hash, const char *s)
{
	return hash_bytes(hash_text(hash, s), "", 1);
}

uint32_t hash32_bytes(uint32_t hash, const void *bytes, size_t len)
{
	const unsigned char *byte = bytes;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ byte[i]) * prime32;
	return hash;
}
