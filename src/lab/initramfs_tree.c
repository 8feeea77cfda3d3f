// SPDX-License-Identifier: GPL-2.0-only
#include "lab/initramfs_tree.h"

#include "base/strbuf.h"
#include "base/strlist.h"

#include <sys/stat.h>

void initramfs_tree_release(struct initramfs_tree *tree)
{
	strmap_release(&tree->index);
	free(tree->v);
	pool_release(&tree->pool);
	*tree = (struct initramfs_tree){0};
}

const struct initramfs_entry *initramfs_tree_find(const struct initramfs_tree *tree,
						  const char *path)
{
	int place = strmap_get(&tree->index, path, -1);

	return place < 0 ? NULL : &tree->v[place];
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? streq(a, b) : a == b;
}

static bool same_entry(const struct initramfs_entry *a, const struct initramfs_entry *b)
{
	return (a->mode & S_IFMT) == (b->mode & S_IFMT) && same_text(a->source, b->source) &&
	       same_text(a->link, b->link) && a->data == b->data;
}

static const char *what(const struct initramfs_entry *entry)
{
	if (entry->source)
		return entry->source;
	if (entry->link)
		return entry->link;
	return S_ISDIR(entry->mode) ? "a folder" : "what perfcmp puts there";
}

static void put(struct initramfs_tree *tree, const struct initramfs_entry *entry)
{
	struct initramfs_entry copy = *entry;

	copy.path = pool_strdup(&tree->pool, entry->path);
	copy.source = pool_strdup(&tree->pool, entry->source);
	copy.link = pool_strdup(&tree->pool, entry->link);
	GROW(tree->v, tree->nr, tree->alloc);
	tree->v[tree->nr] = copy;
	strmap_put(&tree->index, copy.path, tree->nr++);
}

static int add_one(struct initramfs_tree *tree, const struct initramfs_entry *entry,
		   struct err *err)
{
	const struct initramfs_entry *there = initramfs_tree_find(tree, entry->path);

	if (there && !same_entry(there, entry))
		return err_set(err, "%s in the guest cannot be both %s and %s", entry->path,
			       what(there), what(entry));
	if (!there)
		put(tree, entry);
	return 0;
}

static int add_parents(struct initramfs_tree *tree, const char *path, struct err *err)
{
	char *parent = xstrdup(path);
	int status = 0;

	for (char *slash = strchr(parent + 1, '/'); slash && status == 0;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		status = add_one(tree,
				 &(struct initramfs_entry){.path = parent, .mode = S_IFDIR | 0755},
				 err);
		*slash = '/';
	}
	free(parent);
	return status;
}

int initramfs_tree_add(struct initramfs_tree *tree, const struct initramfs_entry *entry,
		       struct err *err)
{
	if (streq(entry->path, "/"))
		return err_set(err, "/ in the guest is its root folder and can be nothing else");
	if (add_parents(tree, entry->path, err) < 0)
		return -1;
	return add_one(tree, entry, err);
}

static void take_last_off(struct strbuf *path)
{
	while (path->len > 0 && path->buf[--path->len] != '/')
		;
	path->buf[path->len] = '\0';
}

const char *initramfs_path(struct pool *pool, const char *base, const char *path)
{
	struct strbuf out = STRBUF_INIT;
	struct strlist parts = {0};
	const char *result;

	if (*path != '/')
		strlist_split(&parts, base, '/');
	strlist_split(&parts, path, '/');
	for (int i = 0; i < parts.nr; i++) {
		if (streq(parts.v[i], ".."))
			take_last_off(&out);
		else if (!streq(parts.v[i], "."))
			strbuf_addf(&out, "/%s", parts.v[i]);
	}
	result = pool_strdup(pool, out.len ? out.buf : "/");
	strbuf_release(&out);
	strlist_release(&parts);
	return result;
}
