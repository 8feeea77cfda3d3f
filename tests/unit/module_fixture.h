/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_MODULE_FIXTURE_H
#define UNIT_MODULE_FIXTURE_H
/* Kernel modules with nothing in them but what they say of themselves, and files compressed as modules are. */
#include "base/strbuf.h"

#include <archive.h>
#include <archive_entry.h>
#include <elf.h>

/* Sections: none, .modinfo, .bss (which has no bytes in the file), .shstrtab. */
static const char fixture_names[] = "\0.modinfo\0.bss\0.shstrtab";

static inline void fixture_section(struct strbuf *out, unsigned name, unsigned type, size_t offset,
				   size_t size)
{
	Elf64_Shdr section = {
		.sh_name = name, .sh_type = type, .sh_offset = offset, .sh_size = size};

	strbuf_add(out, &section, sizeof(section));
}

/* texts: "vermagic=6.1\0depends=a,b\0" and its size */
static inline void make_module_of(struct strbuf *out, const void *texts, size_t size, int machine)
{
	size_t names_at = sizeof(Elf64_Ehdr) + size;
	Elf64_Ehdr head = {
		.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_type = ET_REL,
		.e_machine = (Elf64_Half)machine,
		.e_shoff = names_at + sizeof(fixture_names),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 4,
		.e_shstrndx = 3,
	};

	strbuf_add(out, &head, sizeof(head));
	strbuf_add(out, texts, size);
	strbuf_add(out, fixture_names, sizeof(fixture_names));
	fixture_section(out, 0, SHT_NULL, 0, 0);
	fixture_section(out, 1, SHT_PROGBITS, sizeof(head), size);
	fixture_section(out, 10, SHT_NOBITS, 1 << 30, 1 << 20);
	fixture_section(out, 15, SHT_STRTAB, names_at, sizeof(fixture_names));
}

/* One of x86-64; depends: NULL: says nothing of that */
static inline void make_module(struct strbuf *out, const char *release, const char *depends)
{
	struct strbuf texts = STRBUF_INIT;

	strbuf_addf(&texts, "license=GPL%c", 0);
	if (depends)
		strbuf_addf(&texts, "depends=%s%c", depends, 0);
	strbuf_addf(&texts, "vermagic=%s SMP preempt mod_unload%c", release, 0);
	make_module_of(out, texts.buf, texts.len, EM_X86_64);
	strbuf_release(&texts);
}

/* Note: not looked up by name, which would want the libraries of all others, too. */
static const struct {
	const char *ending;
	int (*add)(struct archive *archive);
} fixture_filters[] = {
	{"", archive_write_add_filter_none},
	{".gz", archive_write_add_filter_gzip},
	{".xz", archive_write_add_filter_xz},
	{".zst", archive_write_add_filter_zstd},
};

/* Compressed as the path ends. */
static inline void write_packed(const char *path, const struct strbuf *data)
{
	size_t filter = 0;
	struct archive *archive = archive_write_new();
	struct archive_entry *entry = archive_entry_new();

	assert_non_null(archive);
	assert_non_null(entry);
	archive_entry_set_pathname(entry, "data");
	archive_entry_set_filetype(entry, AE_IFREG);
	assert_int_equal(archive_write_set_format_raw(archive), ARCHIVE_OK);
	for (size_t i = 1; i < ARRAY_SIZE(fixture_filters); i++)
		if (ends_with(path, fixture_filters[i].ending))
			filter = i;
	assert_int_equal(fixture_filters[filter].add(archive), ARCHIVE_OK);
	assert_int_equal(archive_write_open_filename(archive, path), ARCHIVE_OK);
	assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
	assert_int_equal(archive_write_data(archive, data->buf, data->len), data->len);
	assert_int_equal(archive_write_close(archive), ARCHIVE_OK);
	archive_entry_free(entry);
	archive_write_free(archive);
}

#endif
