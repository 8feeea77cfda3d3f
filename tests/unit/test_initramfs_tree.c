// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/initramfs_tree.h"

#include <sys/stat.h>

static void paths_of_the_guest_are_plain(void **state)
{
	static const struct {
		const char *base, *path, *want;
	} paths[] = {
		{"/", "/a/b", "/a/b"},
		{"/", "a", "/a"},
		{"/home/me", "a/./b", "/home/me/a/b"},
		{"/home/me", "./../you//x/", "/home/you/x"},
		{"/home/me", "/x/../y", "/y"},
		{"/home", "../../../x", "/x"},
		{"/", "..", "/"},
		{"/", ".", "/"},
		{"/", "", "/"},
		{"/a", "...", "/a/..."},
		{"/a", "..b/.c", "/a/..b/.c"},
		{"/opt/x/bin", "../lib/libx.so", "/opt/x/lib/libx.so"},
	};
	struct pool pool = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		assert_string_equal(initramfs_path(&pool, paths[i].base, paths[i].path),
				    paths[i].want);
	pool_release(&pool);
}

static int add(struct initramfs_tree *tree, const char *path, const char *source, const char *link,
	       struct err *err)
{
	struct initramfs_entry entry = {.path = path, .source = source, .link = link};

	entry.mode = S_IFDIR | 0755;
	if (source)
		entry.mode = S_IFREG | 0644;
	else if (link)
		entry.mode = S_IFLNK | 0777;
	*err = (struct err){{0}};
	return initramfs_tree_add(tree, &entry, err);
}

static void folders_on_the_way_are_made(void **state)
{
	struct initramfs_tree tree = {0};
	struct err err;

	(void)state;
	assert_int_equal(add(&tree, "/a/b/c", "/etc/x", NULL, &err), 0);
	assert_int_equal(tree.nr, 3);
	assert_int_equal(initramfs_tree_find(&tree, "/a")->mode, S_IFDIR | 0755);
	assert_int_equal(initramfs_tree_find(&tree, "/a/b")->mode, S_IFDIR | 0755);
	assert_string_equal(initramfs_tree_find(&tree, "/a/b/c")->source, "/etc/x");
	assert_null(initramfs_tree_find(&tree, "/a/b/d"));
	initramfs_tree_release(&tree);
}

static void a_path_is_one_thing(void **state)
{
	struct initramfs_tree tree = {0};
	struct err err;

	(void)state;
	assert_int_equal(add(&tree, "/a/file", "/etc/x", NULL, &err), 0);
	assert_int_equal(add(&tree, "/a/file", "/etc/x", NULL, &err), 0);
	assert_int_equal(add(&tree, "/a/link", NULL, "/a/file", &err), 0);
	assert_int_equal(add(&tree, "/a/link", NULL, "/a/file", &err), 0);
	assert_int_equal(add(&tree, "/a", NULL, NULL, &err), 0);
	assert_int_equal(tree.nr, 3);

	assert_int_equal(add(&tree, "/a/file", "/etc/y", NULL, &err), -1);
	assert_string_equal(err.msg, "/a/file in the guest cannot be both /etc/x and /etc/y");
	assert_int_equal(add(&tree, "/a/link", NULL, "/b", &err), -1);
	assert_string_equal(err.msg, "/a/link in the guest cannot be both /a/file and /b");
	assert_int_equal(add(&tree, "/a", "/etc/y", NULL, &err), -1);
	assert_string_equal(err.msg, "/a in the guest cannot be both a folder and /etc/y");
	assert_int_equal(add(&tree, "/a/file/below", "/etc/y", NULL, &err), -1);
	assert_string_equal(err.msg, "/a/file in the guest cannot be both /etc/x and a folder");
	assert_int_equal(add(&tree, "/", "/etc/y", NULL, &err), -1);
	assert_string_equal(err.msg, "/ in the guest is its root folder and can be nothing else");
	assert_int_equal(tree.nr, 3);
	initramfs_tree_release(&tree);
}

static void what_cannot_be_read_fails_when_it_is_written(void **state)
{
	static const struct {
		const char *source, *message;
	} cases[] = {
		{"/nonexistent/x", "/nonexistent/x: cannot be read: No such file or directory"},
		{"/", "/: is no regular file"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct initramfs_tree tree = {0};
		struct err err;
		int64_t bytes;

		assert_int_equal(add(&tree, "/x", cases[i].source, NULL, &err), 0);
		assert_int_equal(initramfs_tree_write(&tree, &bytes, &err), -1);
		assert_string_equal(err.msg, cases[i].message);
		initramfs_tree_release(&tree);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_of_the_guest_are_plain),
		cmocka_unit_test(folders_on_the_way_are_made),
		cmocka_unit_test(a_path_is_one_thing),
		cmocka_unit_test(what_cannot_be_read_fails_when_it_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
