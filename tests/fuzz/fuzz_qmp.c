// SPDX-License-Identifier: GPL-2.0-only
/* Whatever QEMU, or what claims to be it, sends: it means something or nothing, and is a name at most. */
#include "lab/qmp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct qmp_news news;
	bool ask;

	qmp_understand((const char *)data, size, &news, &ask);
	if (news.kind > QMP_RESET || (ask && news.kind != QMP_NOTHING) ||
	    (news.kind == QMP_STOPPED && !memchr(news.status, '\0', sizeof(news.status))))
		abort();
	return 0;
}
