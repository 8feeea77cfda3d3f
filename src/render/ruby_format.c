// SPDX-License-Identifier: GPL-2.0-only
#include "render/ruby_format.h"

#include <math.h>

/* The fast path is tried up to so many digits; beyond, and where it cannot tell about p = 0, rounding is exact. */
enum {
	QUICK_MAX = 14,
	EXACT_POWER_MAX = 22, /* 10^22 is the largest power of ten that is a double */
};

/* d1.d2d3... * 10^exponent; nr = 0: zero at this precision. */
struct decimal {
	char digit[QUICK_MAX + 1];
	int nr, exponent;
	bool even_tie; /* left as it was because the last digit is even */
};

static const double small_power[] = {1e0, 1e1, 1e2,  1e3,  1e4,	 1e5,  1e6,  1e7,
				     1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
static const double big_power[] = {1e16, 1e32, 1e64, 1e128, 1e256};

/*
 * The decimal exponent of x > 0. Where *sure is false it may be one too large, as the model's is, which
 * costs precision there: log10 by its tangent at 1.5, which is never below it.
 */
static int guess_exponent(double x, bool *sure)
{
	int binary, guess;
	double fraction = 2 * frexp(x, &binary);
	double log10_x = (fraction - 1.5) * 0.289529654602168 + 0.1760912590558 +
			 (binary - 1) * 0.301029995663981;

	guess = (int)floor(log10_x);
	*sure = guess >= 0 && guess <= EXACT_POWER_MAX;
	if (*sure) {
		double power = guess < 16 ? small_power[guess] : 1e16 * small_power[guess - 16];

		guess -= x < power;
	}
	return guess;
}

/* x / 10^exponent in double arithmetic; *errors grows by one for each inexact step. */
static double scale(double x, int exponent, int *errors)
{
	int n = abs(exponent);
	double power = small_power[n & 15];

	if (exponent > 0 && n >= 256) { /* the power itself must not overflow */
		x /= 1e256;
		n -= 256;
		++*errors;
	}
	if (exponent < 0)
		x *= power;
	for (int i = 0; n >> (4 + i); i++) {
		if (!(n >> (4 + i) & 1))
			continue;
		++*errors;
		if (exponent < 0)
			x *= big_power[i];
		else
			power *= big_power[i];
	}
	return exponent > 0 ? x / power : x;
}

static void strip_zeros(struct decimal *out)
{
	while (out->nr > 0 && out->digit[out->nr - 1] == '0')
		out->nr--;
}

static void round_up(struct decimal *out)
{
	while (out->nr > 0 && out->digit[out->nr - 1] == '9')
		out->nr--;
	if (out->nr > 0) {
		out->digit[out->nr - 1]++;
		return;
	}
	out->digit[out->nr++] = '1';
	out->exponent++;
}

/* p digits of 1 <= d < 10, known to within epsilon at the last of them. */
static void take_digits(struct decimal *out, double d, int p, double epsilon)
{
	for (;;) {
		int digit = (int)d;

		out->digit[out->nr++] = (char)('0' + digit);
		d -= digit;
		if (out->nr == p || !(d > 0 || d < 0))
			break;
		d *= 10;
	}
	if (d < 0.5 - epsilon)
		strip_zeros(out);
	else if (d > 0.5 + epsilon || (out->digit[out->nr - 1] - '0') & 1)
		round_up(out);
	else
		out->even_tie = true;
}

/* No digit is wanted, but the value may round up to one unit of the place in front of the first digit. */
static bool round_to_nothing(struct decimal *out, double d, double epsilon)
{
	if (d - 5 > epsilon)
		round_up(out);
	return d - 5 > epsilon || d - 5 < -epsilon;
}

/*
 * x > 0 rounded to `places` digits after the point (fixed) or in all. False: too many digits or too close to
 * call, the exact value decides.
 */
static bool quick(struct decimal *out, double x, int places, bool fixed)
{
	bool sure;
	int exponent = guess_exponent(x, &sure);
	int p = fixed ? places + 1 + exponent : places;
	int errors = 2;
	double d, epsilon;

	if (p < 0 || p > QUICK_MAX)
		return false;
	d = scale(x, exponent, &errors);
	if (!sure && d < 1 && p > 0) {
		p -= fixed;
		if (!p)
			return false;
		exponent--;
		d *= 10;
		errors++;
	}
	*out = (struct decimal){.exponent = exponent};
	epsilon = ldexp(errors * d + 7, -52);
	if (!p)
		return round_to_nothing(out, d, epsilon);
	take_digits(out, d, p, epsilon * small_power[p - 1]);
	return true;
}

/* Digit number i of the decimal, '0' outside of those it has. */
static int digit_at(const struct decimal *decimal, int i)
{
	return i >= 0 && i < decimal->nr ? decimal->digit[i] : '0';
}

static void put_fixed(struct strbuf *out, const struct decimal *decimal, int decimals)
{
	int first = decimal->nr && decimal->exponent > 0 ? decimal->exponent : 0;

	for (int power = first; power >= -decimals; power--) {
		if (power == -1)
			strbuf_addch(out, '.');
		strbuf_addch(out, digit_at(decimal, decimal->exponent - power));
	}
}

static void put_exponential(struct strbuf *out, const struct decimal *decimal)
{
	strbuf_addch(out, decimal->digit[0]);
	if (decimal->nr > 1)
		strbuf_addch(out, '.');
	strbuf_add(out, decimal->digit + 1, (size_t)(decimal->nr - 1));
	strbuf_addf(out, "e%c%02d", decimal->exponent < 0 ? '-' : '+', abs(decimal->exponent));
}

/*
 * After an even tie the model starts again with the exact value and loses the zeros at the end, unless that
 * value lies above the tie, or is an integer for which it has a shorter way.
 */
static void settle_even_tie(struct decimal *decimal, double x)
{
	char exact[32];
	bool integer = decimal->exponent <= QUICK_MAX && !(x - floor(x) > 0);
	int last;

	snprintf(exact, sizeof(exact), "%.*e", decimal->nr - 1, x);
	last = decimal->nr == 1 ? exact[0] : exact[decimal->nr];
	if (last == decimal->digit[decimal->nr - 1] && !integer)
		strip_zeros(decimal);
}

static void pad_and_sign(struct strbuf *out, double x, const struct strbuf *text, int width,
			 int flags)
{
	const char *sign = signbit(x) && !isnan(x) ? "-" : flags & RUBY_PLUS ? "+" : "";

	strbuf_addchars(out, ' ', width - (int)(strlen(sign) + text->len));
	strbuf_addstr(out, sign);
	strbuf_add(out, text->buf, text->len);
}

void ruby_format_f(struct strbuf *out, double x, int width, int decimals, int flags)
{
	struct strbuf text = STRBUF_INIT;
	struct decimal decimal;
	double size = fabs(x);

	if (!isfinite(x))
		strbuf_addstr(&text, isnan(x) ? "NaN" : "Inf");
	else if (size > 0 && quick(&decimal, size, decimals, true))
		put_fixed(&text, &decimal, decimals);
	else
		strbuf_addf(&text, "%.*f", decimals, size);
	pad_and_sign(out, x, &text, width, flags);
	strbuf_release(&text);
}

void ruby_format_g(struct strbuf *out, double x, int width, int digits, int flags)
{
	struct strbuf text = STRBUF_INIT;
	struct decimal decimal;
	double size = fabs(x);
	int p = digits > 0 ? digits : 1;

	if (!isfinite(x)) {
		strbuf_addstr(&text, isnan(x) ? "NaN" : "Inf");
	} else if (!(size > 0) || !quick(&decimal, size, p, false)) {
		strbuf_addf(&text, "%.*g", p, size);
	} else {
		if (decimal.even_tie)
			settle_even_tie(&decimal, size);
		if (decimal.exponent < -4 || decimal.exponent >= p)
			put_exponential(&text, &decimal);
		else
			put_fixed(&text, &decimal,
				  decimal.nr > decimal.exponent ? decimal.nr - 1 - decimal.exponent
								: 0);
	}
	pad_and_sign(out, x, &text, width, flags);
	strbuf_release(&text);
}
