// SPDX-License-Identifier: GPL-2.0-only
#include "model/stats.h"

#include <math.h>

__extension__ typedef __int128 wide_int;

/* t = sum + x in double arithmetic; *error collects what the addition lost. */
static double add_compensated(double sum, double x, double *error)
{
	double t = sum + x;

	if (!isfinite(t))
		return t;
	if (fabs(sum) >= fabs(x))
		*error += (sum - t) + x;
	else
		*error += (x - t) + sum;
	return t;
}

double stats_sum(const struct number *v, int nr)
{
	wide_int whole = 0;
	double sum, error = 0;
	int i;

	for (i = 0; i < nr && v[i].kind == NUMBER_INT; i++)
		whole += v[i].i;
	sum = (double)whole;
	for (; i < nr; i++)
		sum = add_compensated(sum, number_double(v[i]), &error);
	return sum + error;
}

double stats_mean(const struct number *v, int nr)
{
	return nr > 0 ? stats_sum(v, nr) / nr : (double)NAN;
}

double stats_sd_population(const struct number *v, int nr, double mean)
{
	double squares = 0;

	if (nr < 1)
		return (double)NAN;
	for (int i = 0; i < nr; i++) {
		double distance = number_double(v[i]) - mean;

		squares += distance * distance;
	}
	return sqrt(1.0 / nr * squares);
}

/* Merges the sorted halves v[0..half) and v[half..nr). */
static void merge(struct number *v, int half, int nr, struct number *scratch)
{
	int left = 0, right = half;

	memcpy(scratch, v, (size_t)half * sizeof(*v));
	for (int i = 0; left < half; i++) {
		if (right < nr && number_cmp(v[right], scratch[left]) < 0)
			v[i] = v[right++];
		else
			v[i] = scratch[left++];
	}
}

static void merge_sort(struct number *v, int nr, struct number *scratch)
{
	int half = nr / 2;

	if (nr < 2)
		return;
	merge_sort(v, half, scratch);
	merge_sort(v + half, nr - half, scratch);
	if (number_cmp(v[half], v[half - 1]) < 0)
		merge(v, half, nr, scratch);
}

/* Note: not qsort(), which promises no stability. */
void stats_sort(struct number *v, int nr)
{
	struct number few[32];
	struct number *scratch = few;

	if (nr / 2 > (int)ARRAY_SIZE(few))
		scratch = xcalloc((size_t)nr / 2, sizeof(*scratch));
	merge_sort(v, nr, scratch);
	if (scratch != few)
		free(scratch);
}
