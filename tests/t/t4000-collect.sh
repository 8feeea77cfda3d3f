#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# collect plans, runs, stores and reports, shown on workloads and counters that are invented.
. "$(dirname "$0")/lib.sh"

fake() { perfcmp collect --counters fake "$@" 2>>err; }
sql() { sqlite3 "$PERFCMP_DB" "$1"; }

stores_each_run() {
	fake --commit v1 --iterations 3 fake/steady
	[ "$(sql 'SELECT count(*) FROM runs')" -eq 3 ]
	has err '^3 runs of v1 stored, 0 failed$'
	perfcmp list runs >out
	[ "$(grep -c ' fake/steady ' out)" -eq 3 ]
}

names_the_kernel_by_default() {
	fake --iterations 1 fake/steady
	perfcmp list commits >out
	has out "^$(uname -r) +1 +0 "
}

computes_the_mean_that_the_fake_documents() {
	PERFCMP_FAKE=value=1100 fake --commit b --iterations 3 fake/steady
	PERFCMP_FAKE=value=1000 fake --commit a --iterations 3 fake/steady
	perfcmp diff a b >out
	has out '^      1000 +\+10\.0% +1100 +fake\.ops$'
}

every_combination() {
	fake --commit v1 --iterations 2 --dry-run --nr-task 1 --nr-task 2 --mode process --mode thread \
		will-it-scale/getppid1 >out
	has out '^8 runs, '
	[ "$(grep -c 'iteration' out)" -eq 8 ]
	has out 'mode=thread nr_task=2 .*iteration 2$'
	[ ! -e "$PERFCMP_DB" ]
}

percentages_that_meet_are_one_parameter_set() {
	fake --commit v1 --iterations 1 --dry-run --nr-task 1 --nr-task 0.001% will-it-scale/getppid1 >out
	has out '^1 run, '
}

keeps_order() {
	fake --commit v --iterations 2 --dry-run fake/steady fake/noisy >out
	[ "$(grep -o 'fake/[a-z]*' out | tr '\n' ' ')" = 'fake/steady fake/noisy fake/steady fake/noisy ' ]
	fake --commit v --iterations 2 --dry-run --order sequential fake/steady fake/noisy >out
	[ "$(grep -o 'fake/[a-z]*' out | tr '\n' ' ')" = 'fake/steady fake/steady fake/noisy fake/noisy ' ]
	fake --commit v --iterations 9 --dry-run --order random --seed 5 fake/steady fake/noisy >out
	fake --commit v --iterations 9 --dry-run --order random --seed 5 fake/steady fake/noisy >again
	fake --commit v --iterations 9 --dry-run --order random --seed 6 fake/steady fake/noisy >other
	cmp out again
	exits 1 cmp -s out other
}

a_failing_test_is_stored_and_left_out() {
	fake --commit a --iterations 3 fake/steady
	fake --commit b --iterations 3 fake/steady
	exits 1 fake --commit b --iterations 1 --name steady -- sh -c 'echo last words; exit 7'
	has err '1 run of b stored, 1 failed'
	run=$(perfcmp list runs | awk '/failed/ { print $1 }')
	perfcmp show "$run" >out
	has out '^status +failed: exit status 7'
	has out '^  last words$'
	has out '1  last_state\.is_incomplete_run'
	has out '1  last_state\.test\.command\.exit_code\.7'
}

failures_are_rows() {
	fake --commit a --iterations 3 --name flaky -- true
	exits 1 fake --commit b --iterations 1 --name flaky -- false
	fake --commit b --iterations 3 --name flaky -- true
	perfcmp diff a b >out
	has out '^       fail:runs  %reproduction    fail:runs$'
	has out ':3 +33% +1:4 +last_state\.is_incomplete_run$'
}

each_way_to_fail() {
	exits 1 fake --commit v --iterations 1 fake/fail
	exits 1 fake --commit v --iterations 1 fake/crash
	exits 1 fake --commit v --iterations 1 --run-timeout 0.5 fake/hang
	[ "$(sql "SELECT group_concat(status, ' ') FROM (SELECT status FROM runs ORDER BY id)")" = 'failed killed timeout' ]
	perfcmp list runs >out
	has out 'killed: killed by signal'
	has out 'timeout: '
}

goes_on_after_a_failure() {
	exits 1 fake --commit v --iterations 2 fake/fail fake/steady
	[ "$(sql "SELECT count(*) FROM runs WHERE status = 'ok'")" -eq 2 ]
	[ "$(sql "SELECT count(*) FROM runs WHERE status = 'failed'")" -eq 2 ]
}

a_missing_program_is_named() {
	exits 1 fake --commit v --iterations 1 -- ./no-such-program
	has err 'no-such-program: .*No such file'
}

a_command_is_measured() {
	fake --commit v --iterations 2 --pick 'rate=rate: ([0-9.]+)' --unit MB/s --better higher -- \
		sh -c 'echo rate: 1; echo "rate: 12.5 MB/s"'
	run=$(perfcmp list runs | awk 'END { print $1 }')
	perfcmp show "$run" >out
	has out ' 12\.5  command\.rate'
	has out ' command\.seconds '
	has out ' command\.time\.elapsed_time '
	has out 'pick\.rate\.unit +MB/s'
	has out 'pick\.rate\.better +higher'
}

unit_and_better_are_of_the_pick_before() {
	fake --commit v --iterations 1 --pick 'a=a(\d)' --unit s --pick 'b=b(\d)' --better lower --pick 'c=c(\d)' -- \
		echo a1 b2 c3
	perfcmp show "$(perfcmp list runs | awk 'END { print $1 }')" >out
	has out ' 1  command\.a'
	has out ' 3  command\.c'
	sed -nE 's/^ *(pick\.[a-z.]+) +(.*)/\1 \2/p' out | sort >facts
	printf 'pick.a.unit s\npick.b.better lower\n' | diff - facts
}

fakes_of_a_real_test_are_the_same_each_time() {
	fake --commit a --iterations 3 --workload fake will-it-scale/getppid1
	fake --commit b --iterations 3 --workload fake will-it-scale/getppid1
	perfcmp diff --all a b >out
	has out '\+0\.0% .* will-it-scale\.per_process_ops$'
	has out '\+0\.0% .* perf-stat\.total\.instructions$'
}

a_bad_call_starts_nothing() {
	local call
	while read -r call; do
		rm -f err
		# shellcheck disable=SC2086
		exits 2 fake $call
		[ "$(wc -l <err)" -eq 1 ]
		has err '^perfcmp: '
		[ ! -e "$PERFCMP_DB" ]
	done <<-'END'
		--commit v
		--commit v nosuch/test
		--commit v will-it-scale/getppid
		--commit v --nr-task none will-it-scale/getppid1
		--commit v --nr-task 0 will-it-scale/getppid1
		--commit v --mode fibre will-it-scale/getppid1
		--commit v --affinity moon will-it-scale/getppid1
		--commit v --runtime soon will-it-scale/getppid1
		--commit v --runtime 0 will-it-scale/getppid1
		--commit v --param mem=1G will-it-scale/getppid1
		--commit v --param mem autonuma-benchmark/numa01
		--commit v --mode process fake/steady
		--commit v --iterations 0 fake/steady
		--commit v --events no-such-event fake/steady
		--commit v --no-such-option fake/steady
		--commit v --pick x=( -- true
		--commit v --pick x=(.*) fake/steady
		--commit v --better higher -- true
		--commit v --unit s -- true
		--commit v fake/steady -- true
		--commit v --workload fake -- true
		--commit v --
		--commit
	END
}

refuses_empty_texts() {
	for option in commit machine name events; do
		rm -f err
		exits 2 fake --commit v "--$option" '' -- touch ran
		[ "$(wc -l <err)" -eq 1 ]
		has err "^perfcmp: --$option: the (name|list) is empty$"
	done
	[ ! -e ran ]
	[ ! -e "$PERFCMP_DB" ]
}

refuses_a_machine_without_a_kernel() {
	for option in '--boots 1' '--vm-cpus 2' '--vm-mem 1G' '--vm-nodes 1' '--append quiet' '--qemu qemu' '--resume'; do
		rm -f err
		# shellcheck disable=SC2086 # two words
		exits 2 fake --commit v $option fake/steady
		has err "^perfcmp: ${option% *} is for kernels in virtual machines: give --kernel$"
	done
	[ ! -e "$PERFCMP_DB" ]
}

refuses_absurd_numbers() {
	exits 2 fake --commit v --iterations 100000 will-it-scale
	has err '^perfcmp: more than 1000000 runs: fewer --iterations, --boots, tests or parameters$'
	values=()
	for key in value spread step seed lines metrics; do
		for i in $(seq 11); do values+=(--param "$key=$i"); done
	done
	exits 2 fake --commit v "${values[@]}" fake/steady
	has err '^perfcmp: fake/steady: more than 1000000 combinations of parameters: give fewer values$'
}

tells_what_is_near() {
	exits 2 fake --commit v will-it-scale/getpid1
	has err 'will-it-scale/getppid1'
	exits 2 fake --commit v --event cycles fake/nosuch
	has err 'fake/'
}

without_aslr() {
	fake --commit v --iterations 1 fake/steady
	perfcmp show "$(perfcmp list runs | awk 'END { print $1 }')" >out
	has out '^  aslr +0$'
	fake --commit v --iterations 1 -- true
	perfcmp show "$(perfcmp list runs | awk 'END { print $1 }')" >out
	has out "^  aslr +$(cat /proc/sys/kernel/randomize_va_space)\$"
}

test_that 'each run is stored as it ends and counted in the end' stores_each_run
test_that 'without --commit the kernel release is the label' names_the_kernel_by_default
test_that 'the table shows the change that the fakes were told to have' computes_the_mean_that_the_fake_documents
test_that 'several values give every combination, and --dry-run runs none' every_combination
test_that 'percentages that mean the same number of tasks are one parameter set' percentages_that_meet_are_one_parameter_set
test_that 'runs are interleaved, sequential, or shuffled by a seed' keeps_order
test_that 'a failing command is stored with status, reason and last words' a_failing_test_is_stored_and_left_out
test_that 'failed runs are failure rows of the table' failures_are_rows
test_that 'failure, crash and time limit are told apart' each_way_to_fail
test_that 'a failing test does not stop the others' goes_on_after_a_failure
test_that 'a program that is not there is named' a_missing_program_is_named
test_that 'numbers of a command are picked, with unit and direction' a_command_is_measured
test_that 'unit and direction belong to the pick before them' unit_and_better_are_of_the_pick_before
test_that 'the fake workload stands in for a real test, the same each time' fakes_of_a_real_test_are_the_same_each_time
test_that 'what is said of a virtual machine is refused where no kernel is booted' refuses_a_machine_without_a_kernel
test_that 'more runs than anybody waits for are refused' refuses_absurd_numbers
test_that 'a call that cannot be meant exits 2 with one line and starts nothing' a_bad_call_starts_nothing
test_that 'an empty label, machine, name or list of events is refused' refuses_empty_texts
test_that 'an unknown test is answered with what is near' tells_what_is_near
test_that 'built-in tests run without ASLR, a command as it always does' without_aslr
done_testing
