#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# What goes wrong in a guest is a result: stored with its reason and the last lines, and the campaign goes on.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/kernels.sh"

need_kernels 2
base=${kernels[0]},commit=base
new=${kernels[1]},commit=new

collect() { perfcmp collect --accel tcg --vm-mem 384M --vm-cpus 1 --counters off "$@" 2>>err; }
sql() { sqlite3 "$PERFCMP_DB" "$1"; }

# shown STATUS: the (first) run with that status, in full, in the file `shown`
shown() { perfcmp show "$(sql "SELECT uid FROM runs WHERE status = '$1' ORDER BY id LIMIT 1")" >shown; }

# stored 'STATUS ITERATION|...': all runs, in the order in which they were stored
stored() {
	local got
	got=$(sql "SELECT group_concat(status || ' ' || iteration, '|') FROM (SELECT * FROM runs ORDER BY id)")
	[ "$got" = "$1" ] || {
		echo "stored: $got"
		return 1
	}
}

# A row among the failures of `diff base new`, in a table of one group
failure() {
	perfcmp diff base new >out
	[ "$(grep -c '^commit:' out)" -eq 1 ]
	has out "^ +:$1 +[0-9]+% +$2:$1 +$3\$"
}

# in_new ITERATION COMMAND: a shell's words that run the command in that iteration, and only on the second kernel
in_new() {
	local release=${kernels[1]##*/vmlinuz-}
	printf 'read -r release </proc/sys/kernel/osrelease; [ "$release" != "%s" ] || [ $PERFCMP_ITERATION != %s ] || { %s; }' \
		"$release" "$1" "$2"
}

a_panic_is_a_result() {
	exits 1 collect --kernel "$base" --kernel "$new" --iterations 2 --name boom -- \
		sh -c "$(in_new 1 'echo c >/proc/sysrq-trigger')"
	stored 'ok 1|ok 2|failed 1|ok 2'
	has err '^4 runs of base, new stored, 1 failed$'
	shown failed
	has shown '^status +failed: Kernel panic - not syncing: sysrq triggered crash$'
	has shown 'Call Trace:'
	failure 2 1 'last_state\.is_incomplete_run'
	failure 2 1 'dmesg\.Kernel_panic-not_syncing:sysrq_triggered_crash'
}

a_hanging_process_is_a_result() {
	exits 1 collect --kernel "$base" --iterations 2 --run-timeout 2 --name naps -- \
		sh -c '[ $PERFCMP_ITERATION != 1 ] || { echo now it hangs; while :; do :; done; }'
	stored 'timeout 1|ok 2'
	shown timeout
	has shown '^status +timeout: stopped after its time limit of 2 s$'
	has shown 'now it hangs'
	has shown 'last_state\.is_incomplete_run'
	[ "$(sql 'SELECT count(*) FROM boots')" -eq 1 ] # that costs no boot
}

# A program that keeps interrupts from its CPU for a while, or (0) for ever.
build_deaf() {
	command -v cc >/dev/null
	cat >deaf.c <<-'END'
		#include <fcntl.h>
		#include <stdint.h>
		#include <stdlib.h>
		#include <sys/mman.h>
		#include <time.h>
		int main(int argc, char **argv)
		{
			double seconds = argc > 1 ? atof(argv[1]) : 0;
			int fd = open("/dev/mem", O_RDWR | O_SYNC);
			volatile uint32_t *apic = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0xfee00000);
			struct timespec begin, now;

			if (apic == MAP_FAILED)
				return 1;
			clock_gettime(CLOCK_MONOTONIC_RAW, &begin);
			apic[0x80 / 4] = 0xff; /* the task priority: nothing is more urgent */
			do
				clock_gettime(CLOCK_MONOTONIC_RAW, &now);
			while (seconds <= 0 || now.tv_sec - begin.tv_sec < seconds);
			apic[0x80 / 4] = 0;
			return 0;
		}
	END
	cc -O1 -o deaf deaf.c
}

# It is silent for a minute before it is given up.
a_hanging_guest_is_a_result() {
	build_deaf
	exits 1 collect --kernel "$base" --iterations 2 --append iomem=relaxed --vm-file "$PWD/deaf:/bin/deaf" --name hang -- \
		sh -c '[ $PERFCMP_ITERATION != 1 ] || deaf'
	stored 'failed 1|ok 2'
	shown failed
	has shown '^status +failed: the guest hangs: not a word from it for 60 s$'
	has shown 'last_state\.is_incomplete_run'
	[ "$(sql 'SELECT count(*) FROM boots')" -eq 2 ]
}

a_stall_is_in_the_table() {
	build_deaf
	perfcmp collect --accel tcg --vm-mem 384M --vm-cpus 2 --counters off --kernel "$base" --iterations 2 --name stall \
		--append 'iomem=relaxed rcupdate.rcu_cpu_stall_timeout=3' --vm-file "$PWD/deaf:/bin/deaf" -- \
		sh -c '[ $PERFCMP_ITERATION != 1 ] || deaf 9' 2>>err
	stored 'ok 1|ok 2'
	shown ok
	has shown '^ +1 +dmesg\.INFO:rcu.*stall'
	has shown 'the kernel complained: rcu: INFO: rcu.*stall'
	[ "$(sql 'SELECT count(DISTINCT run_id) FROM warnings')" -eq 1 ] # the next run has nothing to do with it
}

# Frozen as control groups of version 1 do it: no signal gets through.
a_process_that_does_not_die_ends_its_boot() {
	cat >freeze <<-'END'
		[ $PERFCMP_ITERATION = 1 ] || exit 0
		mkdir /freezer && mount -t cgroup -o freezer none /freezer && mkdir /freezer/ice || exit
		echo $$ >/freezer/ice/tasks
		echo FROZEN >/freezer/ice/freezer.state
		echo thawed
	END
	exits 1 collect --kernel "$base" --iterations 2 --run-timeout 3 --name undead \
		--vm-file "$(command -v mount):/bin/mount" --vm-file "$(command -v mkdir):/bin/mkdir" -- sh -c "$(cat freeze)"
	stored 'timeout 1|ok 2'
	shown timeout
	has shown '^status +timeout: stopped after its time limit of 3 s; process [0-9]+ does not die'
	[ "$(sql 'SELECT count(*) FROM boots')" -eq 2 ]
}

# What a kernel would print, printed.
complaints_are_in_the_table() {
	collect --kernel "$base" --kernel "$new" --iterations 3 --name complains -- sh -c "$(
		in_new 1 'echo "<4>WARNING: CPU: 0 PID: 1 at lib/x.c:12 f+0x1/0x2" >/dev/kmsg'
		echo
		in_new 2 'echo "<1>BUG: kernel NULL pointer dereference, address: 0000000000000008" >/dev/kmsg'
	)"
	stored 'ok 1|ok 2|ok 3|ok 1|ok 2|ok 3'
	failure 3 1 'dmesg\.WARNING:at_lib/x\.c:#f'
	failure 3 1 'dmesg\.BUG:kernel_NULL_pointer_dereference,address'
	# what comes after an oops is done in another boot
	[ "$(sql "SELECT count(DISTINCT boot_id) FROM runs r JOIN commits c ON c.id = r.commit_id WHERE name = 'new'")" -eq 2 ]
}

# The first process lives, and says whom the kernel chose.
all_memory_eaten_is_a_result() {
	exits 1 collect --kernel "$base" --iterations 2 --name hog -- \
		sh -c '[ $PERFCMP_ITERATION != 1 ] || { x=0123456789abcdef; while :; do x=$x$x; done; }'
	stored 'killed 1|ok 2'
	shown killed
	has shown '^status +killed: Out of memory: Killed process [0-9]+ \(sh\).*; killed by signal 9'
	has shown '^ +1 +dmesg\.Out_of_memory:Killed_process'
	has shown '^ +1 +last_state\.is_incomplete_run'
	has shown '^ +-- console:$'
	[ "$(sql 'SELECT count(*) FROM boots')" -eq 1 ]
}

# damaged FILE: whole by its head and its size
damaged() {
	local size
	cp "${kernels[1]}" "$1"
	size=$(stat -c %s "$1")
	head -c 262144 /dev/urandom | dd of="$1" bs=65536 seek=$((size / 131072)) conv=notrunc 2>/dev/null
}

# The host knows the parameters that a guest would have told: the runs are of one group.
a_kernel_that_never_boots_is_in_the_same_table() {
	damaged image
	exits 1 collect --kernel image,commit=new --kernel "$base" --iterations 2 --runtime 0.2 --warmup 0 \
		will-it-scale/getppid1
	stored 'failed 1|failed 2|ok 1|ok 2'
	shown failed
	has shown "^status +failed: the kernel's image cannot be unpacked: .*corrupt"
	has shown 'System halted'
	failure 2 2 'last_state\.booting'
	failure 2 2 'last_state\.is_incomplete_run'
	perfcmp diff --all base new >out
	has out '^ +[0-9]+ .* will-it-scale\.per_process_ops$'
}

memory_that_the_kernel_does_not_see_is_a_result() {
	exits 1 collect --kernel "$base" --iterations 1 --append mem=80M fake/steady
	stored 'failed 1'
	shown failed
	has shown '^status +failed: (Kernel panic|Out of memory|Initramfs unpacking failed)'
	has shown '^ +1 +last_state\.booting'
	has err '^1 run of base stored, 1 failed$'
}

what_the_guest_lacks_is_a_result() {
	exits 1 collect --kernel "$base" --iterations 1 --name lacks -- sh -c 'nonesuch'
	shown failed
	has shown '^status +failed: exit status 127$'
	has shown 'nonesuch: not found'
	exits 1 collect --kernel "$base" --iterations 1 --nr-task 64 --runtime 0.1 --warmup 0 will-it-scale/page_fault1 fake/steady
	stored 'failed 1|failed 1|ok 1'
	[ "$(sql "SELECT count(*) FROM runs WHERE reason LIKE 'nr_task=64: %memory%'")" -eq 1 ]
}

# What is no guest's fault is told beforehand, or stops the campaign, and nothing is stored of it.
what_the_host_lacks_is_an_error() {
	exits 2 collect --kernel "$base" --iterations 1 -- nonesuch
	has err '^perfcmp: nonesuch: '
	printf '#!/bin/sh\n[ "$1" != --version ] || exec echo QEMU\necho qemu: out of luck >&2\nexit 1\n' >qemu
	chmod +x qemu
	exits 1 collect --kernel "$base" --iterations 1 --qemu "$PWD/qemu" fake/steady
	has err '^perfcmp: QEMU ended with exit status 1: out of luck$'
	[ "$(sql 'SELECT count(*) FROM runs')" -eq 0 ]
	ln -sf "$(command -v qemu-system-x86_64)" qemu
	collect --resume --kernel "$base" --iterations 1 --qemu "$PWD/qemu" fake/steady
	stored 'ok 1'
	PATH=/nonexistent exits 2 "$PERFCMP" collect --kernel "$base" fake/steady 2>>err
	has err '^perfcmp: qemu-system-x86_64: cannot be started: install QEMU'
}

test_that 'a panic costs the run under way: reason, console, a row of the table; the others are made' a_panic_is_a_result
test_that 'a process that hangs costs its run and no boot' a_hanging_process_is_a_result
test_with cc 'a guest that hangs wholly is given up, and the others are made in another boot' a_hanging_guest_is_a_result
test_with cc 'a stall is found on the console and belongs to its run' a_stall_is_in_the_table
test_that 'a process that does not die ends its boot' a_process_that_does_not_die_ends_its_boot
test_that 'a warning and an oops are rows of the table; an oops ends its boot' complaints_are_in_the_table
test_that 'a test that eats all memory is killed, with the reason; the guest lives on' all_memory_eaten_is_a_result
test_that 'runs of a kernel that never boots are in the table of the others' a_kernel_that_never_boots_is_in_the_same_table
test_that 'a guest without room for its files is a failed run' memory_that_the_kernel_does_not_see_is_a_result
test_that 'what is missing in the guest is a failed run' what_the_guest_lacks_is_a_result
test_that 'what is missing on the host is an error, and the campaign can be resumed' what_the_host_lacks_is_an_error
done_testing
