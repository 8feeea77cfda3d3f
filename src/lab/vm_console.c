// SPDX-License-Identifier: GPL-2.0-only
#include "lab/vm_private.h"

#include <errno.h>
#include <unistd.h>

enum {
	AT_ONCE = 1 << 18, /* bytes, before anything else gets its turn */
};

static void drop_beginning(struct vm *vm)
{
	struct strbuf *console = &vm->console;
	size_t drop = console->len / 2;
	char *end = memchr(console->buf + drop, '\n', console->len - drop);

	if (end)
		drop = (size_t)(end - console->buf) + 1;
	memmove(console->buf, console->buf + drop, console->len - drop + 1);
	console->len -= drop;
	vm->console_dropped += drop;
	vm->private->searched -= vm->private->searched < drop ? vm->private->searched : drop;
}

void vm_console_add(struct vm *vm, const char *data, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)data[i];

		if (c >= 0x80)
			c = '?';
		if ((c >= ' ' && c != 0x7f) || c == '\n' || c == '\t')
			strbuf_addch(&vm->console, c);
	}
	if (vm->console.len > VM_CONSOLE_MAX)
		drop_beginning(vm);
}

bool vm_console_take(struct vm *vm)
{
	struct vm_private *p = vm->private;
	size_t taken = 0;
	char part[4096];

	while (p->console_fd >= 0 && taken < AT_ONCE) {
		ssize_t got = read(p->console_fd, part, sizeof(part));

		if (got > 0) {
			vm_console_add(vm, part, (size_t)got);
			taken += (size_t)got;
			continue;
		}
		if (got < 0 && errno == EINTR)
			continue;
		if (got == 0 || errno != EAGAIN) {
			close(p->console_fd);
			p->console_fd = -1;
		}
		break;
	}
	vm->alive |= taken > 0;
	return taken > 0;
}

/* "[    1.234567] text": the text */
static const char *without_time(const char *line)
{
	const char *end = *line == '[' ? strstr(line, "] ") : NULL;

	return end ? end + 2 : line;
}

static const char halted[] = " -- System halted"; /* and no line end */

/* The last line before this one that has something in it; the caller frees it. */
static char *line_before(const struct vm *vm, const char *line)
{
	const char *start = vm->console.buf, *end = line;

	while (end > start && end[-1] == '\n')
		end--;
	for (line = end; line > start && line[-1] != '\n';)
		line--;
	return xstrndup(line, (size_t)(end - line));
}

/* Is it a kernel's last word? Sets why. What unpacks a kernel complains first, and then halts. */
static bool is_last_word(struct vm *vm, const char *line, const char *text)
{
	char *complaint;

	if (strstr(text, "Kernel panic - not syncing")) {
		snprintf(vm->why, sizeof(vm->why), "%s", without_time(text));
		return true;
	}
	if (!starts_with(text, halted))
		return false;
	complaint = line_before(vm, line);
	snprintf(vm->why, sizeof(vm->why), "the kernel's image cannot be unpacked: %s", complaint);
	free(complaint);
	return true;
}

bool vm_console_panicked(struct vm *vm, bool ended)
{
	struct vm_private *p = vm->private;
	const char *line = vm->console.buf + p->searched;
	bool found = false;
	const char *end;

	while (!found && *line &&
	       ((end = strchr(line, '\n')) != NULL || ended || starts_with(line, halted))) {
		size_t len = end ? (size_t)(end - line) : strlen(line);
		char *text = xstrndup(line, len);

		found = is_last_word(vm, line, text);
		free(text);
		line += len + (end != NULL);
	}
	p->searched = (size_t)(line - vm->console.buf);
	found = found && !p->panicked;
	p->panicked |= found;
	return found;
}
