#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# A collection that is asked to stop leaves nothing behind but its finished runs, no process and no file.
. "$(dirname "$0")/lib.sh"

before=()
label=stop.$$
runs() { sqlite3 "$PERFCMP_DB" "SELECT count(*) FROM runs $1" 2>/dev/null || echo 0; }

# wait_until COMMAND...: waits until it succeeds, ten seconds at most
wait_until() {
	for _ in $(seq 200); do
		! "$@" || return 0
		sleep 0.05
	done
	echo "never true: $*"
	return 1
}
two_runs() { [ "$(runs '')" -ge 2 ]; }
files() { [ -n "$(find tmp -mindepth 1)" ]; }
# of this test's collection: it and the processes of its test have the same command line
processes() { pgrep -f -- "--commit $label " >pids; }
several_processes() { processes && [ "$(wc -l <pids)" -ge 3 ]; }

# begin COMMAND...: starts it with an empty folder for temporary files
begin() {
	mkdir tmp
	TMPDIR=$work/tmp "$@" 2>err &
	pid=$!
}
# unlinks COLLECT-OPTION...: begins a collection of a test that has a folder of its own; $before: what starts it
unlinks() { begin "${before[@]}" "$PERFCMP" collect --commit "$label" --counters off --nr-task 2 --warmup 0 --iterations 100 "$@" will-it-scale/unlink1; }

nothing_is_left() {
	exits 1 processes
	exits 1 files
	[ "$(runs "WHERE status <> 'ok'")" -eq 0 ]
	[ "$(sqlite3 "$PERFCMP_DB" 'PRAGMA integrity_check')" = ok ]
}

ctrl_c_keeps_finished_runs() {
	unlinks --runtime 0.5
	wait_until two_runs
	wait_until several_processes
	kill -INT $pid
	exits 130 wait $pid
	has err 'interrupted'
	two_runs
	nothing_is_left
}

# timeout(1) signals its child, and then its group, in which the child is: two signals for one wish
timeout_is_one_request() {
	before=(timeout 100)
	unlinks --runtime 60
	wait_until files
	wait_until several_processes
	kill -TERM $pid
	exits 130 wait $pid
	has err 'interrupted'
	nothing_is_left
}

# Equal signals may become one on their way, different ones do not.
two_signals_are_one_request() {
	unlinks --runtime 60
	wait_until files
	wait_until several_processes
	kill -TERM $pid
	kill -INT $pid
	exits 130 wait $pid
	nothing_is_left
}

# kill -9 leaves it no chance; the next test that makes a folder finds what is left there
a_killed_one_is_swept_up() {
	unlinks --runtime 60
	wait_until files
	wait_until several_processes
	kill -KILL $pid
	wait $pid || :
	no_processes() { ! processes; }
	wait_until no_processes
	files
	mkdir tmp/perfcmp-scratch tmp/perfcmp-tests # somebody else's
	touch tmp/perfcmp-scratch-XXXXXX
	TMPDIR=$work/tmp perfcmp collect --commit v --counters off --iterations 1 --nr-task 1 --warmup 0 --runtime 0.1 \
		will-it-scale/unlink1 2>err
	ls tmp >left
	printf '%s\n' perfcmp-scratch perfcmp-scratch-XXXXXX perfcmp-tests | diff - left
}

# Two at the same time do not sweep each other's folder.
together_in_one_folder() {
	unlinks --runtime 60
	wait_until files
	ls tmp >before
	TMPDIR=$work/tmp perfcmp collect --commit v --counters off --iterations 2 --nr-task 1 --warmup 0 --runtime 0.1 \
		will-it-scale/unlink1 2>err
	ls tmp >after
	diff before after
	kill -INT $pid
	exits 130 wait $pid
	nothing_is_left
}

hangup_stops() {
	unlinks --runtime 60
	wait_until files
	kill -HUP $pid
	exits 130 wait $pid
	nothing_is_left
}

nohup_goes_on() {
	PERFCMP_FAKE=seconds=0.3 bash -c 'trap "" HUP; exec "$@"' - \
		"$PERFCMP" collect --counters off --commit v --iterations 5 fake/slow 2>err &
	pid=$!
	wait_until two_runs
	kill -HUP $pid
	wait $pid
	has err '^5 runs of v stored, 0 failed$'
	[ "$(runs '')" -eq 5 ]
}

ctrl_c_ends_a_stubborn_command() {
	begin "$PERFCMP" collect --counters off --commit v --iterations 1 -- \
		bash -c 'trap "" INT TERM; setsid sleep 1234.5 & sleep 1234.5'
	both_sleep() { [ "$(pgrep -fc '^sleep 1234\.5$')" -ge 2 ]; }
	wait_until both_sleep
	kill -INT $pid
	exits 130 wait $pid
	exits 1 pgrep -f '^sleep 1234\.5$'
	[ "$(runs '')" -eq 0 ]
}

test_that 'Ctrl-C keeps the finished runs, exits 130 and leaves no process and no file' ctrl_c_keeps_finished_runs
test_that 'the two signals of timeout(1) are one request: the test cleans up' timeout_is_one_request
test_that 'two signals at once are one request, too' two_signals_are_one_request
test_that 'what a killed collection left of its files the next one removes' a_killed_one_is_swept_up
test_that 'a collection leaves the files of another alone' together_in_one_folder
test_that 'a hangup is a request to stop' hangup_stops
test_that 'a hangup that was ignored at the start stays ignored' nohup_goes_on
test_that 'Ctrl-C ends a command that ignores it, and what it left in the background' ctrl_c_ends_a_stubborn_command
done_testing
