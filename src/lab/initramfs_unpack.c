// SPDX-License-Identifier: GPL-2.0-only
#include "lab/initramfs_unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	PART = 65536
};

/* "truncated input": what is wrong with the file, as the library says it. */
static int unpacking_failed(struct archive *archive, const char *path, struct err *err)
{
	const char *why = archive_error_string(archive);

	return err_set(err, "%s: is damaged: %s", path, why ? why : "cannot be unpacked");
}

/* Note: a filter for any one file; what is no archive is one of a single, nameless file. */
static int open_raw(struct archive *archive, int fd)
{
	if (archive_read_support_format_raw(archive) < ARCHIVE_WARN ||
	    archive_read_support_filter_gzip(archive) < ARCHIVE_WARN ||
	    archive_read_support_filter_xz(archive) < ARCHIVE_WARN ||
	    archive_read_support_filter_zstd(archive) < ARCHIVE_WARN)
		return -1;
	return archive_read_open_fd(archive, fd, PART) < ARCHIVE_WARN ? -1 : 0;
}

static int read_data(struct archive *archive, const char *path, struct strbuf *out, struct err *err)
{
	size_t limit = out->len + INITRAMFS_UNPACK_MAX;
	la_ssize_t got;
	char *part = xmalloc(PART);

	while ((got = archive_read_data(archive, part, PART)) > 0 && out->len <= limit)
		strbuf_add(out, part, (size_t)got);
	free(part);
	if (got < 0)
		return unpacking_failed(archive, path, err);
	if (got > 0)
		return err_set(err, "%s: is larger than %d MiB", path, INITRAMFS_UNPACK_MAX >> 20);
	return 0;
}

static int unpack(int fd, const char *path, struct strbuf *out, struct err *err)
{
	struct archive *archive = archive_read_new();
	struct archive_entry *entry;
	int status = -1;

	if (!archive)
		out_of_memory();
	if (open_raw(archive, fd) < 0 || archive_read_next_header(archive, &entry) < ARCHIVE_WARN)
		unpacking_failed(archive, path, err);
	else
		status = read_data(archive, path, out, err);
	archive_read_free(archive);
	return status;
}

int initramfs_unpack(const char *path, struct strbuf *out, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	int status;

	if (fd < 0 || fstat(fd, &st) < 0)
		status = err_set_errno(err, errno, "%s: cannot be read", path);
	else if (!S_ISREG(st.st_mode))
		status = err_set(err, "%s: is no regular file", path);
	else if (st.st_size == 0)
		status = err_set(err, "%s: is empty", path);
	else
		status = unpack(fd, path, out, err);
	if (fd >= 0)
		close(fd);
	return status;
}
