// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fast a frame comes from a guest to the host, over each of its lines: bench_lines KERNEL MODULES-FOLDER [MB]
 *
 * The guest's first program is this one. It sends frames of 1 and of MB (10) megabytes over the line that its plan names, each
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

enum {
	MB = 1000000,
	FRAMES = 2,
	TIMEOUT_S = 300,
};

/* In the guest's plan: "virtio 10" */
struct what {
	enum vm_line line;
	int mb[FRAMES];
};

/* ---- In the guest */

static void send_frames(int fd, const struct what *what)
{
	struct guest_link link = {.fd = fd, .timeout_ms = TIMEOUT_S * 1000};
	struct strbuf nothing = STRBUF_INIT, data = STRBUF_INIT;
	struct err err = {""};
	int status = guest_link_tell(&link, FRAME_HELLO, &nothing, &err);

	for (int i = 0; status == 0 && i < FRAMES; i++) {
		while (data.len < (size_t)what->mb[i] * MB)
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

/* The plan is the struct itself: both ends are the same program. */
static int read_plan(struct what *what, struct err *err)
{
	struct strbuf plan = STRBUF_INIT;
	int status = guest_system_read("/plan", &plan, err);

	if (status == 0 && plan.len != sizeof(*what))
		status = err_set(err, "/plan: is none");
	if (status == 0)
		memcpy(what, plan.buf, sizeof(*what));
	strbuf_release(&plan);
	return status;
}

static void be_guest(void)
{
	struct what what = {0};
	struct err err = {""};
	int fd = -1;

	if (guest_system_setup(&err) == 0 && guest_modules_load(&err) == 0 &&
	    read_plan(&what, &err) == 0)
		fd = guest_port_open(what.line, "", &err);
	if (fd >= 0)
		send_frames(fd, &what);
	else
		guest_system_say(err.msg);
	guest_system_power_off();
}

/* ---- On the host */

struct host {
	struct vm vm;
	struct guest_inbox inbox;
	int64_t begin_ns;
	double seconds[FRAMES];
	int frames_nr;
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
	if (frame->type == FRAME_RUN && host->frames_nr < FRAMES)
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
		const struct what *what, struct err *err)
{
	struct initramfs_config files = {
		.plan = what, .plan_length = sizeof(*what), .modules = modules};
	struct vm_config config = {
		.kernel = kernel, .accel = VM_TCG, .cpus = 2, .nodes = 1, .memory_bytes = 1 << 30};
	int64_t bytes;

	config.initrd_fd = initramfs_make(&files, &bytes, err);
	if (config.initrd_fd < 0)
		return -1;
	if (vm_start(&host->vm, &config, err) == 0)
		listen(host);
	if (host->vm.private && !host->done)
		err_set(err, "%s: no frames over %s:\n%s", kernel,
			what->line == VM_VIRTIO ? "virtio" : "serial", host->vm.console.buf);
	vm_stop(&host->vm);
	close(config.initrd_fd);
	return host->done ? 0 : -1;
}

static int compare(const char *kernel, const struct modules *modules, int mb, struct err *err)
{
	struct what over_serial = {VM_SERIAL, {1, mb}}, over_virtio = {VM_VIRTIO, {1, mb}};
	struct host serial = {0}, virtio = {0};

	if (boot(&serial, kernel, modules, &over_serial, err) ||
	    boot(&virtio, kernel, modules, &over_virtio, err))
		return -1;
	printf("%s\n", kernel);
	for (int i = 0; i < FRAMES; i++)
		printf("%3d MB: serial %7.3f s %7.2f MB/s   virtio %7.3f s %7.2f MB/s   ratio %.1f\n",
		       over_serial.mb[i], serial.seconds[i], over_serial.mb[i] / serial.seconds[i],
		       virtio.seconds[i], over_virtio.mb[i] / virtio.seconds[i],
		       serial.seconds[i] / virtio.seconds[i]);
	return 0;
}

int main(int argc, char **argv)
{
	struct modules modules = {0};
	int64_t mb = 10;
	struct err err;
	int status;

	if (getpid() == 1)
		be_guest();
	if (argc < 3 || (argc > 3 && (!parse_i64(argv[3], &mb) || mb < 1 || mb > 60)))
		status = err_set(&err, "usage: bench_lines KERNEL MODULES-FOLDER [MB]");
	else
		status = modules_find(&modules,
				      &(struct modules_config){.image = argv[1], .folder = argv[2]},
				      &err);
	if (status == 0)
		status = compare(argv[1], &modules, (int)mb, &err);
	if (status)
		fprintf(stderr, "%s\n", err.msg);
	modules_release(&modules);
	return status ? 1 : 0;
}
