// SPDX-License-Identifier: GPL-2.0-only
/* Which modules a guest gets, from folders as builds, packages and depmod(8) leave them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/modules.h"

#include "fake_root.h"
#include "image_fixture.h"
#include "module_fixture.h"

#define DIR "/lib/modules/" FIXTURE_RELEASE

/* A tree below root: image, lists and modules. */
struct tree {
	char *root, *image;
};

struct file {
	const char *path; /* below DIR; NULL ends the list */
	const char *needs; /* what the module says; NULL: nothing */
	const char *release; /* NULL: the image's */
};

static void make_tree(struct tree *tree, const struct fake_file *lists, const struct file *modules)
{
	struct image image;
	FILE *file;

	tree->root = fake_root_new(lists);
	tree->image = xasprintf("%s/bzImage", tree->root);
	make_bzimage(&image);
	file = fopen(tree->image, "we");
	assert_non_null(file);
	assert_int_equal(fwrite(image.bytes, 1, image.len, file), image.len);
	fclose(file);
	for (; modules->path; modules++) {
		char *path = xasprintf(DIR "/%s", modules->path);
		struct strbuf data = STRBUF_INIT;

		fake_root_put(tree->root, &(struct fake_file){path, ""}); /* and its folders */
		free(path);
		path = xasprintf("%s" DIR "/%s", tree->root, modules->path);
		make_module(&data, modules->release ? modules->release : FIXTURE_RELEASE,
			    modules->needs);
		write_packed(path, &data);
		strbuf_release(&data);
		free(path);
	}
}

static void remove_tree(struct tree *tree)
{
	free(tree->image);
	fake_root_remove(tree->root);
}

/* What is found: "a !b c", ! in front of those that were asked for. asked: with blanks between, NULL: none */
static int find(const struct tree *tree, const char *folder, const char *asked, char **found,
		struct err *err)
{
	char *path = xasprintf("%s%s", tree->root, folder);
	struct strlist names = {0};
	struct modules_config config = {.folder = path, .image = tree->image, .asked = &names};
	struct strbuf text = STRBUF_INIT;
	struct modules modules = {0};
	int status;

	if (asked)
		strlist_split(&names, asked, ' ');
	status = modules_find(&modules, &config, err);
	for (int i = 0; i < modules.nr; i++) {
		strbuf_additem(&text, " ", "%s%s", modules.v[i].asked ? "!" : "",
			       modules.v[i].name);
		assert_memory_equal(modules.v[i].data.buf, ELFMAG, SELFMAG); /* unpacked */
	}
	strbuf_addstr(&text, modules.console_is_module ? " (console)" : "");
	*found = strbuf_detach(&text);
	modules_release(&modules);
	strlist_release(&names);
	free(path);
	return status;
}

static void found_in(const struct tree *tree, const char *folder, const char *asked,
		     const char *expected)
{
	struct err err = {""};
	char *found;

	if (find(tree, folder, asked, &found, &err))
		fail_msg("%s", err.msg);
	assert_string_equal(found, expected);
	free(found);
}

/* message: with ROOT for the tree's folder */
static void refused(const struct tree *tree, const char *folder, const char *asked,
		    const char *message)
{
	struct strbuf expected = STRBUF_INIT;
	struct err err = {""};
	const char *root;
	char *found;

	for (; (root = strstr(message, "ROOT")) != NULL; message = root + 4) {
		strbuf_add(&expected, message, (size_t)(root - message));
		strbuf_addstr(&expected, tree->root);
	}
	strbuf_addstr(&expected, message);
	assert_int_equal(find(tree, folder, asked, &found, &err), -1);
	assert_string_equal(err.msg, expected.buf);
	strbuf_release(&expected);
	free(found);
}

/* As in Debian 12: a package that was unpacked, with its modules as they are, or compressed. */
static const struct fake_file package_lists[] = {
	{DIR "/modules.builtin", "kernel/drivers/tty/serial/8250/8250.ko\nkernel/lib/crc.ko\n"},
	{DIR "/modules.order",
	 "kernel/v/virtio_ring.ko\nkernel/v/virtio.ko\nkernel/v/virtio_pci.ko\n"
	 "kernel/c/virtio_console.ko\nkernel/fs/some-fs.ko\nkernel/fs/gone.ko\n"
	 "kernel/fs/loop-a.ko\nkernel/fs/loop-b.ko\nkernel/old/old.ko\nkernel/fs/orphan.ko\n"},
	{NULL, NULL},
};
static const struct file package_modules[] = {
	{"kernel/v/virtio_ring.ko", "", NULL},
	{"kernel/v/virtio.ko.xz", "virtio_ring,crc", NULL},
	{"kernel/v/virtio_pci.ko.zst", "virtio,virtio_ring", NULL},
	{"kernel/c/virtio_console.ko.gz", "virtio", NULL},
	{"kernel/fs/some-fs.ko", "loop-a,virtio", NULL},
	{"kernel/fs/loop-a.ko", "loop-b", NULL},
	{"kernel/fs/loop-b.ko", "loop-a", NULL},
	{"kernel/old/old.ko", "", "6.8.0"},
	{"kernel/fs/orphan.ko", "nowhere", NULL},
	{NULL, NULL, NULL},
};

static void what_is_wanted_comes_behind_what_it_needs(void **state)
{
	const char *virtio = "virtio_ring virtio virtio_pci virtio_console";
	struct tree tree;

	(void)state;
	make_tree(&tree, package_lists, package_modules);
	found_in(&tree, DIR, NULL, virtio);
	found_in(&tree, "/lib/modules", NULL, virtio);
	found_in(&tree, "", NULL, virtio);
	found_in(&tree, DIR, "8250 crc", virtio); /* built in */
	found_in(&tree, DIR, "some_fs",
		 "virtio_ring !virtio virtio_pci virtio_console !loop_b !loop_a !some_fs");
	found_in(&tree, DIR, "some-fs some_fs virtio_console",
		 "virtio_ring !virtio virtio_pci !virtio_console !loop_b !loop_a !some_fs");
	remove_tree(&tree);
}

/* Where depmod was, its list has the last word on paths, and tells needs as well. */
static void the_list_of_depmod_counts_where_there_is_one(void **state)
{
	static const struct fake_file lists[] = {
		{DIR "/modules.builtin", ""},
		{DIR "/modules.order", "kernel/a/8250.ko\n"},
		{DIR "/modules.dep", "updates/8250.ko.xz: kernel/a/8250_base.ko.xz\n"
				     "kernel/a/8250_base.ko.xz:\nkernel/a/8250.ko.xz:\n"},
		{NULL, NULL},
	};
	static const struct file modules[] = {
		{"updates/8250.ko.xz", NULL, NULL},
		{"kernel/a/8250_base.ko.xz", NULL, NULL},
		{NULL, NULL, NULL},
	};
	struct tree tree;

	(void)state;
	make_tree(&tree, lists, modules);
	found_in(&tree, DIR, NULL, "8250_base 8250 (console)");
	remove_tree(&tree);
}

static void what_cannot_be_had_is_refused(void **state)
{
	static const struct {
		const char *folder, *asked, *message;
	} cases[] = {
		{DIR, "sme_fs",
		 "--vm-module sme_fs: neither built in nor a module of ROOT" DIR
		 " (near: some_fs)"},
		{DIR, "quite_another",
		 "--vm-module quite_another: neither built in nor a module of "
		 "ROOT" DIR},
		{DIR, "gone",
		 "--vm-module gone: ROOT" DIR
		 "/kernel/fs/gone.ko: cannot be read: No such file or directory"},
		{DIR, "orphan",
		 "--vm-module orphan: ROOT" DIR
		 "/kernel/fs/orphan.ko: needs the module nowhere, which is not there"},
		{DIR, "old",
		 "--vm-module old: ROOT" DIR "/kernel/old/old.ko: is a module for 6.8.0, and "
		 "ROOT/bzImage is " FIXTURE_RELEASE},
		{"/lib", NULL,
		 "modules=ROOT/lib: has no modules of ROOT/bzImage, whose release is " FIXTURE_RELEASE},
		{"/nowhere", NULL,
		 "modules=ROOT/nowhere: cannot be read: No such file or directory"},
		{"/bzImage", NULL, "modules=ROOT/bzImage: cannot be read: Not a directory"},
	};
	struct tree tree;

	(void)state;
	make_tree(&tree, package_lists, package_modules);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		refused(&tree, cases[i].folder, cases[i].asked, cases[i].message);
	remove_tree(&tree);
}

static void the_folder_of_another_kernel_is_refused(void **state)
{
	static const struct fake_file lists[] = {
		{"/lib/modules/6.8.0/modules.builtin", ""},
		{NULL, NULL},
	};
	static const struct file none[] = {{NULL, NULL, NULL}};
	struct tree tree;

	(void)state;
	make_tree(&tree, lists, none);
	refused(&tree, "/lib/modules/6.8.0", NULL,
		"modules=ROOT/lib/modules/6.8.0: are not those of ROOT/bzImage, whose release "
		"is " FIXTURE_RELEASE);
	refused(&tree, "/lib/modules", NULL,
		"modules=ROOT/lib/modules: has no modules of ROOT/bzImage, whose release is " FIXTURE_RELEASE);
	remove_tree(&tree);
}

static void damaged_lists_and_modules_are_refused(void **state)
{
	static const struct fake_file lists[] = {
		{DIR "/modules.builtin", ""},
		{DIR "/modules.dep", "kernel/a.ko:\nkernel/b.ko.xz:\n"},
		{DIR "/kernel/a.ko", "no module"},
		{DIR "/kernel/b.ko.xz", "\xfd\x37zXZ"},
		{NULL, NULL},
	};
	static const struct fake_file half_a_line[] = {
		{DIR "/modules.builtin", "kernel/dri"},
		{NULL, NULL},
	};
	static const struct file none[] = {{NULL, NULL, NULL}};
	struct tree tree;

	(void)state;
	make_tree(&tree, lists, none);
	found_in(&tree, DIR, NULL, ""); /* a kernel that has neither */
	refused(&tree, DIR, "a", "--vm-module a: ROOT" DIR "/kernel/a.ko: is no module");
	refused(&tree, DIR, "b", "--vm-module b: ROOT" DIR "/kernel/b.ko.xz: is no module");
	remove_tree(&tree);
	make_tree(&tree, half_a_line, none);
	refused(&tree, DIR, NULL,
		"ROOT" DIR "/modules.builtin: line 1 names no module: kernel/dri");
	remove_tree(&tree);
}

static void without_a_folder_there_are_no_modules(void **state)
{
	struct strlist asked = {0};
	struct modules_config config = {.image = "bzImage", .asked = &asked};
	struct modules modules = {0};
	struct err err = {""};

	(void)state;
	assert_int_equal(modules_find(&modules, &config, &err), 0);
	assert_int_equal(modules.nr, 0);
	strlist_add(&asked, "xfs");
	assert_int_equal(modules_find(&modules, &config, &err), -1);
	assert_string_equal(err.msg, "--vm-module xfs: where are the modules of bzImage? (--kernel "
				     "IMAGE,modules=DIR)");
	strlist_release(&asked);
	modules_release(&modules);
}

static void a_guest_without_virtio_gets_none(void **state)
{
	struct modules modules = {0};
	struct err err = {""};
	struct tree tree;

	(void)state;
	make_tree(&tree, package_lists, package_modules);
	assert_int_equal(modules_find(&modules,
				      &(struct modules_config){.folder = tree.root,
							       .image = tree.image,
							       .serial_only = true},
				      &err),
			 0);
	assert_int_equal(modules.nr, 0);
	modules_release(&modules);
	remove_tree(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_wanted_comes_behind_what_it_needs),
		cmocka_unit_test(the_list_of_depmod_counts_where_there_is_one),
		cmocka_unit_test(what_cannot_be_had_is_refused),
		cmocka_unit_test(the_folder_of_another_kernel_is_refused),
		cmocka_unit_test(damaged_lists_and_modules_are_refused),
		cmocka_unit_test(without_a_folder_there_are_no_modules),
		cmocka_unit_test(a_guest_without_virtio_gets_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
