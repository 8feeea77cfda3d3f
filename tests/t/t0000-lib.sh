#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The test library notices failures: every other test rests on it.
. "$(dirname "$0")/lib.sh"

cat >"$root/inner.sh" <<EOF
. "$SOURCE_DIR/tests/t/lib.sh"
first_fails() { false; true; }
pipe_fails() { false | cat; }
unset_fails() { echo "\$no_such_variable"; }
test_that 'a failing command in the middle fails' first_fails
test_that 'a failing command in a pipe fails' pipe_fails
test_that 'an unset variable fails' unset_fails
test_that 'exits tells another status' exits 2 false
test_that 'has tells a missing line' has /dev/null something
test_that 'has_not tells a present line' has_not "$SOURCE_DIR/tests/t/lib.sh" done_testing
test_that 'same tells a difference' same /dev/null "$SOURCE_DIR/tests/t/lib.sh"
test_that 'true passes' true
done_testing
EOF

inner_status() { exits 1 bash "$root/inner.sh"; }
inner_counts() {
	bash "$root/inner.sh" >out || true
	[ "$(grep -c '^not ok' out)" -eq 7 ]
	[ "$(grep -c '^ok' out)" -eq 1 ]
	has out '^1\.\.8$'
}
inner_ends_jobs() {
	cat >jobs.sh <<-END
		. '$SOURCE_DIR/tests/t/lib.sh'
		leaves_a_job() { sleep 4321.5 & echo \$! >'$work/pid'; false; }
		test_that 'a failing test with a job' leaves_a_job
	END
	bash jobs.sh
	exits 1 kill -0 "$(cat pid)"
}
inner_skip() {
	echo ". '$SOURCE_DIR/tests/t/lib.sh'; skip_all 'no reason'" >skip.sh
	exits 77 bash skip.sh
	CI=true exits 77 bash skip.sh
	echo ". '$SOURCE_DIR/tests/t/lib.sh'; skip_all 'some-tool is not installed'" >skip.sh
	CI='' exits 77 bash skip.sh
	CI=true exits 1 bash skip.sh
}
inner_skip_one() {
	cat >skip.sh <<-END
		. '$SOURCE_DIR/tests/t/lib.sh'
		test_that 'first' true
		skip_test 'second' 'not permitted here'
		test_with no-such-program 'third' true
		test_with bash 'fourth' true
		done_testing
	END
	CI='' bash skip.sh >out
	diff - out <<-'END'
		ok 1 - first
		ok 2 - second # SKIP not permitted here
		ok 3 - third # SKIP no-such-program is not installed
		ok 4 - fourth
		1..4
	END
	CI=true exits 1 bash skip.sh >out
	has out '^ok 2 - second # SKIP not permitted here$'
	has out '^not ok 3 - third '
	sed -i 's/bash .fourth. true/bash "fourth" false/; /third/d' skip.sh
	CI='' exits 1 bash skip.sh
}

test_that 'a file with failing tests exits 1' inner_status
test_that 'every kind of failure is seen, and success too' inner_counts
test_that 'what a failing test left in the background is ended' inner_ends_jobs
test_that 'skip_all exits 77, and in CI not for want of a program' inner_skip
test_that 'a skipped test is in the plan with its reason, and in CI a missing program is a failure' inner_skip_one
done_testing
