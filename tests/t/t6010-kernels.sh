#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# collect --kernel: two kernels by turns, what goes wrong in a guest as a result, and a campaign that goes on.
. "$(dirname "$0")/lib.sh"

# $PERFCMP_TEST_KERNELS: a folder with kernel images somewhere below it
folder=${PERFCMP_TEST_KERNELS:-$SOURCE_DIR/build/kernels}
mapfile -t kernels < <(find "$folder" -name 'vmlinuz-*' -size +1M 2>/dev/null | sort -V)
command -v qemu-system-x86_64 >/dev/null || skip_all 'qemu-system-x86_64 is not installed'
[ ${#kernels[@]} -ge 2 ] || skip_all "no two kernel images in $folder (PERFCMP_TEST_KERNELS)"
base=${kernels[0]},commit=base
new=${kernels[1]},commit=new

collect() { perfcmp collect --accel tcg --vm-mem 768M --counters auto "$@" 2>>err; }
sql() { sqlite3 "$PERFCMP_DB" "$1"; }
no_machine_left() { exits 1 pgrep -f -- "qemu-system-x86_64.*$1"; }

two_kernels_by_turns() {
	collect --kernel "$base" --kernel "$new" --boots 2 --iterations 2 --vm-nodes 2 --runtime 0.3 --warmup 0.1 \
		will-it-scale/sched_yield autonuma-benchmark/numa02 --param mem=16M --param loops=1
	[ "$(sql "SELECT group_concat(c.name, ' ') FROM (SELECT commit_id FROM runs GROUP BY boot_id ORDER BY min(id)) r
		JOIN commits c ON c.id = r.commit_id")" = 'base new base new' ]
	[ "$(sql 'SELECT count(*) FROM boots')" -eq 4 ]
	[ "$(sql 'SELECT max(iteration) FROM runs')" -eq 4 ]
	perfcmp diff --all base new >out 2>notes
	has notes '^note: vm-2cpu-2node-768M-tcg is emulated: its times tell of the emulator as much as of the kernels$'
	has out 'vm-2cpu-2node-768M-tcg/sched_yield/will-it-scale'
	for row in will-it-scale.per_process_ops perf-stat.ps.context-switches will-it-scale.time.elapsed_time \
		autonuma-benchmark.numa02.seconds; do
		has out " ${row//./\\.}\$"
	done
	perfcmp list machines >out
	has out ' emulated +2 +2 '
	perfcmp list commits >out
	has out '^base +8 +0 .* 6\.[0-9]'
}

a_panic_is_a_result() {
	exits 1 collect --kernel "$base" --kernel "$new" --append marked_for_the_panic --iterations 2 --name boom -- \
		sh -c 'if [ $PERFCMP_ITERATION = 1 ]; then echo c >/proc/sysrq-trigger; fi'
	[ "$(sql "SELECT count(*) FROM runs WHERE status = 'failed' AND iteration = 1")" -eq 2 ]
	[ "$(sql "SELECT count(*) FROM runs WHERE status = 'ok' AND iteration = 2")" -eq 2 ]
	perfcmp list runs >out
	has out 'failed: Kernel panic - not syncing: sysrq triggered crash'
	perfcmp show "$(awk '/failed/ { print $1; exit }' out)" >shown
	has shown 'dmesg\.Kernel_panic'
	has shown 'Call Trace'
	no_machine_left marked_for_the_panic
}

a_kernel_that_does_not_boot_is_a_result() {
	# whole by its head, and nothing in it
	cp "${kernels[1]}" broken
	size=$(stat -c %s broken)
	dd if=/dev/zero of=broken bs=65536 seek=2 count=$((size / 65536 - 2)) conv=notrunc 2>/dev/null
	exits 1 timeout 400 "$PERFCMP" collect --accel tcg --kernel "$base" --kernel broken,commit=broken --iterations 1 \
		fake/steady 2>err
	[ "$(sql "SELECT count(*) FROM runs WHERE status = 'failed'")" -eq 1 ]
	perfcmp list runs >out
	has out 'broken .*failed: '
	has out 'base .* ok '
}

images_that_are_none_are_refused() {
	head -c 100000 "${kernels[0]}" >half-image
	exits 2 collect --kernel half-image,commit=half fake/steady
	exits 2 collect --kernel /dev/null,commit=null fake/steady
	exits 2 collect --kernel no-such-image,commit=none fake/steady
	exits 2 collect --kernel "$base,colour=red" fake/steady
	exits 2 collect --kernel "$base" --kernel "$base" fake/steady
	exits 2 collect --kernel "$base" --commit v1 fake/steady
	exits 2 collect --kernel "$base" --vm-mem much fake/steady
	exits 2 collect --kernel "$base" --vm-nodes 4 --vm-cpus 2 fake/steady
	exits 2 collect --kernel "$base" --qemu /no/such/qemu fake/steady
	[ "$(wc -l <err)" -eq 9 ]
	[ ! -e "$PERFCMP_DB" ]
}

too_little_memory_is_said() {
	truncate -s 300M large
	exits 1 collect --kernel "$base" --vm-mem 256M --vm-file "$PWD/large" --iterations 1 fake/steady
	has err '^perfcmp: .*does not fit'
}

a_killed_campaign_goes_on() {
	campaign=(--accel tcg --vm-mem 768M --counters off --kernel "$base" --kernel "$new" --boots 2 --iterations 2
		fake/steady fake/noisy)
	exits 1 perfcmp collect --resume "${campaign[@]}" 2>err
	has err '^perfcmp: --resume: no campaign with this command line'
	"$PERFCMP" collect "${campaign[@]}" 2>err &
	pid=$!
	for moment in 3 6; do
		sleep $moment
		kill -KILL $pid
		wait $pid || :
		sleep 1
		no_machine_left "$(dirname "${kernels[0]}")/vmlinuz.*768M" || return 1
		[ "$(sql 'PRAGMA integrity_check')" = ok ]
		"$PERFCMP" collect --resume "${campaign[@]}" 2>>err &
		pid=$!
	done
	wait $pid
	[ "$(sql 'SELECT count(*), count(DISTINCT place) FROM campaign_runs')" = '16|16' ]
	[ "$(sql 'SELECT count(*) FROM runs')" -eq 16 ]
	[ "$(sql 'SELECT count(*) FROM campaigns')" -eq 1 ]
}

ctrl_c_leaves_no_machine() {
	"$PERFCMP" collect --accel tcg --kernel "$base" --iterations 1 --runtime 60 --warmup 0.1 \
		--vm-cpus 1 --append marked_for_the_test will-it-scale/getppid1 2>err &
	pid=$!
	sleep 8
	kill -TERM $pid
	exits 130 wait $pid
	no_machine_left marked_for_the_test
}

test_that 'two kernels boot by turns on two nodes, and their runs make a table' two_kernels_by_turns
test_that 'a panic costs the run under way, with reason and console, and the others are made' a_panic_is_a_result
test_that 'a kernel that does not boot is a failed run with its reason' a_kernel_that_does_not_boot_is_a_result
test_that 'what cannot be booted is refused before anything starts' images_that_are_none_are_refused
test_that 'too little memory for the guest is said' too_little_memory_is_said
test_that 'a campaign that was killed goes on with what is missing, and leaves no machine' a_killed_campaign_goes_on
test_that 'a request to stop leaves no machine' ctrl_c_leaves_no_machine
done_testing
