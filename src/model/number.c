// SPDX-License-Identifier: GPL-2.0-only
#include "model/number.h"

#include <assert.h>
#include <float.h>
#include <math.h>

double number_double(struct number n)
{
	if (n.kind == NUMBER_INT)
		return (double)n.i;
	return n.kind == NUMBER_FLOAT ? n.d : (double)NAN;
}

/* A long double of 64 bits of mantissa or more holds every int64_t and every double. */
static_assert(LDBL_MANT_DIG >= 64, "long double must hold any whole number of 64 bits");

int number_cmp(struct number a, struct number b)
{
	long double x, y;

	if (a.kind == NUMBER_INT && b.kind == NUMBER_INT)
		return (a.i > b.i) - (a.i < b.i);
	x = a.kind == NUMBER_INT ? (long double)a.i : (long double)number_double(a);
	y = b.kind == NUMBER_INT ? (long double)b.i : (long double)number_double(b);
	if (isnan(x) || isnan(y))
		return (isnan(x) ? 1 : 0) - (isnan(y) ? 1 : 0);
	return (x > y) - (x < y);
}

bool number_parse(const char *s, struct number *out)
{
	int64_t i;
	double d;

	if (parse_i64(s, &i)) {
		*out = number_int(i);
		return true;
	}
	if (!parse_double(s, &d))
		return false;
	*out = number_float(d);
	return true;
}

static bool same_float(double a, double b)
{
	return !(a < b) && !(a > b) && !signbit(a) == !signbit(b);
}

/*
 * 17 significant digits always suffice for a double; most need fewer. Powers of ten are for numbers that would
 * have more than 15 digits, or more than three zeros after the point.
 */
static void format_float(double d, char *buf, size_t size)
{
	int digits = 1;
	double back;
	int exponent;

	for (; digits <= 17; digits++) {
		snprintf(buf, size, "%.*e", digits - 1, d);
		if (parse_double(buf, &back) && same_float(back, d))
			break;
	}
	exponent = (int)strtol(strchr(buf, 'e') + 1, NULL, 10);
	if (exponent >= -4 && exponent < 15)
		snprintf(buf, size, "%.*f", digits - 1 > exponent ? digits - 1 - exponent : 1, d);
}

void number_format(struct number n, char *buf, size_t size)
{
	if (n.kind == NUMBER_INT)
		snprintf(buf, size, "%lld", (long long)n.i);
	else if (n.kind == NUMBER_FLOAT && !isfinite(n.d))
		snprintf(buf, size, "%g", n.d);
	else if (n.kind == NUMBER_FLOAT)
		format_float(n.d, buf, size);
	else
		snprintf(buf, size, "%s", "");
}
