// SPDX-License-Identifier: GPL-2.0-only
/* Any bytes as a CSV file: runs, or an error in one line; never a crash, never a value that is no number. */
#include "import/import.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

static int take(void *data, struct run *run, struct err *err)
{
	(void)err;
	if (!run->commit.name || !run->test || run->iteration < 1)
		abort();
	for (int i = 0; i < run->values_nr; i++)
		if (!isfinite(number_double(run->values[i].value)))
			abort();
	++*(int *)data;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static const struct import_options none;
	struct strlist warnings = {0};
	struct err err = {""};
	char path[64];
	int runs = 0, fd = memfd_create("fuzz.csv", 0);

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (import_find("csv")->read(path, &none, take, &runs, &warnings, &err)) {
		if (runs || !err.msg[0])
			abort();
	} else if (!runs) {
		abort();
	}
	strlist_release(&warnings);
	close(fd);
	return 0;
}
