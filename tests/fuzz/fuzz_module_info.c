// SPDX-License-Identifier: GPL-2.0-only
/* Any file is a module or is refused with a reason; what it says of itself is words. */
#include "lab/module_info.h"

#include "base/strbuf.h"

#include <elf.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf module = STRBUF_INIT;
	struct module_info info = {0};
	struct err err = {""};

	strbuf_add(&module, data, size);
	if (module_info_read(&info, &module, EM_X86_64, "module", &err) < 0 && !err.msg[0])
		abort();
	if (info.release && strchr(info.release, ' '))
		abort();
	for (int i = 0; i < info.needs.nr; i++)
		if (!info.needs.v[i][0] || strchr(info.needs.v[i], ','))
			abort();
	module_info_release(&info);
	strbuf_release(&module);
	return 0;
}
