#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# A collection shows how far it is: one line that is redrawn on a terminal, plain lines elsewhere.
. "$(dirname "$0")/lib.sh"

on_terminal() { script -qec "'$PERFCMP' collect --counters off --commit v $1" /dev/null >out; }

a_terminal_gets_a_progress_line() {
	TERM=xterm PERFCMP_FAKE=seconds=0.6 on_terminal '--iterations 2 fake/slow'
	has out 'iteration 1 of 2, 0 s: fake/slow'
	has out 'iteration 2 of 2, 0 s, 1 s left: fake/slow'
	TERM=dumb PERFCMP_FAKE=seconds=0.3 on_terminal '--iterations 1 fake/slow'
	has_not out "$(printf '\033')"
	has out '^\[1/1\] fake/slow iteration 1 of 1.?$'
}

the_line_counts_the_seconds() {
	TERM=xterm PERFCMP_FAKE=seconds=2.6 on_terminal '--iterations 1 fake/slow'
	tr '\r' '\n' <out >lines
	# 0 s, 1 s, 2 s, and maybe the next, each in several drawings
	sed -nE 's/.*iteration 1 of 1, ([0-9]+) s.*: fake.*/\1/p' lines | uniq >seconds
	head -n 3 seconds | diff - <(printf '0\n1\n2\n')
}

plain_lines_elsewhere() {
	PERFCMP_FAKE=seconds=1.2 perfcmp collect --counters off --commit v --iterations 2 fake/slow 2>err
	has_not err "$(printf '[\r\033]')"
	sed -E 's/\([0-9.]+ s\)/(T)/; s/[0-9]+ s left/T left/' err >plain
	diff - plain <<-'END'
		[1/2] fake/slow iteration 1 of 2
		[1/2] fake/slow iteration 1 of 2: 1000 ops (T)
		[2/2] fake/slow iteration 2 of 2, T left
		[2/2] fake/slow iteration 2 of 2: 1000 ops (T)
		2 runs of v stored, 0 failed
	END
}

the_line_of_a_run_is_there_when_it_begins() {
	PERFCMP_FAKE=seconds=30 "$PERFCMP" collect --counters off --commit v --iterations 1 fake/slow 2>err &
	for _ in $(seq 200); do
		[ ! -s err ] || break
		sleep 0.05
	done
	has err '^\[1/1\] fake/slow iteration 1 of 1$'
	kill $!
	exits 130 wait $!
}

warns_once_a_collection() {
	perfcmp collect --counters task --events no_such_pmu/event=0x4/,page-faults --commit v --iterations 3 \
		fake/steady 2>err
	[ "$(grep -c '^warning: .*no_such_pmu/event=0x4/: no PMU no_such_pmu here' err)" -eq 1 ]
	perfcmp list runs | awk '/fake\/steady/ { print $1 }' >ids
	[ "$(wc -l <ids)" -eq 3 ]
	while read -r id; do
		perfcmp show "$id" | grep 'no PMU no_such_pmu here'
	done <ids
}

# Only what collect itself says of permissions is a reason to skip.
why_no_counters() {
	perfcmp collect --db "$root/probe.db" --commit v --iterations 1 -- true 2>&1 | sed -n 's/^warning: no counters: //p'
}

test_with script 'a terminal sees test, iteration and time left; a dumb one plain lines' a_terminal_gets_a_progress_line
test_with script 'the line on a terminal counts the seconds of a run' the_line_counts_the_seconds
test_that 'elsewhere each run has a line when it begins and one when it ended' plain_lines_elsewhere
test_that 'the line of a run is there when it begins' the_line_of_a_run_is_there_when_it_begins
reason=$(why_no_counters)
if [ -z "$reason" ]; then
	test_that 'a warning is printed once a collection and stored with each run' warns_once_a_collection
else
	skip_test 'a warning is printed once a collection and stored with each run' "$reason"
fi
done_testing
