/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RENDER_RUBY_FORMAT_H
#define RENDER_RUBY_FORMAT_H
/*
 * Numbers printed as the robot's language prints them: a value within a few ulp of a decimal tie goes to the
 * even digit, where C rounds the exact binary value (2.675 is 2.68 here and 2.67 in C). The cause is the fast
 * path of the usual shortest/rounded conversion, which produces digits in double arithmetic with an error
 * bound and reads "closer to the tie than the bound" as a tie. Checked against ruby 3.1.
 */
#include "base/strbuf.h"

enum ruby_format_flags {
	RUBY_PLUS = 1
}; /* '+' in front of positive numbers */

/*
 * sprintf("%<width>.<decimals>f", x) and sprintf("%<width>.<digits>g", x), right-aligned; "Inf" and "NaN" are
 * spelt like that. digits: 0 means 1, as in C. A tie that stays even may keep its trailing zeros in the second
 * form (2900500000.0 with 4 digits is "2.900e+09"): so does the model.
 */
void ruby_format_f(struct strbuf *out, double x, int width, int decimals, int flags);
void ruby_format_g(struct strbuf *out, double x, int width, int digits, int flags);

#endif
