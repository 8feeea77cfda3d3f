// SPDX-License-Identifier: GPL-2.0-only
#include "lab/console.h"

#include "lab/console_rules.h"
#include "model/run.h"

enum {
	LINE_MAX_LEN = 1000 /* what is longer is cut */
};

void console_release(struct console_scan *scan)
{
	strbuf_release(&scan->line);
	strlist_release(&scan->metrics);
	for (int i = 0; i < CONSOLE_GRAVITIES; i++)
		free(scan->first[i]);
	*scan = (struct console_scan){0};
}

/* "[   12.345678] " or "[    T1] " (who said it), without blanks behind; 0: neither */
static size_t stamp_length(const char *s)
{
	const char *end;

	if (*s != '[')
		return 0;
	end = s + 1 + strspn(s + 1, " ");
	end += *end == 'T' || *end == 'C';
	if (strspn(end, "0123456789") == 0)
		return 0;
	end += strspn(end, "0123456789.");
	return *end == ']' ? (size_t)(end + 1 - s) : 0;
}

static const char *skip_stamps(const char *line)
{
	for (size_t length; (length = stamp_length(line)) > 0;) {
		line += length;
		line += strspn(line, " ");
	}
	return line;
}

static void take_line(struct console_scan *scan)
{
	const char *message = skip_stamps(scan->line.buf);
	struct strbuf name = STRBUF_INIT;
	enum console_gravity gravity;

	if (console_name(message, &name, &gravity)) {
		strlist_add_once(&scan->metrics, name.buf);
		if (!scan->first[gravity])
			scan->first[gravity] = xstrdup(message);
	}
	strbuf_release(&name);
	strbuf_reset(&scan->line);
}

/* Control characters are the terminal's. */
static void take_char(struct console_scan *scan, char c)
{
	if (c == '\n')
		console_end(scan);
	else if (scan->line.len < LINE_MAX_LEN && (unsigned char)c >= ' ')
		strbuf_addch(&scan->line, c);
}

void console_feed(struct console_scan *scan, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		take_char(scan, text[i]);
}

void console_end(struct console_scan *scan)
{
	if (scan->line.len)
		take_line(scan);
}

/* The first line of the gravest that is less than a limit and not less than the least; NULL: there is none. */
static const char *gravest(const struct console_scan *scan, int least, int limit)
{
	for (int i = limit - 1; i >= least; i--)
		if (scan->first[i])
			return scan->first[i];
	return NULL;
}

void console_put(const struct console_scan *scan, struct run *run)
{
	const char *worst = gravest(scan, CONSOLE_WARNING, CONSOLE_GRAVITIES);

	for (int i = 0; i < scan->metrics.nr; i++)
		run_set(run, scan->metrics.v[i], number_int(1));
	if (worst)
		strlist_addf(&run->warnings, "the kernel complained: %s", worst);
}

bool console_oopsed(const struct console_scan *scan)
{
	return gravest(scan, CONSOLE_OOPS, CONSOLE_GRAVITIES) != NULL;
}

bool console_reason(const struct console_scan *scan, struct strbuf *out)
{
	const char *worst = gravest(scan, CONSOLE_STALL, CONSOLE_GRAVITIES);
	const char *cause = gravest(scan, CONSOLE_STALL, CONSOLE_PANIC);

	if (!worst)
		return false;
	strbuf_addstr(out, worst);
	if (cause && cause != worst)
		strbuf_addf(out, " (%s)", cause);
	return true;
}
