#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# What can happen to a collection while it runs: its database goes away, its reader goes away, it is stopped.
. "$(dirname "$0")/lib.sh"

collect() { perfcmp collect --counters off --commit v "$@" 2>>err; }
last_run() { perfcmp show "$(perfcmp list runs | awk 'END { print $1 }')"; }
runs() { sqlite3 "$PERFCMP_DB" 'SELECT count(*) FROM runs' 2>/dev/null || echo 0; }
wait_for_runs() {
	for _ in $(seq 100); do
		[ "$(runs)" -ge "$1" ] && return
		sleep 0.05
	done
	return 1
}

the_database_is_removed() {
	PERFCMP_FAKE=seconds=0.3 "$PERFCMP" collect --counters off --commit v --iterations 20 fake/slow 2>err &
	pid=$!
	wait_for_runs 1
	rm "$PERFCMP_DB"*
	exits 1 wait $pid
	has err '^perfcmp: .*test\.db: was removed or replaced while it was open'
}

the_database_may_not_grow() {
	collect --iterations 1 fake/steady
	(
		ulimit -f 1
		exits 1 collect --iterations 1 fake/wide
	)
	has err '^perfcmp: .*test\.db'
	[ "$(runs)" -eq 1 ]
	[ "$(sqlite3 "$PERFCMP_DB" 'PRAGMA integrity_check')" = ok ]
}

nobody_reads_the_progress() {
	perfcmp collect --counters off --commit v --iterations 20 fake/steady 2>&1 | head -n 1 >first
	wait_for_runs 20
}

quit_is_a_request_to_stop() {
	PERFCMP_FAKE=seconds=0.3 "$PERFCMP" collect --counters off --commit v --iterations 50 fake/slow 2>err &
	pid=$!
	wait_for_runs 2
	kill -QUIT $pid
	exits 130 wait $pid
	has err 'interrupted'
}

a_stopped_collection_says_so() {
	"$PERFCMP" collect --counters off --commit v --iterations 1 -- sleep 1 2>err &
	pid=$!
	sleep 0.3
	kill -STOP $pid
	sleep 3
	kill -CONT $pid
	wait $pid
	has err 'warning: perfcmp itself was stopped or got no CPU for [23] s of this run'
	last_run >out
	has out 'its times may be too long'
}

only_the_end_of_a_long_output_is_searched() {
	collect --iterations 1 --pick 'n=(\d+)' -- \
		sh -c 'echo 123456789; yes aaaaaaaaaaaaaaaaaaaaaaa | head -c 16777211'
	has err 'warning: only the last 16 MiB of the output were searched'
	last_run >out
	has_not out 'command\.n$'
	collect --iterations 1 --pick 'n=(\d+)' -- sh -c 'yes | head -c 20000000; echo 77'
	last_run >out
	has out ' 77  command\.n'
}

a_pick_cannot_replace_what_is_measured() {
	for pick in 'seconds=(\d+)' 'time.elapsed_time=(\d+)'; do
		exits 2 collect --pick "$pick" -- echo 77
	done
	exits 2 collect --pick 'a=(\d)' --pick 'a=(\d\d)' -- echo 77
	has err 'there are two of that name'
	[ ! -e "$PERFCMP_DB" ]
}

the_first_request_asks() {
	mkdir tmp
	TMPDIR=$work/tmp "$PERFCMP" collect --counters off --commit v --iterations 1 --warmup 0.1 --runtime 20 \
		--nr-task 2 will-it-scale/unlink1 2>err &
	pid=$!
	for _ in $(seq 100); do
		[ -n "$(find tmp -mindepth 1)" ] && break
		sleep 0.05
	done
	kill -TERM $pid
	exits 130 wait $pid
	[ -z "$(find tmp -mindepth 1)" ]
}

test_that 'a database that was removed is noticed, not written to in vain' the_database_is_removed
test_that 'a file size limit is an error, and what was stored stays' the_database_may_not_grow
test_that 'a campaign goes on when nobody reads its progress' nobody_reads_the_progress
test_that 'Ctrl-\ is a request to stop' quit_is_a_request_to_stop
test_that 'a collection that was stopped for a while says that its times are too long' a_stopped_collection_says_so
test_that 'of a very long output the end is searched, whole lines only, and it is said' only_the_end_of_a_long_output_is_searched
test_that 'a pick cannot have the name of what is measured, nor of another pick' a_pick_cannot_replace_what_is_measured
test_that 'a first request to stop lets a test clean up its files' the_first_request_asks
done_testing
