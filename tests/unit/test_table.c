// SPDX-License-Identifier: GPL-2.0-only
/* Cells in columns. */
#include "render/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct sheet {
	const char *align;
	int indent;
	const char *cells[12]; /* "" is an empty cell, NULL the end */
	const char *printed;
};

static void check_sheet(const struct sheet *sheet)
{
	struct table table;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	table_init(&table, sheet->align);
	for (int i = 0; sheet->cells[i]; i++)
		table_add(&table, sheet->cells[i]);
	table_print(out, &table, sheet->indent);
	fclose(out);
	assert_string_equal(text, sheet->printed);
	table_release(&table);
	free(text);
}

static void cells_stand_in_columns(void **state)
{
	static const struct sheet sheets[] = {
		{"lrl",
		 0,
		 {"name", "n", "rest", "a", "100", "x"},
		 "name    n  rest\n"
		 "a     100  x\n"},
		{"lr",
		 2,
		 {"a", "1", "long", "22"},
		 "  a      1\n"
		 "  long  22\n"},
		{"l", 4, {"one", "two"}, "    one\n    two\n"},
		{"rrr", 0, {"1", "2", "3"}, "1  2  3\n"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sheets); i++)
		check_sheet(&sheets[i]);
}

static void no_blanks_stand_at_the_end_of_a_line(void **state)
{
	static const struct sheet sheet = {
		"ll", 0, {"a", "a long last cell", "b", "c"}, "a  a long last cell\nb  c\n"};

	(void)state;
	check_sheet(&sheet);
}

static void a_table_without_cells_prints_nothing(void **state)
{
	static const struct sheet sheet = {"lrl", 2, {NULL}, ""};

	(void)state;
	check_sheet(&sheet);
}

static void an_empty_cell_is_a_dash(void **state)
{
	static const struct sheet sheet = {"lr", 0, {"", "12", "x", ""}, "-  12\nx   -\n"};
	struct table table;

	(void)state;
	check_sheet(&sheet);
	table_init(&table, "l");
	table_add(&table, NULL);
	assert_string_equal(table.cells[0].buf, "-");
	table_release(&table);
}

/* "±", "µs" and "Größe" have fewer characters than bytes. */
static void width_is_counted_in_characters(void **state)
{
	static const struct sheet sheet = {"lrl",
					   0,
					   {"Gr\xc3\xb6\xc3\x9f"
					    "e",
					    "\xc2\xb1"
					    "1",
					    "\xc2\xb5s", "abc", "1000", "x"},
					   "Gr\xc3\xb6\xc3\x9f"
					   "e    \xc2\xb1"
					   "1  \xc2\xb5s\n"
					   "abc    1000  x\n"};

	(void)state;
	check_sheet(&sheet);
}

/* What they are printed as takes its room, not what they were. */
static void hostile_text_moves_nothing(void **state)
{
	static const struct sheet sheet = {"ll",
					   0,
					   {"\033[2J", "x", "a\nb", "\xff", "plain", "y"},
					   "\\x1b[2J  x\n"
					   "a\\x0ab   \\xff\n"
					   "plain    y\n"};

	(void)state;
	check_sheet(&sheet);
}

static void cells_can_be_formatted(void **state)
{
	struct table table;

	(void)state;
	table_init(&table, "l");
	table_addf(&table, "%d of %s", 3, "four\t");
	table_addf(&table, "%s", "");
	assert_int_equal(table.cells_nr, 2);
	assert_string_equal(table.cells[0].buf, "3 of four\\x09");
	assert_string_equal(table.cells[1].buf, "-");
	table_release(&table);
	assert_int_equal(table.cells_nr, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_stand_in_columns),
		cmocka_unit_test(no_blanks_stand_at_the_end_of_a_line),
		cmocka_unit_test(a_table_without_cells_prints_nothing),
		cmocka_unit_test(an_empty_cell_is_a_dash),
		cmocka_unit_test(width_is_counted_in_characters),
		cmocka_unit_test(hostile_text_moves_nothing),
		cmocka_unit_test(cells_can_be_formatted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
