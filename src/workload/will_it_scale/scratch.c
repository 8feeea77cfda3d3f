// SPDX-License-Identifier: GPL-2.0-only
#include "workload/will_it_scale/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "perfcmp-scratch-"

enum {
	OPEN_FOLDERS = 16,
	PATH_LEN_MAX = 3000, /* leaves room for names in the folder */
	TRIES = 10,
};

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	remove(path);
	return 0;
}

static void remove_folder(const char *folder)
{
	nftw(folder, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

/* False: somebody else has it, or (an old NFS) nothing can be locked there. */
static bool lock(int fd, bool *impossible)
{
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		return true;
	*impossible = errno != EWOULDBLOCK;
	return false;
}

/*
 * The folder, if it is ours and still there: its descriptor, locked. -1: it is not. fresh: we have just made it;
 * where nothing can be locked it is taken as it is, for nobody sweeps there.
 */
static int lock_folder(const char *folder, bool fresh)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool impossible = false;
	struct stat st;

	if (fd < 0)
		return -1;
	if ((lock(fd, &impossible) || (fresh && impossible)) && fstat(fd, &st) == 0 &&
	    st.st_nlink > 0 && st.st_uid == geteuid())
		return fd;
	close(fd);
	return -1;
}

/* Whoever made the folder and did not remove it was killed. */
static void sweep(const char *parent)
{
	DIR *dir = opendir(parent);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		char *folder;
		int fd;

		if (!starts_with(entry->d_name, PREFIX))
			continue;
		folder = xasprintf("%s/%s", parent, entry->d_name);
		fd = lock_folder(folder, false);
		if (fd >= 0) {
			remove_folder(folder);
			close(fd);
		}
		free(folder);
	}
	if (dir)
		closedir(dir);
}

/* Between its making and its locking a folder may be taken for one that was left behind. */
static int create_locked(const char *parent, struct scratch *scratch, struct err *err)
{
	for (int i = 0; i < TRIES; i++) {
		char *folder = xasprintf("%s/" PREFIX "XXXXXX", parent);

		if (!mkdtemp(folder)) {
			int why = errno;

			free(folder);
			return err_set_errno(
				err, why,
				"%s: no temporary folder (set TMPDIR to one you can write in)",
				parent);
		}
		scratch->lock = lock_folder(folder, true);
		if (scratch->lock >= 0) {
			scratch->folder = folder;
			return 0;
		}
		remove_folder(folder);
		free(folder);
	}
	return err_set(err, "%s: no temporary folder there can be locked (set TMPDIR to another)",
		       parent);
}

int scratch_create(struct scratch *scratch, struct err *err)
{
	const char *parent = getenv("TMPDIR");

	*scratch = (struct scratch){0};
	if (!parent || !*parent)
		parent = "/tmp";
	if (strlen(parent) > PATH_LEN_MAX)
		return err_set(err, "$TMPDIR is longer than %d bytes: set it to a shorter one",
			       PATH_LEN_MAX);
	sweep(parent);
	return create_locked(parent, scratch, err);
}

void scratch_remove(struct scratch *scratch)
{
	if (!scratch->folder)
		return;
	remove_folder(scratch->folder);
	free(scratch->folder);
	close(scratch->lock);
	*scratch = (struct scratch){0};
}
