#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The README's examples run, its table is what the program prints, and what it names is there.
. "$(dirname "$0")/lib.sh"

readme=$SOURCE_DIR/README.md

# block N LANGUAGE: the lines of the Nth block of that language
block() {
	awk -v want="$1" -v fence="\`\`\`$2" '
		$0 == fence && !inside { inside = 1; nr++; next }
		/^```/ { inside = !inside && $0 != "```"; next }
		inside && (!want || nr == want)' "$readme"
}

# The examples, as they stand, one after the other. Built-in tests are replaced by the fake, and counters, so
# that it takes no time; commands run for real.
examples() {
	local id
	block 0 console | sed -n 's/^\$ //p' >commands
	[ "$(wc -l <commands)" -ge 10 ]
	printf 'commit,run,metric,value\na,1,m,1\n' >results.csv
	while IFS= read -r command; do
		echo "> $command"
		id=$(perfcmp list runs 2>/dev/null | sed -n '2s/ .*//p')
		command=${command/perfcmp show RUN/perfcmp show $id}
		case $command in
		*' -- '*) command=${command/perfcmp collect/perfcmp collect --counters fake} ;;
		*) command=${command/perfcmp collect/perfcmp collect --counters fake --workload fake} ;;
		esac
		eval "$command"
	done <commands >output 2>&1 || {
		tail -n 20 output
		return 1
	}
	has output '^commit: $'
	has output 'command\.rate|command/dd'
}

# The values of those runs are kept; the table was not typed.
table() {
	block 1 '' | sed '/^[#$] /d' >expected
	perfcmp import --machine vm-2cpu --test will-it-scale/page_fault1 --param affinity=core --param mode=process \
		--param nr_task=2 --param runtime=5 --param warmup=2 csv "$SOURCE_DIR/tests/data/readme.csv"
	perfcmp diff thp-never thp-always >actual
	[ "$(wc -l <expected)" -gt 15 ]
	diff -u expected <(sed '/^$/{$d}' actual)
}

options() {
	local command
	{
		perfcmp --options | while read -r command; do perfcmp --options "$command"; done
		echo --help
		grep -o -- '--ci' "$SOURCE_DIR/tests/run" "$SOURCE_DIR/quickstart" | sed 's/.*://'
	} | sed 's/ .*//' | sort -u >known
	grep -v '^sudo \|^cmake ' "$readme" | grep -oE '(^|[ `(])--[a-z][a-z-]+' | tr -d '` (' | sort -u >named
	[ "$(wc -l <named)" -ge 15 ]
	comm -23 named known >unknown
	same /dev/null unknown
}

names() {
	local path name
	for path in quickstart tests/run src/packages.txt; do
		grep -qF "$path" "$readme"
		[ -e "$SOURCE_DIR/$path" ]
	done
	grep -E '^[#$] perfcmp' "$readme" | grep -oE '(will-it-scale|autonuma-benchmark)/[a-zA-Z0-9_]+( |$)' >tests
	[ "$(wc -l <tests)" -ge 4 ]
	perfcmp collect --list-tests | awk '{ print $1 }' >list
	while read -r name; do has list "^$name\$"; done <tests
}

test_that 'the examples of the README run' examples
test_that 'the table of the README is the one of its runs' table
test_that 'the README names no option that there is not' options
test_that 'files and tests that the README names are there' names
done_testing
