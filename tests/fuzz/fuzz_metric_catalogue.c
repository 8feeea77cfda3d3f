// SPDX-License-Identifier: GPL-2.0-only
/* Any text is a catalogue or is refused with a message; a look-up finds what trying line after line finds. */
#include "model/metric.h"
#include "model/pattern.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	NAMES_MAX = 32
};

static const char heading[] = "pattern,unit,better,kind,kpi,floor,help\n";

/* The pattern at the start of the line; NULL for a line without one. Caller frees. */
static char *pattern_of(const char *line)
{
	if (*line == '#' || *line == '\n' || !*line)
		return NULL;
	return xasprintf("%.*s", (int)strcspn(line, ","), line);
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return *line ? line + 1 : line;
}

static void check_name(const struct metric_catalogue *catalogue, const char *lines,
		       const char *name)
{
	const char *found = metric_catalogue_find(catalogue, name)->pattern;

	for (; *lines; lines = next_line(lines)) {
		char *pattern = pattern_of(lines);
		bool matches = pattern && pattern_match(pattern, name);

		if (matches && !streq(pattern, found))
			abort();
		free(pattern);
		if (matches)
			return;
	}
	if (!streq(found, "*")) /* that of the entry for what nobody described */
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *csv = xasprintf("%s%.*s", heading, (int)size, (const char *)data);
	const char *lines = csv + strlen(heading);
	struct err err = {.msg = ""};
	struct metric_catalogue *catalogue = metric_catalogue_parse(csv, &err);
	int names = 0;

	if (!catalogue && !starts_with(err.msg, "metrics.csv:"))
		abort();
	for (const char *line = lines; catalogue && *line && names < NAMES_MAX;
	     line = next_line(line), names++) {
		char *name = pattern_of(line);

		if (name)
			check_name(catalogue, lines, name);
		free(name);
	}
	metric_catalogue_free(catalogue);
	free(csv);
	return 0;
}
