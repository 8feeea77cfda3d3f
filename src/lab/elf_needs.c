// SPDX-License-Identifier: GPL-2.0-only
#include "lab/elf_needs.h"

#include "measure/child.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <unistd.h>

enum {
	LIST_TIMEOUT_S = 20,
	LIST_MAX = 1 << 20,
	HEADERS_MAX = 256,
	SCRIPT_LINE_MAX = 256, /* as the kernel's */
};

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define OUR_DATA ELFDATA2LSB
#else
#define OUR_DATA ELFDATA2MSB
#endif

void elf_needs_release(struct elf_needs *needs)
{
	free(needs->interpreter);
	free(needs->argument);
	strlist_release(&needs->names);
	strlist_release(&needs->paths);
	*needs = (struct elf_needs){0};
}

static size_t read_at(int fd, void *buf, size_t len, uint64_t offset)
{
	size_t done = 0;

	while (done < len && offset <= INT64_MAX - len) {
		ssize_t got = pread(fd, (char *)buf + done, len - done, (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	return done;
}

/* "#! INTERPRETER [ARGUMENT]": one argument at most, with its blanks, as the kernel sees it. */
static int read_script(const char *path, char *line, struct elf_needs *needs, struct err *err)
{
	char *word = line + 2 + strspn(line + 2, " \t"), *rest;
	size_t len;

	word[strcspn(word, "\n")] = '\0';
	len = strcspn(word, " \t");
	rest = word + len + strspn(word + len, " \t");
	for (size_t end = strlen(rest); end > 0 && strchr(" \t", rest[end - 1]);)
		rest[--end] = '\0';
	if (*rest)
		needs->argument = xstrdup(rest);
	if (len == 0)
		return err_set(err, "%s: no interpreter after #! in its first line", path);
	needs->interpreter = xstrndup(word, len);
	needs->script = true;
	return 0;
}

static int read_interpreter(int fd, const char *path, const ElfW(Phdr) * header,
			    struct elf_needs *needs, struct err *err)
{
	char name[PATH_MAX] = "";

	if (header->p_filesz < 2 || header->p_filesz > sizeof(name) ||
	    read_at(fd, name, header->p_filesz, header->p_offset) != header->p_filesz ||
	    memchr(name, '\0', header->p_filesz) == NULL)
		return err_set(err, "%s: damaged program (its loader's name)", path);
	needs->interpreter = xstrdup(name);
	return 0;
}

/* *dynamic: it has a table of what it needs */
static int read_headers(int fd, const char *path, struct elf_needs *needs, bool *dynamic,
			struct err *err)
{
	ElfW(Phdr) headers[HEADERS_MAX] = {{0}};
	ElfW(Ehdr) elf;
	size_t size;

	if (read_at(fd, &elf, sizeof(elf), 0) != sizeof(elf))
		return err_set(err, "%s: damaged program (its head)", path);
	if (elf.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
	    elf.e_ident[EI_DATA] != OUR_DATA)
		return err_set(err, "%s: program of another kind of machine than perfcmp", path);
	if (elf.e_phnum == 0)
		return 0; /* an object file */
	size = elf.e_phnum * sizeof(headers[0]);
	if (elf.e_phentsize != sizeof(headers[0]) || elf.e_phnum > HEADERS_MAX ||
	    read_at(fd, headers, size, elf.e_phoff) != size)
		return err_set(err, "%s: damaged program (its headers)", path);
	for (int i = 0; i < elf.e_phnum; i++) {
		*dynamic |= headers[i].p_type == PT_DYNAMIC;
		if (headers[i].p_type == PT_INTERP && !needs->interpreter &&
		    read_interpreter(fd, path, &headers[i], needs, err) < 0)
			return -1;
	}
	return 0;
}

/* "\tNAME => PATH (0xADDRESS)", "\tNAME => not found", "\tPATH (0xADDRESS)", "\tstatically linked" */
static int parse_line(char *line, const char *program, struct elf_needs *needs, struct err *err)
{
	char *name = line + strspn(line, " \t"), *arrow = strstr(name, " => ");
	char *path = arrow ? arrow + 4 : name;
	char *address = strstr(path, " (0x");

	if (arrow)
		*arrow = '\0';
	if (arrow && starts_with(path, "not found"))
		return err_set(err, "%s: needs %s, which is not found", program, name);
	if (!address || *path != '/')
		return 0; /* the kernel's own (vdso), or no library at all */
	*address = '\0';
	name = arrow ? name : strrchr(path, '/') + 1;
	strlist_add(&needs->names, name);
	strlist_add(&needs->paths, path);
	return 0;
}

int elf_needs_parse(char *text, const char *program, struct elf_needs *needs, struct err *err)
{
	for (char *line; (line = strsep(&text, "\n"));)
		if (parse_line(line, program, needs, err) < 0)
			return -1;
	return 0;
}

/* The last line of what the loader says is why. */
static int cannot_list(const char *program, struct child_result *result, struct err *err)
{
	char *line = result->output.buf, *end;

	while (result->output.len > 0 && line[result->output.len - 1] == '\n')
		line[--result->output.len] = '\0';
	end = strrchr(line, '\n');
	line = end ? end + 1 : line;
	return err_set(err, "%s: its libraries cannot be found: %s", program,
		       *line ? line : result->reason.buf);
}

static int list_libraries(const char *loader, const char *program, struct elf_needs *needs,
			  struct err *err)
{
	char *const argv[] = {(char *)(uintptr_t)loader, (char[]){"--list"},
			      (char *)(uintptr_t)program, NULL};
	struct child_spec spec = {
		.argv = argv, .timeout_s = LIST_TIMEOUT_S, .output_max = LIST_MAX};
	struct child_result result;
	int status;

	if (child_run(&spec, &result, err) < 0)
		return -1;
	if (result.status != RUN_OK)
		status = cannot_list(program, &result, err);
	else
		status = elf_needs_parse(result.output.buf, program, needs, err);
	child_result_release(&result);
	return status;
}

/* The loader of this program, which it was started with; NULL: it has none. */
static char *our_loader(void)
{
	struct elf_needs ours = {0};
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	bool dynamic = false;
	struct err ignored;
	char *loader;

	if (fd < 0)
		return NULL;
	read_headers(fd, "/proc/self/exe", &ours, &dynamic, &ignored);
	close(fd);
	loader = ours.interpreter;
	ours.interpreter = NULL;
	elf_needs_release(&ours);
	return loader;
}

static int needs_of_elf(int fd, const char *path, struct elf_needs *needs, struct err *err)
{
	bool dynamic = false, library;

	if (read_headers(fd, path, needs, &dynamic, err) < 0)
		return -1;
	library = dynamic && !needs->interpreter;
	if (library)
		needs->interpreter = our_loader();
	if (!dynamic || !needs->interpreter)
		return 0;
	if (list_libraries(needs->interpreter, path, needs, err) == 0)
		return 0;
	if (!library)
		return -1;
	elf_needs_release(needs); /* a plugin's libraries may be its program's */
	return 0;
}

int elf_needs_of(const char *path, struct elf_needs *needs, struct err *err)
{
	char head[SCRIPT_LINE_MAX + 1];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int status = 0;
	size_t len;

	if (fd < 0)
		return err_set_errno(err, errno, "%s: cannot be read", path);
	len = read_at(fd, head, SCRIPT_LINE_MAX, 0);
	head[len] = '\0';
	if (len >= SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0)
		status = needs_of_elf(fd, path, needs, err);
	else if (starts_with(head, "#!"))
		status = read_script(path, head, needs, err);
	close(fd);
	return status;
}
