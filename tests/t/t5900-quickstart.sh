#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# quickstart goes from the sources to a table of real runs, in a folder with a blank too, and says what failed.
. "$(dirname "$0")/lib.sh"

# A copy of what quickstart needs, in a folder with a blank in its name, with shorter runs. The program is not built once more:
# cmake is a fake that puts it into place.
copy() {
	mkdir -p 'a folder/src' bin
	sed 's/--runtime 5 --warmup 1 /--runtime 1 --warmup 0.2 /; s/loops=100 /loops=10 /' "$SOURCE_DIR/quickstart" >'a folder/quickstart'
	chmod +x 'a folder/quickstart'
	[ "$(diff "$SOURCE_DIR/quickstart" 'a folder/quickstart' | grep -c '^>')" -eq 2 ]
	cp "$SOURCE_DIR/src/setup.sh" 'a folder/src'
	echo 'build bash' >'a folder/src/packages.txt'
	cat >bin/cmake <<-EOF
		#!/bin/bash
		echo "cmake \$*" >>cmake-calls
		mkdir -p build/src
		touch build/build.ninja
		echo "CMAKE_HOME_DIRECTORY:INTERNAL=\$PWD" >build/CMakeCache.txt
		ln -sf "$PERFCMP" build/src/perfcmp
	EOF
	chmod +x bin/cmake
	PATH=$PWD/bin:$PATH
	cd 'a folder'
}

# Why collect has no counters here; nothing if it has.
why_no_counters() {
	perfcmp collect --db "$root/probe.db" --commit v --iterations 1 -- true 2>&1 | sed -n 's/^warning: no counters: //p'
}

ends_with_a_table() {
	copy
	mkdir build
	echo 'former results' >build/quickstart.db
	./quickstart >"$root/said" 2>errors
	cp "$root/said" said
	[ "$(grep -c '^commit: $' said)" -eq 2 ]
	has said '[0-9%]  +will-it-scale\.per_process_ops$'
	has said '[0-9%]  +will-it-scale\.time\.elapsed_time$'
	has said '[0-9%]  +autonuma-benchmark\.numa01\.seconds$'
	has said '[0-9%]  +autonuma-benchmark\.time\.minor_page_faults$'
	perfcmp list --db build/quickstart.db | grep -Eq '^first +6 +0 '
	perfcmp list --db build/quickstart.db | grep -Eq '^second +6 +0 '
	has said 'results are in build/quickstart\.db'
	has build/quickstart.db.old '^former results$'
	[ "$(cat cmake-calls)" = 'cmake -S . -B build -G Ninja -DBUILD_TESTING=OFF
cmake --build build --target perfcmp' ]
}

# in the table of the test before
has_counters() {
	has "$root/said" '[0-9%]  +perf-stat\.total\.page-faults$'
	has "$root/said" '[0-9%]  +perf-stat\.ps\.task-clock$'
}

says_that_the_build_failed() {
	copy
	printf '#!/bin/bash\necho no such compiler\nexit 3\n' >../bin/cmake
	exits 1 ./quickstart >said
	has said '^== building perfcmp \.\.\. FAILED \(status 3\)\. The end of build/log/building-perfcmp\.txt:$'
	has said '^    no such compiler$'
}

says_that_measuring_failed() {
	copy
	printf '#!/bin/bash\nmkdir -p build/src\nprintf "#!/bin/bash\\nexit 1" >build/src/perfcmp\nchmod +x build/src/perfcmp\n' >../bin/cmake
	exits 1 ./quickstart >said
	[ "$(tail -n 1 said)" = '== FAILED: perfcmp collect (status 1)' ]
}

test_that 'quickstart ends with a table of will-it-scale, autonuma and times' ends_with_a_table
reason=$(why_no_counters)
if [ -z "$reason" ]; then
	test_that 'the table has rows of counters' has_counters
else
	skip_test 'the table has rows of counters' "$reason"
fi
test_that 'quickstart shows why the build failed' says_that_the_build_failed
test_that 'quickstart says that measuring failed' says_that_measuring_failed
done_testing
