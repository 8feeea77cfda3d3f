// SPDX-License-Identifier: GPL-2.0-only
#include "lab/initramfs_programs.h"

#include "lab/elf_needs.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static int add_link(struct initramfs_tree *tree, const char *path, const char *target,
		    struct err *err)
{
	struct initramfs_entry entry = {.path = path, .mode = S_IFLNK | 0777, .link = target};

	return streq(path, target) ? 0 : initramfs_tree_add(tree, &entry, err);
}

/* *is_new: was not there */
static int add_real(struct initramfs_tree *tree, const char *real, bool *is_new, struct err *err)
{
	struct initramfs_entry entry = {.path = real, .source = real};
	const struct initramfs_entry *there = initramfs_tree_find(tree, real);
	struct stat st;

	*is_new = !there;
	if (stat(real, &st) < 0)
		return err_set_errno(err, errno, "%s", real);
	if (S_ISDIR(st.st_mode))
		return err_set(err, "%s: is a folder: name the files in it", real);
	if (!S_ISREG(st.st_mode))
		return err_set(err, "%s: is no regular file", real);
	entry.mode = st.st_mode;
	return initramfs_tree_add(tree, &entry, err);
}

/* The host's file under its real path, the name as a link to it. Returns the real path, the pool's, or NULL. */
static const char *add_file(struct initramfs_tree *tree, const char *host, const char *name,
			    bool *is_new, struct err *err)
{
	char *found = realpath(host, NULL);
	const char *real = pool_strdup(&tree->pool, found);

	free(found);
	if (!real)
		err_set_errno(err, errno, "%s: cannot be taken into the guest", host);
	else if (add_real(tree, real, is_new, err) == 0 && add_link(tree, name, real, err) == 0)
		return real;
	return NULL;
}

static const char *find_in_path(struct pool *pool, const char *command)
{
	const char *path = getenv("PATH");
	struct strlist folders = {0};
	const char *found = NULL;

	strlist_split(&folders, path ? path : "/bin:/usr/bin", ':');
	for (int i = 0; i < folders.nr && !found; i++) {
		const char *candidate = pool_printf(pool, "%s/%s", folders.v[i], command);
		struct stat st;

		if (stat(candidate, &st) == 0 && S_ISREG(st.st_mode) &&
		    access(candidate, X_OK) == 0)
			found = candidate;
	}
	strlist_release(&folders);
	return found;
}

/*
 * Libraries made for newer processors than the guest's have a plain counterpart, which every processor can
 * execute: that one is taken.
 */
static const char *plain_library(struct pool *pool, const char *path)
{
	const char *special = strstr(path, "/glibc-hwcaps/");
	const char *name = special ? strrchr(path, '/') : NULL;
	const char *plain;

	if (!special)
		return path;
	plain = pool_printf(pool, "%.*s%s", (int)(special - path), path, name);
	return access(plain, R_OK) == 0 ? plain : path;
}

/* Where the loader looks without being told: the C library is there. */
static const char *library_folder(struct pool *pool, const struct elf_needs *needs)
{
	for (int i = 0; i < needs->names.nr; i++) {
		const char *path = needs->paths.v[i];

		if (starts_with(needs->names.v[i], "libc.so"))
			return pool_strndup(pool, path, (size_t)(strrchr(path, '/') - path));
	}
	return "/lib";
}

/*
 * One that was found through the environment, a configuration or a cache of the host is found in the guest
 * because its name is in the loader's own folder as well (unless another program's is there already).
 */
static int add_library(struct initramfs_tree *tree, const char *name, const char *path,
		       const char *folder, struct err *err)
{
	const char *guest = initramfs_path(&tree->pool, "/", path);
	const char *usual = pool_printf(&tree->pool, "%s/%s", folder, name);
	bool is_new;

	if (!add_file(tree, path, guest, &is_new, err))
		return -1;
	if (initramfs_tree_find(tree, usual))
		return 0;
	return add_file(tree, path, usual, &is_new, err) ? 0 : -1;
}

/* The C library loads it when a thread is cancelled, which no list of libraries tells. */
static int add_unlisted(struct initramfs_tree *tree, const char *folder, struct err *err)
{
	const char *path = pool_printf(&tree->pool, "%s/libgcc_s.so.1", folder);

	bool is_new;

	if (access(path, R_OK) < 0)
		return 0;
	return add_file(tree, path, path, &is_new, err) ? 0 : -1;
}

static int add_libraries(struct initramfs_tree *tree, const struct elf_needs *needs,
			 struct err *err)
{
	const char *folder = library_folder(&tree->pool, needs);

	for (int i = 0; i < needs->paths.nr; i++)
		if (add_library(tree, needs->names.v[i],
				plain_library(&tree->pool, needs->paths.v[i]), folder, err) < 0)
			return -1;
	return needs->paths.nr ? add_unlisted(tree, folder, err) : 0;
}

/* "#!/usr/bin/env [-S] PROGRAM ...": the interpreter's interpreter, so to say */
static int add_env_program(struct initramfs_tree *tree, const struct elf_needs *needs,
			   struct err *err)
{
	const char *word = needs->argument;
	const char *program;

	if (!needs->script || !word || !ends_with(needs->interpreter, "/env"))
		return 0;
	if (starts_with(word, "-S"))
		word += 2 + strspn(word + 2, " \t");
	program = pool_strndup(&tree->pool, word, strcspn(word, " \t"));
	return *program && *program != '-' ? initramfs_add_command(tree, program, err) : 0;
}

static int add_interpreter(struct initramfs_tree *tree, const struct elf_needs *needs,
			   struct err *err)
{
	const char *name = initramfs_path(&tree->pool, "/", needs->interpreter);
	bool is_new;

	if (needs->script)
		return initramfs_add_program(tree, needs->interpreter, name, err);
	return add_file(tree, needs->interpreter, name, &is_new, err) ? 0 : -1;
}

static int add_needs(struct initramfs_tree *tree, const char *host, struct err *err)
{
	struct elf_needs needs = {0};
	int status = elf_needs_of(host, &needs, err);

	if (status == 0 && needs.interpreter)
		status = add_interpreter(tree, &needs, err);
	if (status == 0)
		status = add_env_program(tree, &needs, err);
	if (status == 0)
		status = add_libraries(tree, &needs, err);
	elf_needs_release(&needs);
	return status;
}

int initramfs_add_program(struct initramfs_tree *tree, const char *host, const char *name,
			  struct err *err)
{
	bool is_new;
	const char *real = add_file(tree, host, name, &is_new, err);

	if (!real)
		return -1;
	return is_new ? add_needs(tree, real, err) : 0;
}

/*
 * Note: not by the path of the executable, which may be gone or replaced by now (a rebuild, an upgrade): what is
 * running is what the guest gets.
 */
int initramfs_add_init(struct initramfs_tree *tree, struct err *err)
{
	const char *us = pool_printf(&tree->pool, "/proc/%d/exe", (int)getpid());
	struct initramfs_entry entry = {.path = "/init", .mode = S_IFREG | 0755, .source = us};

	if (initramfs_tree_add(tree, &entry, err) < 0)
		return -1;
	return add_needs(tree, us, err);
}

int initramfs_add_command(struct initramfs_tree *tree, const char *command, struct err *err)
{
	const char *host = command;
	const char *name = initramfs_path(&tree->pool, "/", command);

	if (!strchr(command, '/')) {
		host = find_in_path(&tree->pool, command);
		name = pool_printf(&tree->pool, "/bin/%s", command);
	}
	if (!host)
		return err_set(err, "%s: command not found", command);
	return initramfs_add_program(tree, host, name, err);
}
