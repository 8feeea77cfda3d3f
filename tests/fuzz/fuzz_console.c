// SPDX-License-Identifier: GPL-2.0-only
/* Any text on a console: what it says does not depend on the pieces in which it came, and names are words. */
#include "lab/console.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
	if (!condition)
		abort();
}

static void scan_pieces(struct console_scan *scan, const char *text, size_t size, size_t piece)
{
	for (size_t at = 0; at < size; at += piece)
		console_feed(scan, text + at, size - at < piece ? size - at : piece);
	console_end(scan);
}

static void check_names(const struct console_scan *scan)
{
	for (int i = 0; i < scan->metrics.nr; i++) {
		const char *name = scan->metrics.v[i];

		require(strncmp(name, "dmesg.", 6) == 0 && name[6] && strlen(name) < 1100);
		for (const char *s = name; *s; s++)
			require(*s > ' ' && *s <= '~');
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct console_scan whole = {0}, pieces = {0};
	struct strbuf reason = STRBUF_INIT;

	if (!size)
		return 0;
	scan_pieces(&whole, (const char *)data, size, size);
	scan_pieces(&pieces, (const char *)data, size, 1 + data[0] % 11);
	check_names(&whole);
	require(whole.metrics.nr == pieces.metrics.nr);
	for (int i = 0; i < whole.metrics.nr; i++)
		require(streq(whole.metrics.v[i], pieces.metrics.v[i]));
	if (console_reason(&whole, &reason))
		require(reason.len > 0 && whole.metrics.nr > 0);
	strbuf_release(&reason);
	console_release(&whole);
	console_release(&pieces);
	return 0;
}
