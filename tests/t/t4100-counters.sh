#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Real counters of real commands, against what perf itself counts. Nothing here needs a PMU.
. "$(dirname "$0")/lib.sh"

# collects one run of a command and prints what is known of it
measure() {
	perfcmp collect --commit v --iterations 1 "$@" 2>err
	perfcmp show "$(perfcmp list runs | awk 'END { print $1 }')" >out
}

# count EVENT: the number in the table of counters, nothing if it is not there
count() { awk -v event="$1" '/^counters/ { on = 1 } on && $NF == event { print $1 }' out; }

agrees_with_perf() {
	set -- dd if=/dev/zero of=/dev/null bs=80M count=1
	perf stat -x, -e page-faults,minor-faults -o perf.csv "$@" 2>/dev/null
	measure --counters task --events page-faults,minor-faults -- "$@"
	for event in page-faults minor-faults; do
		theirs=$(awk -F, -v event="$event" '$3 == event { print $1 }' perf.csv)
		ours=$(count "$event")
		echo "$event: perf $theirs, perfcmp $ours"
		# perf's own way to exec costs a few dozen
		[ "$ours" -gt $((theirs * 98 / 100 - 100)) ]
		[ "$ours" -lt $((theirs * 102 / 100 + 100)) ]
	done
}

counts_descendants() {
	measure --counters task --events task-clock -- sh -c '
		for i in 1 2; do sh -c "i=0; while [ \$i -lt 200000 ]; do i=\$((i + 1)); done" & done; wait'
	read -r user system <<-EOF
		$(awk '$2 ~ /time.user_time$/ { u = $1 } $2 ~ /time.system_time$/ { s = $1 } END { print u + 0, s + 0 }' out)
	EOF
	# ENABLED is the CPU time of the task clock: the same as wait4() says, within 20% and 20 ms
	awk -v used="$(awk -v u="$user" -v s="$system" 'BEGIN { print (u + s) * 1000 }')" '
		$NF == "task-clock" && /100%/ { seen = $2 }
		END { print "task-clock", seen, "ms, used", used, "ms"
			exit !(seen > used * 0.8 - 20 && seen < used * 1.2 + 20) }' out
}

task_scope_leaves_others_out() {
	sh -c 'while :; do :; done' &
	other=$!
	measure --counters task --events task-clock -- sleep 0.3
	kill "$other"
	awk '$NF == "task-clock" { seen = 1; if ($2 > 100) exit 1 } END { exit !seen }' out
}

refuses_what_is_no_event() {
	exits 2 perfcmp collect --commit v --events cycles,cylces -- touch ran 2>err
	has err "no event is named 'cylces': did you mean cycles\?"
	[ "$(wc -l <err)" -eq 1 ]
	[ ! -e ran ]
}

names_the_fields_of_a_pmu() {
	exits 2 perfcmp collect --commit v --events software/evnt=1/ -- true 2>err
	has err "PMU software has no event and no field 'evnt'"
}

goes_on_without_what_is_missing() {
	measure --counters task --events no_such_pmu/event=0x4,umask=0x3/,page-faults -- true
	[ -z "$(count 'no_such_pmu/event=0x4,umask=0x3/')" ]
	[ "$(count page-faults)" -gt 0 ]
	has out 'no_such_pmu/event=0x4,umask=0x3/: no PMU no_such_pmu here'
}

# every event of the default list is either counted or named; what is named has no value of any kind
nothing_becomes_zero() {
	measure --counters task -- true
	for event in cpu-cycles instructions dTLB-load-misses node-stores page-faults task-clock; do
		if [ -z "$(count "$event")" ]; then
			has out "(not supported|not counted|not accepted|not permitted).*[ ,:]$event(,|$)"
			has_not out "perf-stat\.[a-z]*\.$event\$"
		fi
	done
	[ "$(count page-faults)" -gt 0 ]
}

modifiers_make_other_events() {
	measure --counters task --events '{page-faults,minor-faults}:u,page-faults:k' -- true
	[ "$(count page-faults:u)" -gt 0 ]
	[ "$(count minor-faults:u)" -gt 0 ]
	[ -n "$(count page-faults:k)" ]
}

off_means_none() {
	measure --counters off -- true
	has_not out '^counters'
	has_not out 'perf-stat'
}

background_processes_do_not_hold_it_up() {
	begin=$(date +%s)
	measure --counters off -- sh -c 'sleep 60 & echo left'
	[ $(($(date +%s) - begin)) -lt 20 ]
	has out '1 process left running by the test, killed'
}

# Only what collect itself says of permissions is a reason to skip; anything else is for the tests to find.
said=$(cd "$root" && PERFCMP_DB=$root/probe.db measure --counters task --events task-clock,page-faults -- true 2>/dev/null
	cat out 2>/dev/null)
reason=$(sed -n 's/.*no counters: //p' <<<"$said" | head -n 1)
[ -z "$reason" ] || skip_all "$reason"
no_kernel_part=$(sed -n "s/.*without the kernel's part: //p" <<<"$said" | head -n 1)

# with_kernel_part TITLE COMMAND: an ordinary user may be denied what happens in the kernel
with_kernel_part() {
	if [ -z "$no_kernel_part" ]; then
		test_that "$@"
	else
		skip_test "$1" "$no_kernel_part"
	fi
}

if command -v perf >/dev/null; then
	with_kernel_part 'page faults of a command are those that perf stat counts' agrees_with_perf
else
	skip_test 'page faults of a command are those that perf stat counts' 'perf is not installed'
fi
test_that 'the task clock of a command includes its descendants' counts_descendants
test_that 'counting a task leaves other tasks out' task_scope_leaves_others_out
test_that 'a misspelt event is refused before anything runs, with what is near' refuses_what_is_no_event
test_that 'a wrong term of a PMU is refused, with the terms there are' names_the_fields_of_a_pmu
with_kernel_part 'an event of a PMU that is not there costs that event only' goes_on_without_what_is_missing
with_kernel_part 'an event that cannot be counted is named and has no value' nothing_becomes_zero
test_that 'a modifier makes another event, also that of a group' modifiers_make_other_events
test_that '--counters off counts nothing' off_means_none
test_that 'a process left behind is killed and mentioned' background_processes_do_not_hold_it_up
done_testing
