#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# tests/run --ci fails if any of its checks does, and says which; it runs the others nevertheless.
. "$(dirname "$0")/lib.sh"

# A tree with one source file and tools that do nothing but succeed; those named in the file `broken` fail. Apt
# has no kernels for the machines of the tests to offer, or each case would download them.
situation() {
	mkdir -p bin tests/unit tests/fuzz/corpus/x src .ci
	cp "$SOURCE_DIR/tests/run" tests
	cp "$SOURCE_DIR/.ci/run" .ci
	cp "$SOURCE_DIR/src/setup.sh" src
	printf 'build bash\ntest bash\nci bash\n' >src/packages.txt
	echo 'int x;' >src/a.c
	printf '#!/usr/bin/env bash\n' >quickstart
	: >broken
	local tool
	for tool in apt-cache apt-get sudo clang-format shellcheck cppcheck clang-tidy ctest cmake fuzz_x; do
		cat >bin/$tool <<-EOF
			#!/bin/bash
			echo "$tool \$*" >>"$PWD/record"
			[ $tool != ctest ] || echo "CI=\${CI:-}" >>"$PWD/record"
			[ $tool != cmake ] || . "$PWD/bin/configures"
			! grep -qxF "$tool \$*" "$PWD/broken" && ! grep -qx $tool "$PWD/broken"
		EOF
		chmod +x bin/$tool
	done
	cat >bin/configures <<-'EOF'
		if [ "$3" = -B ]; then
			mkdir -p "$4/tests"
			printf '[\n{\n  "file": "%s"\n}\n]\n' "$PWD/src/a.c" >"$4/compile_commands.json"
			cp "$(dirname "$0")/fuzz_x" "$4/tests"
		fi
	EOF
	PATH=$PWD/bin:$PATH
}

all_pass() {
	situation
	.ci/run >said
	[ "$(tail -n 1 said)" = '== all checks passed' ]
	grep -q '^clang-format .*src/a\.c' record
	grep -q '^shellcheck .*quickstart' record
	grep -q '^cppcheck ' record
	grep -q '^cmake .*-DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Debug -DPERFCMP_SANITIZE=ON -DPERFCMP_WERROR=ON' record
	grep -q '^cmake .*-DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Release -DPERFCMP_WERROR=ON' record
	[ "$(grep -c '^ctest ' record)" -eq 2 ]
	[ "$(grep -c '^CI=true$' record)" -eq 2 ]
	grep -q '^clang-tidy .*src/a\.c' record
	grep -q '^fuzz_x .*tests/fuzz/corpus/x' record
}

# fails BROKEN-COMMAND TITLE: that alone is named, and the last checks ran
fails() {
	situation
	echo "$1" >broken
	exits 1 .ci/run >said
	grep '^== FAILED: ' said >named
	echo "== FAILED: $2" | diff - named
	grep -q '^fuzz_x ' record
	has_not said 'all checks passed'
}
each_failure() {
	local command title
	while IFS='|' read -r command title; do
		mkdir "failure of $title"
		cd "failure of $title"
		fails "$command" "$title"
		cd ..
	done <<-EOF
		clang-format|formatting
		shellcheck|shellcheck
		cppcheck|cppcheck
		cmake --build build/ci-gcc -j $(nproc)|building with gcc, Debug, sanitizers
		cmake --build build/ci-clang -j $(nproc)|building with clang, Release
		clang-tidy|clang-tidy
		fuzz_x|fuzzing, a few seconds a target
	EOF
}
failing_tests() {
	situation
	echo ctest >broken
	exits 1 .ci/run >said
	has said '^== FAILED: tests of the build with gcc$'
	has said '^== FAILED: tests of the build with clang$'
}
no_fuzz_targets() {
	situation
	sed -i '/fuzz_x/d' bin/configures
	exits 1 .ci/run >said
	has said '^== FAILED: fuzzing'
}
tests_alone() {
	situation
	CI='' tests/run -R some >said
	grep -qx "ctest --output-on-failure -j $(nproc) -R some" record
	grep -qx 'CI=' record
	echo ctest >broken
	exits 1 tests/run >said
}

test_that 'with nothing wrong every check ran and it passes' all_pass
test_that 'any check that fails makes it fail and is named' each_failure
test_that 'failing tests of both builds are named' failing_tests
test_that 'no fuzz targets at all is a failure' no_fuzz_targets
test_that 'tests/run hands its options to ctest and its status back' tests_alone
done_testing
