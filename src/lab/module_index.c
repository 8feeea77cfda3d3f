// SPDX-License-Identifier: GPL-2.0-only
#include "lab/module_index.h"

#include "base/printable.h"

enum {
	SHOWN_MAX = 60, /* bytes of a line that makes no sense */
};

void module_index_release(struct module_index *index)
{
	for (int i = 0; i < index->nr; i++)
		strlist_release(&index->v[i].needs);
	free(index->v);
	strmap_release(&index->places);
	pool_release(&index->pool);
	*index = (struct module_index){0};
}

static void make_name(char *name)
{
	for (; *name; name++)
		if (*name == '-')
			*name = '_';
}

const char *module_name(struct pool *pool, const char *path)
{
	static const char *const endings[] = {".ko", ".ko.xz", ".ko.zst", ".ko.gz"};
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;

	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		size_t length = strlen(base), ending = strlen(endings[i]);
		char *name;

		if (length <= ending || !ends_with(base, endings[i]))
			continue;
		name = pool_strndup(pool, base, length - ending);
		make_name(name);
		return name;
	}
	return NULL;
}

int module_index_find(const struct module_index *index, const char *name)
{
	char *wanted = xstrdup(name);
	int place;

	make_name(wanted);
	place = strmap_get(&index->places, wanted, MODULE_NONE);
	free(wanted);
	return place;
}

static int refuse_line(const char *file, int number, const char *line, struct err *err)
{
	size_t length = strcspn(line, "\n");
	char *start = xstrndup(line, length < SHOWN_MAX ? length : SHOWN_MAX);
	struct strbuf shown = STRBUF_INIT;

	add_printable(&shown, start, false);
	err_set(err, "%s: line %d names no module: %s", file, number, shown.buf);
	strbuf_release(&shown);
	free(start);
	return -1;
}

/* "PATH", or "PATH: PATH ...", what it needs behind the colon. False: damaged. */
static bool add_module(struct module_index *index, char *line)
{
	const char *path = strsep(&line, ":");
	const char *name = module_name(&index->pool, path);
	struct module_entry entry = {.name = name};
	char *word;

	if (!name || strchr(path, ' '))
		return false;
	if (strmap_get(&index->places, name, MODULE_NONE) != MODULE_NONE)
		return true;
	while ((word = strsep(&line, " \t")) != NULL) {
		const char *need = module_name(&index->pool, word);

		if (need)
			strlist_add(&entry.needs, need);
		else if (*word) {
			strlist_release(&entry.needs);
			return false;
		}
	}
	entry.path = pool_strdup(&index->pool, path);
	GROW(index->v, index->nr, index->alloc);
	index->v[index->nr] = entry;
	strmap_put(&index->places, name, index->nr++);
	return true;
}

static bool add_builtin(struct module_index *index, char *line)
{
	const char *name = module_name(&index->pool, line);

	if (name)
		strmap_put(&index->places, name, MODULE_BUILTIN);
	return name != NULL;
}

static int add_lines(struct module_index *index, const char *text, const char *file,
		     bool (*add)(struct module_index *, char *line), struct err *err)
{
	char *copy = xstrdup(text), *rest = copy, *line;
	int status = 0;

	for (int number = 1; status == 0 && (line = strsep(&rest, "\n")) != NULL; number++) {
		const char *whole = text + (line - copy);

		if (*line && !add(index, line))
			status = refuse_line(file, number, whole, err);
	}
	free(copy);
	return status;
}

int module_index_add_builtin(struct module_index *index, const char *text, const char *file,
			     struct err *err)
{
	return add_lines(index, text, file, add_builtin, err);
}

int module_index_add(struct module_index *index, const char *text, const char *file,
		     struct err *err)
{
	return add_lines(index, text, file, add_module, err);
}
