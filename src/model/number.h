/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MODEL_NUMBER_H
#define MODEL_NUMBER_H
/*
 * A measured value. Whole numbers and floating-point numbers are different kinds and stay so from the
 * measurement through the store to the table: the kernel test robot's rule asks for the kind. A missing
 * value is a kind too, never a 0.
 */
#include "base/util.h"

enum number_kind {
	NUMBER_NONE,
	NUMBER_INT,
	NUMBER_FLOAT
};

struct number {
	enum number_kind kind;
	union {
		int64_t i;
		double d;
	};
};

static inline struct number number_int(int64_t i)
{
	return (struct number){.kind = NUMBER_INT, .i = i};
}

static inline struct number number_float(double d)
{
	return (struct number){.kind = NUMBER_FLOAT, .d = d};
}

/* As a double; NAN if missing. */
double number_double(struct number n);

/*
 * < 0, 0, > 0: order by value, whatever the kinds; exact for whole numbers and floats alike. What is no number
 * (missing, NAN) comes after all numbers and equals its like.
 */
int number_cmp(struct number a, struct number b);

/*
 * Text -> number: a whole number that fits 64 bits is an int ("7"), any other decimal number a float
 * ("7.0", "1e+06", "123456789012345678901"). False if the text is no finite number.
 */
bool number_parse(const char *s, struct number *out);

/* Shortest text that number_parse() reads back as the same number of the same kind: 7, 7.0, 0.1. */
void number_format(struct number n, char *buf, size_t size);

#endif
