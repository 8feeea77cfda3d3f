// SPDX-License-Identifier: GPL-2.0-only
#include "lab/module_info.h"

#include "base/strbuf.h"

#include <elf.h>

void module_info_release(struct module_info *info)
{
	free(info->release);
	strlist_release(&info->needs);
	*info = (struct module_info){0};
}

/* Part of the file; false: goes beyond its end. */
static bool is_inside(const struct strbuf *file, uint64_t offset, uint64_t length)
{
	return offset <= file->len && length <= file->len - offset;
}

/* False: not there. Nothing in a file is aligned for sure. */
static bool section_at(const struct strbuf *file, const Elf64_Ehdr *head, unsigned place,
		       Elf64_Shdr *out)
{
	uint64_t offset = head->e_shoff + place * (uint64_t)sizeof(*out);

	if (place >= head->e_shnum || head->e_shoff > file->len ||
	    !is_inside(file, offset, sizeof(*out)))
		return false;
	memcpy(out, file->buf + offset, sizeof(*out));
	return out->sh_type == SHT_NOBITS || is_inside(file, out->sh_offset, out->sh_size);
}

static bool has_name(const struct strbuf *file, const Elf64_Shdr *names, const Elf64_Shdr *section,
		     const char *name)
{
	size_t length = strlen(name) + 1;

	return section->sh_name < names->sh_size && length <= names->sh_size - section->sh_name &&
	       memcmp(file->buf + names->sh_offset + section->sh_name, name, length) == 0;
}

static bool is_module(const struct strbuf *file, Elf64_Ehdr *head)
{
	if (file->len < sizeof(*head))
		return false;
	memcpy(head, file->buf, sizeof(*head));
	return memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 &&
	       head->e_ident[EI_CLASS] == ELFCLASS64 && head->e_ident[EI_DATA] == ELFDATA2LSB &&
	       head->e_type == ET_REL && head->e_shentsize == sizeof(Elf64_Shdr);
}

/* False: there is none, or the file is not whole. Every section is looked at. */
static bool find_modinfo(const struct strbuf *file, const Elf64_Ehdr *head, Elf64_Shdr *out)
{
	Elf64_Shdr names, section;
	bool found = false;

	if (!section_at(file, head, head->e_shstrndx, &names) || names.sh_type == SHT_NOBITS)
		return false;
	for (unsigned i = 0; i < head->e_shnum; i++) {
		if (!section_at(file, head, i, &section))
			return false;
		if (found || section.sh_type == SHT_NOBITS ||
		    !has_name(file, &names, &section, ".modinfo"))
			continue;
		*out = section;
		found = true;
	}
	return found;
}

static void take_line(struct module_info *info, const char *line)
{
	static const char vermagic[] = "vermagic=", depends[] = "depends=";

	if (starts_with(line, vermagic) && !info->release) {
		const char *words = line + strlen(vermagic);

		info->release = xstrndup(words, strcspn(words, " "));
	} else if (starts_with(line, depends)) {
		strlist_split(&info->needs, line + strlen(depends), ',');
	}
}

int module_info_read(struct module_info *info, const struct strbuf *module, int elf_machine,
		     const char *path, struct err *err)
{
	Elf64_Shdr section = {0};
	Elf64_Ehdr head;
	char *texts;

	if (!is_module(module, &head))
		return err_set(err, "%s: is no module", path);
	if (head.e_machine != elf_machine)
		return err_set(err, "%s: is a module for another machine", path);
	if (!find_modinfo(module, &head, &section))
		return err_set(err, "%s: is no whole module", path);
	texts = xmalloc(section.sh_size + 1);
	memcpy(texts, module->buf + section.sh_offset, section.sh_size);
	texts[section.sh_size] = '\0';
	for (size_t at = 0; at < section.sh_size; at += strlen(texts + at) + 1)
		take_line(info, texts + at);
	free(texts);
	return 0;
}
