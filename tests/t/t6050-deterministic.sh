#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# collect --deterministic: the same numbers in every collection, and differences between kernels that are exact.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/kernels.sh"

need_kernels 2
old=${kernels[0]}
new=${kernels[1]}

# Two collections of the same kernel, with names of different length, in files of their own, while the machine
# does something else: every number of every run is the same.
values_of() {
	for run in $(perfcmp list runs | awk -v commit="$1" '$2 == commit { print $1 }'); do
		perfcmp show "$run" | sed -n -e '/^test /p' -e '/^values/,$p'
	done
}
two_collections_are_the_same() {
	tests=(will-it-scale/sched_yield will-it-scale/getppid1 will-it-scale/mmap1 will-it-scale/page_fault1)
	perfcmp collect --deterministic --kernel "$new,commit=first" --param ops=5000 "${tests[@]}" 2>err &
	first=$!
	perfcmp collect --db second.db --deterministic --kernel "$new,commit=the-second,subject=again" \
		--param ops=5000 "${tests[@]}" 2>err2
	wait $first
	values_of first >one
	PERFCMP_DB=second.db values_of the-second >two
	[ "$(grep -c 'will-it-scale.instructions_per_op ' one)" -eq 4 ]
	[ "$(grep -c 'will-it-scale.instructions_per_op.kernel ' one)" -eq 4 ]
	diff one two
}

nothing_differs_in_the_table() {
	perfcmp collect --deterministic --kernel "$new,commit=first" --kernel "$new,commit=other" --param ops=5000 \
		will-it-scale/getppid1 2>err
	perfcmp diff --all first other >out 2>notes
	[ "$(grep -c '  +0.000 .* will-it-scale.instructions_per_op' out)" -eq 4 ]
	has_not out '[+-][0-9.]*[1-9][0-9.]*%? .* (will-it-scale|perf-stat)'
	has notes 'have no noise'
	perfcmp diff first other >out 2>notes
	[ ! -s out ]
	has notes 'nothing above the threshold'
}

# A kernel that checks its slabs takes longer for a system call that allocates; the test itself does not.
differences_are_exact() {
	perfcmp collect --deterministic --kernel "$old,commit=v6.1" --kernel "$new,commit=v6.12" --param ops=5000 \
		will-it-scale/sched_yield will-it-scale/open1 2>err
	perfcmp collect --deterministic --kernel "$new,commit=checked" --param ops=5000 --append slub_debug=F \
		will-it-scale/open1 2>err
	perfcmp diff v6.1 v6.12 >out
	has out '^ +[0-9]+\.[0-9]{3} +[+-][0-9]+\.[0-9]{3} +[0-9]+\.[0-9]{3} +will-it-scale\.instructions_per_op$'
	perfcmp diff --all v6.12 checked >out
	has out ' \+[0-9]{2,}\.[0-9]{3} .* will-it-scale\.instructions_per_op\.kernel$'
	has out ' \+0\.000 .* will-it-scale\.instructions_per_op\.user$'
	perfcmp list machines >out
	has out 'vm-1cpu-1node-1024M-icount +[0-9]+ +deterministic'
}

a_command_has_virtual_time() {
	for commit in a b; do
		perfcmp collect --deterministic --kernel "$new,commit=$commit" --name sum -- \
			sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done' 2>err
	done
	[ "$(perfcmp diff --all --metric command.seconds a b | grep -c ' +0.0% ')" -eq 1 ]
}

what_cannot_be_is_refused() {
	one=(--deterministic --kernel "$new")
	exits 2 perfcmp collect "${one[@]}" --vm-cpus 2 will-it-scale/getppid1 2>err
	has err 'one CPU'
	exits 2 perfcmp collect "${one[@]}" --vm-nodes 2 will-it-scale/getppid1 2>err
	has err 'one node'
	exits 2 perfcmp collect "${one[@]}" autonuma-benchmark/numa01 2>err
	has err 'one NUMA node has nothing to balance: give --param one_node=allow'
	exits 2 perfcmp collect "${one[@]}" --accel kvm will-it-scale/getppid1 2>err
	has err 'needs emulation'
	exits 2 perfcmp collect "${one[@]}" --runtime 5 will-it-scale/getppid1 2>err
	has err 'ops=N'
	exits 2 perfcmp collect --deterministic will-it-scale/getppid1 2>err
	has err '^perfcmp: --deterministic is for kernels in virtual machines: give --kernel'
	exits 2 perfcmp collect "${one[@]}" --param runtime=5 will-it-scale/getppid1 2>err
	has err 'ops=N'
}

a_test_that_never_ends_is_ended() {
	exits 1 perfcmp collect --deterministic --kernel "$new,commit=hang" --run-timeout 0.5 --name hang -- \
		sh -c 'while :; do :; done' 2>err
	perfcmp list runs >out
	has out 'hang .*(timeout|took longer)'
}

test_that 'two collections of a kernel give the same numbers to the last digit' two_collections_are_the_same
test_that 'the table shows no difference where there is none, and says why' nothing_differs_in_the_table
test_that 'differences are shown exactly, where they are' differences_are_exact
test_that 'the time of a command is virtual, and the same' a_command_has_virtual_time
test_that 'several CPUs, nodes, KVM and seconds are refused with the reason' what_cannot_be_is_refused
test_that 'a test that never ends is ended by its time limit' a_test_that_never_ends_is_ended
done_testing
