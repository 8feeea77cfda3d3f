// SPDX-License-Identifier: GPL-2.0-only
#include "model/compare_row.h"

#include "model/rule_0day_names.h"

enum {
	FAILURE_FAMILY = -10000 /* where the count of a family starts that a failure row opens */
};

struct sortable {
	struct row row;
	int place; /* before sorting */
	int cells_nr;
	int family_rows;
	size_t key_len; /* of the name */
};

static size_t key_len(const char *metric)
{
	const char *dot;

	if (!starts_with(metric, "perf-profile."))
		return strlen(metric);
	dot = strchr(metric, '.');
	return (size_t)(dot + 1 - metric) + strcspn(dot + 1, ".");
}

static int compare_keys(const struct sortable *a, const struct sortable *b)
{
	size_t len = a->key_len < b->key_len ? a->key_len : b->key_len;
	int order = memcmp(a->row.metric, b->row.metric, len);

	return order ? order : (a->key_len > b->key_len) - (a->key_len < b->key_len);
}

/* Columns without a change are equal to anything. */
static int compare_changes(const struct sortable *a, const struct sortable *b)
{
	for (int i = 1; i < a->cells_nr; i++) {
		double x = a->row.cells[i].change, y = b->row.cells[i].change;

		if (x > y || x < y)
			return x > y ? 1 : -1;
	}
	return 0;
}

static int compare_sortables(const void *left, const void *right)
{
	const struct sortable *a = left, *b = right;
	int order;

	if (a->row.failure != b->row.failure)
		return a->row.failure ? -1 : 1;
	if (a->family_rows != b->family_rows)
		return a->family_rows < b->family_rows ? -1 : 1;
	order = compare_keys(a, b);
	if (!order)
		order = compare_changes(a, b);
	return order ? order : a->place - b->place;
}

/* The number of rows of each row's family. */
static void count_families(struct sortable *v, int nr, enum row_order order)
{
	struct strmap families = {0};
	struct pool pool = {0};

	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < nr; i++) {
			const char *metric = v[i].row.metric;
			char *family = pool_strndup(&pool, metric, metric_family_len(metric));
			int start = v[i].row.failure ? FAILURE_FAMILY : 0;

			if (pass == 0)
				strmap_put(&families, family,
					   strmap_get(&families, family, start) + 1);
			else if (order == ORDER_NAME && rule_0day_is_test(metric))
				v[i].family_rows = 0;
			else
				v[i].family_rows = strmap_get(&families, family, 0);
		}
	}
	strmap_release(&families);
	pool_release(&pool);
}

void compare_sort_rows(struct row *rows, int rows_nr, int cells_nr, enum row_order order)
{
	struct sortable *v = xcalloc((size_t)rows_nr, sizeof(*v));

	for (int i = 0; i < rows_nr; i++)
		v[i] = (struct sortable){
			.row = rows[i],
			.place = i,
			.cells_nr = cells_nr,
			.key_len = key_len(rows[i].metric),
		};
	count_families(v, rows_nr, order);
	qsort(v, (size_t)rows_nr, sizeof(*v), compare_sortables);
	for (int i = 0; i < rows_nr; i++)
		rows[i] = v[i].row;
	free(v);
}
