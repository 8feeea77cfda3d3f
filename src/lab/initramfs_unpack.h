/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_INITRAMFS_UNPACK_H
#define LAB_INITRAMFS_UNPACK_H
/* A file as it is, or unpacked where it is compressed with gzip, xz or zstd (told by its first bytes). */
#include "base/err.h"
#include "base/strbuf.h"

enum {
	INITRAMFS_UNPACK_MAX = 256 << 20 /* bytes: what is larger is no file for a guest */
};

/* Appends it to out; -1: unreadable, damaged, empty or too large. */
int initramfs_unpack(const char *path, struct strbuf *out, struct err *err);

#endif
