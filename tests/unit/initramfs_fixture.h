/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_INITRAMFS_FIXTURE_H
#define UNIT_INITRAMFS_FIXTURE_H
/*
 * Reads a compressed newc archive back, by the kernel's description of it (Documentation/driver-api/
 * early-userspace/buffer-format.rst) and not by the library that wrote it.
 */
#include "base/strbuf.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

struct cpio_entry {
	char *path; /* with a / in front */
	unsigned mode, uid, gid, nlink, mtime, inode, major, minor;
	char *data;
	size_t len;
};

struct cpio {
	struct cpio_entry *v;
	int nr, alloc;
};

static unsigned cpio_field(const char *header, int field)
{
	char text[9] = "";
	char *end;
	unsigned long value;

	memcpy(text, header + 6 + 8 * field, 8);
	value = strtoul(text, &end, 16);
	if (end != text + 8)
		fail_msg("bad number %s in the archive", text);
	return (unsigned)value;
}

static size_t aligned(size_t offset)
{
	return (offset + 3) & ~(size_t)3;
}

/* Returns where the next one begins; 0 at the end. */
static size_t cpio_read_one(struct cpio *cpio, const struct strbuf *text, size_t at)
{
	const char *header = text->buf + at;
	struct cpio_entry entry = {0};
	size_t name_len, data;

	if (at + 110 > text->len || memcmp(header, "070701", 6) != 0)
		fail_msg("no header at %zu of %zu", at, text->len);
	entry.inode = cpio_field(header, 0);
	entry.mode = cpio_field(header, 1);
	entry.uid = cpio_field(header, 2);
	entry.gid = cpio_field(header, 3);
	entry.nlink = cpio_field(header, 4);
	entry.mtime = cpio_field(header, 5);
	entry.len = cpio_field(header, 6);
	entry.major = cpio_field(header, 9);
	entry.minor = cpio_field(header, 10);
	name_len = cpio_field(header, 11);
	data = aligned(at + 110 + name_len);
	if (data + entry.len > text->len)
		fail_msg("an entry goes beyond the end");
	if (streq(header + 110, "TRAILER!!!"))
		return 0;
	entry.path = xasprintf("/%s", header + 110);
	entry.data = xmalloc(entry.len + 1);
	memcpy(entry.data, text->buf + data, entry.len);
	entry.data[entry.len] = '\0';
	GROW(cpio->v, cpio->nr, cpio->alloc);
	cpio->v[cpio->nr++] = entry;
	return aligned(data + entry.len);
}

static void cpio_read(struct cpio *cpio, int fd)
{
	struct strbuf text = STRBUF_INIT;
	gzFile file;
	char part[65536];
	int got;

	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	file = gzdopen(dup(fd), "rb");
	assert_non_null(file);
	assert_false(gzdirect(file)); /* it is compressed */
	while ((got = gzread(file, part, sizeof(part))) > 0)
		strbuf_add(&text, part, (size_t)got);
	assert_int_equal(got, 0);
	assert_int_equal(gzclose(file), Z_OK);
	for (size_t at = 0; (at = cpio_read_one(cpio, &text, at)) != 0;)
		;
	strbuf_release(&text);
}

static void cpio_release(struct cpio *cpio)
{
	for (int i = 0; i < cpio->nr; i++) {
		free(cpio->v[i].path);
		free(cpio->v[i].data);
	}
	free(cpio->v);
	*cpio = (struct cpio){0};
}

static const struct cpio_entry *cpio_find(const struct cpio *cpio, const char *path)
{
	for (int i = 0; i < cpio->nr; i++)
		if (streq(cpio->v[i].path, path))
			return &cpio->v[i];
	return NULL;
}

/* The file that the path leads to, over a symbolic link where it is one. */
static const struct cpio_entry *cpio_file(const struct cpio *cpio, const char *path)
{
	const struct cpio_entry *entry = cpio_find(cpio, path);

	if (entry && S_ISLNK(entry->mode))
		entry = cpio_find(cpio, entry->data);
	return entry && S_ISREG(entry->mode) ? entry : NULL;
}

#endif
