#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Real kernels boot in a machine, from an initramfs with all that a program needs, and nothing is left behind.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/kernels.sh"

need_kernels 1
kernel=${kernels[0]}

boot() { "$BUILD_DIR/tests/t_boot" "$@"; }
memory=640 # a program with sanitizers is large

two_nodes() {
	boot "$1" 2 $memory >out
	has out '^cpus: 2$'
	has out '^/sys/devices/system/node/online: 0-1$'
	has out '^/proc/cmdline: console=ttyS0 .*no_timer_check$'
	has out '^end: the guest powered off$'
	# a kernel that finds all its devices in order prints no error
	has_not out 'Oops|\] WARNING:|Kernel panic|unable to open an initial console'
}

# What nobody touched is the same in both boots, time of day and all.
deterministic() {
	boot "$1" 1 $memory deterministic >one &
	boot "$1" 1 $memory deterministic >two
	wait $!
	has one ' nokaslr norandmaps random\.trust_cpu=off$'
	has one '^/proc/uptime: [0-9]+\.[0-9]+ '
	has one '^end: the guest powered off$'
	diff one two
}

panics() {
	exits 1 boot "$kernel" 1 $memory -- panic >out
	has out '^cpus: 1$'
	has out '^panic: Kernel panic - not syncing: sysrq triggered crash$'
	has out '^end: Kernel panic - not syncing: sysrq triggered crash$'
	has out 'Call Trace:'
}

# A library of its own, found in three ways that a guest knows nothing of: the environment, a path in the
# program relative to it, a link.
build_program() {
	mkdir -p env origin/bin origin/lib
	echo 'int number(void) { return 40; }' >number.c
	echo 'int more(void) { return 2; }' >more.c
	cat >main.c <<-'END'
		#include <stdio.h>
		int number(void);
		int more(void);
		int main(void) { return printf("answer %d\n", number() + more()) < 0; }
	END
	cc -shared -fPIC -o env/libnumber.so number.c
	cc -shared -fPIC -o origin/lib/libmore.so.1 more.c
	ln -s libmore.so.1 origin/lib/libmore.so
	# shellcheck disable=SC2016 # for the loader
	cc -o origin/bin/answer main.c -Lenv -Lorigin/lib -lnumber -lmore '-Wl,-rpath,$ORIGIN/../lib'
	ln -s origin/bin/answer answer
}
brings_libraries() {
	command -v cc >/dev/null
	build_program
	LD_LIBRARY_PATH=$PWD/env boot "$kernel" 1 $memory -- ./answer >out
	has out '^answer 42$'
	has out '^command: exit status 0$'
}

brings_files() {
	printf '#!/usr/bin/env sh\nread -r line </etc/sample\necho "it says $line"\nexit 3\n' >script
	chmod +x script
	echo 'some text' >sample
	PATH=$PWD:$PATH boot "$kernel" 1 $memory --vm-file sample:/etc/sample -- script >out
	has out '^it says some text$'
	has out '^command: exit status 3$'
}

too_small() {
	head -c 200M /dev/zero >big
	exits 1 boot "$kernel" 1 256 --vm-file big 2>err
	has err '^initramfs of 2[0-9]{2} MiB does not fit in 256 MiB of guest memory: [0-9]+ MiB would do'
	head -c 2M "$kernel" >short
	exits 1 boot short 1 256 2>err
	has err '^short: truncated kernel: only 2097152 of [0-9]+ bytes are there$'
	PATH=/nonexistent exits 1 boot "$kernel" 1 256 2>err
	has err '^qemu-system-x86_64: cannot be started: install QEMU \(Debian package qemu-system-x86\)'
}

# qemu_of PID: the process id of the QEMU that this process has started
qemu_of() {
	local child children=()
	read -ra children 2>/dev/null <"/proc/$1/task/$1/children" || true
	for child in "${children[@]}"; do
		! tr '\0' ' ' <"/proc/$child/cmdline" 2>/dev/null | grep -q -e ' -name perfcmp ' || echo "$child"
	done
}

# Killed without a chance to clean up, its starter takes it along; no file of ours is to be found.
leaves_nothing() {
	local qemu='' pid
	mkdir tmp
	TMPDIR=$PWD/tmp "$BUILD_DIR/tests/t_boot" "$kernel" 1 $memory >out &
	pid=$!
	for _ in $(seq 300); do
		qemu=$(qemu_of $pid)
		[ -z "$qemu" ] || break
		sleep 0.1
	done
	[ -n "$qemu" ]
	find "/proc/$qemu/fd" -type l -printf '%l\n' | grep -vxF "$(realpath "$kernel")" >files
	kill -9 $pid
	wait $pid || true
	for _ in $(seq 50); do
		[ -d "/proc/$qemu" ] || break
		sleep 0.1
	done
	[ ! -d "/proc/$qemu" ]
	[ -z "$(ls tmp)" ]
	# while it ran it had no file open to write to, and no socket with a name
	has_not files "^($PWD|/tmp|/var|/run|/dev/shm/)"
}

for image in "${kernels[@]}"; do
	test_that "${image##*/} boots with two nodes" two_nodes "$image"
	test_that "${image##*/} boots the same twice in a deterministic machine" deterministic "$image"
done
test_that 'a panic is told with its line' panics
test_that 'a program finds its libraries in the guest, wherever they were' brings_libraries
test_that 'a script and a file of data work in the guest' brings_files
test_that 'what cannot be booted is refused beforehand' too_small
test_that 'QEMU dies with its starter, and nothing is left' leaves_nothing
done_testing
