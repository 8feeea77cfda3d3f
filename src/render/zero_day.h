/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RENDER_ZERO_DAY_H
#define RENDER_ZERO_DAY_H
/* The kernel test robot's table (spec/0day.md 3, 5 and 6), to the byte. */
#include "base/strbuf.h"
#include "model/compare.h"

/* All groups, one table each. Prints nothing for a group without rows. */
void zero_day_render(FILE *out, const struct comparison *comparison);

/* One line of the table, newline included. */
void zero_day_row(struct strbuf *out, const struct row *row, int commits_nr);

#endif
