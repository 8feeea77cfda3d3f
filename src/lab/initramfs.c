// SPDX-License-Identifier: GPL-2.0-only
#include "lab/initramfs.h"

#include "base/strbuf.h"
#include "lab/guest_modules.h"
#include "lab/initramfs_programs.h"
#include "lab/initramfs_tree.h"
#include "lab/modules.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static const int64_t mib = 1 << 20;

enum {
	KERNEL_MIB = 64, /* a distribution's kernel; 51 are measured */
	PAGES_PER_PAGE = 64, /* a page of the kernel's table of pages is for so many of them */
};

/* /dev/console: where PID 1 has its standard output before /dev is mounted. */
static int add_skeleton(struct initramfs_tree *tree, struct err *err)
{
	const struct initramfs_entry skeleton[] = {
		{.path = "/bin", .mode = S_IFDIR | 0755},
		{.path = "/dev", .mode = S_IFDIR | 0755},
		{.path = "/dev/console", .mode = S_IFCHR | 0600, .device = makedev(5, 1)},
		{.path = "/proc", .mode = S_IFDIR | 0755},
		{.path = "/sys", .mode = S_IFDIR | 0755},
		{.path = "/tmp", .mode = S_IFDIR | S_ISVTX | 0777},
	};

	for (size_t i = 0; i < ARRAY_SIZE(skeleton); i++)
		if (initramfs_tree_add(tree, &skeleton[i], err) < 0)
			return -1;
	return 0;
}

static int add_data(struct initramfs_tree *tree, const char *path, const void *data, size_t length,
		    struct err *err)
{
	struct initramfs_entry entry = {
		.path = path,
		.mode = S_IFREG | 0444,
		.data = data,
		.data_len = length,
	};

	return initramfs_tree_add(tree, &entry, err);
}

static int add_modules(struct initramfs_tree *tree, const struct modules *modules, struct err *err)
{
	struct strbuf list = STRBUF_INIT;
	const char *kept;
	int status = 0;

	for (int i = 0; status == 0 && i < modules->nr; i++) {
		const struct module *module = &modules->v[i];

		strbuf_addf(&list, "%s%s\n", module->asked ? GUEST_MODULES_ASKED : "",
			    module->name);
		status = add_data(tree,
				  pool_printf(&tree->pool, GUEST_MODULES "/%s.ko", module->name),
				  module->data.buf, module->data.len, err);
	}
	kept = pool_strndup(&tree->pool, list.buf, list.len);
	if (status == 0 && list.len)
		status = add_data(tree, GUEST_MODULES_LIST, kept, list.len, err);
	strbuf_release(&list);
	return status;
}

/* "HOST" or "HOST:GUEST"; a colon may also be part of HOST's name, GUEST begins with / */
static int add_file(struct initramfs_tree *tree, const char *text, struct err *err)
{
	const char *colon = strrchr(text, ':');
	const char *host = text, *guest = text;
	char cwd[4096];

	if (colon && access(text, F_OK) < 0) {
		host = pool_strndup(&tree->pool, text, (size_t)(colon - text));
		guest = colon + 1;
		if (*guest != '/' || !*host)
			return err_set(err, "--vm-file %s: is not HOST or HOST:/PATH/IN/THE/GUEST",
				       text);
	}
	if (!getcwd(cwd, sizeof(cwd)))
		return err_set_errno(err, errno, "--vm-file %s: no working folder", text);
	if (initramfs_add_program(tree, host, initramfs_path(&tree->pool, cwd, guest), err) < 0)
		return err_prefix(err, "--vm-file");
	return 0;
}

static int fill(struct initramfs_tree *tree, const struct initramfs_config *config, struct err *err)
{
	if (add_skeleton(tree, err) < 0 || initramfs_add_init(tree, err) < 0 ||
	    add_data(tree, "/plan", config->plan, config->plan_length, err) < 0)
		return -1;
	if (config->modules && add_modules(tree, config->modules, err) < 0)
		return -1;
	if (config->argv && initramfs_add_command(tree, config->argv[0], err) < 0)
		return -1;
	for (int i = 0; config->files && i < config->files->nr; i++)
		if (add_file(tree, config->files->v[i], err) < 0)
			return -1;
	return 0;
}

int initramfs_check(const struct initramfs_config *config, struct err *err)
{
	const struct initramfs_config files = {.files = config->files, .argv = config->argv};
	struct initramfs_tree tree = {0};
	int status = fill(&tree, &files, err);

	initramfs_tree_release(&tree);
	return status;
}

int initramfs_make(const struct initramfs_config *config, int64_t *bytes, struct err *err)
{
	struct initramfs_tree tree = {0};
	int fd = fill(&tree, config, err);

	if (fd == 0)
		fd = initramfs_tree_write(&tree, bytes, err);
	initramfs_tree_release(&tree);
	return fd;
}

int initramfs_check_fit(int fd, int64_t bytes, int64_t memory_bytes, struct err *err)
{
	int64_t left = memory_bytes - memory_bytes / PAGES_PER_PAGE - KERNEL_MIB * mib;
	int64_t needed = 2 * bytes;
	struct stat packed;

	if (fstat(fd, &packed) == 0)
		needed += packed.st_size;
	if (needed <= left)
		return 0;
	return err_set(err,
		       "initramfs of %" PRId64 " MiB does not fit in %" PRId64
		       " MiB of guest memory: %" PRId64 " MiB would do (--vm-mem)",
		       (bytes + mib - 1) / mib, memory_bytes / mib,
		       (needed + KERNEL_MIB * mib) * PAGES_PER_PAGE / (PAGES_PER_PAGE - 1) / mib +
			       1);
}
