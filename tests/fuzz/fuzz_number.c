// SPDX-License-Identifier: GPL-2.0-only
/* Whatever is read as a number is written as a text that reads back as the same number. */
#include "model/number.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xmalloc(size + 1);
	struct number n, back;
	char buf[40];

	memcpy(text, data, size);
	text[size] = '\0';
	if (number_parse(text, &n)) {
		number_format(n, buf, sizeof(buf));
		if (!number_parse(buf, &back) || back.kind != n.kind || back.i != n.i)
			abort();
	}
	free(text);
	return 0;
}
