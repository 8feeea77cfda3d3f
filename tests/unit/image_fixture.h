/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_IMAGE_FIXTURE_H
#define UNIT_IMAGE_FIXTURE_H
/* The head of a kernel's image, whose release is FIXTURE_RELEASE. */
#include "base/util.h"

#define FIXTURE_RELEASE "6.9.0-rc1+"

enum {
	IMAGE_SIZE = 8192 /* 4 + 1 sectors, and 5632 bytes of kernel */
};

struct image {
	unsigned char bytes[IMAGE_SIZE];
	size_t len;
};

static inline void put16(struct image *image, size_t offset, unsigned value)
{
	image->bytes[offset] = (unsigned char)value;
	image->bytes[offset + 1] = (unsigned char)(value >> 8);
}

/* As the kernel's Documentation/arch/x86/boot.rst says, with a version at 0x300. */
static inline void make_bzimage(struct image *image)
{
	*image = (struct image){.len = IMAGE_SIZE};
	image->bytes[0x1f1] = 4;
	put16(image, 0x1f4, (IMAGE_SIZE - 5 * 512) / 16);
	put16(image, 0x1fe, 0xaa55);
	memcpy(image->bytes + 0x202, "HdrS", 4);
	put16(image, 0x206, 0x20f);
	put16(image, 0x20e, 0x100);
	put16(image, 0x236, 1);
	memcpy(image->bytes + 0x300, FIXTURE_RELEASE " (someone@somewhere) #1 SMP", 38);
}

#endif
