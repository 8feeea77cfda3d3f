// SPDX-License-Identifier: GPL-2.0-only
#include "import/import.h"
#include "import/csv.h"

static const struct import_format formats[] = {
	{"csv", "columns commit, run, metric, value: one value a row", import_csv},
};

const struct import_format *import_all(int *nr)
{
	*nr = (int)ARRAY_SIZE(formats);
	return formats;
}

const struct import_format *import_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (streq(formats[i].name, name))
			return &formats[i];
	return NULL;
}
