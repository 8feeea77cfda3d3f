// SPDX-License-Identifier: GPL-2.0-only
#include "measure/child_running.h"

#include <errno.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

static const int64_t no_pidfd_tick_ns = 10000000; /* where exits must be looked for */

enum {
	OUTPUT_AT_ONCE = 1024 * 1024, /* read before anything else gets its turn */
	GRACE_S = 2, /* from SIGTERM to SIGKILL */
	GIVE_UP_S = 10, /* from SIGKILL on: a process that hangs in the kernel does not die */
};

void child_take_output(struct child_running *r)
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
			child_close_fd(&r->output);
		return;
	}
}

static bool has_exited(struct child_running *r)
{
	siginfo_t info = {.si_pid = 0};

	if (waitid(P_PID, (id_t)r->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0)
		return info.si_pid != 0;
	return errno == ECHILD;
}

static void signal_all(struct child_running *r, int sig)
{
	kill(-r->pid, sig);
	kill(r->pid, sig); /* it may have left its group */
}

/* Asks first; kill_ns is when that has been enough. */
static void end_early(struct child_running *r, enum child_ending ending, int64_t now)
{
	r->ending = ending;
	r->kill_ns = now + GRACE_S * NS_PER_S;
	signal_all(r, SIGTERM);
	signal_all(r, SIGCONT);
}

static void kill_now(struct child_running *r, int64_t now)
{
	signal_all(r, SIGKILL);
	r->kill_ns = INT64_MAX;
	r->give_up_ns = now + GIVE_UP_S * NS_PER_S;
}

static bool timed_out(const struct child_running *r, int64_t now)
{
	return r->spec->timeout_s > 0 && r->released_ns &&
	       (double)(now - r->released_ns) / NS_PER_S >= r->spec->timeout_s;
}

static void check_limits(struct child_running *r)
{
	int stop = r->spec->stop ? *r->spec->stop : 0;
	int64_t now = clock_ns();

	if (stop > 1 && r->give_up_ns == INT64_MAX) {
		if (r->ending == CHILD_ENDED_ITSELF)
			r->ending = CHILD_STOPPED;
		kill_now(r, now);
	} else if (now >= r->kill_ns) {
		kill_now(r, now);
	} else if (r->ending == CHILD_ENDED_ITSELF) {
		if (stop)
			end_early(r, CHILD_STOPPED, now);
		else if (timed_out(r, now))
			end_early(r, CHILD_TIMED_OUT, now);
	}
}

static void tick(struct child_running *r)
{
	int64_t now = clock_ns();

	if (!r->released_ns || now < r->next_tick_ns)
		return;
	r->next_tick_ns = now + CHILD_TICK_NS;
	leftovers_reap(r->pid);
	if (r->callbacks.tick)
		r->callbacks.tick(r->spec->data, (double)(now - r->released_ns) / NS_PER_S);
}

static int64_t min_i64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* When the time is up; INT64_MAX for a limit of some hundred years. */
static int64_t timeout_ns(const struct child_running *r)
{
	double ns = r->spec->timeout_s * NS_PER_S;

	return ns < 0x1p62 ? r->released_ns + (int64_t)ns : INT64_MAX;
}

/* Until something comes, at most a quarter of a second: the stop flag may be set by another thread. */
static void wait_for_events(struct child_running *r)
{
	struct pollfd fds[] = {
		{.fd = r->sock, .events = POLLIN},
		{.fd = r->output, .events = POLLIN},
		{.fd = r->pidfd, .events = POLLIN},
	};
	int64_t now = clock_ns();
	int64_t until = now + (r->pidfd < 0 ? no_pidfd_tick_ns : CHILD_TICK_NS);
	struct timespec timeout = {0};

	if (r->released_ns)
		until = min_i64(until, r->next_tick_ns);
	if (r->released_ns && r->spec->timeout_s > 0 && r->ending == CHILD_ENDED_ITSELF)
		until = min_i64(until, timeout_ns(r));
	until = min_i64(until, r->kill_ns);
	if (until > now)
		timeout.tv_nsec = until - now;
	ppoll(fds, ARRAY_SIZE(fds), &timeout, NULL);
}

void child_watch(struct child_running *r)
{
	while (clock_ns() < r->give_up_ns) {
		wait_for_events(r);
		r->exited = has_exited(r);
		child_take_messages(
			r); /* after the look: what it sent before its end is here now */
		if (r->exited)
			return;
		child_take_output(r);
		tick(r);
		check_limits(r);
	}
}
