// SPDX-License-Identifier: GPL-2.0-only
#include "measure/child.h"

#include "measure/child_verdict.h"
#include "measure/child_wire.h"
#include "measure/leftovers.h"
#include "measure/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const int64_t second_ns = 1000000000;
static const int64_t tick_ns = 250000000;
static const int64_t no_pidfd_tick_ns = 10000000; /* where exits must be looked for */

enum {
	OUTPUT_DEFAULT = 64 * 1024,
	OUTPUT_AT_ONCE = 1024 * 1024, /* read before anything else gets its turn */
	GRACE_S = 2, /* from SIGTERM to SIGKILL */
	GIVE_UP_S = 10, /* from SIGKILL on: a process that hangs in the kernel does not die */
};

struct running {
	const struct child_spec *spec;
	struct child_callbacks callbacks;
	struct child_result *result;
	pid_t pid;
	int pidfd; /* -1 where the kernel or a container's filter has none */
	int sock, output; /* -1 once at their end */
	struct ring ring;
	struct leftovers leftovers;
	struct strbuf failure; /* of child_fail() */
	int exec_errno;
	bool measuring; /* begin was called, end was not */
	bool warned_of_garbage;
	bool exited;
	int64_t released_ns; /* 0: not yet */
	int64_t next_tick_ns;
	enum child_ending ending;
	int64_t kill_ns, give_up_ns; /* INT64_MAX: not set */
};

void child_result_release(struct child_result *result)
{
	strbuf_release(&result->reason);
	strbuf_release(&result->output);
}

static void begin_measured(struct running *r)
{
	r->measuring = true;
	if (r->callbacks.begin)
		r->callbacks.begin(r->spec->data);
}

static void end_measured(struct running *r)
{
	if (!r->measuring)
		return;
	r->measuring = false;
	if (r->callbacks.end)
		r->callbacks.end(r->spec->data);
}

static void warn(struct running *r, const char *text)
{
	if (r->callbacks.warning)
		r->callbacks.warning(r->spec->data, text);
}

static void answer(struct running *r)
{
	while (send(r->sock, "", 1, MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
}

static void release_child(struct running *r)
{
	if (r->callbacks.started)
		r->callbacks.started(r->spec->data, r->pid);
	if (!r->spec->function)
		begin_measured(r);
	r->released_ns = clock_ns();
	r->next_tick_ns = r->released_ns + tick_ns;
	answer(r);
}

static void handle_message(struct running *r, const struct child_message *message)
{
	const struct child_callbacks *callbacks = &r->callbacks;

	switch (message->type) {
	case CHILD_READY:
		release_child(r);
		break;
	case CHILD_BEGIN:
		begin_measured(r);
		answer(r);
		break;
	case CHILD_END:
		end_measured(r);
		answer(r);
		break;
	case CHILD_VALUE:
		if (callbacks->value)
			callbacks->value(r->spec->data, message->text, message->value);
		break;
	case CHILD_SAMPLE:
		if (callbacks->sample)
			callbacks->sample(r->spec->data, message->text, message->time_s,
					  message->value.d);
		break;
	case CHILD_WARN:
		warn(r, message->text);
		break;
	case CHILD_FAIL:
		if (!r->failure.len)
			strbuf_addstr(&r->failure, message->text);
		break;
	default:
		r->exec_errno = message->errnum;
	}
}

/* READY comes once and first; the measured part is entered before it is left. */
static bool in_order(const struct running *r, enum child_message_type type)
{
	switch (type) {
	case CHILD_READY:
		return !r->released_ns;
	case CHILD_BEGIN:
		return r->spec->function && !r->measuring;
	case CHILD_END:
		return r->spec->function && r->measuring;
	default:
		return true;
	}
}

static void take_packet(struct running *r, const char *packet, size_t len)
{
	struct child_message message;
	bool whole = child_message_decode(packet, len, &message);

	if (whole && in_order(r, message.type)) {
		handle_message(r, &message);
		return;
	}
	if (whole && (message.type == CHILD_BEGIN || message.type == CHILD_END))
		answer(r); /* it waits for it */
	if (!r->warned_of_garbage)
		warn(r, "the test sent a malformed message, which was ignored");
	r->warned_of_garbage = true;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void take_messages(struct running *r)
{
	char packet[CHILD_PACKET_MAX + 1]; /* one more: a longer one is no message */
	ssize_t len;

	while (r->sock >= 0) {
		len = recv(r->sock, packet, sizeof(packet), MSG_DONTWAIT);
		if (len > 0) {
			take_packet(r, packet, (size_t)len);
			continue;
		}
		if (len < 0 && errno == EINTR)
			continue;
		if (len == 0 || errno != EAGAIN)
			close_fd(&r->sock);
		return;
	}
}

static void take_output(struct running *r)
{
	char buf[65536];
	size_t taken = 0;

	while (r->output >= 0 && taken < OUTPUT_AT_ONCE) {
		ssize_t len = read(r->output, buf, sizeof(buf));

		if (len > 0) {
			ring_add(&r->ring, buf, (size_t)len);
			taken += (size_t)len;
			continue;
		}
		if (len < 0 && errno == EINTR)
			continue;
		if (len == 0 || errno != EAGAIN)
			close_fd(&r->output);
		return;
	}
}

/* Not reaped yet: until then the process id and the group stay ours. */
static bool has_exited(struct running *r)
{
	siginfo_t info = {.si_pid = 0};

	if (waitid(P_PID, (id_t)r->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0)
		return info.si_pid != 0;
	return errno == ECHILD;
}

static void signal_all(struct running *r, int sig)
{
	kill(-r->pid, sig);
	kill(r->pid, sig); /* it may have left its group */
}

static void end_early(struct running *r, enum child_ending ending, int64_t now)
{
	r->ending = ending;
	r->kill_ns = now + GRACE_S * second_ns;
	signal_all(r, SIGTERM);
	signal_all(r, SIGCONT);
}

static bool timed_out(const struct running *r, int64_t now)
{
	return r->spec->timeout_s > 0 && r->released_ns &&
	       (double)(now - r->released_ns) / 1e9 >= r->spec->timeout_s;
}

static void check_limits(struct running *r)
{
	int stop = r->spec->stop ? *r->spec->stop : 0;
	int64_t now = clock_ns();

	if (r->ending == CHILD_ENDED_ITSELF) {
		if (stop)
			end_early(r, CHILD_STOPPED, now);
		else if (timed_out(r, now))
			end_early(r, CHILD_TIMED_OUT, now);
	}
	if (stop > 1 && r->give_up_ns == INT64_MAX)
		r->kill_ns = now;
	if (now >= r->kill_ns) {
		signal_all(r, SIGKILL);
		r->kill_ns = INT64_MAX;
		r->give_up_ns = now + GIVE_UP_S * second_ns;
	}
}

static void tick(struct running *r)
{
	int64_t now = clock_ns();

	if (!r->released_ns || now < r->next_tick_ns)
		return;
	r->next_tick_ns = now + tick_ns;
	leftovers_reap(r->pid);
	if (r->callbacks.tick)
		r->callbacks.tick(r->spec->data, (double)(now - r->released_ns) / 1e9);
}

static int64_t min_i64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Until something comes, at most a quarter of a second: the stop flag may be set by another thread. */
static void wait_for_events(struct running *r)
{
	struct pollfd fds[] = {
		{.fd = r->sock, .events = POLLIN},
		{.fd = r->output, .events = POLLIN},
		{.fd = r->pidfd, .events = POLLIN},
	};
	int64_t now = clock_ns();
	int64_t until = now + (r->pidfd < 0 ? no_pidfd_tick_ns : tick_ns);
	struct timespec timeout = {0};

	if (r->released_ns)
		until = min_i64(until, r->next_tick_ns);
	if (r->released_ns && r->spec->timeout_s > 0 && r->ending == CHILD_ENDED_ITSELF)
		until = min_i64(until, r->released_ns + (int64_t)(r->spec->timeout_s * 1e9));
	until = min_i64(until, r->kill_ns);
	if (until > now)
		timeout.tv_nsec = until - now;
	ppoll(fds, ARRAY_SIZE(fds), &timeout, NULL);
}

static void watch(struct running *r)
{
	while (clock_ns() < r->give_up_ns) {
		wait_for_events(r);
		r->exited = has_exited(r);
		take_messages(r); /* after the look: what it sent before its end is here now */
		if (r->exited)
			return;
		take_output(r);
		tick(r);
		check_limits(r);
	}
}

static void reap(struct running *r)
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

static void finish(struct running *r)
{
	int64_t now = clock_ns();
	char text[96];
	int killed;

	end_measured(r);
	r->result->wall_s = r->released_ns ? (double)(now - r->released_ns) / 1e9 : 0;
	killed = leftovers_kill(&r->leftovers, r->pid);
	if (killed && r->ending == CHILD_ENDED_ITSELF) {
		snprintf(text, sizeof(text), "%d process%s left running by the test, killed",
			 killed, killed == 1 ? "" : "es");
		warn(r, text);
	}
	reap(r);
	take_output(r);
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
		close_fd(&c->sock[i]);
		close_fd(&c->output[i]);
	}
}

static int start(struct running *r, struct connections *c, struct err *err)
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
	close_fd(&c->sock[1]);
	close_fd(&c->output[1]);
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
	struct running r = {
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
		watch(&r);
		finish(&r);
	}
	close_fd(&r.sock);
	close_fd(&r.output);
	close_fd(&r.pidfd);
	disconnect(&c);
	ring_release(&r.ring);
	strbuf_release(&r.failure);
	leftovers_release(&r.leftovers);
	sigaction(SIGCHLD, &old_chld, NULL);
	return status;
}
