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
	enum run_status status;
	const char *reason;
	int exit_code, signal;
	bool stopped;
} cases[] = {
	{{.exited = true, .reaped = true}, RUN_OK, "", 0, 0, false},
	{{.exited = true, .reaped = true, .wait_status = 2 << 8},
	 RUN_FAILED,
	 "exit status 2",
	 2,
	 0,
	 false},
	{{.exited = true, .reaped = true, .wait_status = 2 << 8, .failure = "no memory"},
	 RUN_FAILED,
	 "no memory",
	 2,
	 0,
	 false},
	{{.exited = true, .reaped = true, .failure = "no memory"},
	 RUN_FAILED,
	 "no memory",
	 0,
	 0,
	 false},
	{{.exited = true, .reaped = true, .wait_status = 127 << 8, .exec_errno = 2},
	 RUN_FAILED,
	 "prog: No such file or directory",
	 127,
	 0,
	 false},
	{{.exited = true, .reaped = true, .wait_status = 6},
	 RUN_KILLED,
	 "killed by signal 6 (Aborted)",
	 0,
	 6,
	 false},
	{{.exited = true, .reaped = true, .wait_status = 11 | 0x80},
	 RUN_KILLED,
	 "killed by signal 11 (Segmentation fault), core dumped",
	 0,
	 11,
	 false},
	{{.exited = true, .reaped = true, .wait_status = 40},
	 RUN_KILLED,
	 "killed by signal 40 (real-time signal)",
	 0,
	 40,
	 false},
	/* what we ended ourselves is judged by that */
	{{.ending = CHILD_TIMED_OUT, .exited = true, .reaped = true, .wait_status = 15},
	 RUN_TIMEOUT,
	 "stopped after its time limit of 1.5 s",
	 0,
	 15,
	 false},
	{{.ending = CHILD_TIMED_OUT, .exited = true, .reaped = true, .wait_status = 0},
	 RUN_TIMEOUT,
	 "stopped after its time limit of 1.5 s",
	 0,
	 0,
	 false},
	{{.ending = CHILD_STOPPED, .exited = true, .reaped = true, .wait_status = 3 << 8},
	 RUN_KILLED,
	 "interrupted",
	 3,
	 0,
	 true},
	/* a process in a sleep that nothing interrupts */
	{{.ending = CHILD_TIMED_OUT, .exited = false},
	 RUN_TIMEOUT,
	 "stopped after its time limit of 1.5 s; process 42 does not die, it hangs in the kernel: "
	 "see /proc/42/stack",
	 0,
	 0,
	 false},
	{{.exited = true, .reaped = false},
	 RUN_FAILED,
	 "exit status not known: another part of this program took it",
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
