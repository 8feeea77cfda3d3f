// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/initramfs_unpack.h"

#include "fake_root.h"
#include "module_fixture.h"

/* Some that compresses, and some that does not. */
static void make_data(struct strbuf *data, size_t size)
{
	uint32_t state = 1;

	while (data->len < size) {
		state = state * 1664525 + 1013904223;
		strbuf_addch(data, data->len % 512 < 256 ? 'x' : (int)(state >> 24));
	}
}

static void there_and_back(const char *path, size_t size)
{
	struct strbuf data = STRBUF_INIT, out = STRBUF_INIT;
	struct err err = {""};

	make_data(&data, size);
	write_packed(path, &data);
	strbuf_addstr(&out, "before");
	if (initramfs_unpack(path, &out, &err))
		fail_msg("%s, %zu bytes: %s", path, size, err.msg);
	assert_int_equal(out.len, 6 + data.len);
	assert_memory_equal(out.buf + 6, data.buf, data.len);
	strbuf_release(&data);
	strbuf_release(&out);
}

static void files_come_out_as_they_went_in(void **state)
{
	static const size_t sizes[] = {1, 511, 65536, 300001};
	static const struct fake_file none[] = {{NULL, NULL}};
	char *root = fake_root_new(none);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(fixture_filters); i++) {
		char *path = xasprintf("%s/file%s", root, fixture_filters[i].ending);

		for (size_t k = 0; k < ARRAY_SIZE(sizes); k++)
			there_and_back(path, sizes[k]);
		free(path);
	}
	fake_root_remove(root);
}

static void write_bytes(const char *path, const struct strbuf *bytes)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes->buf, 1, bytes->len, file), bytes->len);
	fclose(file);
}

static void refused(const char *path, const char *message)
{
	struct strbuf out = STRBUF_INIT;
	struct err err = {""};

	assert_int_equal(initramfs_unpack(path, &out, &err), -1);
	if (!starts_with(err.msg, path) || !starts_with(err.msg + strlen(path), message))
		fail_msg("%s, not %s%s", err.msg, path, message);
	strbuf_release(&out);
}

static void refused_if_cut_off(const char *path)
{
	struct strbuf data = STRBUF_INIT, packed = STRBUF_INIT;
	char part[4096];
	FILE *file;
	size_t got;

	make_data(&data, 100000);
	write_packed(path, &data);
	file = fopen(path, "re");
	assert_non_null(file);
	while ((got = fread(part, 1, sizeof(part), file)) > 0)
		strbuf_add(&packed, part, got);
	fclose(file);
	packed.len -= packed.len / 3;
	write_bytes(path, &packed);
	refused(path, ": is damaged: ");
	strbuf_release(&data);
	strbuf_release(&packed);
}

static void damaged_files_are_refused(void **state)
{
	static const struct fake_file empty[] = {{"/file", ""}, {NULL, NULL}};
	char *root = fake_root_new(empty);
	char *path = xasprintf("%s/file", root);

	(void)state;
	refused(path, ": is empty");
	refused(root, ": is no regular file");
	refused("/nonexistent/x.ko", ": cannot be read: No such file or directory");
	free(path);
	for (size_t i = 1; i < ARRAY_SIZE(fixture_filters); i++) {
		path = xasprintf("%s/file%s", root, fixture_filters[i].ending);
		refused_if_cut_off(path);
		free(path);
	}
	fake_root_remove(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_come_out_as_they_went_in),
		cmocka_unit_test(damaged_files_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
