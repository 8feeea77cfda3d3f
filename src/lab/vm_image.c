// SPDX-License-Identifier: GPL-2.0-only
#include "lab/vm.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Of the head of a bzImage: the kernel's Documentation/arch/x86/boot.rst, "The Real-Mode Kernel Header".
 */
enum {
	HEAD_SIZE = 1024,
	SECTOR = 512,
	SETUP_SECTORS = 0x1f1, /* 1 byte; 0 means 4 */
	PROTECTED_SIZE = 0x1f4, /* 4 bytes, in units of 16 bytes */
	BOOT_FLAG = 0x1fe,
	MAGIC = 0x202,
	PROTOCOL = 0x206, /* 2 bytes */
	KERNEL_VERSION = 0x20e, /* 2 bytes, counted from 0x200 */
	LOAD_FLAGS = 0x236, /* 2 bytes, bit 0: has a 64-bit entry; from protocol 2.12 on */
	PROTOCOL_2_12 = 0x20c,
	RELEASE_MAX = 128,
};

struct head {
	unsigned char bytes[HEAD_SIZE]; /* zeros after the file's end */
	size_t len;
	int64_t file_size;
};

static uint32_t number_at(const struct head *head, size_t offset, int bytes)
{
	uint32_t value = 0;

	for (int i = bytes - 1; i >= 0; i--)
		value = value << 8 | head->bytes[offset + (size_t)i];
	return value;
}

static int read_all(int fd, const char *path, struct head *head, struct err *err)
{
	struct stat st;
	ssize_t got;

	if (fstat(fd, &st) < 0)
		return err_set_errno(err, errno, "%s: cannot be read", path);
	if (S_ISDIR(st.st_mode))
		return err_set(err,
			       "%s: is a folder: name the kernel's image (in a kernel's tree "
			       "arch/x86/boot/bzImage)",
			       path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, "%s: is no regular file", path);
	head->file_size = st.st_size;
	while (head->len < sizeof(head->bytes)) {
		got = pread(fd, head->bytes + head->len, sizeof(head->bytes) - head->len,
			    (off_t)head->len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_set_errno(err, errno, "%s: cannot be read", path);
		if (got == 0)
			break;
		head->len += (size_t)got;
	}
	return 0;
}

static int read_head(const char *path, struct head *head, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int status;

	*head = (struct head){0};
	if (fd < 0)
		return err_set_errno(err, errno, "%s: cannot be read", path);
	status = read_all(fd, path, head, err);
	close(fd);
	return status;
}

static bool has(const struct head *head, size_t offset, const char *bytes, size_t len)
{
	return offset + len <= head->len && memcmp(head->bytes + offset, bytes, len) == 0;
}

static bool is_bzimage(const struct head *head)
{
	return has(head, BOOT_FLAG, "\x55\xaa", 2) && has(head, MAGIC, "HdrS", 4);
}

static int check_bzimage(const char *path, const struct head *head, struct err *err)
{
	uint32_t sectors = number_at(head, SETUP_SECTORS, 1);
	int64_t size = (int64_t)((sectors ? sectors : 4) + 1) * SECTOR +
		       (int64_t)number_at(head, PROTECTED_SIZE, 4) * 16;

	if (number_at(head, PROTOCOL, 2) < PROTOCOL_2_12)
		return err_set(err, "%s: kernel older than 3.8, which cannot be booted", path);
	if (!(number_at(head, LOAD_FLAGS, 2) & 1))
		return err_set(err,
			       "%s: 32-bit x86 kernel: only x86-64 kernels can be booted for now",
			       path);
	if (head->file_size < size)
		return err_set(err,
			       "%s: truncated kernel: only %" PRId64 " of %" PRId64
			       " bytes are there",
			       path, head->file_size, size);
	return 0;
}

/* Machine types of PE files, in which EFI kernels are wrapped. */
static const char *efi_kernel(const struct head *head)
{
	static const struct {
		uint32_t machine;
		const char *what;
	} machines[] = {
		{0xaa64, "arm64 kernel (EFI)"},
		{0x5064, "RISC-V kernel (EFI)"},
		{0x6264, "LoongArch kernel (EFI)"},
		{0x8664, "EFI program, no bzImage"},
	};
	uint32_t pe = number_at(head, 0x3c, 4);

	if (!has(head, 0, "MZ", 2) || pe > HEAD_SIZE - 6 || !has(head, pe, "PE\0\0", 4))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (number_at(head, pe + 4, 2) == machines[i].machine)
			return machines[i].what;
	return "EFI program of an unknown machine";
}

static const char *known_file(const struct head *head)
{
	static const struct {
		size_t offset;
		const char *bytes;
		size_t len;
		const char *what;
	} files[] = {
		{0x38, "ARM\x64", 4, "arm64 kernel"},
		{0x38, "RSC\x05", 4, "RISC-V kernel"},
		{0,
		 "\x7f"
		 "ELF",
		 4, "ELF file (vmlinux?), not the bzImage made of it"},
		{0, "\x1f\x8b", 2, "file compressed with gzip (a kernel of another machine?)"},
		{0,
		 "\xfd"
		 "7zXZ",
		 5, "file compressed with xz"},
		{0, "\x28\xb5\x2f\xfd", 4, "file compressed with zstd"},
		{0, "!<arch>\ndebian", 14, "Debian package, to be unpacked with dpkg-deb -x"},
		{0, "\xed\xab\xee\xdb", 4, "RPM package, to be unpacked"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (has(head, files[i].offset, files[i].bytes, files[i].len))
			return files[i].what;
	return efi_kernel(head);
}

int vm_check_image(const char *path, struct err *err)
{
	const char *what;
	struct head head;

	if (read_head(path, &head, err) < 0)
		return -1;
	if (is_bzimage(&head))
		return check_bzimage(path, &head, err);
	if (head.len == 0)
		return err_set(err, "%s: is empty: a kernel's image (bzImage) is wanted", path);
	what = known_file(&head);
	if (!what)
		return err_set(err, "%s: is no kernel: an x86-64 image (bzImage) is wanted", path);
	return err_set(err, "%s: %s: only x86-64 kernels (bzImage) can be booted for now", path,
		       what);
}

/* The first word of the version that the head points to. */
char *vm_image_release(const char *path)
{
	char text[RELEASE_MAX + 1] = "";
	struct err ignored;
	struct head head;
	uint32_t offset;
	ssize_t got = 0;
	size_t len;
	int fd;

	if (read_head(path, &head, &ignored) < 0 || !is_bzimage(&head))
		return NULL;
	offset = number_at(&head, KERNEL_VERSION, 2);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && offset)
		got = pread(fd, text, RELEASE_MAX, 0x200 + (off_t)offset);
	if (fd >= 0)
		close(fd);
	if (got <= 0)
		return NULL;
	len = strcspn(text, " \n");
	for (size_t i = 0; i < len; i++)
		if (text[i] <= ' ' || text[i] > '~')
			return NULL;
	return len > 0 && len < RELEASE_MAX ? xstrndup(text, len) : NULL;
}
