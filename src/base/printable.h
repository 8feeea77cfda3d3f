/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BASE_PRINTABLE_H
#define BASE_PRINTABLE_H
/*
 * Text as it is safe to print: names and output of tests come from anywhere, and must neither reach the terminal
 * as commands nor look like something else.
 */
#include "base/strbuf.h"

/*
 * Appends text; what is no UTF-8 (overlong forms and surrogates are none), control characters (those of C1 too)
 * and the marks that turn the direction of the text around it (U+202A to U+202E, U+2066 to U+2069) become \xHH,
 * byte by byte. keep_lines: '\n' and '\t' stay.
 */
void add_printable(struct strbuf *out, const char *text, bool keep_lines);

#endif
