// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/module_index.h"

#include "base/strbuf.h"

/* "name=path(need need) ..." of all modules, in order */
static char *all_of(const struct module_index *index)
{
	struct strbuf text = STRBUF_INIT;

	for (int i = 0; i < index->nr; i++) {
		const struct module_entry *entry = &index->v[i];

		strbuf_additem(&text, " ", "%s=%s", entry->name, entry->path);
		for (int k = 0; k < entry->needs.nr; k++)
			strbuf_addf(&text, "%c%s", k ? ' ' : '(', entry->needs.v[k]);
		strbuf_addstr(&text, entry->needs.nr ? ")" : "");
	}
	return strbuf_detach(&text);
}

static void lists_tell_modules_and_what_they_need(void **state)
{
	static const struct {
		const char *text, *modules;
	} cases[] = {
		{"", ""},
		{"\n\n", ""},
		{"kernel/a.ko\n", "a=kernel/a.ko"},
		{"kernel/a.ko", "a=kernel/a.ko"},
		{"kernel/a.ko:\nkernel/b.ko: kernel/a.ko\n", "a=kernel/a.ko b=kernel/b.ko(a)"},
		{"x/d-e.ko.xz: x/f-g.ko.xz x/h.ko.zst x/i.ko.gz\n", "d_e=x/d-e.ko.xz(f_g h i)"},
		{"a.ko:  b.ko \tc.ko \n", "a=a.ko(b c)"},
		/* the first counts: depmod has chosen */
		{"updates/a.ko: b.ko\nkernel/a.ko:\n", "a=updates/a.ko(b)"},
		{"/abs/olute.ko:\n", "olute=/abs/olute.ko"},
		{"k/nls_iso8859-1.ko\n", "nls_iso8859_1=k/nls_iso8859-1.ko"},
		{"k/a.ko.ko\n", "a.ko=k/a.ko.ko"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct module_index index = {0};
		struct err err = {""};
		char *all;

		if (module_index_add(&index, cases[i].text, "list", &err))
			fail_msg("%zu: %s", i, err.msg);
		all = all_of(&index);
		assert_string_equal(all, cases[i].modules);
		free(all);
		module_index_release(&index);
	}
}

static void damaged_lists_are_refused_with_the_line(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"a", "list: line 1 names no module: a"},
		{"k/a.ko\n\nk/b.o\n", "list: line 3 names no module: k/b.o"},
		{".ko\n", "list: line 1 names no module: .ko"},
		{"k/.ko.xz:\n", "list: line 1 names no module: k/.ko.xz:"},
		{": a.ko\n", "list: line 1 names no module: : a.ko"},
		{"a.ko b.ko\n", "list: line 1 names no module: a.ko b.ko"},
		{"a.ko: b.ko c\n", "list: line 1 names no module: a.ko: b.ko c"},
		{"a.ko: b.ko: c.ko\n", "list: line 1 names no module: a.ko: b.ko: c.ko"},
		{"a.ko: b.kox\n", "list: line 1 names no module: a.ko: b.kox"},
		{"\033[2J\xff", "list: line 1 names no module: \\x1b[2J\\xff"},
		{"k/0123456789012345678901234567890123456789012345678901234567890123456789.k\n",
		 "list: line 1 names no module: "
		 "k/0123456789012345678901234567890123456789012345678901234567"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct module_index index = {0};
		struct err err = {""};

		assert_int_equal(module_index_add(&index, cases[i].text, "list", &err), -1);
		assert_string_equal(err.msg, cases[i].message);
		module_index_release(&index);
	}
}

static void what_is_built_in_is_no_module(void **state)
{
	struct module_index index = {0};
	struct err err = {""};

	(void)state;
	assert_int_equal(module_index_add_builtin(&index, "kernel/d/virtio-x.ko\nkernel/y.ko\n",
						  "modules.builtin", &err),
			 0);
	assert_int_equal(
		module_index_add(&index, "k/virtio_x.ko:\nk/z-z.ko: k/y.ko\n", "modules.dep", &err),
		0);
	assert_int_equal(module_index_find(&index, "virtio_x"), MODULE_BUILTIN);
	assert_int_equal(module_index_find(&index, "virtio-x"), MODULE_BUILTIN);
	assert_int_equal(module_index_find(&index, "y"), MODULE_BUILTIN);
	assert_int_equal(module_index_find(&index, "z-z"), 0);
	assert_int_equal(module_index_find(&index, "z_z"), 0);
	assert_int_equal(module_index_find(&index, "z"), MODULE_NONE);
	assert_int_equal(module_index_find(&index, ""), MODULE_NONE);
	/* also when it is told last */
	assert_int_equal(module_index_add_builtin(&index, "k/z-z.ko", "modules.builtin", &err), 0);
	assert_int_equal(module_index_find(&index, "z_z"), MODULE_BUILTIN);
	assert_int_equal(module_index_add_builtin(&index, "nonsense", "modules.builtin", &err), -1);
	assert_string_equal(err.msg, "modules.builtin: line 1 names no module: nonsense");
	module_index_release(&index);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_tell_modules_and_what_they_need),
		cmocka_unit_test(damaged_lists_are_refused_with_the_line),
		cmocka_unit_test(what_is_built_in_is_no_module),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
