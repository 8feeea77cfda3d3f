// SPDX-License-Identifier: GPL-2.0-only
#include "lab/vm.h"

#include "lab/vm_arch.h"
#include "lab/vm_args.h"
#include "lab/vm_private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	ERRORS_KEPT = 4096,
	PIPE_BYTES = 1 << 20,
};

/*
 * What the guest says through a serial port goes through a pipe, in which its single bytes share pages; QEMU has it
 * as its standard output. A socket is full after a few hundred of them, and QEMU's port then busy until somebody
 * reads: a deterministic guest would see how fast we are.
 */
enum channel {
	CONSOLE, /* a pipe */
	DATA, /* a pipe */
	ANSWER, /* the way back: QEMU's standard input */
	QMP,
	PORT, /* of virtio, if the machine has it */
	INITRD, /* a file, no channel; QEMU's only */
	CHANNELS
};

/* Both sides' descriptors; -1: not open. */
struct channels {
	int ours[CHANNELS], theirs[CHANNELS];
};

static void close_all(int fds[CHANNELS])
{
	for (int i = 0; i < CHANNELS; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
		fds[i] = -1;
	}
}

static int make_pair(enum channel channel, int pair[2])
{
	if (channel != CONSOLE && channel != DATA)
		return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair);
	if (pipe2(pair, O_CLOEXEC) < 0)
		return -1;
	fcntl(pair[1], F_SETPIPE_SZ, PIPE_BYTES); /* a smaller one is good for most */
	return 0;
}

/* QEMU's side is above its standard files, also where we run without any ourselves. */
static int connect_one(struct channels *channels, enum channel channel)
{
	int pair[2];

	if (make_pair(channel, pair) < 0)
		return -1;
	channels->ours[channel] = pair[0];
	channels->theirs[channel] = fcntl(pair[1], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close(pair[1]);
	if (channels->theirs[channel] < 0)
		return -1;
	return fcntl(pair[0], F_SETFL, O_NONBLOCK);
}

static int connect_all(struct channels *channels, const struct vm_config *config, struct err *err)
{
	for (int i = 0; i < CHANNELS; i++)
		channels->ours[i] = channels->theirs[i] = -1;
	for (int i = 0; i < INITRD; i++) {
		if (i == PORT && !vm_has_virtio(config))
			continue;
		if (connect_one(channels, i) < 0)
			return err_set_errno(err, errno, "cannot start QEMU: no line to it");
	}
	channels->theirs[INITRD] = fcntl(config->initrd_fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (channels->theirs[INITRD] < 0)
		return err_set_errno(err, errno, "cannot start QEMU: no initramfs");
	return 0;
}

static int start_process(struct vm_process *process, const struct vm_config *config,
			 const int theirs[CHANNELS], struct err *err)
{
	struct vm_fds fds = {
		.console = theirs[CONSOLE],
		.qmp = theirs[QMP],
		.initrd = theirs[INITRD],
		.port = theirs[PORT],
	};
	struct vm_process_files files = {.in = theirs[ANSWER], .out = theirs[DATA]};
	int kept[CHANNELS], status;
	struct strlist args = {0};
	char **argv;

	vm_args(&args, VM_ARCH, config, &fds);
	argv = xcalloc((size_t)args.nr + 1, sizeof(*argv));
	for (int i = 0; i < args.nr; i++)
		argv[i] = args.v[i];
	files.kept = kept;
	for (int i = 0; i < CHANNELS; i++)
		if (theirs[i] >= 0 && i != DATA && i != ANSWER)
			kept[files.kept_nr++] = theirs[i];
	status = vm_process_start(process, argv, &files, err);
	free(argv);
	strlist_release(&args);
	return status;
}

static void take_over(struct vm *vm, const struct vm_process *process, const int ours[CHANNELS],
		      bool kvm)
{
	struct vm_private *p = xcalloc(1, sizeof(*p));

	*vm = (struct vm){
		.pid = process->pid,
		.data_fd = {[VM_SERIAL] = ours[DATA], [VM_VIRTIO] = ours[PORT]},
		.answer_fd = {[VM_SERIAL] = ours[ANSWER], [VM_VIRTIO] = ours[PORT]},
		.console = STRBUF_INIT,
		.private = p,
	};
	p->process = *process;
	p->console_fd = ours[CONSOLE];
	p->qmp_fd = ours[QMP];
	p->kvm = kvm;
	p->started_ns = clock_ns();
	ring_init(&p->errors, ERRORS_KEPT);
	qmp_begin(&p->qmp, p->qmp_fd);
}

int vm_start(struct vm *vm, const struct vm_config *config, struct err *err)
{
	struct vm_process process = {0};
	struct channels channels;
	int status = connect_all(&channels, config, err);

	*vm = (struct vm){0};
	if (status == 0)
		status = start_process(&process, config, channels.theirs, err);
	close_all(channels.theirs);
	if (status == 0)
		take_over(vm, &process, channels.ours, config->accel == VM_KVM);
	else
		close_all(channels.ours);
	return status;
}

void vm_stop(struct vm *vm)
{
	struct vm_private *p = vm->private;

	if (p) {
		vm_process_kill(&p->process);
		if (p->console_fd >= 0)
			close(p->console_fd);
		close(p->qmp_fd);
		for (int i = 0; i < VM_LINES; i++)
			if (vm->data_fd[i] >= 0)
				close(vm->data_fd[i]);
		close(vm->answer_fd[VM_SERIAL]);
		qmp_release(&p->qmp);
		ring_release(&p->errors);
		free(p);
	}
	strbuf_release(&vm->console);
	*vm = (struct vm){0};
}
