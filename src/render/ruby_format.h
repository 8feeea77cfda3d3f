/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RENDER_RUBY_FORMAT_H
#define RENDER_RUBY_FORMAT_H
/*
 * Numbers printed as the robot's language prints them: near a decimal tie its %.Nf and %.Ng round to the even
 * digit, where C rounds the exact binary value (spec/0day.md 6).
 */
#include "base/strbuf.h"

enum ruby_format_flags {
	RUBY_PLUS = 1
}; /* '+' in front of positive numbers */

void ruby_format_f(struct strbuf *out, double x, int width, int decimals, int flags);
void ruby_format_g(struct strbuf *out, double x, int width, int digits, int flags);

#endif
