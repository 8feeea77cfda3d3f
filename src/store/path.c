// SPDX-License-Identifier: GPL-2.0-only
#include "store/path.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *home_folder(void)
{
	const char *home = getenv("HOME");
	const struct passwd *user;

	if (home && *home)
		return home;
	user = getpwuid(geteuid());
	return user && user->pw_dir ? user->pw_dir : ".";
}

char *store_default_path(const char *option)
{
	const char *environment = getenv("PERFCMP_DB");
	const char *data = getenv("XDG_DATA_HOME");

	if (option)
		return xstrdup(option);
	if (environment && *environment)
		return xstrdup(environment);
	if (data && *data == '/') /* a relative one is to be ignored */
		return xasprintf("%s/perfcmp/perfcmp.db", data);
	return xasprintf("%s/.local/share/perfcmp/perfcmp.db", home_folder());
}

static int make_folder(const char *folder, struct err *err)
{
	struct stat st;
	int errnum;

	if (mkdir(folder, 0777) == 0 || errno == EEXIST)
		return 0;
	errnum = errno; /* a read-only file system comes before "it is there already" */
	if (stat(folder, &st) == 0)
		return 0;
	return err_set_errno(err, errnum, "%s: the folder cannot be made", folder);
}

/* Every folder above the last '/' that is not there. */
static int make_folders(const char *path, struct err *err)
{
	char *folder = xstrdup(path);
	int status = 0;

	for (char *slash = folder; status == 0 && (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		status = make_folder(folder, err);
		*slash = '/';
	}
	free(folder);
	return status;
}

static int nothing_yet(const char *path, struct err *err)
{
	return err_set(
		err,
		"%s: no database yet: run \"perfcmp collect\" or \"perfcmp import\" first, or "
		"name another file with --db",
		path);
}

/* Every SQLite file begins with the same 16 bytes. */
static int check_header(const char *path, struct err *err)
{
	static const char magic[16] = "SQLite format 3";
	char start[sizeof(magic)] = {0};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len;

	if (fd < 0)
		return err_set_errno(err, errno, "%s: cannot be read", path);
	len = read(fd, start, sizeof(start));
	close(fd);
	if (len < 0)
		return err_set_errno(err, errno, "%s: cannot be read", path);
	if (memcmp(start, magic, sizeof(magic)) != 0)
		return err_set(
			err,
			"%s: not a perfcmp database: name another file with --db, or move this "
			"one away",
			path);
	return 0;
}

int path_prepare(const char *path, enum store_mode mode, struct err *err)
{
	struct stat st;

	if (!*path)
		return err_set(err, "the database has no name: name a file with --db");
	if (stat(path, &st)) {
		if (errno != ENOENT)
			return err_set_errno(err, errno, "%s: cannot be reached", path);
		return mode == STORE_WRITE ? make_folders(path, err) : nothing_yet(path, err);
	}
	if (S_ISDIR(st.st_mode))
		return err_set(err, "%s: is a folder: name a file in it with --db", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, "%s: is no ordinary file: name another one with --db", path);
	if (st.st_size == 0)
		return mode == STORE_WRITE ? 0 : nothing_yet(path, err);
	return check_header(path, err);
}
