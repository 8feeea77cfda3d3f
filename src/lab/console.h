/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_CONSOLE_H
#define LAB_CONSOLE_H
/*
 * What a kernel's console tells of trouble: metrics under the kernel test robot's names, and a reason. Pure; fed
 * with the text as it comes. The kernel must not be told to be quiet: warnings need loglevel=5 or more.
 *
 *	Kernel panic - not syncing: Fatal exception	dmesg.Kernel_panic-not_syncing:Fatal_exception
 *	WARNING: CPU: 0 PID: 1 at lib/x.c:12 f+0x1/0x2	dmesg.WARNING:at_lib/x.c:#f
 *
 * In the names numbers are #, blanks are _ or, beside punctuation and numbers, nothing.
 */
#include "base/strbuf.h"
#include "base/strlist.h"

struct run;

/* How bad it is: what the kernel goes on from, and what it does not. */
enum console_gravity {
	CONSOLE_NOTE, /* belongs to something else: where it was, how full memory was */
	CONSOLE_WARNING,
	CONSOLE_STALL, /* lockup, hung task, out of memory */
	CONSOLE_OOPS, /* BUG, general protection fault, ... */
	CONSOLE_PANIC,
	CONSOLE_GRAVITIES,
};

/* Zeroed: nothing was said yet. */
struct console_scan {
	struct strbuf line; /* the one under way */
	struct strlist metrics; /* each once, in the order in which they came */
	char *first[CONSOLE_GRAVITIES]; /* the first line of each gravity, NULL: there was none */
};
void console_release(struct console_scan *scan); /* forgets everything; usable again */

void console_feed(struct console_scan *scan, const char *text, size_t length);

/* Nothing follows: what has no newline is a line too. */
void console_end(struct console_scan *scan);

/* Sets each metric of the run to 1; the gravest, from warnings on, is a warning of the run as well. */
void console_put(const struct console_scan *scan, struct run *run);

/*
 * "Kernel panic - not syncing: Fatal exception (BUG: kernel NULL pointer dereference, address: 00000008)": the
 * gravest of what was said, and what led to a panic. False, and nothing appended: nothing worse than warnings.
 */
bool console_reason(const struct console_scan *scan, struct strbuf *out);

/* Did the kernel go on from what it should not go on from? */
bool console_oopsed(const struct console_scan *scan);

#endif
