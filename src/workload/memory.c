// SPDX-License-Identifier: GPL-2.0-only
#include "workload/memory.h"

int64_t memory_available(void)
{
	static const char key[] = "MemAvailable:";
	int64_t bytes = -1;
	char line[256];
	FILE *file = fopen("/proc/meminfo", "re");

	if (!file)
		return -1;
	while (bytes < 0 && fgets(line, sizeof(line), file))
		if (starts_with(line, key))
			bytes = strtoll(line + strlen(key), NULL, 10) * 1024;
	fclose(file);
	return bytes;
}

int memory_check(int64_t bytes, struct err *err)
{
	int64_t available = memory_available();

	if (available < 0 || bytes <= available)
		return 0;
	return err_set(err, "needs %lld MiB of memory, %lld MiB are available",
		       (long long)(bytes >> 20), (long long)(available >> 20));
}
