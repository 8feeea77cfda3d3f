// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fast a frame comes from a guest to the host, over each of its lines: bench_lines KERNEL [MODULES-FOLDER]
 *
 * The guest's first program is this one. It sends frames of 1 and of 10 MB over the line that its plan names, each
 * until the host has acknowledged it; the host takes the time from the first byte of the one before to its
 * acknowledgement. The machine is emulated, with two CPUs.
 */
#include "lab/guest_inbox.h"
#include "lab/guest_link.h"
#include "lab/guest_modules.h"
#include "lab/guest_port.h"
#include "lab/guest_system.h"
#include "lab/initramfs.h"
#include "lab/modules.h"

#include <stdio.h>
#include <unistd.h>

static const size_t mb = 1000000;
static const int sizes[] = {1, 10}; /* MB */

enum {
	TIMEOUT_S = 300,
};

/* ---- In the guest */

static void send_frames(int fd)
{
	struct guest_link link = {.fd = fd, .timeout_ms = TIMEOUT_S * 1000};
	struct strbuf nothing = STRBUF_INIT, data = STRBUF_INIT;
	struct err err = {""};
	int status = guest_link_tell(&link, FRAME_HELLO, &nothing, &err);

	for (size_t i = 0; status == 0 && i < ARRAY_SIZE(sizes); i++) {
		while (data.len < (size_t)sizes[i] * mb)
			strbuf_addf(&data, "%zu ", data.len);
		status = guest_link_tell(&link, FRAME_BEGIN, &nothing, &err);
		if (status == 0)
			status = guest_link_deliver(&link, FRAME_RUN, &data, &err);
	}
	if (status == 0)
		status = guest_link_deliver(&link, FRAME_DONE, &nothing, &err);
	if (status)
		guest_system_say(err.msg);
}

static void be_guest(void)
{
	struct strbuf plan = STRBUF_INIT;
	struct err err = {""};
	int fd = -1;

	if (guest_system_setup(&err) == 0 && guest_modules_load(&err) == 0 &&
	    guest_system_read("/plan", &plan, &err) == 0)
		fd = guest_port_open(streq(plan.buf, "virtio") ? VM_VIRTIO : VM_SERIAL, "", &err);
	if (fd >= 0)
		send_frames(fd);
	else
		guest_system_say(err.msg);
	guest_system_power_off();
}

/* ---- On the host */

struct host {
	struct vm vm;
	struct guest_inbox inbox;
	int64_t begin_ns;
	double seconds[ARRAY_SIZE(sizes)];
	size_t frames_nr;
	bool done;
};

static void take_frame(struct host *host, const struct frame *frame)
{
	if (frame->type == FRAME_BEGIN)
		host->begin_ns = clock_ns();
	if (frame->type != FRAME_RUN && frame->type != FRAME_DONE)
		return;
	guest_inbox_ack(&host->inbox, frame);
	host->done |= frame->type == FRAME_DONE;
	if (frame->type == FRAME_RUN && host->frames_nr < ARRAY_SIZE(sizes))
		host->seconds[host->frames_nr++] = (double)(clock_ns() - host->begin_ns) / 1e9;
}

static void listen(struct host *host)
{
	const unsigned last = VM_EVENT_EXIT | VM_EVENT_BROKEN | VM_EVENT_TIME;
	struct frame frame;
	unsigned events;

	guest_inbox_init(&host->inbox);
	for (int i = 0; i < VM_LINES; i++)
		guest_inbox_add_line(&host->inbox, host->vm.data_fd[i], host->vm.answer_fd[i]);
	do {
		events = vm_wait(&host->vm, TIMEOUT_S, NULL);
		while (guest_inbox_read(&host->inbox))
			while (guest_inbox_next(&host->inbox, &frame))
				take_frame(host, &frame);
		guest_inbox_tend(&host->inbox);
	} while (!host->done && !(events & last));
	guest_inbox_release(&host->inbox);
}

static int boot(struct host *host, const char *kernel, const struct modules *modules,
		const char *line, struct err *err)
{
	struct initramfs_config files = {
		.plan = line, .plan_length = strlen(line), .modules = modules};
	struct vm_config config = {
		.kernel = kernel, .accel = VM_TCG, .cpus = 2, .nodes = 1, .memory_bytes = 1 << 30};
	int64_t bytes;

	config.initrd_fd = initramfs_make(&files, &bytes, err);
	if (config.initrd_fd < 0)
		return -1;
	if (vm_start(&host->vm, &config, err) == 0)
		listen(host);
	if (host->vm.private && !host->done)
		err_set(err, "%s: no frames over %s:\n%s", kernel, line, host->vm.console.buf);
	vm_stop(&host->vm);
	close(config.initrd_fd);
	return host->done ? 0 : -1;
}

static int compare(const char *kernel, const struct modules *modules, struct err *err)
{
	struct host serial = {0}, virtio = {0};

	if (boot(&serial, kernel, modules, "serial", err) ||
	    boot(&virtio, kernel, modules, "virtio", err))
		return -1;
	printf("%s\n", kernel);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		printf("%3d MB: serial %7.3f s %7.2f MB/s   virtio %7.3f s %7.2f MB/s   ratio %.1f\n",
		       sizes[i], serial.seconds[i], sizes[i] / serial.seconds[i], virtio.seconds[i],
		       sizes[i] / virtio.seconds[i], serial.seconds[i] / virtio.seconds[i]);
	return 0;
}

int main(int argc, char **argv)
{
	struct modules_config which = {
		.folder = argc > 2 ? argv[2] : NULL,
		.image = argc > 1 ? argv[1] : NULL,
	};
	struct modules modules = {0};
	struct err err;
	int status;

	if (getpid() == 1)
		be_guest();
	if (argc < 2)
		status = err_set(&err, "usage: bench_lines KERNEL [MODULES-FOLDER]");
	else if ((status = modules_find(&modules, &which, &err)) == 0)
		status = compare(argv[1], &modules, &err);
	if (status)
		fprintf(stderr, "%s\n", err.msg);
	modules_release(&modules);
	return status ? 1 : 0;
}
