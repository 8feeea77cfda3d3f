// SPDX-License-Identifier: GPL-2.0-only
#include "lab/console_rules.h"

#include <ctype.h>

enum {
	NAME_MAX_LEN = 200, /* of what is made from a message */
	ADDRESS_MIN_LEN = 8, /* hexadecimal digits that are no word */
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The number at s, if one is there and no part of a word: its length. Addresses come without 0x as well. */
static size_t number_length(const char *s, const char *start)
{
	bool prefixed = s[0] == '0' && s[1] == 'x';
	size_t length = prefixed ? 2 : 0;

	if (!isxdigit((unsigned char)*s) || (s > start && is_word(s[-1])))
		return 0;
	while (isxdigit((unsigned char)s[length]))
		length++;
	if (is_word(s[length]) || (!isdigit((unsigned char)*s) && length < ADDRESS_MIN_LEN))
		return strspn(s, "0123456789");
	return length;
}

/* Blanks beside these are left out. */
static bool closes(char c)
{
	return c && strchr(":;,!)]}#/-", c);
}

/* A blank between two parts of a name that is being written. */
static void add_blank(struct strbuf *name, size_t begin, char next)
{
	char last = ':';

	if (name->len > begin)
		last = name->buf[name->len - 1];
	if (last == '_' || closes(last) || isdigit((unsigned char)next) || strchr("-/_", next))
		return;
	strbuf_addch(name, '_');
}

/* The text as a part of a name; it ends where an offset (+0x12) or something unprintable begins. */
static bool add_text(struct strbuf *name, const char *text, size_t length)
{
	size_t begin = name->len;

	for (size_t i = 0; i < length && name->len - begin < NAME_MAX_LEN;) {
		size_t number = number_length(text + i, text);

		if (number) {
			strbuf_addch(name, '#');
			i += number;
		} else if (text[i] == ' ') {
			i += strspn(text + i, " ");
			if (i < length)
				add_blank(name, begin, text[i]);
		} else if (!isgraph((unsigned char)text[i]) || strncmp(text + i, "+0x", 3) == 0) {
			break;
		} else {
			strbuf_addch(name, text[i++]);
		}
	}
	while (name->len > begin && strchr(".:_", name->buf[name->len - 1]))
		name->buf[--name->len] = '\0';
	return name->len > begin;
}

/* A name in the message, as it is. */
static void add_plain(struct strbuf *name, const char *text, size_t length)
{
	for (size_t i = 0; i < length && i < NAME_MAX_LEN; i++)
		strbuf_addch(name, isgraph((unsigned char)text[i]) ? text[i] : '_');
}

static bool rest_text(struct strbuf *name, const char *rest)
{
	return add_text(name, rest, strlen(rest));
}

/* The first of several sentences. */
static bool rest_sentence(struct strbuf *name, const char *rest)
{
	const char *end = strstr(rest, ". ");

	return add_text(name, rest, end ? (size_t)(end - rest) : strlen(rest));
}

/* Up to the first number, or what is given in braces. */
static bool rest_words(struct strbuf *name, const char *rest)
{
	size_t length = 0;

	while (rest[length] && rest[length] != '{' && !number_length(rest + length, rest))
		length++;
	if (rest[length])
		while (length && strchr("[#:=+, ", rest[length - 1]))
			length--;
	return add_text(name, rest, length);
}

/* "slub.c:3720!" */
static bool rest_file(struct strbuf *name, const char *rest)
{
	return add_text(name, rest, strcspn(rest, ": "));
}

/* "function+0x1a/0x30 [module]" */
static bool rest_function(struct strbuf *name, const char *rest)
{
	size_t length = strcspn(rest, "+ ,");
	const char *module = rest + strcspn(rest, " ");

	if (rest[length] != '+' || strncmp(rest + length, "+0x", 3) != 0)
		return false;
	add_plain(name, rest, length);
	if (starts_with(module, " [") && strchr(module, ']'))
		add_plain(name, module + 1, strcspn(module, "]"));
	return true;
}

/* "0010:function+0x1a/0x30"; other segments are user space's. */
static bool rest_rip(struct strbuf *name, const char *rest)
{
	return starts_with(rest, "0010:") && rest_function(name, rest + 5);
}

/* "0 PID: 1 at lib/iov_iter.c:123 sanity+0x1a/0x30", also "at 0xffffffff81000000" */
static bool rest_warned_at(struct strbuf *name, const char *rest)
{
	const char *place = strstr(rest, " at ");

	if (!place)
		return false;
	place += 4;
	add_plain(name, place, strcspn(place, ": "));
	place += strcspn(place, ": ");
	if (*place == ':')
		strbuf_addstr(name, ":#");
	place += strcspn(place, " ");
	if (*place)
		rest_function(name, place + 1);
	return true;
}

/* "lib/iov_iter.c:123 at sanity+0x1a/0x30, CPU#0: test/1", or any text */
static bool rest_warning(struct strbuf *name, const char *rest)
{
	size_t file = strcspn(rest, ": ");
	size_t line = rest[file] == ':' ? strspn(rest + file + 1, "0123456789") : 0;

	if (starts_with(rest, "CPU: ")) /* cut short */
		return false;
	if (!line || !starts_with(rest + file + 1 + line, " at "))
		return rest_words(name, rest);
	strbuf_addstr(name, "at_");
	add_plain(name, rest, file);
	strbuf_addstr(name, ":#");
	rest_function(name, rest + file + 1 + line + 4);
	return true;
}

/* "[kworker/0:1:12]" -> "[kworker:#:#]": the task, without its CPU and its number */
static bool rest_task(struct strbuf *name, const char *rest)
{
	const char *task = strchr(rest, '[');
	size_t length = task ? strcspn(task, "/:]") : 0;

	if (!length)
		return true;
	add_plain(name, task, length);
	for (task += length; *task && *task != ']'; task++)
		if (*task == ':')
			strbuf_addstr(name, ":#");
	strbuf_addch(name, ']');
	return true;
}

/* "order:0, mode:0x140dca(GFP_KERNEL), nodemask=(null),cpuset=/,mems_allowed=0": without the last two */
static bool rest_allocation(struct strbuf *name, const char *rest)
{
	const char *end = strstr(rest, ",cpuset=");

	return add_text(name, rest, end ? (size_t)(end - rest) : strlen(rest));
}

static bool rest_blocked(struct strbuf *name, const char *rest)
{
	if (!strstr(rest, " blocked for more than "))
		return false;
	strbuf_addstr(name, "blocked_for_more_than#seconds");
	return true;
}

/*
 * The first rule whose mark the message begins with (anywhere: has in it) and whose rest() does not refuse makes
 * the name. rest is what follows the mark; NULL: the name is complete.
 */
static const struct rule {
	const char *mark, *name;
	bool (*rest)(struct strbuf *name, const char *rest);
	enum console_gravity gravity;
	bool anywhere;
} rules[] = {
	{"Kernel panic - not syncing: Attempted to kill init!",
	 "Kernel_panic-not_syncing:Attempted_to_kill_init!exitcode=", NULL, CONSOLE_PANIC, false},
	{"Kernel panic - not syncing: ", "Kernel_panic-not_syncing:", rest_sentence, CONSOLE_PANIC,
	 false},
	{"Oops: Oops: ", "Oops:Oops:#[##]", NULL, CONSOLE_OOPS, false},
	{"Oops: 0", "Oops:#[##]", NULL, CONSOLE_OOPS, false},
	{"Oops: ", "Oops:", rest_text, CONSOLE_OOPS, false},
	{"general protection fault: ", "general_protection_fault:#[##]", NULL, CONSOLE_OOPS, false},
	{"general protection fault, probably for ",
	 "general_protection_fault,probably_for_non-canonical_address#:#[##]", NULL, CONSOLE_OOPS,
	 false},
	{"general protection fault", "general_protection_fault", NULL, CONSOLE_OOPS, false},
	{"invalid opcode: 0", "invalid_opcode:#[##]", NULL, CONSOLE_OOPS, false},
	{"divide error: 0", "divide_error:#[##]", NULL, CONSOLE_OOPS, false},
	{"stack segment: 0", "stack_segment:#[##]", NULL, CONSOLE_OOPS, false},
	{"stack guard page: 0", "stack_guard_page:#[##]", NULL, CONSOLE_OOPS, false},
	{"double fault: 0", "double_fault:#[##]", NULL, CONSOLE_OOPS, false},
	{"int3: 0", "int3:#[##]", NULL, CONSOLE_OOPS, false},
	{"kernel BUG at ", "kernel_BUG_at_", rest_file, CONSOLE_OOPS, false},
	{"BUG: soft lockup - CPU#", "BUG:soft_lockup-CPU##stuck_for#s!", rest_task, CONSOLE_STALL,
	 false},
	{"BUG: workqueue lockup - pool", "BUG:workqueue_lockup-pool", NULL, CONSOLE_STALL, false},
	{"BUG: scheduling while atomic", "BUG:scheduling_while_atomic", NULL, CONSOLE_OOPS, false},
	{"BUG: Bad page state in process", "BUG:Bad_page_state_in_process", NULL, CONSOLE_OOPS,
	 false},
	{"BUG: Bad page map in process", "BUG:Bad_page_map_in_process", NULL, CONSOLE_OOPS, false},
	{"BUG: Bad rss-counter state", "BUG:Bad_rss-counter_state", NULL, CONSOLE_OOPS, false},
	{"BUG: workqueue leaked lock or atomic", "BUG:workqueue_leaked_lock_or_atomic", NULL,
	 CONSOLE_OOPS, false},
	{"BUG: ", "BUG:", rest_words, CONSOLE_OOPS, false},
	{"KASAN: null-ptr-deref in range ", "KASAN:null-ptr-deref_in_range[#-#]", NULL,
	 CONSOLE_NOTE, false},
	{"UBSAN: ", "UBSAN:", rest_words, CONSOLE_WARNING, false},
	{"Watchdog detected hard LOCKUP on cpu ", "Watchdog_detected_hard_LOCKUP_on_cpu", NULL,
	 CONSOLE_STALL, false},
	{"INFO: task ", "INFO:task_", rest_blocked, CONSOLE_STALL, false},
	{"INFO: rcu", "INFO:rcu", rest_words, CONSOLE_STALL, false},
	{"INFO: possible ", "INFO:possible_", rest_words, CONSOLE_WARNING, false},
	{"INFO: suspicious ", "INFO:suspicious_", rest_words, CONSOLE_WARNING, false},
	{"INFO: trying to register non-static key", "INFO:trying_to_register_non-static_key", NULL,
	 CONSOLE_WARNING, false},
	{"WARNING: CPU: ", "WARNING:at_", rest_warned_at, CONSOLE_WARNING, false},
	{"WARNING: stack recursion", "WARNING:stack_recursion", NULL, CONSOLE_WARNING, false},
	{"WARNING: kernel stack", "WARNING:kernel_stack", NULL, CONSOLE_WARNING, false},
	{"WARNING: ", "WARNING:", rest_warning, CONSOLE_WARNING, false},
	{"Out of memory and no killable processes", "Out_of_memory_and_no_killable_processes", NULL,
	 CONSOLE_STALL, false},
	{"Out of memory: Killed process ", "Out_of_memory:Killed_process", NULL, CONSOLE_STALL,
	 false},
	{"Memory cgroup out of memory: Killed process ",
	 "Memory_cgroup_out_of_memory:Killed_process", NULL, CONSOLE_STALL, false},
	{"Initramfs unpacking failed", "Initramfs_unpacking_failed", NULL, CONSOLE_STALL, false},
	{"Mem-Info:", "Mem-Info", NULL, CONSOLE_NOTE, false},
	{" invoked oom-killer: ", "invoked_oom-killer:gfp_mask=0x", NULL, CONSOLE_NOTE, true},
	{": page allocation failure: ", "page_allocation_failure:", rest_allocation,
	 CONSOLE_WARNING, true},
	{"RIP: ", "RIP:", rest_rip, CONSOLE_NOTE, false},
	{"EIP: ", "EIP:", rest_function, CONSOLE_NOTE, false},
};

static const char *const prefixes[] = {"watchdog: ", "NMI watchdog: ", "rcu: "};

static const char *rest_of(const struct rule *rule, const char *message)
{
	const char *mark = rule->anywhere ? strstr(message, rule->mark) : message;

	if (!mark || !starts_with(mark, rule->mark))
		return NULL;
	return mark + strlen(rule->mark);
}

bool console_name(const char *message, struct strbuf *name, enum console_gravity *gravity)
{
	size_t begin = name->len;

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (starts_with(message, prefixes[i]))
			message += strlen(prefixes[i]);
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		const struct rule *rule = &rules[i];
		const char *rest = rest_of(rule, message);

		if (!rest)
			continue;
		strbuf_addf(name, "dmesg.%s", rule->name);
		if (!rule->rest || rule->rest(name, rest)) {
			*gravity = rule->gravity;
			return true;
		}
		name->len = begin;
		name->buf[begin] = '\0';
	}
	return false;
}
