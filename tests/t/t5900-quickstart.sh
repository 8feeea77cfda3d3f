#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# quickstart goes from the sources to a table of two kernels, in a folder with a blank too, does what can be done where
# there is only one or none, and says what failed.
. "$(dirname "$0")/lib.sh"

# $PERFCMP_TEST_KERNELS: a folder with kernel images somewhere below it
folder=${PERFCMP_TEST_KERNELS:-$SOURCE_DIR/build/kernels}
mapfile -t kernels < <(find "$folder" -name 'vmlinuz-*' -size +1M 2>/dev/null | sort -V)

fake() {
	printf '#!/bin/bash\n%s\n' "$2" >"bin/$1"
	chmod +x "bin/$1"
}

# copy PROGRAM: what quickstart needs, in a folder with a blank in its name, with shorter runs. PROGRAM is not built
# once more: cmake is a fake that puts it into place. So is apt: it knows the packages in the file `packages`, and has
# nothing to download.
copy() {
	mkdir -p 'a folder/src' bin
	sed 's/--boots 3 --iterations 2 /--boots 1 --iterations 1 /; s/--runtime 4 --warmup 1/--runtime 0.5 --warmup 0.2/; s/loops=10)/loops=2)/' \
		"$SOURCE_DIR/quickstart" >'a folder/quickstart'
	chmod +x 'a folder/quickstart'
	[ "$(diff "$SOURCE_DIR/quickstart" 'a folder/quickstart' | grep -c '^>')" -eq 3 ]
	cp "$SOURCE_DIR/src/setup.sh" 'a folder/src'
	echo 'build bash' >'a folder/src/packages.txt'
	fake cmake "echo \"cmake \$*\" >>cmake-calls
		mkdir -p build/src
		touch build/build.ninja
		echo \"CMAKE_HOME_DIRECTORY:INTERNAL=\$PWD\" >build/CMakeCache.txt
		ln -sf '$1' build/src/perfcmp"
	fake dpkg-query 'printf installed'
	fake apt-get 'exit 100'
	fake sudo 'exit 1'
	: >packages
	fake apt-cache "[ \$1 != depends ] || sed -n \"s/^\$2 /  Depends: /p\" '$PWD/packages'"
	PATH=$PWD/bin:$PATH
	cd 'a folder'
}

# has_package META-PACKAGE IMAGE: apt knows it, and it has been downloaded
has_package() {
	local package=linux-image-${2##*/vmlinuz-}
	echo "$1 $package" >>../packages
	mkdir -p "build/kernels/$package/boot" "build/kernels/$package/lib/modules/x"
	cp "$2" "build/kernels/$package/boot"
	touch "build/kernels/$package/lib/modules/x/modules.builtin"
}

two_kernels() {
	copy "$PERFCMP"
	has_package linux-image-cloud-amd64 "${kernels[0]}"
	has_package linux-image-6.12-cloud-amd64 "${kernels[1]}"
	echo 'former results' >build/quickstart.db
	./quickstart >said 2>errors
	[ "$(grep -c '^commit: $' said)" -eq 2 ]
	has said '[0-9%]  +will-it-scale\.per_process_ops$'
	has said '[0-9%]  +will-it-scale\.time\.elapsed_time$'
	has said '[0-9%]  +autonuma-benchmark\.numa02\.seconds$'
	has said '[0-9%]  +autonuma-benchmark\.time\.minor_page_faults$'
	has said '[0-9%]  +perf-stat\.ps\.context-switches$'
	has said '/vm-2cpu-2node-'
	has said '^== done in .* results are in build/quickstart\.db'
	perfcmp list --db build/quickstart.db >commits
	local image label
	for image in "${kernels[@]:0:2}"; do
		image=${image##*/vmlinuz-}
		label=${image%-cloud-amd64}
		has commits "^${label//+/.} +2 +0 .* ${image//+/.}"
	done
	has build/quickstart.db.old '^former results$'
	[ "$(cat cmake-calls)" = 'cmake -S . -B build -G Ninja -DBUILD_TESTING=OFF
cmake --build build --target perfcmp' ]
}

# The rest is seen from what is called: a perfcmp that keeps a record, and fails at what the file `fails` names.
recording() {
	mkdir bin
	fake recording "echo \"\$*\" >>'$PWD/record'; [ \"\$1\" != \"\$(cat '$PWD/fails')\" ] || exit 3"
	: >record
	: >fails
	copy "$PWD/bin/recording"
}
recorded() {
	printf '%s\n' "$@" | diff -u - ../record
}
in_machine='--vm-nodes 2 --boots 1 --iterations 1 --runtime 0.5 --warmup 0.2 --param mem=64M --param loops=2'
tests='will-it-scale/sched_yield autonuma-benchmark/numa02'
db='--db build/quickstart.db'
diff_options='--rule 0day --all --exclude perf-stat.total.*'

own_kernels() {
	recording
	fake_qemu
	touch base new 'new one'
	./quickstart base 'new one' >said
	recorded "collect $db --kernel $PWD/base,commit=base --kernel $PWD/new one,commit=new $in_machine $tests" \
		"diff $db $diff_options base new"
	has said "^ +--kernel '.*/a folder/new one,commit=new'"
	exits 2 ./quickstart base 2>errors
	has errors 'give two images, or none: see ./quickstart --help'
	exits 2 ./quickstart base none-such 2>errors
	has errors 'none-such: no such file'
}
fake_qemu() { (cd .. && fake qemu-system-x86_64 :); }

one_kernel() {
	recording
	fake_qemu
	touch vmlinuz-7.1-cloud-amd64
	has_package linux-image-cloud-amd64 ./vmlinuz-7.1-cloud-amd64
	./quickstart >said
	image=build/kernels/linux-image-7.1-cloud-amd64/boot/vmlinuz-7.1-cloud-amd64
	recorded "collect $db --kernel $image,commit=first --kernel $image,commit=second $in_machine $tests" \
		"diff $db $diff_options first second"
	has said '^== apt knows no package linux-image-6\.12-cloud-amd64 '
	has said '^== no other kernel than vmlinuz-7\.1-cloud-amd64 to be had here: booting that one under two names$'
}

running_kernel() {
	running='--iterations 5 --runtime 0.5 --warmup 0.2 --param mem=64M --param loops=2'
	recorded "collect --dry-run --param mem=64M --param loops=2 autonuma-benchmark/numa02" \
		"collect $db --commit first $running $tests" "collect $db --commit second $running $tests" \
		"diff $db $diff_options first second"
}
no_kernel() {
	recording
	fake_qemu
	./quickstart >said
	running_kernel
	has said "^== no kernels of Debian's to be had here; ./quickstart --help: kernels of your own$"
}
neither_apt_nor_qemu() {
	recording
	local program
	for program in bash cat date dirname grep mkdir mv ninja rm sed sort tail touch tr uname wc ln; do
		ln -sf "$(command -v $program)" ../bin/
	done
	rm ../bin/apt-* ../bin/dpkg-query
	PATH=${PWD%/*}/bin ./quickstart >said
	running_kernel
	has said '^== no apt-get here: '
	has said '^== no QEMU '
}

build_failed() {
	recording
	(cd .. && fake cmake 'echo no such compiler; exit 3')
	exits 1 ./quickstart >said
	has said '^== building perfcmp \.\.\. FAILED \(status 3\)\. The end of build/log/building-perfcmp\.txt:$'
	has said '^    no such compiler$'
	[ ! -s ../record ]
}

measuring_failed() {
	recording
	fake_qemu
	echo collect >../fails
	touch base new
	exits 1 ./quickstart base new >said
	has said '^== FAILED: perfcmp collect \(status 3\)$'
	has said "^ .* why one failed: build/src/perfcmp list $db runs$"
	has_not said '^== done'
}

title='quickstart ends with a table of two kernels on two NUMA nodes: will-it-scale, autonuma, times, events'
if ! command -v qemu-system-x86_64 >/dev/null; then
	skip_test "$title" 'qemu-system-x86_64 is not installed'
elif [ ${#kernels[@]} -lt 2 ]; then
	skip_test "$title" "no two kernel images in $folder (PERFCMP_TEST_KERNELS)"
else
	test_that "$title" two_kernels
fi
test_that 'it takes two kernels of your own' own_kernels
test_that 'where apt knows one kernel that one is booted under two names' one_kernel
test_that 'where apt knows no kernel the running one is measured' no_kernel
test_that 'without apt and QEMU the running kernel is measured' neither_apt_nor_qemu
test_that 'quickstart shows why the build failed' build_failed
test_that 'quickstart says that measuring failed, and where to look' measuring_failed
done_testing
