// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/child_verdict.h"

/* Wait statuses as Linux lays them out: exit code << 8, or the signal with 0x80 for a core dump. */
static const struct {
	struct child_end end;
	const char *reason;
	enum run_status status;
	int exit_code, signal;
	bool stopped;
} cases[] = {
	{{.exited = true, .reaped = true}, "", RUN_OK, 0, 0, false},
	{{.exited = true, .reaped = true, .wait_status = 2 << 8},
	 "exit status 2",
	 RUN_FAILED,
	 2,
	 0,
	 false},
	{{.exited = true, .reaped = true, .wait_status = 2 << 8, .failure = "no memory"},
	 "no memory",
	 RUN_FAILED,
	 2,
	 0,
	 false},
	{{.exited = true, .reaped = true, .failure = "no memory"},
	 "no memory",
	 RUN_FAILED,
	 0,
	 0,
	 false},
	{{.exited = true, .reaped = true, .wait_status = 127 << 8, .exec_errno = 2},
	 "prog: No such file or directory",
	 RUN_FAILED,
	 127,
	 0,
	 false},
	{{.exited = true, .reaped = true, .wait_status = 6},
	 "killed by signal 6 (Aborted)",
	 RUN_KILLED,
	 0,
	 6,
	 false},
	{{.exited = true, .reaped = true, .wait_status = 11 | 0x80},
	 "killed by signal 11 (Segmentation fault), core dumped",
	 RUN_KILLED,
	 0,
	 11,
	 false},
	{{.exited = true, .reaped = true, .wait_status = 40},
	 "killed by signal 40 (real-time signal)",
	 RUN_KILLED,
	 0,
	 40,
	 false},
	/* what we ended ourselves is judged by that */
	{{.ending = CHILD_TIMED_OUT, .exited = true, .reaped = true, .wait_status = 15},
	 "stopped after its time limit of 1.5 s",
	 RUN_TIMEOUT,
	 0,
	 15,
	 false},
	{{.ending = CHILD_TIMED_OUT, .exited = true, .reaped = true, .wait_status = 0},
	 "stopped after its time limit of 1.5 s",
	 RUN_TIMEOUT,
	 0,
	 0,
	 false},
	{{.ending = CHILD_STOPPED, .exited = true, .reaped = true, .wait_status = 3 << 8},
	 "interrupted",
	 RUN_KILLED,
	 3,
	 0,
	 true},
	/* a process in a sleep that nothing interrupts */
	{{.ending = CHILD_TIMED_OUT, .exited = false},
	 "stopped after its time limit of 1.5 s; process 42 does not die, it hangs in the kernel: "
	 "see /proc/42/stack",
	 RUN_TIMEOUT,
	 0,
	 0,
	 false},
	{{.exited = true, .reaped = false},
	 "exit status not known: another part of this program took it",
	 RUN_FAILED,
	 0,
	 0,
	 false},
};

static void every_end_has_its_status_and_reason(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct child_result result = {.reason = STRBUF_INIT, .output = STRBUF_INIT};
		struct child_end end = cases[i].end;

		end.pid = 42;
		end.program = "prog";
		end.timeout_s = 1.5;
		if (!end.failure)
			end.failure = "";
		child_verdict(&end, &result);
		assert_int_equal(result.status, cases[i].status);
		assert_string_equal(result.reason.buf, cases[i].reason);
		assert_int_equal(result.exit_code, cases[i].exit_code);
		assert_int_equal(result.signal, cases[i].signal);
		assert_int_equal(result.stopped, cases[i].stopped);
		child_result_release(&result);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_end_has_its_status_and_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
