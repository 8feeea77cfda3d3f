// SPDX-License-Identifier: GPL-2.0-only
#include "lab/session.h"

#include "lab/console.h"
#include "lab/guest_inbox.h"
#include "lab/initramfs.h"
#include "lab/modules.h"
#include "lab/wire.h"

#include <unistd.h>

enum {
	CONSOLE_KEPT = 4000, /* bytes of the console, kept with a run that went wrong */
	TICK_MS = 250,
	FAREWELL_S = 10, /* from the last word to the end of the machine */
};

struct session {
	const struct session_config *config;
	struct session_result *result;
	struct vm vm;
	struct guest_inbox inbox;
	struct console_scan scan; /* since the last run ended */
	uint64_t console_fed; /* bytes of the console that the scan has seen */
	unsigned events; /* of the machine, that nobody has looked at yet */
	int64_t start_ns, ticked_ns;
	int64_t heard_ns; /* when the guest said something last */
	int64_t farewell_ns; /* when it said its last word, or panicked; 0: not yet */
	int taken; /* runs */
	bool done, failed, exited;
	bool spoilt; /* its kernel oopsed: no other run is to be done there */
	struct err *err; /* of a run that could not be taken */
};

void session_result_release(struct session_result *result)
{
	strbuf_release(&result->reason);
	strbuf_release(&result->console);
	if (result->trouble) {
		run_release(result->trouble);
		free(result->trouble);
	}
	*result = (struct session_result){0};
}

static int place_of(const struct guest_plan *plan, const char *id)
{
	for (int i = 0; i < plan->runs_nr; i++)
		if (streq(plan->runs[i].id, id))
			return plan->runs[i].place;
	return -1;
}

static bool has_place(const struct guest_plan *plan, int place)
{
	for (int i = 0; i < plan->runs_nr; i++)
		if (plan->runs[i].place == place)
			return true;
	return false;
}

static void read_console(struct session *s)
{
	const struct vm *vm = &s->vm;
	uint64_t end = vm->console_dropped + vm->console.len;
	uint64_t start =
		s->console_fed > vm->console_dropped ? s->console_fed : vm->console_dropped;

	console_feed(&s->scan, vm->console.buf + (start - vm->console_dropped),
		     (size_t)(end - start));
	s->console_fed = end;
}

/* From the beginning of a line on. */
static void add_last_lines(const struct session *s, struct strbuf *out)
{
	const struct strbuf *console = &s->vm.console;
	size_t start = console->len > CONSOLE_KEPT ? console->len - CONSOLE_KEPT : 0;
	const char *line = start ? strchr(console->buf + start, '\n') : NULL;

	if (line)
		start = (size_t)(line + 1 - console->buf);
	strbuf_add(out, console->buf + start, console->len - start);
}

/* Why a test was killed the kernel may know better: it was out of memory. */
static void add_console(const struct session *s, struct run *run)
{
	struct strbuf reason = STRBUF_INIT, output = STRBUF_INIT;

	console_put(&s->scan, run);
	if (run->status != RUN_OK && console_reason(&s->scan, &reason)) {
		strbuf_addf(&reason, "; %s", run->reason ? run->reason : "");
		run->reason = pool_strdup(&run->pool, reason.buf);
		if (run->last_output)
			strbuf_addf(&output, "%s\n", run->last_output);
		strbuf_addstr(&output, "-- console:\n");
		add_last_lines(s, &output);
		run->last_output = pool_strdup(&run->pool, output.buf);
	}
	strbuf_release(&reason);
	strbuf_release(&output);
}

static void take_run(struct session *s, const struct frame *frame)
{
	struct run run = {0};
	struct err err;
	int place;

	if (wire_get_run(frame->payload, frame->length, &run, &err)) {
		run_release(&run);
		return; /* not acknowledged: it comes again */
	}
	place = place_of(s->config->plan, run.id);
	/* What the console said before the run's end may have come later than the frame. */
	s->events |= vm_wait(&s->vm, 0, NULL);
	read_console(s);
	add_console(s, &run);
	if (place >= 0 && s->config->run_ended(s->config->data, place, &run, s->err)) {
		s->failed = true;
	} else {
		s->result->place = -1;
		s->taken++;
		guest_inbox_ack(&s->inbox, frame);
		s->spoilt = console_oopsed(&s->scan);
		console_release(&s->scan);
	}
	run_release(&run);
}

static void begin_run(struct session *s, const struct frame *frame)
{
	struct err ignored;
	int place;

	if (wire_get_place(frame->payload, frame->length, &place, &ignored) ||
	    !has_place(s->config->plan, place))
		return;
	s->result->place = place;
	s->config->run_begins(s->config->data, place);
}

static void tick(struct session *s, const struct frame *frame)
{
	struct err ignored;
	double seconds;

	if (wire_get_seconds(frame->payload, frame->length, &seconds, &ignored) == 0)
		s->config->run_ticks(s->config->data, seconds);
}

static void say_farewell(struct session *s)
{
	if (!s->farewell_ns)
		s->farewell_ns = clock_ns();
}

static void handle_frame(struct session *s, const struct frame *frame)
{
	s->heard_ns = clock_ns();
	switch (frame->type) {
	case FRAME_HELLO:
		s->result->booted = true;
		break;
	case FRAME_BEGIN:
		begin_run(s, frame);
		break;
	case FRAME_TICK:
		tick(s, frame);
		break;
	case FRAME_RUN:
		take_run(s, frame);
		break;
	case FRAME_DONE:
		s->done = true;
		guest_inbox_ack(&s->inbox, frame);
		say_farewell(s);
		break;
	case FRAME_FAIL:
		strbuf_reset(&s->result->reason);
		strbuf_add(&s->result->reason, frame->payload, frame->length);
		guest_inbox_ack(&s->inbox, frame);
		say_farewell(s);
		break;
	default:
		break;
	}
}

/* Nothing more is taken from this guest: a run could not be stored, or its kernel oopsed in the last one. */
static bool given_up(const struct session *s)
{
	return s->failed || s->spoilt;
}

static void read_data(struct session *s)
{
	struct frame frame;

	while (!given_up(s) && guest_inbox_read(&s->inbox)) {
		if (s->result->booted) /* a long frame takes its time */
			s->heard_ns = clock_ns();
		while (!given_up(s) && guest_inbox_next(&s->inbox, &frame))
			handle_frame(s, &frame);
	}
}

static double since_s(int64_t ns)
{
	return (double)(clock_ns() - ns) / (double)NS_PER_S;
}

/* Is it over? Sets the reason where the guest gave none. */
static bool is_over(struct session *s, unsigned events)
{
	const struct session_config *config = s->config;
	double limit_s = s->result->booted ? config->silence_s : config->boot_timeout_s;
	struct strbuf *reason = &s->result->reason;

	s->exited |= (events & VM_EVENT_EXIT) != 0;
	if (given_up(s) || s->exited || (events & VM_EVENT_BROKEN))
		return true;
	if (events & VM_EVENT_PANIC)
		say_farewell(s);
	if (s->farewell_ns)
		return since_s(s->farewell_ns) > FAREWELL_S;
	if (since_s(s->heard_ns) < limit_s)
		return false;
	if (s->result->booted)
		strbuf_addf(reason, "the guest hangs: not a word from it for %.0f s", limit_s);
	else
		strbuf_addf(reason, "the kernel did not come up within %.0f s", limit_s);
	return true;
}

static void tick_boot(struct session *s)
{
	int64_t now = clock_ns();

	if (s->result->booted || now - s->ticked_ns < TICK_MS * (NS_PER_S / 1000))
		return;
	s->ticked_ns = now;
	s->config->boot_ticks(s->config->data, since_s(s->start_ns));
}

static void talk(struct session *s)
{
	unsigned events = 0;

	guest_inbox_init(&s->inbox);
	for (int i = 0; i < VM_LINES; i++)
		if (s->vm.data_fd[i] >= 0)
			guest_inbox_add_line(&s->inbox, s->vm.data_fd[i], s->vm.answer_fd[i]);
	s->inbox.deferred = s->config->vm.deterministic;
	s->start_ns = s->heard_ns = clock_ns();
	do {
		tick_boot(s);
		events = s->events |
			 vm_wait(&s->vm, s->result->booted ? 1 : TICK_MS / 1000., s->config->stop);
		s->events = 0;
		if (events & VM_EVENT_CONSOLE)
			read_console(s);
		if (events & VM_EVENT_DATA)
			read_data(s);
		guest_inbox_tend(&s->inbox);
	} while (!*s->config->stop && !is_over(s, events));
	read_console(s);
	read_data(s);
	console_end(&s->scan);
}

/* The last line of the guest's own program, that found no line to us to say it on. */
static void add_own_words(const struct vm *vm, struct strbuf *out)
{
	static const char own[] = "perfcmp: ";
	const char *found = NULL;

	for (const char *line = vm->console.buf; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (starts_with(line, own))
			found = line + strlen(own);
	}
	if (found)
		strbuf_addf(out, "%.*s; ", (int)strcspn(found, "\n"), found);
}

/* What the kernel said weighs more than what we made of its end. */
static void explain(struct session *s)
{
	struct strbuf said = STRBUF_INIT;
	struct strbuf *reason = &s->result->reason;

	if (console_reason(&s->scan, &said)) {
		if (reason->len)
			strbuf_addf(&said, "; %s", reason->buf);
		strbuf_reset(reason);
		strbuf_add(reason, said.buf, said.len);
	} else if (!reason->len) {
		add_own_words(&s->vm, reason);
		strbuf_addstr(reason,
			      s->vm.why[0] ? s->vm.why : "the machine ended before its runs did");
	}
	strbuf_release(&said);
}

static void keep_console(struct session *s)
{
	add_last_lines(s, &s->result->console);
	s->result->trouble = xmalloc(sizeof(*s->result->trouble));
	run_init(s->result->trouble);
	console_put(&s->scan, s->result->trouble);
}

/* QEMU ended without a sign of life from a guest: that is no kernel's fault. */
static bool is_hosts_fault(const struct session *s)
{
	return s->exited && !s->vm.alive && s->vm.end == VM_RUNS && s->config->vm.accel != VM_KVM;
}

static enum session_end judge(const struct session *s)
{
	bool kvm_failed = s->config->vm.accel == VM_KVM && !s->result->booted && !s->vm.alive;

	if (s->spoilt || (s->done && s->taken))
		return SESSION_DONE;
	if (*s->config->stop)
		return SESSION_STOPPED;
	return kvm_failed ? SESSION_NO_ACCEL : SESSION_LOST;
}

static int pack(const struct session_config *config, const struct modules *modules, int *fd,
		struct err *err)
{
	struct strbuf plan = STRBUF_INIT;
	struct initramfs_config files = {
		.files = config->files, .argv = config->argv, .modules = modules};
	int64_t bytes;

	wire_put_plan(&plan, config->plan);
	files.plan = plan.buf;
	files.plan_length = plan.len;
	*fd = initramfs_make(&files, &bytes, err);
	strbuf_release(&plan);
	if (*fd < 0)
		return -1;
	return initramfs_check_fit(*fd, bytes, config->vm.memory_bytes, err);
}

static int make_initramfs(const struct session_config *config, struct vm_config *vm,
			  struct err *err)
{
	const struct modules_config which = {
		.folder = config->modules_folder,
		.image = config->vm.kernel,
		.asked = config->modules,
		.serial_only = !vm_has_virtio(&config->vm),
	};
	struct modules modules = {0};
	int status = modules_find(&modules, &which, err);

	vm->initrd_fd = -1;
	vm->early_console_only = modules.console_is_module;
	if (status == 0)
		status = pack(config, &modules, &vm->initrd_fd, err);
	modules_release(&modules);
	return status;
}

int session_run(const struct session_config *config, struct session_result *result, struct err *err)
{
	struct session s = {.config = config, .result = result, .err = err};
	struct vm_config vm = config->vm;
	int status;

	*result = (struct session_result){.place = -1};
	strbuf_init(&result->reason);
	strbuf_init(&result->console);
	status = make_initramfs(config, &vm, err);
	if (status == 0)
		status = vm_start(&s.vm, &vm, err);
	if (status == 0) {
		talk(&s);
		result->end = judge(&s);
		if (result->end != SESSION_DONE)
			explain(&s);
		keep_console(&s);
		if (is_hosts_fault(&s))
			status = err_set(err, "%s", s.vm.why);
		vm_stop(&s.vm);
		status = s.failed ? -1 : status;
	}
	if (vm.initrd_fd >= 0)
		close(vm.initrd_fd);
	guest_inbox_release(&s.inbox);
	console_release(&s.scan);
	return status;
}
