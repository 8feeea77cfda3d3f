// SPDX-License-Identifier: GPL-2.0-only
/*
 * The strings of base/ on any text: what is split and joined again is the same, whole numbers read back as they
 * are printed, every key is found again, and the edit distance is one.
 */
#include "base/near.h"
#include "base/strbuf.h"
#include "base/strlist.h"
#include "base/strmap.h"

#include <inttypes.h>

enum {
	WORD_MAX = 64 /* the edit distance takes time by the square */
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good)
{
	if (!good)
		abort();
}

/* Without empty lines, as splitting leaves them out. */
static void check_joined(const struct strlist *lines, const char *text)
{
	struct strbuf joined = STRBUF_INIT;
	struct strlist again = {0};

	for (int i = 0; i < lines->nr; i++) {
		check(*lines->v[i] && !strchr(lines->v[i], '\n') && strstr(text, lines->v[i]));
		strbuf_addf(&joined, "\n%s\n", lines->v[i]);
	}
	strlist_split(&again, joined.buf, '\n');
	check(again.nr == lines->nr);
	for (int i = 0; i < again.nr; i++)
		check(streq(again.v[i], lines->v[i]));
	strlist_release(&again);
	strbuf_release(&joined);
}

static void check_map(const struct strlist *lines)
{
	struct strmap map = {0};

	for (int i = 0; i < lines->nr; i++)
		strmap_put(&map, lines->v[i], i);
	for (int i = 0; i < lines->nr; i++) {
		int last = strmap_get(&map, lines->v[i], -1);

		check(last >= i && streq(lines->v[last], lines->v[i]));
	}
	strmap_release(&map);
}

static void check_number(const char *text)
{
	char back[32];
	int64_t value, again;
	double number;

	if (!parse_i64(text, &value))
		return;
	snprintf(back, sizeof(back), "%" PRId64, value);
	check(parse_i64(back, &again) && again == value);
	check(parse_double(text, &number));
}

static void check_distance(char *a, char *b)
{
	int edits, longer, shorter;

	if (strlen(a) > WORD_MAX)
		a[WORD_MAX] = '\0';
	if (strlen(b) > WORD_MAX)
		b[WORD_MAX] = '\0';
	longer = (int)strlen(a);
	shorter = (int)strlen(b);
	if (longer < shorter) {
		longer = shorter;
		shorter = (int)strlen(a);
	}
	edits = near_edits(a, b);
	check(edits == near_edits(b, a));
	check(edits >= longer - shorter && edits <= longer);
	check((edits == 0) == streq(a, b));
	check(!*a || near_distance(a, a) == 0);
	check(near_distance(a, b) >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xstrndup((const char *)data, size);
	struct strlist lines = {0};

	strlist_split(&lines, text, '\n');
	check_joined(&lines, text);
	check_map(&lines);
	for (int i = 0; i < lines.nr; i++)
		check_number(lines.v[i]);
	if (lines.nr >= 2)
		check_distance(lines.v[0], lines.v[1]);
	strlist_release(&lines);
	free(text);
	return 0;
}
