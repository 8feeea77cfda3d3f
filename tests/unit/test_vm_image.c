// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/vm.h"

#include "fake_root.h"
#include "image_fixture.h"

/* A file of these bytes; name is its path without the folder. */
static void with_file(const struct image *image, void (*use)(const char *path, const void *data),
		      const void *data)
{
	static const struct fake_file none[] = {{NULL, NULL}};
	char *root = fake_root_new(none);
	char *path = xasprintf("%s/image", root);
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_int_equal(fwrite(image->bytes, 1, image->len, file), image->len);
	assert_int_equal(fclose(file), 0);
	use(path, data);
	free(path);
	fake_root_remove(root);
}

/* data: the message after "PATH: "; NULL: it is taken */
static void expect(const char *path, const void *data)
{
	const char *message = data;
	struct err err = {{0}};
	int status = vm_check_image(path, &err);

	if (!message) {
		assert_string_equal(err.msg, "");
		assert_int_equal(status, 0);
		return;
	}
	assert_int_equal(status, -1);
	assert_true(starts_with(err.msg, path));
	assert_string_equal(err.msg + strlen(path), message);
}

static void expect_release(const char *path, const void *data)
{
	char *release = vm_image_release(path);

	if (data)
		assert_string_equal(release, data);
	else
		assert_null(release);
	free(release);
}

static void a_bzimage_is_taken_and_tells_its_release(void **state)
{
	struct image image;

	(void)state;
	make_bzimage(&image);
	with_file(&image, expect, NULL);
	with_file(&image, expect_release, "6.9.0-rc1+");
	image.bytes[0x1f1] = 0; /* means 4 */
	with_file(&image, expect, NULL);
	put16(&image, 0x20e, 0);
	with_file(&image, expect_release, NULL);
	put16(&image, 0x20e, 0xfff0); /* beyond the file */
	with_file(&image, expect_release, NULL);
	put16(&image, 0x20e, 0x100);
	memset(image.bytes + 0x300, 'x', 200); /* no end in sight */
	with_file(&image, expect_release, NULL);
	memset(image.bytes + 0x300, 7, 3);
	with_file(&image, expect_release, NULL);
}

static void a_bzimage_that_cannot_be_booted_is_refused(void **state)
{
	struct image image;

	(void)state;
	make_bzimage(&image);
	image.len--;
	with_file(&image, expect, ": truncated kernel: only 8191 of 8192 bytes are there");
	image.len = 1024;
	with_file(&image, expect, ": truncated kernel: only 1024 of 8192 bytes are there");
	make_bzimage(&image);
	put16(&image, 0x236, 0);
	with_file(&image, expect, ": 32-bit x86 kernel: only x86-64 kernels can be booted for now");
	make_bzimage(&image);
	put16(&image, 0x206, 0x20b);
	with_file(&image, expect, ": kernel older than 3.8, which cannot be booted");
}

#define FOR_NOW ": only x86-64 kernels (bzImage) can be booted for now"

static void other_files_are_refused_by_name(void **state)
{
	static const struct {
		size_t offset;
		const char *bytes;
		size_t len;
		const char *message;
	} files[] = {
		{0x38, "ARM\x64", 4, ": arm64 kernel" FOR_NOW},
		{0x38, "RSC\x05", 4, ": RISC-V kernel" FOR_NOW},
		{0, "\177ELF\2\1\1", 7,
		 ": ELF file (vmlinux?), not the bzImage made of it" FOR_NOW},
		{0, "\037\213\010", 3,
		 ": file compressed with gzip (a kernel of another machine?)" FOR_NOW},
		{0, "\xfd\x37zXZ", 5, ": file compressed with xz" FOR_NOW},
		{0, "\x28\xb5\x2f\xfd", 4, ": file compressed with zstd" FOR_NOW},
		{0, "!<arch>\ndebian-binary", 21,
		 ": Debian package, to be unpacked with dpkg-deb -x" FOR_NOW},
		{0, "\xed\xab\xee\xdb", 4, ": RPM package, to be unpacked" FOR_NOW},
		{0, "a text", 6, ": is no kernel: an x86-64 image (bzImage) is wanted"},
		{0x202, "HdrS", 4, ": is no kernel: an x86-64 image (bzImage) is wanted"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct image image = {.len = 2048};

		memcpy(image.bytes + files[i].offset, files[i].bytes, files[i].len);
		with_file(&image, expect, files[i].message);
	}
}

/* An arm64 kernel for EFI, packed into its own unpacker: MZ, zimg, and the machine in the PE header. */
static void efi_kernels_are_told_apart_by_their_machine(void **state)
{
	static const struct {
		unsigned machine;
		const char *message;
	} machines[] = {
		{0xaa64, ": arm64 kernel (EFI)" FOR_NOW},
		{0x5064, ": RISC-V kernel (EFI)" FOR_NOW},
		{0x6264, ": LoongArch kernel (EFI)" FOR_NOW},
		{0x8664, ": EFI program, no bzImage" FOR_NOW},
		{0x1234, ": EFI program of an unknown machine" FOR_NOW},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		struct image image = {.len = 2048};

		memcpy(image.bytes, "MZ\0\0zimg", 8);
		image.bytes[0x3c] = 0x80;
		memcpy(image.bytes + 0x80, "PE\0\0", 4);
		put16(&image, 0x84, machines[i].machine);
		with_file(&image, expect, machines[i].message);
	}
}

static void what_is_no_file_is_told(void **state)
{
	struct image short_one = {.bytes = "MZ", .len = 2}, empty = {.len = 0}, far = {.len = 2048};

	(void)state;
	with_file(&empty, expect, ": is empty: a kernel's image (bzImage) is wanted");
	with_file(&short_one, expect, ": is no kernel: an x86-64 image (bzImage) is wanted");
	memcpy(far.bytes, "MZ", 2);
	memset(far.bytes + 0x3c, 0xff, 4);
	with_file(&far, expect, ": is no kernel: an x86-64 image (bzImage) is wanted");
	expect("/nonexistent/bzImage", ": cannot be read: No such file or directory");
	expect("/",
	       ": is a folder: name the kernel's image (in a kernel's tree arch/x86/boot/bzImage)");
	expect("/dev/null", ": is no regular file");
	expect_release("/nonexistent/bzImage", NULL);
	expect_release("/", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bzimage_is_taken_and_tells_its_release),
		cmocka_unit_test(a_bzimage_that_cannot_be_booted_is_refused),
		cmocka_unit_test(other_files_are_refused_by_name),
		cmocka_unit_test(efi_kernels_are_told_apart_by_their_machine),
		cmocka_unit_test(what_is_no_file_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
