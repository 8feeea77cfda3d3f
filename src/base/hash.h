/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BASE_HASH_H
#define BASE_HASH_H
/*
 * FNV-1a (Fowler, Noll, Vo; draft-eastlake-fnv). Not for secrets: whoever wants two texts with the same hash
 * can make them. It begins with HASH_INIT, goes on with what the call before it returned, and gives the same
 * number everywhere: it may be stored.
 */
#include "base/util.h"

#define HASH_INIT UINT64_C(0xcbf29ce484222325)
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len);
uint64_t hash_text(uint64_t hash, const char *s); /* without its NUL */
uint64_t hash_name(uint64_t hash, const char *s); /* and its NUL: "ab", "c" is not "a", "bc" */

/* The 32-bit one. */
#define HASH32_INIT UINT32_C(0x811c9dc5)
uint32_t hash32_bytes(uint32_t hash, const void *bytes, size_t len);

#endif
