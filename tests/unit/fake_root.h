/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_FAKE_ROOT_H
#define UNIT_FAKE_ROOT_H
/* A folder with a /proc and /sys as a test wants them. */
#include "base/util.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

struct fake_file {
	const char *path, *text; /* "/sys/…"; a NULL path ends the list */
};

static void fake_root_put(const char *root, const struct fake_file *file)
{
	char *path = xasprintf("%s%s", root, file->path);
	FILE *out;

	for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	out = fopen(path, "we");
	assert_non_null(out);
	fputs(file->text, out);
	fclose(out);
	free(path);
}

/* The caller gives it to fake_root_remove(). */
static char *fake_root_new(const struct fake_file *files)
{
	const char *tmp = getenv("TMPDIR");
	char *root = xasprintf("%s/perfcmp-unit.XXXXXX", tmp ? tmp : "/tmp");

	assert_non_null(mkdtemp(root));
	for (; files->path; files++)
		fake_root_put(root, files);
	return root;
}

static int fake_root_remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void fake_root_remove(char *root)
{
	nftw(root, fake_root_remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(root);
}

#endif
