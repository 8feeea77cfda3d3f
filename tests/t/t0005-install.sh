#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# What is installed is complete, works from where it is, and the shell completes it.
. "$(dirname "$0")/lib.sh"

stage="$root/stage with a blank"
completion=$stage/share/bash-completion/completions/perfcmp

installs() {
	cmake --install "$BUILD_DIR" --prefix "$stage"
	(cd "$stage" && find . -type f | sort) >files
	printf '%s\n' ./bin/perfcmp ./share/bash-completion/completions/perfcmp ./share/man/man1/perfcmp.1 >expected
	same expected files
	cmp "$stage/share/man/man1/perfcmp.1" "$SOURCE_DIR/src/cmd/perfcmp.1"
}
runs_from_there() {
	cd /
	"$stage/bin/perfcmp" --version | grep -q '^perfcmp '
	"$stage/bin/perfcmp" collect --db "$work/a.db" --commit a --iterations 1 --counters fake --workload fake \
		will-it-scale/getppid1
	"$stage/bin/perfcmp" list --db "$work/a.db" | grep -q '^a '
}

# completes EXPECTED WORD...: what the completion offers for the last word, in one line
completes() {
	local expected=$1 offered
	shift
	offered=$(
		set +eu
		PATH="$stage/bin:$PATH"
		compopt() { echo "$*"; } # fails outside of a completion
		# shellcheck source=/dev/null
		. "$completion"
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		_perfcmp
		echo "${COMPREPLY[*]}"
	)
	[ "$offered" = "$expected" ] || {
		echo "perfcmp completes '${*: -1}' of '$*' with '$offered', expected '$expected'"
		return 1
	}
}
completes_words() {
	completes 'collect' perfcmp col
	completes 'collect diff import list show --help --version' perfcmp ''
	completes '--profile-threshold' perfcmp diff --prof
	completes '--help' perfcmp list --h
	completes 'sequential' perfcmp collect --order seq
	completes 'process thread' perfcmp collect --mode ''
	completes 'system' perfcmp collect --counters = sys
	completes 'interleave sequential random' perfcmp collect --order =
	completes 'runs' perfcmp list ru
	completes 'csv' perfcmp import ''
	completes '' perfcmp collect --commit ''
	completes '' perfcmp nonsense ''
}
completes_files() {
	completes '-o default' perfcmp collect --db ''
	completes '-o default' perfcmp import csv ''
}
completes_tests() {
	completes 'will-it-scale/mmap1 will-it-scale/mmap2' perfcmp collect will-it-scale/mmap
	completes 'autonuma-benchmark/numa02_SMT autonuma-benchmark/numa02_SMT_HARD_BIND '\
'autonuma-benchmark/numa02_SMT_INVERSE_BIND' perfcmp collect --iterations 3 autonuma-benchmark/numa02_S
}
completes_what_the_database_has() {
	local id
	for commit in v6.1 'v6.2 with patch' other; do
		perfcmp collect --commit "$commit" --iterations 1 --counters fake --workload fake will-it-scale/getppid1
	done
	completes 'v6.1 v6.2\ with\ patch' perfcmp diff v6
	completes '' perfcmp diff --db "$work/none.db" v6
	completes 'other' perfcmp diff --db "$PERFCMP_DB" v6.1 o
	id=$(perfcmp list runs | sed -n '2s/ .*//p')
	completes "$id" perfcmp show "${id:0:6}"
}

test_that 'install puts the program, its manual page and its completion under the prefix' installs
test_that 'the installed program runs from any folder' runs_from_there
test_that 'commands, options and their arguments are completed' completes_words
test_that 'files are completed where a file is meant' completes_files
test_that 'the built-in tests are completed' completes_tests
test_that 'commits and runs of the database are completed' completes_what_the_database_has
done_testing
