// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any text is a list of modules or is refused with a reason; what is found in one is found by its name, and a list
 * made of it says the same.
 */
#include "lab/module_index.h"

#include "base/strbuf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
	if (!condition)
		abort();
}

static void write_list(const struct module_index *index, struct strbuf *out)
{
	for (int i = 0; i < index->nr; i++) {
		const struct module_entry *entry = &index->v[i];

		strbuf_addf(out, "%s:", entry->path);
		for (int k = 0; k < entry->needs.nr; k++)
			strbuf_addf(out, " %s.ko", entry->needs.v[k]);
		strbuf_addch(out, '\n');
	}
}

static void check_again(const struct module_index *index)
{
	struct strbuf first = STRBUF_INIT, second = STRBUF_INIT;
	struct module_index again = {0};
	struct err err;

	write_list(index, &first);
	require(module_index_add(&again, first.buf, "again", &err) == 0);
	write_list(&again, &second);
	require(streq(first.buf, second.buf));
	module_index_release(&again);
	strbuf_release(&first);
	strbuf_release(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xstrndup((const char *)data, size);
	struct module_index index = {0};
	struct err err = {""};
	bool good = module_index_add(&index, text, "list", &err) == 0;

	require(good || err.msg[0]);
	for (int i = 0; i < index.nr; i++)
		require(module_index_find(&index, index.v[i].name) == i);
	if (good)
		check_again(&index);
	if (module_index_add_builtin(&index, text, "builtin", &err) == 0)
		for (int i = 0; i < index.nr; i++)
			require(module_index_find(&index, index.v[i].name) == i ||
				module_index_find(&index, index.v[i].name) == MODULE_BUILTIN);
	module_index_release(&index);
	free(text);
	return 0;
}
