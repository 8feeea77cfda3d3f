// SPDX-License-Identifier: GPL-2.0-only
#include "model/metric.h"

#include "base/pool.h"
#include "base/strmap.h"
#include "model/pattern.h"

static const char heading[] = "pattern,unit,better,kind,kpi,floor,help";
static const char *const better_names[] = {"unknown", "higher", "lower"};
static const char *const kind_names[] = {"value", "counter", "failure"};
static const char *const kpi_names[] = {"0", "1"};
static const struct metric_info undescribed = {.pattern = "*", .unit = "", .help = ""};

enum {
	FIELDS = 7,
	FAMILY_MAX = 64,
	END = -1
};

struct entry {
	struct metric_info info;
	char last; /* character of the pattern, 0 for a wildcard: it rules out most patterns */
	int next; /* entry with the same family, or without one; END: none */
};

/*
 * Most patterns name their family, so that a look-up tries only those of the name's family and those that name
 * none ("*.time.user_time"), in the order of the file.
 */
struct metric_catalogue {
	struct pool pool;
	struct entry *v;
	int nr, alloc;
	struct strmap family; /* -> its first entry */
	int any_family; /* first entry that names no family */
};

size_t metric_family_len(const char *name)
{
	return strcspn(name, ".");
}

bool metric_in_points(const char *name)
{
	return starts_with(name, "perf-profile") || ends_with(name, "%");
}

static int find_name(const char *const *names, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (streq(names[i], name))
			return (int)i;
	return -1;
}

const char *metric_better_name(enum metric_better better)
{
	return better_names[better];
}

bool metric_better_parse(const char *name, enum metric_better *out)
{
	int better = find_name(better_names, ARRAY_SIZE(better_names), name);

	if (better < 0)
		return false;
	*out = (enum metric_better)better;
	return true;
}

/* Cuts line (in place) into its fields; false if there are too few. */
static bool split_line(char *line, char *field[FIELDS])
{
	for (int i = 0; i < FIELDS - 1; i++) {
		char *comma = strchr(line, ',');

		if (!comma)
			return false;
		*comma = '\0';
		field[i] = line;
		line = comma + 1;
	}
	field[FIELDS - 1] = line;
	return true;
}

static int parse_line(char *line, struct metric_info *info, struct err *err)
{
	char *field[FIELDS];
	int kind, kpi;

	if (!split_line(line, field))
		return err_set(err, "expected the %d fields %s", FIELDS, heading);
	kind = find_name(kind_names, ARRAY_SIZE(kind_names), field[3]);
	kpi = find_name(kpi_names, ARRAY_SIZE(kpi_names), field[4]);
	if (!*field[0])
		return err_set(err, "the pattern is empty");
	if (!metric_better_parse(field[2], &info->better))
		return err_set(err, "better is '%s', not unknown, higher or lower", field[2]);
	if (kind < 0)
		return err_set(err, "kind is '%s', not value, counter or failure", field[3]);
	if (kpi < 0)
		return err_set(err, "kpi is '%s', not 0 or 1", field[4]);
	if (!parse_double(field[5], &info->floor) || info->floor < 0)
		return err_set(err, "floor is '%s', not a number from 0 on", field[5]);
	info->pattern = field[0];
	info->unit = field[1];
	info->help = field[6];
	info->kind = (enum metric_kind)kind;
	info->kpi = kpi > 0;
	return 0;
}

/* NULL if the pattern fits more than one family. */
static const char *pattern_family(struct pool *pool, const char *pattern)
{
	size_t len = metric_family_len(pattern);

	if (strcspn(pattern, "*?") < len || len >= FAMILY_MAX)
		return NULL;
	return pool_strndup(pool, pattern, len);
}

static char last_char(const char *s)
{
	size_t len = strlen(s);

	return s[len ? len - 1 : 0];
}

/* From the last to the first, so that each chain is in the order of the file. */
static void index_entries(struct metric_catalogue *catalogue)
{
	catalogue->any_family = END;
	for (int i = catalogue->nr - 1; i >= 0; i--) {
		struct entry *entry = &catalogue->v[i];
		const char *family = pattern_family(&catalogue->pool, entry->info.pattern);

		entry->last = last_char(entry->info.pattern);
		if (entry->last == '*' || entry->last == '?')
			entry->last = '\0';
		entry->next = family ? strmap_get(&catalogue->family, family, END)
				     : catalogue->any_family;
		if (family)
			strmap_put(&catalogue->family, family, i);
		else
			catalogue->any_family = i;
	}
}

static int parse_lines(struct metric_catalogue *catalogue, char *text, struct err *err)
{
	int number = 0;

	for (char *line; (line = strsep(&text, "\n"));) {
		struct metric_info info;

		number++;
		if (number == 1 && !streq(line, heading))
			return err_set(err, "metrics.csv:1: expected the heading %s", heading);
		if (number == 1 || !*line || *line == '#')
			continue;
		if (parse_line(line, &info, err))
			return err_prefix(err, "metrics.csv:%d", number);
		GROW(catalogue->v, catalogue->nr, catalogue->alloc);
		catalogue->v[catalogue->nr++] = (struct entry){.info = info};
	}
	return 0;
}

struct metric_catalogue *metric_catalogue_parse(const char *csv, struct err *err)
{
	struct metric_catalogue *catalogue = xcalloc(1, sizeof(*catalogue));

	if (parse_lines(catalogue, pool_strdup(&catalogue->pool, csv), err)) {
		metric_catalogue_free(catalogue);
		return NULL;
	}
	index_entries(catalogue);
	return catalogue;
}

void metric_catalogue_free(struct metric_catalogue *catalogue)
{
	if (!catalogue)
		return;
	free(catalogue->v);
	strmap_release(&catalogue->family);
	pool_release(&catalogue->pool);
	free(catalogue);
}

static int first_of_family(const struct metric_catalogue *catalogue, const char *name)
{
	char family[FAMILY_MAX];
	size_t len = metric_family_len(name);

	if (len >= sizeof(family))
		return END;
	memcpy(family, name, len);
	family[len] = '\0';
	return strmap_get(&catalogue->family, family, END);
}

const struct metric_info *metric_catalogue_find(const struct metric_catalogue *catalogue,
						const char *name)
{
	int own = first_of_family(catalogue, name), any = catalogue->any_family;
	char last = last_char(name);

	while (own != END || any != END) {
		bool take_own = any == END || (own != END && own < any);
		const struct entry *entry = &catalogue->v[take_own ? own : any];

		if ((!entry->last || entry->last == last) &&
		    pattern_match(entry->info.pattern, name))
			return &entry->info;
		if (take_own)
			own = entry->next;
		else
			any = entry->next;
	}
	return &undescribed;
}

/* Note: a test makes sure that the embedded text is well-formed; if it were not, nothing would be described. */
const struct metric_info *metric_info(const char *name)
{
	static struct metric_catalogue *catalogue;
	struct err err;

	if (!catalogue)
		catalogue = metric_catalogue_parse(metrics_csv, &err);
	return catalogue ? metric_catalogue_find(catalogue, name) : &undescribed;
}
