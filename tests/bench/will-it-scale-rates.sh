#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Operations per second of the will-it-scale tests, one task, beside the same operation in a loop that has no
# driver at all (plain_loops.c, compiled here): what the driver and the counting cost.
#
#	will-it-scale-rates.sh [ROUNDS [SECONDS]]     default: 5 rounds of 1 s each way, about 3 minutes
#
# Prints the medians and the median of the rounds' ratios; the two ways of a round are neighbours in time. It
# judges nothing. A plain loop stands on another file system (memfd, /dev/null), so only what has no file
# compares to the last per cent; open1 does not compare at all and shows what a path and a disk's inode cost.
set -eu -o pipefail

rounds=${1:-5}
seconds=${2:-1}
root=$(cd "$(dirname "$0")/../.." && pwd)
PERFCMP=${PERFCMP:-${BUILD_DIR:-$root/build}/src/perfcmp}
work=$(mktemp -d "${TMPDIR:-/tmp}/perfcmp-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
export PERFCMP_DB=$work/bench.db LC_ALL=C
tests=(getppid1 sched_yield futex1 lseek1 dup1 pipe1 eventfd1 mmap1 page_fault1 open1)

${CC:-cc} -O2 -o "$work/plain" "$root/tests/bench/plain_loops.c"
cpu=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//') # the first, as the driver takes

median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

ours() { # TEST
	"$PERFCMP" collect --commit bench --counters off --iterations 1 --nr-task 1 --runtime "$seconds" --warmup 0.2 \
		"will-it-scale/$1" 2>"$work/err" || {
		cat "$work/err" >&2
		exit 1
	}
	"$PERFCMP" show "$("$PERFCMP" list runs | awk 'END { print $1 }')" |
		awk '$2 == "will-it-scale.per_process_ops" { print $1 }'
}

printf '%-14s %14s %14s %8s\n' test ops/s 'plain loop' ratio
for test in "${tests[@]}"; do
	: >"$work/ours"
	: >"$work/plain.out"
	for ((round = 1; round <= rounds; round++)); do
		ours "$test" >>"$work/ours"
		"$work/plain" "$test" "$seconds" "$cpu" >>"$work/plain.out"
	done
	printf '%-14s %14.0f %14.0f %8.3f\n' "$test" "$(median <"$work/ours")" "$(median <"$work/plain.out")" \
		"$(paste "$work/ours" "$work/plain.out" | awk '{ print $1 / $2 }' | median)"
done
