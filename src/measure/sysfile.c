// SPDX-License-Identifier: GPL-2.0-only
#include "measure/sysfile.h"

#include "base/strbuf.h"
#include "base/strlist.h"

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <stdarg.h>
#include <unistd.h>

enum {
	TEXT_MAX = 64 * 1024
};

static char *path_below(const char *root, const char *fmt, va_list ap) PRINTF_LIKE(2, 0);

static char *path_below(const char *root, const char *fmt, va_list ap)
{
	char *path = xvasprintf(fmt, ap);
	char *whole = xasprintf("%s%s", root, path);

	free(path);
	return whole;
}

static size_t read_up_to(int fd, char *buf, size_t size)
{
	size_t len = 0;
	ssize_t got;

	while (len < size && (got = read(fd, buf + len, size - len)) > 0)
		len += (size_t)got;
	return len;
}

static char *read_file(struct pool *pool, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char *buf, *text;
	size_t len;

	if (fd < 0)
		return NULL;
	buf = xmalloc(TEXT_MAX);
	len = read_up_to(fd, buf, TEXT_MAX);
	close(fd);
	while (len && strchr(" \t\n", buf[len - 1]))
		len--;
	text = pool_strndup(pool, buf, len);
	free(buf);
	return text;
}

char *sysfile_read(struct pool *pool, const char *root, const char *fmt, ...)
{
	va_list ap;
	char *path, *text;

	va_start(ap, fmt);
	path = path_below(root, fmt, ap);
	va_end(ap);
	text = read_file(pool, path);
	free(path);
	return text;
}

bool sysfile_exists(const char *root, const char *fmt, ...)
{
	va_list ap;
	char *path;
	bool there;

	va_start(ap, fmt);
	path = path_below(root, fmt, ap);
	va_end(ap);
	there = access(path, F_OK) == 0;
	free(path);
	return there;
}

char *sysfile_read_all(struct pool *pool, const char *root, const char *pattern)
{
	char *whole = xasprintf("%s%s", root, pattern);
	struct strlist texts = {0};
	struct strbuf joined = STRBUF_INIT;
	char *result = NULL;
	glob_t found = {0};

	if (glob(whole, 0, NULL, &found) == 0) {
		for (size_t i = 0; i < found.gl_pathc; i++) {
			const char *text = read_file(pool, found.gl_pathv[i]);

			if (text && *text)
				strlist_add_once(&texts, text);
		}
	}
	for (int i = 0; i < texts.nr; i++)
		strbuf_additem(&joined, ",", "%s", texts.v[i]);
	if (texts.nr)
		result = pool_strdup(pool, joined.buf);
	globfree(&found);
	strbuf_release(&joined);
	strlist_release(&texts);
	free(whole);
	return result;
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

void sysfile_list(const char *root, const char *folder, void (*visit)(void *data, const char *name),
		  void *data)
{
	char *path = xasprintf("%s%s", root, folder);
	struct dirent **entries;
	int nr = scandir(path, &entries, visible, versionsort);

	free(path);
	if (nr < 0)
		return;
	for (int i = 0; i < nr; i++) {
		visit(data, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
}

bool sysfile_range(const char *text, int64_t *first, int64_t *last)
{
	size_t len = strcspn(text, "-");
	char *start = xasprintf("%.*s", (int)len, text);
	bool ok = parse_i64(start, first);

	free(start);
	*last = *first;
	if (ok && text[len])
		ok = parse_i64(text + len + 1, last);
	return ok && *first >= 0 && *first <= *last;
}

/* 0 if it is no range, or one of more CPUs than there can be. */
static int count_range(const char *range)
{
	int64_t first = 0, last;

	if (!sysfile_range(range, &first, &last) || last >= 1 << 20)
		return 0;
	return (int)(last - first + 1);
}

int sysfile_count_list(const char *list)
{
	struct strlist ranges = {0};
	int count = 0;

	strlist_split(&ranges, list, ',');
	for (int i = 0; i < ranges.nr; i++) {
		int part = count_range(ranges.v[i]);

		if (!part) {
			count = 0;
			break;
		}
		count += part;
	}
	strlist_release(&ranges);
	return count;
}
