// SPDX-License-Identifier: GPL-2.0-only
#include "lab/vm_private.h"

#include <errno.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const int64_t tick_ns = 250000000; /* the stop flag may be set by another thread */

static void __attribute__((format(printf, 2, 3))) explain(struct vm *vm, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(vm->why, sizeof(vm->why), fmt, ap);
	va_end(ap);
}

static void take_errors(struct vm_private *p)
{
	struct vm_process *process = &p->process;
	char part[4096];
	ssize_t got;

	while (process->stderr_fd >= 0) {
		got = read(process->stderr_fd, part, sizeof(part));
		if (got > 0) {
			ring_add(&p->errors, part, (size_t)got);
			continue;
		}
		if (got < 0 && errno == EINTR)
			continue;
		if (got == 0 || errno != EAGAIN) {
			close(process->stderr_fd);
			process->stderr_fd = -1;
		}
		break;
	}
}

/* QEMU's last complaint, without its name in front; "" if there is none. */
static void last_complaint(const struct vm_private *p, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;
	char *line, *colon;

	ring_copy(&p->errors, &text);
	while (text.len > 0 && text.buf[text.len - 1] == '\n')
		text.buf[--text.len] = '\0';
	line = strrchr(text.buf, '\n');
	line = line ? line + 1 : text.buf;
	colon = starts_with(line, "qemu") ? strstr(line, ": ") : NULL;
	for (line = colon ? colon + 2 : line; *line; line++)
		strbuf_addch(out, *line >= ' ' && *line <= '~' ? *line : ' ');
	strbuf_release(&text);
}

static void explain_process(struct vm *vm)
{
	const struct vm_private *p = vm->private;
	int status = p->process.wait_status;
	struct strbuf complaint = STRBUF_INIT;
	const char *colon;

	last_complaint(p, &complaint);
	colon = complaint.len ? ": " : "";
	if (status == -1)
		explain(vm, "QEMU ended%s%s", colon, complaint.buf);
	else if (WIFSIGNALED(status))
		explain(vm, "QEMU was killed by signal %d (%s)%s%s", WTERMSIG(status),
			sigdescr_np(WTERMSIG(status)), colon, complaint.buf);
	else
		explain(vm, "QEMU ended with exit status %d%s%s", WEXITSTATUS(status), colon,
			complaint.buf);
	strbuf_release(&complaint);
}

static void explain_exit(struct vm *vm)
{
	if (vm->private->panicked)
		return;
	if (vm->end == VM_POWERED_OFF)
		explain(vm, "the guest powered off");
	else if (vm->end == VM_RESET)
		explain(vm, "the guest's kernel reset the machine");
	else
		explain_process(vm);
}

static unsigned take_news(struct vm *vm)
{
	struct vm_private *p = vm->private;
	struct qmp_news news;
	unsigned events = 0;

	while (qmp_next(&p->qmp, &news)) {
		if (news.kind == QMP_STOPPED) {
			p->broken = true;
			explain(vm, "QEMU stopped the guest: %s", news.status);
		} else if (news.kind == QMP_PANICKED && !p->panicked) {
			p->panicked = true;
			explain(vm, "the guest's kernel panicked");
			events |= VM_EVENT_PANIC;
		} else if (news.kind == QMP_POWERED_OFF) {
			vm->end = VM_POWERED_OFF;
		} else if (news.kind == QMP_RESET) {
			vm->end = VM_RESET;
		}
	}
	return events;
}

static bool line_has_data(struct vm *vm, enum vm_line line)
{
	struct pollfd poll_fd = {.fd = vm->data_fd[line], .events = POLLIN};
	int bytes = 0;

	if (vm->data_fd[line] < 0 || vm->private->data_ended[line])
		return false;
	/* first: what came before the end is there when the end is seen */
	poll(&poll_fd, 1, 0);
	ioctl(vm->data_fd[line], FIONREAD, &bytes);
	vm->private->data_ended[line] = !bytes && poll_fd.revents & (POLLHUP | POLLERR);
	vm->alive |= bytes > 0;
	return bytes > 0;
}

static bool data_is_there(struct vm *vm)
{
	bool there = false;

	for (int i = 0; i < VM_LINES; i++)
		there |= line_has_data(vm, i);
	return there;
}

static void look_for_life(struct vm *vm)
{
	struct vm_private *p = vm->private;

	if (!p->kvm || vm->alive || p->broken || clock_ns() - p->started_ns < VM_LIFE_S * NS_PER_S)
		return;
	p->broken = true;
	explain(vm, "no sign of life from the guest within %d seconds", VM_LIFE_S);
}

static unsigned look(struct vm *vm)
{
	struct vm_private *p = vm->private;
	bool ended = vm_process_ended(&p->process); /* first: what it sent before is here now */
	unsigned events = take_news(vm);

	if (vm_console_take(vm))
		events |= VM_EVENT_CONSOLE;
	if (vm_console_panicked(vm, ended))
		events |= VM_EVENT_PANIC;
	if (data_is_there(vm))
		events |= VM_EVENT_DATA;
	take_errors(p);
	look_for_life(vm);
	if (ended && p->console_fd < 0) {
		explain_exit(vm);
		events |= VM_EVENT_EXIT;
	} else if (p->broken) {
		events |= VM_EVENT_BROKEN;
	}
	return events;
}

/* To be polled; -1: nothing comes any more. */
static int line_fd(const struct vm *vm, enum vm_line line)
{
	return vm->private->data_ended[line] ? -1 : vm->data_fd[line];
}

static void sleep_until(const struct vm *vm, int64_t until)
{
	const struct vm_private *p = vm->private;
	struct pollfd fds[] = {
		{.fd = p->process.ended ? -1 : p->process.pidfd, .events = POLLIN},
		{.fd = p->console_fd, .events = POLLIN},
		{.fd = p->qmp.fd, .events = POLLIN},
		{.fd = p->process.stderr_fd, .events = POLLIN},
		{.fd = line_fd(vm, VM_SERIAL), .events = POLLIN},
		{.fd = line_fd(vm, VM_VIRTIO), .events = POLLIN},
	};
	struct timespec timeout = {0};
	int64_t now = clock_ns();

	if (until > now + tick_ns)
		until = now + tick_ns;
	if (until > now)
		timeout.tv_nsec = until - now;
	ppoll(fds, ARRAY_SIZE(fds), &timeout, NULL);
}

unsigned vm_wait(struct vm *vm, double timeout_s, const volatile sig_atomic_t *stop)
{
	int64_t until = clock_ns() + (int64_t)(timeout_s * NS_PER_S);

	while (!stop || !*stop) {
		unsigned events = look(vm);

		if (events)
			return events;
		if (clock_ns() >= until)
			return VM_EVENT_TIME;
		sleep_until(vm, until);
	}
	return 0;
}
