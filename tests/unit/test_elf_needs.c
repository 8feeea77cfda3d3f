// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/elf_needs.h"

#include "fake_root.h"

#include <elf.h>

static void the_loaders_list_is_understood(void **state)
{
	char text[] = "\tlinux-vdso.so.1 (0x00007ffd1b3c5000)\n"
		      "\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f0000000000)\n"
		      "\tlibx y.so => /opt/x y/libx y.so (0x00007f0000000000)\n"
		      "\t/lib64/ld-linux-x86-64.so.2 (0x00007f0000000000)\n"
		      "\tstatically linked\n"
		      "\n"
		      "nothing of this\n";
	struct elf_needs needs = {0};
	struct err err = {{0}};

	(void)state;
	assert_int_equal(elf_needs_parse(text, "prog", &needs, &err), 0);
	assert_int_equal(needs.names.nr, 3);
	assert_string_equal(needs.names.v[0], "libm.so.6");
	assert_string_equal(needs.paths.v[0], "/lib/x86_64-linux-gnu/libm.so.6");
	assert_string_equal(needs.names.v[1], "libx y.so");
	assert_string_equal(needs.paths.v[1], "/opt/x y/libx y.so");
	assert_string_equal(needs.names.v[2], "ld-linux-x86-64.so.2");
	assert_string_equal(needs.paths.v[2], "/lib64/ld-linux-x86-64.so.2");
	elf_needs_release(&needs);
}

static void a_library_that_is_missing_is_named(void **state)
{
	char text[] = "\tlibc.so.6 => /lib/libc.so.6 (0x1)\n\tlibgone.so.1 => not found\n";
	struct elf_needs needs = {0};
	struct err err = {{0}};

	(void)state;
	assert_int_equal(elf_needs_parse(text, "/opt/prog", &needs, &err), -1);
	assert_string_equal(err.msg, "/opt/prog: needs libgone.so.1, which is not found");
	elf_needs_release(&needs);
}

struct file_case {
	const char *text;
	size_t len; /* 0: of the text */
	const char *interpreter, *argument;
	const char *message; /* after "PATH: "; NULL: fine */
};

static void check_file(const struct file_case *c)
{
	static const struct fake_file none[] = {{NULL, NULL}};
	char *root = fake_root_new(none);
	char *path = xasprintf("%s/file", root);
	size_t len = c->len ? c->len : strlen(c->text);
	struct elf_needs needs = {0};
	struct err err = {{0}};
	FILE *file = fopen(path, "we");
	int status;

	assert_non_null(file);
	assert_int_equal(fwrite(c->text, 1, len, file), len);
	fclose(file);
	status = elf_needs_of(path, &needs, &err);
	assert_string_equal(status ? err.msg + strlen(path) : "", c->message ? c->message : "");
	if (!c->message) {
		assert_string_equal(needs.interpreter ? needs.interpreter : "-", c->interpreter);
		assert_string_equal(needs.argument ? needs.argument : "-", c->argument);
		assert_int_equal(needs.script, c->interpreter[0] != '-');
		assert_int_equal(needs.paths.nr, 0);
	}
	elf_needs_release(&needs);
	free(path);
	fake_root_remove(root);
}

static void scripts_name_their_interpreter(void **state)
{
	static const struct file_case cases[] = {
		{"#!/bin/sh\n", 0, "/bin/sh", "-", NULL},
		{"#!/bin/sh", 0, "/bin/sh", "-", NULL},
		{"#! \t/bin/sh -e \t\nrest", 0, "/bin/sh", "-e", NULL},
		{"#!/usr/bin/env python3 -u\n", 0, "/usr/bin/env", "python3 -u", NULL},
		{"#!\n", 0, NULL, NULL, ": no interpreter after #! in its first line"},
		{"#!   ", 0, NULL, NULL, ": no interpreter after #! in its first line"},
		{"# no script\n", 0, "-", "-", NULL},
		{"", 0, "-", "-", NULL},
		{"\x7f"
		 "EL",
		 0, "-", "-", NULL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_file(&cases[i]);
}

struct program {
	Elf64_Ehdr head;
	Elf64_Phdr headers[1];
	char rest[64];
};

static struct program sound_program(void)
{
	struct program p = {
		.head = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1},
			 .e_phentsize = sizeof(Elf64_Phdr),
			 .e_phnum = 1,
			 .e_phoff = sizeof(Elf64_Ehdr)},
		.headers = {{.p_type = PT_INTERP,
			     .p_offset = offsetof(struct program, rest),
			     .p_filesz = 8}},
		.rest = "/lib/ld",
	};

	return p;
}

static void check_program(const struct program *program, size_t len, const char *message)
{
	struct file_case c = {(const char *)program, len, NULL, NULL, message};

	check_file(&c);
}

static void damaged_programs_are_refused(void **state)
{
	struct program p = sound_program();

	(void)state;
	check_program(&p, 20, ": damaged program (its head)");
	check_program(&p, sizeof(p.head) + 8, ": damaged program (its headers)");
	check_program(&p, offsetof(struct program, rest) + 3,
		      ": damaged program (its loader's name)");
	p.headers[0].p_filesz = 1 << 20;
	check_program(&p, sizeof(p), ": damaged program (its loader's name)");
	p.headers[0].p_filesz = 5; /* without its end */
	check_program(&p, sizeof(p), ": damaged program (its loader's name)");
	p = sound_program();
	p.head.e_phnum = 60000;
	check_program(&p, sizeof(p), ": damaged program (its headers)");
	p = sound_program();
	p.head.e_phentsize = 1;
	check_program(&p, sizeof(p), ": damaged program (its headers)");
	p = sound_program();
	p.head.e_phoff = UINT64_MAX - 8;
	check_program(&p, sizeof(p), ": damaged program (its headers)");
	p = sound_program();
	p.head.e_ident[EI_CLASS] = ELFCLASS32;
	check_program(&p, sizeof(p), ": program of another kind of machine than perfcmp");
}

static void a_program_needs_its_loader_and_its_libraries(void **state)
{
	struct elf_needs needs = {0};
	struct err err = {{0}};

	(void)state;
	assert_int_equal(elf_needs_of("/bin/sh", &needs, &err), 0);
	assert_non_null(needs.interpreter);
	assert_int_equal(access(needs.interpreter, X_OK), 0);
	assert_false(needs.script);
	assert_true(strlist_has(&needs.names, "libc.so.6"));
	for (int i = 0; i < needs.paths.nr; i++)
		assert_int_equal(access(needs.paths.v[i], R_OK), 0);
	elf_needs_release(&needs);
	assert_int_equal(elf_needs_of("/nonexistent", &needs, &err), -1);
	assert_string_equal(err.msg, "/nonexistent: cannot be read: No such file or directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_loaders_list_is_understood),
		cmocka_unit_test(a_library_that_is_missing_is_named),
		cmocka_unit_test(scripts_name_their_interpreter),
		cmocka_unit_test(damaged_programs_are_refused),
		cmocka_unit_test(a_program_needs_its_loader_and_its_libraries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
