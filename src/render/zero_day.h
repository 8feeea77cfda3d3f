/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RENDER_ZERO_DAY_H
#define RENDER_ZERO_DAY_H
/*
 * The kernel test robot's table, to the byte:
 *
 *	         %stddev     %change         %stddev
 *	             \          |                \
 *	   1049812            +2.6%    1077568        will-it-scale.per_process_ops
 *	      2124 ±  9%     +41.8%       3012 ±  5%  will-it-scale.time.involuntary_context_switches
 *
 * The base's field is 16 wide: the mean in 10 (two decimals below 1000, whole and cut off up to 1e8, then four
 * digits), the deviation in 6 (cut off, only above 2%). Each further commit adds the change (12) and its field.
 * Fields of a commit without runs are blank, as are changes that are not defined. Numbers are rounded as
 * render/ruby_format.h says.
 */
#include "base/strbuf.h"
#include "model/compare.h"

/*
 * All groups, one table each. Prints nothing for a group without rows. A commit is listed as the robot's mails
 * do where its subject is known (`  0ede61d858 ("file: convert to SLAB_TYPESAFE_BY_RCU")`), else by its name.
 */
void zero_day_render(FILE *out, const struct comparison *comparison);

/* One line of the table, newline included. */
void zero_day_row(struct strbuf *out, const struct row *row, int commits_nr);

#endif
