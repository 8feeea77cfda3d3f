// SPDX-License-Identifier: GPL-2.0-only
#include "lab/modules_folder.h"

#include "lab/initramfs_unpack.h"

#include <errno.h>
#include <unistd.h>

void modules_folder_release(struct modules_folder *folder)
{
	module_index_release(&folder->index);
	*folder = (struct modules_folder){0};
}

static bool has(const char *folder, const char *file)
{
	char *path = xasprintf("%s/%s", folder, file);
	bool there = access(path, F_OK) == 0;

	free(path);
	return there;
}

/* Every kernel that was installed with modules has this list, if only an empty one. */
static bool is_folder(const char *path)
{
	return has(path, "modules.builtin");
}

static bool is_called(const char *path, const char *release)
{
	char *real = realpath(path, NULL);
	const char *slash = real ? strrchr(real, '/') : NULL;
	bool same = slash && streq(slash + 1, release);

	free(real);
	return same;
}

static int find_folder(struct modules_folder *folder, const char *given, const char *release,
		       const char *image, struct err *err)
{
	static const char *const places[] = {"", "/lib/modules", "/usr/lib/modules"};
	struct pool *pool = &folder->index.pool;

	folder->path = pool_strdup(pool, given);
	if (is_folder(given)) {
		if (!release || is_called(given, release))
			return 0;
		return err_set(err, "modules=%s: are not those of %s, whose release is %s", given,
			       image, release);
	}
	for (size_t i = 0; release && i < ARRAY_SIZE(places); i++) {
		folder->path = pool_printf(pool, "%s%s/%s", given, places[i], release);
		if (is_folder(folder->path))
			return 0;
	}
	if (!has(given, "."))
		return err_set_errno(err, errno, "modules=%s: cannot be read", given);
	if (!release)
		return err_set(err, "modules=%s: has no modules.builtin: name lib/modules/RELEASE",
			       given);
	return err_set(err, "modules=%s: has no modules of %s, whose release is %s", given, image,
		       release);
}

/* Appends the whole list, which may be empty. */
static int read_list(const char *path, struct strbuf *out, struct err *err)
{
	char part[65536];
	FILE *file = fopen(path, "re");
	size_t got;
	int status = 0;

	if (!file)
		return err_set_errno(err, errno, "%s: cannot be read", path);
	while ((got = fread(part, 1, sizeof(part), file)) > 0 && out->len < INITRAMFS_UNPACK_MAX)
		strbuf_add(out, part, got);
	if (ferror(file))
		status = err_set_errno(err, errno, "%s: cannot be read", path);
	else if (memchr(out->buf, '\0', out->len))
		status = err_set(err, "%s: is no list of modules", path);
	fclose(file);
	return status;
}

static int add_list(struct modules_folder *folder, const char *name,
		    int (*add)(struct module_index *, const char *, const char *, struct err *),
		    struct err *err)
{
	char *path = xasprintf("%s/%s", folder->path, name);
	struct strbuf text = STRBUF_INIT;
	int status = read_list(path, &text, err);

	if (status == 0)
		status = add(&folder->index, text.buf, path, err);
	strbuf_release(&text);
	free(path);
	return status;
}

/* A package that was unpacked and not installed has no modules.dep. */
static int read_lists(struct modules_folder *folder, struct err *err)
{
	const char *modules = has(folder->path, "modules.dep") ? "modules.dep" : "modules.order";

	if (add_list(folder, "modules.builtin", module_index_add_builtin, err))
		return -1;
	return has(folder->path, modules) ? add_list(folder, modules, module_index_add, err) : 0;
}

int modules_folder_open(struct modules_folder *folder, const char *given, const char *release,
			const char *image, struct err *err)
{
	if (find_folder(folder, given, release, image, err))
		return -1;
	return read_lists(folder, err);
}

const char *modules_folder_file(struct modules_folder *folder, const struct module_entry *entry)
{
	static const char *const endings[] = {"", ".xz", ".zst", ".gz"};
	struct pool *pool = &folder->index.pool;
	const char *plain = pool_printf(pool, "%s/%s", folder->path, entry->path);

	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		const char *path = pool_printf(pool, "%s%s", plain, endings[i]);

		if (access(path, F_OK) == 0)
			return path;
	}
	return plain;
}
