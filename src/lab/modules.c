// SPDX-License-Identifier: GPL-2.0-only
#include "lab/modules.h"

#include "base/near.h"
#include "lab/initramfs_unpack.h"
#include "lab/module_info.h"
#include "lab/modules_folder.h"
#include "lab/vm.h"
#include "lab/vm_arch.h"

enum {
	DEPTH_MAX = 64, /* of modules that need modules; 10 are seen */
	SUGGESTIONS = 3,
};

/* A search under way. */
struct search {
	const struct modules_config *config;
	const struct vm_arch *arch;
	const char *release; /* NULL: the image tells none */
	struct modules_folder folder;
	bool *seen; /* by place in the folder's index */
	int depth;
	struct modules *out;
};

void modules_release(struct modules *modules)
{
	for (int i = 0; i < modules->nr; i++)
		strbuf_release(&modules->v[i].data);
	free(modules->v);
	pool_release(&modules->pool);
	*modules = (struct modules){0};
}

static int check_release(const struct search *s, const char *path, const struct module_info *info,
			 struct err *err)
{
	if (!info->release || !s->release || streq(info->release, s->release))
		return 0;
	return err_set(err, "%s: is a module for %s, and %s is %s", path, info->release,
		       s->config->image, s->release);
}

static int take(struct search *s, const char *name, bool asked, struct err *err);

static int take_need(struct search *s, const struct module_entry *entry, const char *need,
		     bool asked, struct err *err)
{
	if (module_index_find(&s->folder.index, need) == MODULE_NONE)
		return err_set(err, "%s/%s: needs the module %s, which is not there",
			       s->folder.path, entry->path, need);
	return take(s, need, asked, err);
}

/* What it needs by the list, and what it says itself that it needs; no list is from the packages of all kernels. */
static int take_needs(struct search *s, const struct module_entry *entry,
		      const struct module_info *info, bool asked, struct err *err)
{
	const struct strlist *lists[] = {&entry->needs, &info->needs};

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		for (int k = 0; k < lists[i]->nr; k++)
			if (take_need(s, entry, lists[i]->v[k], asked, err))
				return -1;
	return 0;
}

static int read_module(struct search *s, const struct module_entry *entry, struct strbuf *data,
		       struct module_info *info, struct err *err)
{
	const char *path = modules_folder_file(&s->folder, entry);

	if (initramfs_unpack(path, data, err) ||
	    module_info_read(info, data, s->arch->elf_machine, path, err))
		return -1;
	return check_release(s, path, info, err);
}

static void put(struct modules *out, const struct module_entry *entry, struct strbuf *data,
		bool asked)
{
	GROW(out->v, out->nr, out->alloc);
	out->v[out->nr++] = (struct module){
		.name = pool_strdup(&out->pool, entry->name),
		.data = *data,
		.asked = asked,
	};
	strbuf_init(data);
}

static int take_module(struct search *s, const struct module_entry *entry, bool asked,
		       struct err *err)
{
	struct strbuf data = STRBUF_INIT;
	struct module_info info = {0};
	int status = read_module(s, entry, &data, &info, err);

	if (status == 0)
		status = take_needs(s, entry, &info, asked, err);
	if (status == 0)
		put(s->out, entry, &data, asked);
	module_info_release(&info);
	strbuf_release(&data);
	return status;
}

/* One that was taken for us may be asked for as well. */
static void mark_asked(struct modules *modules, const char *name)
{
	for (int i = 0; i < modules->nr; i++)
		if (streq(modules->v[i].name, name))
			modules->v[i].asked = true;
}

/* Behind what it needs. Modules that need each other are in no order: the kernel will say what it thinks of them. */
static int take(struct search *s, const char *name, bool asked, struct err *err)
{
	int place = module_index_find(&s->folder.index, name), status;
	const struct module_entry *entry;

	if (place < 0)
		return 0;
	entry = &s->folder.index.v[place];
	if (s->seen[place]) {
		if (asked)
			mark_asked(s->out, entry->name);
		return 0;
	}
	if (s->depth == DEPTH_MAX)
		return err_set(err, "%s/%s: is needed over more than %d steps", s->folder.path,
			       entry->path, DEPTH_MAX);
	s->seen[place] = true;
	s->depth++;
	status = take_module(s, entry, asked, err);
	s->depth--;
	return status;
}

static int no_such_module(const struct search *s, const char *name, struct err *err)
{
	const struct module_index *index = &s->folder.index;
	struct strbuf names = STRBUF_INIT;
	struct near near = {0};

	for (int i = 0; i < index->nr; i++)
		near_add(&near, index->v[i].name, near_distance(name, index->v[i].name));
	near_join(&near, SUGGESTIONS, "", &names);
	err_set(err, "--vm-module %s: neither built in nor a module of %s%s%s%s", name,
		s->folder.path, names.len ? " (near: " : "", names.buf, names.len ? ")" : "");
	near_release(&near);
	strbuf_release(&names);
	return -1;
}

static int take_all(struct search *s, struct err *err)
{
	const struct strlist *asked = s->config->asked;
	const char *console = s->arch->serial_modules[0];

	for (const char *const *name = s->arch->serial_modules; *name; name++)
		if (take(s, *name, false, err))
			return -1;
	for (const char *const *name = s->arch->virtio_modules; *name && !s->config->serial_only;
	     name++)
		if (take(s, *name, false, err))
			return -1;
	for (int i = 0; asked && i < asked->nr; i++) {
		if (module_index_find(&s->folder.index, asked->v[i]) == MODULE_NONE)
			return no_such_module(s, asked->v[i], err);
		if (take(s, asked->v[i], true, err))
			return err_prefix(err, "--vm-module %s", asked->v[i]);
	}
	s->out->console_is_module = module_index_find(&s->folder.index, console) >= 0;
	return 0;
}

static int find(struct search *s, struct err *err)
{
	const struct modules_config *config = s->config;

	if (modules_folder_open(&s->folder, config->folder, s->release, config->image, err))
		return -1;
	s->seen = xcalloc((size_t)s->folder.index.nr, sizeof(*s->seen));
	return take_all(s, err);
}

int modules_find(struct modules *modules, const struct modules_config *config, struct err *err)
{
	struct search s = {.config = config, .arch = VM_ARCH, .out = modules};
	char *release;
	int status;

	if (!config->folder && config->asked && config->asked->nr)
		return err_set(err,
			       "--vm-module %s: where are the modules of %s? (--kernel "
			       "IMAGE,modules=DIR)",
			       config->asked->v[0], config->image);
	if (!config->folder)
		return 0;
	s.release = release = vm_image_release(config->image);
	status = find(&s, err);
	free(release);
	free(s.seen);
	modules_folder_release(&s.folder);
	return status;
}
