#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# An ordinary user under each kernel.perf_event_paranoid. The kernel's own meaning of the setting ends at 2 (user
# space of own tasks); Debian's kernels know 3: nothing at all for ordinary users. Both must end well here.
. "$(dirname "$0")/lib.sh"

setting=/proc/sys/kernel/perf_event_paranoid
before=$(cat "$setting" 2>/dev/null) || skip_all 'a kernel without perf events'
[ "$(id -u)" -eq 0 ] || skip_all 'only root can change the setting and become an ordinary user'
command -v setpriv >/dev/null || skip_all 'setpriv is not installed'
(echo "$before" >"$setting") 2>/dev/null || skip_all 'the setting cannot be changed here'

trap 'echo "$before" >"$setting"; chmod -R u+w "$root"; rm -rf "$root"' EXIT
chmod 711 "$root"
cp "$PERFCMP" "$root/perfcmp-for-all"
chmod 755 "$root/perfcmp-for-all"

nobody() {
	chmod 777 "$work"
	setpriv --reuid 65534 --regid 65534 --clear-groups env HOME="$work" PERFCMP_DB="$work/nobody.db" \
		"$root/perfcmp-for-all" "$@"
}

collect_with() {
	echo "$1" >"$setting"
	shift
	nobody collect --commit v --iterations 1 "$@" -- sh -c 'sleep 0.1' 2>err
	nobody show "$(nobody list runs | awk 'END { print $1 }')" >out
}

may_count_all() {
	collect_with -1
	has out ' page-faults$'
	has out ' context-switches$'
	has_not out 'perf_event_paranoid'
}

falls_back_to_the_task() {
	collect_with 1
	has out ' page-faults$'
	has out ' context-switches$'
	has out 'only of the test itself, not of the whole system: kernel\.perf_event_paranoid is 1: set it to 0'
}

falls_back_to_user_space() {
	collect_with 2
	has out ' page-faults:u$'
	has_not out ' page-faults$'
	# these would be counted as 0
	has_not out ' context-switches:u$'
	has out "and without the kernel's part: kernel\.perf_event_paranoid is 2: set it to 0"
	has out 'not counted, happens in the kernel: .*context-switches'
}

refuses_what_was_asked_for_by_name() {
	echo 2 >"$setting"
	exits 1 nobody collect --commit v --counters system -- touch "$work/ran" 2>err
	has err '^perfcmp: .*kernel\.perf_event_paranoid is 2'
	[ ! -e "$work/ran" ]
}

stays_useful_at_3() {
	collect_with 3
	has out '^status +ok$'
	has out 'kernel\.perf_event_paranoid is 3: set it to [02] or less with sysctl, or be root'
	[ "$(grep -c 'perf_event_paranoid' out)" -eq 1 ]
	has out 'command\.time\.elapsed_time'
	has_not out ' context-switches:u$'
}

says_it_on_the_terminal_too() {
	collect_with 3
	[ "$(grep -c 'perf_event_paranoid is 3' err)" -eq 1 ]
}

keeps_what_is_stored() {
	collect_with -1
	collect_with 3
	[ "$(nobody list runs | grep -c ' ok ')" -eq 2 ]
}

test_that 'a user who may count the whole system does' may_count_all
test_that 'with 1 only the test is counted, and the setting is named' falls_back_to_the_task
test_that 'with 2 only its user space is counted, under names that say so' falls_back_to_user_space
test_that 'with 3 the run is kept, with one line that names the setting and says what to do' stays_useful_at_3
test_that 'collect says so once' says_it_on_the_terminal_too
test_that 'nothing stored earlier is lost' keeps_what_is_stored
test_that 'system wide counters by name are refused, and nothing is run' refuses_what_was_asked_for_by_name
done_testing
