// SPDX-License-Identifier: GPL-2.0-only
#include "workload/will_it_scale/scratch.h"

#include <errno.h>
#include <ftw.h>

enum {
	OPEN_FOLDERS = 16,
	PATH_LEN_MAX = 3000, /* leaves room for names in the folder */
};

char *scratch_create(struct err *err)
{
	const char *parent = getenv("TMPDIR");
	char *folder;

	if (!parent || !*parent)
		parent = "/tmp";
	if (strlen(parent) > PATH_LEN_MAX) {
		err_set(err, "$TMPDIR is longer than %d bytes: set it to a shorter one",
			PATH_LEN_MAX);
		return NULL;
	}
	folder = xasprintf("%s/perfcmp-XXXXXX", parent);
	if (mkdtemp(folder))
		return folder;
	err_set_errno(err, errno, "%s: no temporary folder (set TMPDIR to one you can write in)",
		      parent);
	free(folder);
	return NULL;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	remove(path);
	return 0;
}

void scratch_remove(char *folder)
{
	if (!folder)
		return;
	nftw(folder, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	free(folder);
}
