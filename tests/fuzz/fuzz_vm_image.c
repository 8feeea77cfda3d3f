// SPDX-License-Identifier: GPL-2.0-only
/* Any file is a kernel or is refused with a reason; a release is one word. */
#include "lab/vm.h"

#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("image", MFD_CLOEXEC);
	char *path = xasprintf("/proc/self/fd/%d", fd);
	struct err err = {{0}};
	char *release;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	if (vm_check_image(path, &err) < 0 && !err.msg[0])
		abort();
	release = vm_image_release(path);
	if (release && (!*release || strpbrk(release, " \n")))
		abort();
	free(release);
	free(path);
	close(fd);
	return 0;
}
