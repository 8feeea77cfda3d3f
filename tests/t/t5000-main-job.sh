#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The main job for real: tests of both suites on the running kernel, with real counters, into one table.
. "$(dirname "$0")/lib.sh"

collect() { perfcmp collect "$@" 2>>err; }
short=(--iterations 3 --runtime 1 --warmup 0.2)
show_last() { perfcmp show "$(perfcmp list runs | awk 'END { print $1 }')"; }

the_table() {
	for commit in base new; do
		collect --commit $commit "${short[@]}" --nr-task 1 will-it-scale/getppid1
		collect --commit $commit --iterations 3 --param one_node=allow --param mem=16M --param loops=2 \
			autonuma-benchmark/numa02
	done
	perfcmp diff --all base new >out
	for row in will-it-scale.1.processes will-it-scale.per_process_ops will-it-scale.workload \
		will-it-scale.time.elapsed_time will-it-scale.time.user_time will-it-scale.time.system_time \
		will-it-scale.time.involuntary_context_switches will-it-scale.time.minor_page_faults \
		autonuma-benchmark.numa02.seconds autonuma-benchmark.time.maximum_resident_set_size \
		perf-stat.ps.context-switches perf-stat.ps.page-faults perf-stat.ps.cpu-clock \
		perf-stat.total.task-clock; do
		has out " ${row//./\\.}\$"
	done
	[ "$(grep -c '^====' out)" -eq 2 ]
}

every_test_of_will_it_scale() {
	collect --commit all --iterations 1 --runtime 0.2 --warmup 0.1 --nr-task 1 will-it-scale
	perfcmp list runs >out
	has_not out 'failed|killed|timeout'
	for test in sched_yield getppid1 context_switch1 pipe1 futex1 futex2 page_fault1 page_fault2 page_fault3 \
		mmap1 mmap2 brk1 malloc1 malloc2 open1 read1 write1 lseek1 dup1 eventfd1 poll1 signal1 \
		pthread_mutex1 lock1 unlink1 tlb_flush1; do
		has out " will-it-scale/$test "
	done
}

threads_and_processes() {
	collect --commit v --iterations 1 --runtime 1 --warmup 0.1 --nr-task 2 --mode process --mode thread \
		will-it-scale/futex1
	perfcmp diff --all v v >out
	has out ' will-it-scale\.per_process_ops$'
	has out ' will-it-scale\.per_thread_ops$'
	has out ' will-it-scale\.2\.threads$'
}

# A loop of N iterations of a command that faults in 2000 pages: the counter is system wide, so at least that.
counts_what_happens() {
	collect --commit v --iterations 1 --events page-faults,context-switches,cpu-clock -- \
		perl -e '$x = "x" x 4096 for 1; @a = map { "x" x 8192 } 1 .. 4000;'
	show_last >out
	faults=$(awk '$5 == "page-faults" { print $1 }' out)
	[ "$faults" -ge 6000 ]
	elapsed=$(awk '$2 == "command.seconds" { print $1 }' out)
	clock=$(awk '$2 == "perf-stat.ps.cpu-clock" { print $1 }' out)
	# one second of every CPU is 1000 ms a second each
	awk -v clock="$clock" -v cpus="$(nproc)" -v elapsed="$elapsed" \
		'BEGIN { exit !(elapsed > 0 && clock > 900 * cpus && clock < 1100 * cpus) }'
}

only_the_measured_part_is_counted() {
	collect --commit v --iterations 1 --runtime 1 --warmup 1 --nr-task 1 --events cpu-clock \
		will-it-scale/getppid1
	show_last >out
	total=$(awk '$2 == "perf-stat.total.cpu-clock" { print $1 }' out)
	awk -v total="$total" -v cpus="$(nproc)" 'BEGIN { exit !(total > 900 * cpus && total < 1500 * cpus) }'
}

the_task_alone() {
	collect --commit v --iterations 1 --runtime 1 --warmup 0.2 --nr-task 1 --counters task \
		--events task-clock will-it-scale/getppid1
	show_last >out
	total=$(awk '$2 == "perf-stat.total.task-clock" { print $1 }' out)
	# the test is alone on its CPU at best, and never on two
	awk -v total="$total" 'BEGIN { exit !(total > 50 && total < 1300) }'
}

missing_events_are_missing() {
	collect --commit v --iterations 2 --runtime 0.3 --warmup 0.1 --nr-task 1 will-it-scale/getppid1
	show_last >out
	for event in cpu-cycles node-loads; do
		if ! grep -q " $event\$" out; then
			has_not out "perf-stat\..*\.$event"
			has out "^  .*$event"
			[ "$(grep -c "^warning: .*$event" err)" -eq 1 ]
		fi
	done
	has_not out ' perf-stat\.overall\.ipc .* 0$'
}

# Only what collect itself says of permissions is a reason to skip.
reason=$(perfcmp collect --db "$root/probe.db" --commit v --iterations 1 -- true 2>&1 |
	sed -n 's/^warning: no counters: //p; s/^warning: counters: only of the test itself.*: kernel/kernel/p')

# system_wide TITLE COMMAND
system_wide() {
	if [ -z "$reason" ]; then
		test_that "$@"
	else
		skip_test "$1" "$reason"
	fi
}

system_wide 'both suites run, and the table has KPI, perf-stat and time rows' the_table
test_that 'every test of will-it-scale runs' every_test_of_will_it_scale
test_that 'processes and threads are two parameter sets' threads_and_processes
system_wide 'system wide counters count what happens, over the right time' counts_what_happens
system_wide 'warm-up is not counted' only_the_measured_part_is_counted
test_that 'the task scope counts the test alone' the_task_alone
test_that 'an event that this machine lacks is missing, named once, never 0' missing_events_are_missing
done_testing
