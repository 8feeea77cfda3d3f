// SPDX-License-Identifier: GPL-2.0-only
#include "measure/child.h"

#include "measure/child_running.h"
#include "measure/child_wire.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	OUTPUT_DEFAULT = 64 * 1024
};

void child_result_release(struct child_result *result)
{
	strbuf_release(&result->reason);
	strbuf_release(&result->output);
}

static void reap(struct child_running *r)
{
	struct child_end end = {
		.ending = r->ending,
		.pid = r->pid,
		.exited = r->exited,
		.exec_errno = r->exec_errno,
		.program = r->spec->function ? "" : r->spec->argv[0],
		.failure = r->failure.buf,
		.timeout_s = r->spec->timeout_s,
	};
	pid_t got = 0;

	if (r->exited)
		do
			got = wait4(r->pid, &end.wait_status, 0, &r->result->rusage);
		while (got < 0 && errno == EINTR);
	end.reaped = got == r->pid;
	child_verdict(&end, r->result);
}

static void finish(struct child_running *r)
{
	int64_t now = clock_ns();
	char text[96];
	int killed;

	child_end_measured(r);
	r->result->wall_s = r->released_ns ? (double)(now - r->released_ns) / NS_PER_S : 0;
	killed = leftovers_kill(&r->leftovers, r->pid);
	if (killed && r->ending == CHILD_ENDED_ITSELF) {
		snprintf(text, sizeof(text), "%d process%s left running by the test, killed",
			 killed, killed == 1 ? "" : "es");
		child_warning(r, text);
	}
	reap(r);
	child_take_output(r);
	ring_copy(&r->ring, &r->result->output);
}

struct connections {
	int sock[2], output[2]; /* [0]: ours */
};

static int connect_child(struct connections *c, struct err *err)
{
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, c->sock) == 0 &&
	    pipe2(c->output, O_CLOEXEC) == 0 && fcntl(c->output[0], F_SETFL, O_NONBLOCK) == 0)
		return 0;
	return err_set_errno(err, errno, "cannot start a process: no pipe to it");
}

static void disconnect(struct connections *c)
{
	for (int i = 0; i < 2; i++) {
		child_close_fd(&c->sock[i]);
		child_close_fd(&c->output[i]);
	}
}

static int start(struct child_running *r, struct connections *c, struct err *err)
{
	pid_t parent = getpid();

	if (connect_child(c, err) < 0)
		return -1;
	fflush(stdout); /* or the child would write it a second time */
	fflush(stderr);
	r->pid = fork();
	if (r->pid < 0)
		return err_set_errno(err, errno, "cannot start a process");
	if (r->pid == 0)
		child_inside(r->spec, c->sock[1], c->output[1], parent);
	child_close_fd(&c->sock[1]);
	child_close_fd(&c->output[1]);
	r->sock = c->sock[0];
	r->output = c->output[0];
	c->sock[0] = c->output[0] = -1;
	r->pidfd = (int)syscall(SYS_pidfd_open, r->pid, 0);
	return 0;
}

int child_run(const struct child_spec *spec, struct child_result *result, struct err *err)
{
	/* Whoever started us may have left SIGCHLD ignored: no exit status could be had then. */
	struct sigaction chld = {.sa_handler = SIG_DFL}, old_chld;
	struct connections c = {{-1, -1}, {-1, -1}};
	struct child_running r = {
		.spec = spec,
		.result = result,
		.pidfd = -1,
		.sock = -1,
		.output = -1,
		.failure = STRBUF_INIT,
		.kill_ns = INT64_MAX,
		.give_up_ns = INT64_MAX,
	};
	int status;

	if (spec->callbacks)
		r.callbacks = *spec->callbacks;
	*result = (struct child_result){.reason = STRBUF_INIT, .output = STRBUF_INIT};
	sigaction(SIGCHLD, &chld, &old_chld);
	leftovers_begin(&r.leftovers);
	ring_init(&r.ring, spec->output_max ? spec->output_max : OUTPUT_DEFAULT);
	status = start(&r, &c, err);
	if (status == 0) {
		child_watch(&r);
		finish(&r);
	}
	child_close_fd(&r.sock);
	child_close_fd(&r.output);
	child_close_fd(&r.pidfd);
	disconnect(&c);
	ring_release(&r.ring);
	strbuf_release(&r.failure);
	leftovers_release(&r.leftovers);
	sigaction(SIGCHLD, &old_chld, NULL);
	return status;
}
