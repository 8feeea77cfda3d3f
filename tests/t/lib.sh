# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# A small TAP library. A test file sets nothing but its title, then calls:
#
#	. "$(dirname "$0")/lib.sh"
#	test_that 'a sentence that should be true' COMMAND...    one test: passes if COMMAND exits 0
#	test_with PROGRAM 'sentence' COMMAND...                  the same, skipped where that program is not installed
#	skip_test 'sentence' 'why'                               a test that cannot run here
#	skip_all 'why'                                           nothing here can run: exit 77
#	done_testing                                             prints the plan; exit 1 if a test failed
#
# COMMAND is usually a function of the test file. It runs in a subshell with `set -eu -o pipefail` that really
# stops at the first failing command, in an empty folder of its own ($work), with a database of its own.
# With CI=true, where everything is installed, a skip for want of a program ("... is not installed") is a failure.
# ($PERFCMP, $SOURCE_DIR and $BUILD_DIR come from ctest; run by hand they have defaults.)
set -u
SOURCE_DIR=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
BUILD_DIR=${BUILD_DIR:-$SOURCE_DIR/build}
PERFCMP=${PERFCMP:-$BUILD_DIR/src/perfcmp}
export SOURCE_DIR BUILD_DIR PERFCMP LC_ALL=C
perfcmp() { "$PERFCMP" "$@"; }

tests_nr=0
tests_failed=0
root=$(mktemp -d "${TMPDIR:-/tmp}/perfcmp-test.XXXXXX") || exit 1
trap 'chmod -R u+w "$root" 2>/dev/null; rm -rf "$root"' EXIT

# What a test left in the background ends with it, also when it failed half-way.
end_jobs() {
	local job
	for job in $(jobs -p); do
		kill "$job" 2>/dev/null || :
		wait "$job" 2>/dev/null || :
	done
}

test_that() {
	local title=$1 status
	shift
	tests_nr=$((tests_nr + 1))
	work=$root/$tests_nr
	mkdir "$work"
	# Not inside an `if`: set -e would be ignored there.
	(
		set -e -o pipefail
		trap end_jobs EXIT # a test with a trap of its own calls it too
		cd "$work"
		export PERFCMP_DB=$work/test.db work
		"$@"
	) >"$work.log" 2>&1 </dev/null
	status=$?
	if [ $status -eq 0 ]; then
		echo "ok $tests_nr - $title"
	else
		tests_failed=$((tests_failed + 1))
		echo "not ok $tests_nr - $title (status $status)"
		sed 's/^/# /' "$work.log" | tail -n 60
	fi
}

# may_skip WHY: false where that is no reason
may_skip() {
	[ "${CI:-}" != true ] || [[ $1 != *' is not installed' ]]
}

skip_test() {
	tests_nr=$((tests_nr + 1))
	if may_skip "$2"; then
		echo "ok $tests_nr - $1 # SKIP $2"
	else
		tests_failed=$((tests_failed + 1))
		echo "not ok $tests_nr - $1 (CI, and $2)"
	fi
}

test_with() {
	local program=$1
	shift
	if command -v "$program" >/dev/null; then
		test_that "$@"
	else
		skip_test "$1" "$program is not installed"
	fi
}

skip_all() {
	if may_skip "$*"; then
		echo "1..0 # SKIP $*"
		exit 77
	fi
	echo "not ok 1 - nothing can run (CI, and $*)"
	echo '1..1'
	exit 1
}

done_testing() {
	echo "1..$tests_nr"
	[ "$tests_failed" -eq 0 ]
	exit
}

# exits STATUS COMMAND...: COMMAND ends with that status
exits() {
	local want=$1 got=0
	shift
	"$@" || got=$?
	[ "$got" -eq "$want" ] || {
		echo "exit status $got, expected $want: $*"
		return 1
	}
}

# has FILE REGEX: some line matches (extended regular expression)
has() {
	grep -Eq -e "$2" "$1" || {
		echo "no line of $1 matches: $2"
		sed 's/^/| /' "$1"
		return 1
	}
}

has_not() {
	if grep -Eq -e "$2" "$1"; then
		echo "a line of $1 matches: $2"
		sed 's/^/| /' "$1"
		return 1
	fi
}

# same EXPECTED ACTUAL: equal bytes; with UPDATE_GOLDEN=1 EXPECTED is rewritten instead
same() {
	if [ "${UPDATE_GOLDEN:-0}" = 1 ]; then
		cp "$2" "$1"
		return
	fi
	diff -u "$1" "$2"
}
