/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEASURE_CHILD_RUNNING_H
#define MEASURE_CHILD_RUNNING_H
/* Between child.c (start, end) and child_watch.c (what happens meanwhile): a child that runs. */
#include "measure/child.h"
#include "measure/child_verdict.h"
#include "measure/leftovers.h"
#include "measure/ring.h"

#include <unistd.h>

enum {
	CHILD_TICK_NS = 250000000
};

struct child_running {
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
	bool exited; /* but not reaped: until then the process id and the group stay ours */
	int64_t released_ns; /* 0: not yet */
	int64_t next_tick_ns;
	enum child_ending ending;
	int64_t kill_ns, give_up_ns; /* INT64_MAX: not set */
};

/* Until it has exited, or has been given up. */
void child_watch(struct child_running *r);

/* In child_messages.c: what came over the socket, and the callbacks that it causes. */
void child_take_messages(struct child_running *r);
void child_end_measured(struct child_running *r); /* if it is being measured */
void child_warning(struct child_running *r, const char *text);

void child_take_output(struct child_running *r); /* that is there now */

static inline void child_close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

#endif
