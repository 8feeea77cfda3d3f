// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/initramfs.h"

#include "fake_root.h"
#include "initramfs_fixture.h"
#include "lab/modules.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <sys/mman.h>

static void make(const struct initramfs_config *config, struct cpio *cpio, int64_t *bytes)
{
	struct err err = {{0}};
	int fd = initramfs_make(config, bytes, &err);

	assert_string_equal(err.msg, "");
	assert_true(fd >= 0);
	cpio_read(cpio, fd);
	close(fd);
}

static void refused(const char *file, const char *command, const char *message)
{
	char *argv[] = {(char *)(uintptr_t)command, NULL};
	struct strlist files = {0};
	struct initramfs_config config = {.files = &files, .argv = command ? argv : NULL};
	struct err err = {{0}};
	int64_t bytes;

	if (file)
		strlist_add(&files, file);
	assert_int_equal(initramfs_make(&config, &bytes, &err), -1);
	assert_string_equal(err.msg, message);
	strlist_release(&files);
}

static void assert_same_as_file(const struct cpio_entry *entry, const char *path)
{
	char *data = xmalloc(entry->len + 1);
	FILE *file = fopen(path, "re");

	assert_non_null(file);
	assert_int_equal(fread(data, 1, entry->len + 1, file), entry->len);
	assert_memory_equal(data, entry->data, entry->len);
	fclose(file);
	free(data);
}

/* Each library that is loaded into this very process; the kernel's own has no path. */
static int is_inside(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct cpio_entry *entry;

	(void)size;
	if (info->dlpi_name[0] != '/')
		return 0;
	entry = cpio_file(data, info->dlpi_name);
	if (!entry)
		fail_msg("%s is not in the initramfs", info->dlpi_name);
	assert_same_as_file(entry, info->dlpi_name);
	return 0;
}

static void this_program_is_init_and_has_its_libraries(void **state)
{
	struct initramfs_config config = {.plan = "a plan\0of bytes", .plan_length = 15};
	struct cpio cpio = {0};
	const struct cpio_entry *entry;
	int64_t bytes;

	(void)state;
	make(&config, &cpio, &bytes);
	entry = cpio_find(&cpio, "/init");
	assert_non_null(entry);
	assert_int_equal(entry->mode, S_IFREG | 0755);
	assert_same_as_file(entry, "/proc/self/exe");
	entry = cpio_find(&cpio, "/plan");
	assert_non_null(entry);
	assert_int_equal(entry->mode, S_IFREG | 0444);
	assert_int_equal(entry->len, 15);
	assert_memory_equal(entry->data, "a plan\0of bytes", 15);
	dl_iterate_phdr(is_inside, &cpio);
	cpio_release(&cpio);
}

static void the_folders_of_a_root_are_there(void **state)
{
	static const struct {
		const char *path;
		unsigned mode;
	} entries[] = {
		{"/dev", S_IFDIR | 0755},  {"/dev/console", S_IFCHR | 0600},
		{"/proc", S_IFDIR | 0755}, {"/sys", S_IFDIR | 0755},
		{"/tmp", S_IFDIR | 01777}, {"/bin", S_IFDIR | 0755},
	};
	struct initramfs_config config = {.plan = "", .plan_length = 0};
	struct cpio cpio = {0};
	const struct cpio_entry *console;
	int64_t bytes;

	(void)state;
	make(&config, &cpio, &bytes);
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++) {
		const struct cpio_entry *entry = cpio_find(&cpio, entries[i].path);

		assert_non_null(entry);
		assert_int_equal(entry->mode, entries[i].mode);
	}
	console = cpio_find(&cpio, "/dev/console");
	assert_int_equal(console->major, 5);
	assert_int_equal(console->minor, 1);
	cpio_release(&cpio);
}

static int64_t unpacked(const struct cpio *cpio)
{
	int64_t bytes = 0;

	for (int i = 0; i < cpio->nr; i++)
		bytes += (int64_t)cpio->v[i].len;
	return bytes;
}

/* As the kernel unpacks it: what is needed first comes first, nothing twice. */
static void every_archive_is_in_order(void **state)
{
	char *argv[] = {(char[]){"sh"}, NULL};
	struct initramfs_config config = {.argv = argv, .plan = "", .plan_length = 0};
	struct cpio cpio = {0};
	int64_t bytes;

	(void)state;
	make(&config, &cpio, &bytes);
	for (int i = 0; i < cpio.nr; i++) {
		const struct cpio_entry *entry = &cpio.v[i];
		char *parent =
			xstrndup(entry->path, (size_t)(strrchr(entry->path, '/') - entry->path));

		assert_true(i == 0 || strcmp(cpio.v[i - 1].path, entry->path) < 0);
		assert_true(!*parent || S_ISDIR(cpio_find(&cpio, parent)->mode));
		assert_int_equal(entry->uid | entry->gid | entry->mtime, 0);
		assert_int_equal(entry->inode, i + 1);
		assert_true(!S_ISREG(entry->mode) || entry->nlink == 1);
		if (S_ISLNK(entry->mode))
			assert_non_null(cpio_file(&cpio, entry->path));
		free(parent);
	}
	/* in pages: some more than the bytes, at most two pages an entry */
	assert_true(bytes >= unpacked(&cpio));
	assert_true(bytes <= unpacked(&cpio) + cpio.nr * 2LL * 4096);
	cpio_release(&cpio);
}

static void the_same_inputs_make_the_same_bytes(void **state)
{
	char *argv[] = {(char[]){"sh"}, NULL};
	struct initramfs_config config = {.argv = argv, .plan = "same", .plan_length = 4};
	struct strbuf text[2] = {STRBUF_INIT, STRBUF_INIT};
	char part[65536];
	ssize_t got;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct err err = {{0}};
		int64_t bytes;
		int fd = initramfs_make(&config, &bytes, &err);

		assert_true(fd >= 0);
		while ((got = read(fd, part, sizeof(part))) > 0) /* from its beginning */
			strbuf_add(&text[i], part, (size_t)got);
		assert_int_equal(write(fd, "x", 1), -1); /* and nobody changes it */
		assert_int_equal(errno, EPERM);
		close(fd);
		if (i == 0)
			sleep(1); /* another second on every clock */
	}
	assert_int_equal(text[0].len, text[1].len);
	assert_memory_equal(text[0].buf, text[1].buf, text[0].len);
	strbuf_release(&text[0]);
	strbuf_release(&text[1]);
}

static void the_command_is_found_by_the_name_it_was_given(void **state)
{
	char *argv[] = {(char[]){"env"}, (char[]){"x"}, NULL};
	struct initramfs_config config = {.argv = argv, .plan = "", .plan_length = 0};
	struct cpio cpio = {0};
	int64_t bytes;

	(void)state;
	make(&config, &cpio, &bytes);
	assert_non_null(cpio_file(&cpio, "/bin/env"));
	assert_same_as_file(cpio_file(&cpio, "/bin/env"), "/usr/bin/env");
	cpio_release(&cpio);
	refused(NULL, "no-such-command", "no-such-command: command not found");
	refused(NULL, "./no-such-command",
		"./no-such-command: cannot be taken into the guest: No such file or directory");
}

/* A folder with a few files, in which the test then is. */
static char *enter_folder(char cwd[PATH_MAX])
{
	static const struct fake_file files[] = {
		{"/tool/run", "#!/usr/bin/env -S sh -e\necho\n"},
		{"/tool/data", "some data"},
		{"/with:colon", "a colon"},
		{"/bad", "#!\n"},
		{NULL, NULL},
	};
	char *root = fake_root_new(files);

	assert_non_null(getcwd(cwd, PATH_MAX));
	assert_int_equal(chdir(root), 0);
	assert_int_equal(chmod("tool/run", 0751), 0);
	assert_int_equal(symlink("run", "tool/alias"), 0);
	return root;
}

static void leave_folder(char *root, const char *cwd)
{
	assert_int_equal(chdir(cwd), 0);
	fake_root_remove(root);
}

static const struct cpio_entry *find_below(const struct cpio *cpio, const char *root,
					   const char *path)
{
	char *whole = xasprintf("%s%s", root, path);
	const struct cpio_entry *entry = cpio_file(cpio, whole);

	free(whole);
	return entry;
}

static void scripts_bring_their_interpreters(void **state)
{
	char *argv[] = {(char[]){"./tool/../tool/alias"}, NULL};
	struct initramfs_config config = {.argv = argv, .plan = "", .plan_length = 0};
	struct cpio cpio = {0};
	char cwd[PATH_MAX];
	char *root = enter_folder(cwd);
	const struct cpio_entry *run;
	int64_t bytes;

	(void)state;
	make(&config, &cpio, &bytes);
	run = find_below(&cpio, root, "/tool/run");
	assert_non_null(run);
	assert_string_equal(run->data, "#!/usr/bin/env -S sh -e\necho\n");
	assert_int_equal(run->mode, S_IFREG | 0751);
	/* by the name that was typed, seen from / */
	assert_ptr_equal(cpio_file(&cpio, "/tool/alias"), run);
	assert_same_as_file(cpio_file(&cpio, "/usr/bin/env"), "/usr/bin/env");
	assert_same_as_file(cpio_file(&cpio, "/bin/sh"), "/bin/sh");
	cpio_release(&cpio);
	leave_folder(root, cwd);
}

static void files_go_where_they_are_wanted(void **state)
{
	struct strlist files = {0};
	struct initramfs_config config = {.files = &files, .plan = "", .plan_length = 0};
	struct cpio cpio = {0};
	char cwd[PATH_MAX];
	char *root = enter_folder(cwd);
	int64_t bytes;

	(void)state;
	strlist_add(&files, "tool/data");
	strlist_add(&files, "./tool/data:/etc/a/b/../data");
	strlist_add(&files, "with:colon");
	strlist_add(&files, "with:colon:/colon");
	strlist_add(&files, "with:colon"); /* twice is no harm */
	make(&config, &cpio, &bytes);
	assert_string_equal(find_below(&cpio, root, "/tool/data")->data, "some data");
	assert_string_equal(cpio_file(&cpio, "/etc/a/data")->data, "some data");
	assert_string_equal(find_below(&cpio, root, "/with:colon")->data, "a colon");
	assert_string_equal(cpio_file(&cpio, "/colon")->data, "a colon");
	cpio_release(&cpio);
	strlist_release(&files);
	leave_folder(root, cwd);
}

static void files_that_cannot_be_taken_are_told(void **state)
{
	char cwd[PATH_MAX];
	char *root = enter_folder(cwd);
	char *message = xasprintf("--vm-file: %s/tool: is a folder: name the files in it", root);

	(void)state;
	refused("tool", NULL, message);
	free(message);
	message = xasprintf("--vm-file: %s/bad: no interpreter after #! in its first line", root);
	refused("bad", NULL, message);
	free(message);
	refused("gone", NULL,
		"--vm-file: gone: cannot be taken into the guest: No such file or directory");
	refused("tool/data:relative", NULL,
		"--vm-file tool/data:relative: is not HOST or HOST:/PATH/IN/THE/GUEST");
	refused(":/x", NULL, "--vm-file :/x: is not HOST or HOST:/PATH/IN/THE/GUEST");
	message = xasprintf(
		"--vm-file: /plan in the guest cannot be both what perfcmp puts there and "
		"%s/tool/data",
		root);
	refused("tool/data:/plan", NULL, message);
	free(message);
	refused("/dev/null", NULL, "--vm-file: /dev/null: is no regular file");
	leave_folder(root, cwd);
}

/* 64 MiB and a 64th of the memory are not for files; what is unpacked counts twice. */
static void what_does_not_fit_is_refused(void **state)
{
	static const int64_t mib = 1 << 20;
	static const struct {
		int64_t packed, bytes, memory;
		const char *message; /* NULL: it fits */
	} cases[] = {
		{4, 10, 128, NULL},
		{91, 93, 347, NULL},
		{91, 93, 346,
		 "initramfs of 93 MiB does not fit in 346 MiB of guest memory: 347 MiB would do "
		 "(--vm-mem)"},
		{300, 900, 1024,
		 "initramfs of 900 MiB does not fit in 1024 MiB of guest memory: 2199 MiB would do "
		 "(--vm-mem)"},
		{300, 900, 2199, NULL},
		{0, 100, 128,
		 "initramfs of 100 MiB does not fit in 128 MiB of guest memory: 269 MiB would do "
		 "(--vm-mem)"},
		{0, 100, 269, NULL},
	};
	int fd = memfd_create("packed", MFD_CLOEXEC);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct err err = {{0}};

		assert_int_equal(ftruncate(fd, cases[i].packed * mib), 0);
		assert_int_equal(
			initramfs_check_fit(fd, cases[i].bytes * mib, cases[i].memory * mib, &err),
			cases[i].message ? -1 : 0);
		assert_string_equal(err.msg, cases[i].message ? cases[i].message : "");
	}
	close(fd);
}

/* In the order in which they are to be loaded, which their names do not tell. */
static void modules_are_there_with_their_list(void **state)
{
	static char first[] = "first", second[] = "second";
	struct module v[] = {{.name = "zz", .data = {.buf = first, .len = 5}},
			     {.name = "aa", .data = {.buf = second, .len = 6}, .asked = true}};
	struct modules modules = {.v = v, .nr = 2}, none = {0};
	struct initramfs_config config = {.plan = "x", .plan_length = 1, .modules = &modules};
	struct cpio cpio = {0};
	int64_t bytes;

	(void)state;
	make(&config, &cpio, &bytes);
	assert_string_equal(cpio_file(&cpio, "/modules/list")->data, "zz\n!aa\n");
	assert_string_equal(cpio_file(&cpio, "/modules/zz.ko")->data, "first");
	assert_string_equal(cpio_file(&cpio, "/modules/aa.ko")->data, "second");
	cpio_release(&cpio);
	config.modules = &none;
	make(&config, &cpio, &bytes);
	assert_null(cpio_find(&cpio, "/modules"));
	cpio_release(&cpio);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(this_program_is_init_and_has_its_libraries),
		cmocka_unit_test(the_folders_of_a_root_are_there),
		cmocka_unit_test(every_archive_is_in_order),
		cmocka_unit_test(the_same_inputs_make_the_same_bytes),
		cmocka_unit_test(the_command_is_found_by_the_name_it_was_given),
		cmocka_unit_test(scripts_bring_their_interpreters),
		cmocka_unit_test(files_go_where_they_are_wanted),
		cmocka_unit_test(files_that_cannot_be_taken_are_told),
		cmocka_unit_test(what_does_not_fit_is_refused),
		cmocka_unit_test(modules_are_there_with_their_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
