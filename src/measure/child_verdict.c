// SPDX-License-Identifier: GPL-2.0-only
#include "measure/child_verdict.h"

#include <sys/wait.h>

static void killed(const struct child_end *end, struct child_result *result)
{
	const char *name;

	result->status = RUN_KILLED;
	result->signal = WTERMSIG(end->wait_status);
	name = sigdescr_np(result->signal);
	strbuf_addf(&result->reason, "killed by signal %d (%s)%s", result->signal,
		    name ? name : "real-time signal",
		    WCOREDUMP(end->wait_status) ? ", core dumped" : "");
}

static void exited(const struct child_end *end, struct child_result *result)
{
	result->exit_code = WEXITSTATUS(end->wait_status);
	result->status = RUN_FAILED;
	if (end->exec_errno)
		strbuf_addf(&result->reason, "%s: %s", end->program, err_reason(end->exec_errno));
	else if (end->failure[0])
		strbuf_addstr(&result->reason, end->failure);
	else if (result->exit_code)
		strbuf_addf(&result->reason, "exit status %d", result->exit_code);
	else
		result->status = RUN_OK;
}

/* What we ended is judged by that, however it then ended. */
static void ended_by_us(const struct child_end *end, struct child_result *result)
{
	result->stopped = end->ending == CHILD_STOPPED;
	result->status = result->stopped ? RUN_KILLED : RUN_TIMEOUT;
	strbuf_reset(&result->reason);
	if (result->stopped)
		strbuf_addstr(&result->reason, "interrupted");
	else
		strbuf_addf(&result->reason, "stopped after its time limit of %g s",
			    end->timeout_s);
	if (!end->exited)
		strbuf_addf(&result->reason,
			    "; process %d does not die, it hangs in the kernel: see /proc/%d/stack",
			    (int)end->pid, (int)end->pid);
}

void child_verdict(const struct child_end *end, struct child_result *result)
{
	if (!end->reaped) {
		result->status = RUN_FAILED;
		strbuf_addstr(&result->reason,
			      "exit status not known: another part of this program took it");
	} else if (WIFSIGNALED(end->wait_status)) {
		killed(end, result);
	} else {
		exited(end, result);
	}
	if (end->ending != CHILD_ENDED_ITSELF)
		ended_by_us(end, result);
}
