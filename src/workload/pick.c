// SPDX-License-Identifier: GPL-2.0-only
#include "workload/command.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

enum {
	NAME_MAX_LEN = 100,
	NUMBER_MAX_LEN = 64,
	HEAP_LIMIT_KIB = 64 << 10, /* for the backtracking of one match */
	SECONDS_MAX = 2, /* for one pick in one output */
	STEPS_A_LOOK = 64, /* pattern items tried between two looks at the clock */
};

void pick_release(struct pick *pick)
{
	free(pick->name);
	free(pick->unit);
	pcre2_code_free(pick->regex);
	*pick = (struct pick){0};
}

static bool is_name(const char *s, size_t len)
{
	return len > 0 && len <= NAME_MAX_LEN &&
	       strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-%") >=
		       len;
}

/*
 * Note: no just-in-time compilation. The text is searched once, and a callout before every item of the pattern
 * is what keeps a hostile expression from hanging.
 */
static int compile(struct pick *pick, const char *regex, struct err *err)
{
	PCRE2_UCHAR message[200];
	PCRE2_SIZE place;
	int code;

	pick->regex = pcre2_compile((PCRE2_SPTR)regex, PCRE2_ZERO_TERMINATED,
				    PCRE2_MULTILINE | PCRE2_AUTO_CALLOUT | PCRE2_NEVER_BACKSLASH_C,
				    &code, &place, NULL);
	if (pick->regex)
		return 0;
	pcre2_get_error_message(code, message, sizeof(message));
	return err_set(err, "--pick %s: %s at character %zu of '%s'", pick->name,
		       (const char *)message, (size_t)place + 1, regex);
}

int pick_parse(struct pick *out, const char *text, struct err *err)
{
	const char *equals = strchr(text, '=');
	size_t len = equals ? (size_t)(equals - text) : 0;

	*out = (struct pick){0};
	if (!is_name(text, len) || !equals[1])
		return err_set(err,
			       "--pick %s: write it as NAME=REGEX, the name of letters, digits and "
			       "any of . _ - %% (at most %d)",
			       text, NAME_MAX_LEN);
	out->name = xmalloc(len + 1);
	memcpy(out->name, text, len);
	out->name[len] = '\0';
	if (compile(out, equals + 1, err) == 0)
		return 0;
	pick_release(out);
	return -1;
}

void pick_set_unit(struct pick *pick, const char *unit)
{
	free(pick->unit);
	pick->unit = xstrdup(unit);
}

int pick_set_better(struct pick *pick, const char *text, struct err *err)
{
	enum metric_better better;

	if (!metric_better_parse(text, &better) || better == BETTER_UNKNOWN)
		return err_set(err, "--better %s: higher or lower", text);
	pick->better = better;
	return 0;
}

struct patience {
	int64_t until_ns;
	unsigned steps;
};

/*
 * Called before each item of the pattern that is tried. PCRE2's own limit is for one starting place; there are
 * as many of them as there are bytes.
 */
static int be_patient(pcre2_callout_block *block, void *data)
{
	struct patience *patience = data;

	(void)block;
	if (++patience->steps % STEPS_A_LOOK || clock_ns() < patience->until_ns)
		return 0;
	return PCRE2_ERROR_MATCHLIMIT;
}

struct span {
	const char *start;
	size_t len;
};

struct search {
	pcre2_match_context *context;
	pcre2_match_data *match;
	const char *text;
	size_t len;
};

/* The group that holds the number; false if it is empty or took no part in the match. */
static bool group_of(const struct search *search, struct span *out)
{
	const PCRE2_SIZE *at = pcre2_get_ovector_pointer(search->match);

	if (pcre2_get_ovector_count(search->match) > 1)
		at += 2;
	if (at[0] == PCRE2_UNSET || at[1] <= at[0])
		return false;
	*out = (struct span){search->text + at[0], at[1] - at[0]};
	return true;
}

/* Number of matches, or a PCRE2 error; *last is the group of the last one. */
static int search_last(const struct pick *pick, const struct search *search, struct span *last)
{
	const PCRE2_SIZE *at = pcre2_get_ovector_pointer(search->match);
	size_t from = 0;
	int matches = 0, status = 0;

	while (from <= search->len) {
		status = pcre2_match(pick->regex, (PCRE2_SPTR)search->text, search->len, from, 0,
				     search->match, search->context);
		if (status < 0)
			break;
		if (group_of(search, last))
			matches++;
		from = at[1] > from ? at[1] : from + 1;
	}
	return status < 0 && status != PCRE2_ERROR_NOMATCH ? status : matches;
}

static void trim(struct span *span)
{
	while (span->len && strchr(" \t\r", span->start[0])) {
		span->start++;
		span->len--;
	}
	while (span->len && strchr(" \t\r", span->start[span->len - 1]))
		span->len--;
}

static void take_number(const struct pick *pick, struct span span, struct run *run)
{
	char metric[NAME_MAX_LEN + 16], text[NUMBER_MAX_LEN + 1];
	struct number number;

	trim(&span);
	snprintf(text, sizeof(text), "%.*s", (int)(span.len > NUMBER_MAX_LEN ? 0 : span.len),
		 span.start);
	if (!number_parse(text, &number)) {
		strlist_addf(
			&run->warnings,
			"pick %s: '%.*s' is no number (digits with a decimal point)", pick->name,
			(int)(span.len > NUMBER_MAX_LEN ? NUMBER_MAX_LEN : span.len), span.start);
		return;
	}
	snprintf(metric, sizeof(metric), "command.%s", pick->name);
	run_set(run, metric, number);
}

static void set_fact(const struct pick *pick, const char *what, const char *value, struct run *run)
{
	char key[NAME_MAX_LEN + 16];

	snprintf(key, sizeof(key), "pick.%s.%s", pick->name, what);
	params_set(&run->facts, &run->pool, key, value);
}

static void pick_apply(const struct pick *pick, struct search *search, struct run *run)
{
	struct span last = {0};
	PCRE2_UCHAR message[200];
	struct patience patience = {
		.until_ns = clock_ns() + SECONDS_MAX * NS_PER_S,
	};
	int found;

	if (pick->unit)
		set_fact(pick, "unit", pick->unit, run);
	if (pick->better != BETTER_UNKNOWN)
		set_fact(pick, "better", metric_better_name(pick->better), run);
	pcre2_set_callout(search->context, be_patient, &patience);
	search->match = pcre2_match_data_create_from_pattern(pick->regex, NULL);
	found = search_last(pick, search, &last);
	pcre2_match_data_free(search->match);
	if (found > 0) {
		take_number(pick, last, run);
	} else if (found == 0) {
		strlist_addf(&run->warnings, "pick %s: nothing in the output matches", pick->name);
	} else {
		pcre2_get_error_message(found, message, sizeof(message));
		strlist_addf(&run->warnings,
			     "pick %s: search given up (%s): use a simpler regular expression",
			     pick->name, (const char *)message);
	}
}

void picks_apply(const struct pick *picks, int picks_nr, const struct strbuf *output,
		 struct run *run)
{
	struct search search = {.text = output->buf, .len = output->len};

	if (!picks_nr)
		return;
	search.context = pcre2_match_context_create(NULL);
	pcre2_set_heap_limit(search.context, HEAP_LIMIT_KIB);
	for (int i = 0; i < picks_nr; i++)
		pick_apply(&picks[i], &search, run);
	pcre2_match_context_free(search.context);
}
