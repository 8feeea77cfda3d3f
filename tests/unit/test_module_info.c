// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/module_info.h"

#include "module_fixture.h"

#define TEXTS(s) (s), sizeof(s) /* and the NUL behind the last one */

static void modules_tell_their_kernel_and_needs(void **state)
{
	static const struct {
		const char *texts;
		size_t size;
		const char *release, *needs; /* NULL: none */
	} cases[] = {
		{TEXTS("vermagic=6.1.0-57 SMP preempt\0depends=virtio,virtio_ring"), "6.1.0-57",
		 "virtio virtio_ring"},
		{TEXTS("license=GPL\0\0\0depends=\0vermagic=6.12.1+ "), "6.12.1+", ""},
		{TEXTS("depends=a"), NULL, "a"},
		{TEXTS("vermagic="), "", ""},
		{TEXTS("xvermagic=1\0vermagic =2\0alias=depends=b"), NULL, ""},
		{TEXTS("depends=,a,,b,"), NULL, "a b"},
		{"vermagic=6.1", 11, "6.", ""}, /* cut off: without its NUL */
		{"", 0, NULL, ""},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf module = STRBUF_INIT, needs = STRBUF_INIT;
		struct module_info info = {0};
		struct err err = {""};

		make_module_of(&module, cases[i].texts, cases[i].size, EM_X86_64);
		if (module_info_read(&info, &module, EM_X86_64, "x.ko", &err))
			fail_msg("%zu: %s", i, err.msg);
		for (int k = 0; k < info.needs.nr; k++)
			strbuf_additem(&needs, " ", "%s", info.needs.v[k]);
		assert_string_equal(needs.buf, cases[i].needs);
		if (cases[i].release)
			assert_string_equal(info.release, cases[i].release);
		else
			assert_null(info.release);
		module_info_release(&info);
		strbuf_release(&needs);
		strbuf_release(&module);
	}
}

static void refused(const struct strbuf *module, const char *message)
{
	struct module_info info = {0};
	struct err err = {""};

	assert_int_equal(module_info_read(&info, module, EM_X86_64, "x.ko", &err), -1);
	assert_string_equal(err.msg, message);
	module_info_release(&info);
}

/* Wherever it ends, what is there is not taken for a module. */
static void a_module_that_was_cut_off_is_refused(void **state)
{
	struct strbuf module = STRBUF_INIT;

	(void)state;
	make_module(&module, "6.1", "a");
	while (module.len > 0) {
		module.len--;
		refused(&module, module.len < sizeof(Elf64_Ehdr) ? "x.ko: is no module"
								 : "x.ko: is no whole module");
	}
	strbuf_release(&module);
}

/* One thing in it is changed; the message, NULL: it is taken all the same */
static void what_is_damaged_or_no_module_is_refused(void **state)
{
	static const struct {
		size_t at;
		unsigned char byte;
		const char *message;
	} cases[] = {
		{0, 'x', "x.ko: is no module"},
		{offsetof(Elf64_Ehdr, e_ident) + EI_CLASS, ELFCLASS32, "x.ko: is no module"},
		{offsetof(Elf64_Ehdr, e_ident) + EI_DATA, ELFDATA2MSB, "x.ko: is no module"},
		{offsetof(Elf64_Ehdr, e_type), ET_DYN, "x.ko: is no module"},
		{offsetof(Elf64_Ehdr, e_shentsize), 0, "x.ko: is no module"},
		{offsetof(Elf64_Ehdr, e_machine), EM_AARCH64 & 0xff,
		 "x.ko: is a module for another machine"},
		{offsetof(Elf64_Ehdr, e_shoff) + 7, 0xff, "x.ko: is no whole module"},
		{offsetof(Elf64_Ehdr, e_shnum), 5, "x.ko: is no whole module"},
		{offsetof(Elf64_Ehdr, e_shnum), 1, "x.ko: is no whole module"},
		{offsetof(Elf64_Ehdr, e_shstrndx), 2, "x.ko: is no whole module"},
		{offsetof(Elf64_Ehdr, e_shstrndx), 0xff, "x.ko: is no whole module"},
		{offsetof(Elf64_Ehdr, e_flags), 1, NULL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf module = STRBUF_INIT;
		struct module_info info = {0};
		struct err err = {""};

		make_module(&module, "6.1", "a");
		module.buf[cases[i].at] = (char)cases[i].byte;
		if (cases[i].message)
			refused(&module, cases[i].message);
		else
			assert_int_equal(module_info_read(&info, &module, EM_X86_64, "x.ko", &err),
					 0);
		module_info_release(&info);
		strbuf_release(&module);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(modules_tell_their_kernel_and_needs),
		cmocka_unit_test(a_module_that_was_cut_off_is_refused),
		cmocka_unit_test(what_is_damaged_or_no_module_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
