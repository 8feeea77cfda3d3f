#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# What do the counters cost the measured loop? The throughput of will-it-scale/getppid1 in four ways, in turn:
#
#	none   perfcmp collect --counters off
#	again  the same: how much two equal things differ here
#	ours   perfcmp collect --counters system
#	perf   perfcmp collect --counters off, with `perf stat -a` of the same events around it
#
#	getppid1-cost.sh [ROUNDS [SECONDS]]     default: 9 rounds of 3 s each way, about 3 minutes
#
# Prints the median throughput of each way and the median of the rounds' ratios to `none`. Neighbours in time are
# compared and each second round goes backwards, so a drift of the machine does not favour one of them. It judges
# nothing: a loss that is no larger than that of `again` is none, and without a PMU only software events count.
set -eu -o pipefail

rounds=${1:-9}
seconds=${2:-3}
root=$(cd "$(dirname "$0")/../.." && pwd)
PERFCMP=${PERFCMP:-${BUILD_DIR:-$root/build}/src/perfcmp}
work=$(mktemp -d "${TMPDIR:-/tmp}/perfcmp-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
export PERFCMP_DB=$work/bench.db LC_ALL=C

# The events of the last run: what show prints below "counters", a line each, the name at its end.
last_events() {
	"$PERFCMP" show "$("$PERFCMP" list runs | awk 'END { print $1 }')" |
		awk '/^counters/ { on = 1; next } /^$/ { on = 0 } on && $1 ~ /^[0-9]+$/ { print $NF }'
}

# The default list, asked of the program: its fake counters count everything.
PERFCMP_DB=$work/events.db "$PERFCMP" collect --commit list --counters fake --iterations 1 fake/steady 2>"$work/err" || {
	cat "$work/err" >&2
	exit 1
}
PERFCMP_DB=$work/events.db last_events >"$work/events"
events=$(paste -sd , "$work/events")

collect() { # COUNTERS
	"$PERFCMP" collect --commit "$1" --counters "$1" --iterations 1 --nr-task 100% --runtime "$seconds" --warmup 1 \
		will-it-scale/getppid1 2>"$work/err" || {
		cat "$work/err" >&2
		exit 1
	}
}

# one WAY: runs it and adds its throughput to $work/WAY
one() {
	case $1 in
	none | again) collect off ;;
	ours) collect system ;;
	perf) perf stat -a -e "$events" -o "$work/perf.txt" "$PERFCMP" collect --commit perf --counters off \
		--iterations 1 --nr-task 100% --runtime "$seconds" --warmup 1 will-it-scale/getppid1 2>"$work/err" ;;
	esac
	[ "$1" != ours ] || last_events >"$work/counted"
	"$PERFCMP" show "$("$PERFCMP" list runs | awk 'END { print $1 }')" |
		awk '$2 == "will-it-scale.per_process_ops" { print $1 }' >>"$work/$1"
}

median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

# report WAY: its median, and loss against `none` with the quartiles of the rounds
report() {
	paste "$work/none" "$work/$1" | awk '{ print 100 * (1 - $2 / $1) }' >"$work/loss"
	sort -g "$work/loss" >"$work/sorted"
	printf '%-6s %14.0f ops/s  %+7.2f%% loss (middle half of %d rounds: %+.2f to %+.2f%%)\n' "$1" "$(median <"$work/$1")" \
		"$(median <"$work/loss")" "$rounds" \
		"$(awk '{ v[NR] = $1 } END { print v[int((NR + 3) / 4)] }' "$work/sorted")" \
		"$(awk '{ v[NR] = $1 } END { print v[NR - int((NR + 3) / 4) + 1] }' "$work/sorted")"
}

ways=(none again ours)
if command -v perf >/dev/null && perf stat -a -e page-faults true 2>/dev/null; then
	ways+=(perf)
fi
for ((round = 1; round <= rounds; round++)); do
	[ ! -t 2 ] || printf '\rround %d of %d ' "$round" "$rounds" >&2
	if ((round % 2)); then
		for way in "${ways[@]}"; do one "$way"; done
	else
		for ((i = ${#ways[@]} - 1; i >= 0; i--)); do one "${ways[i]}"; done
	fi
done
[ ! -t 2 ] || echo >&2

echo "will-it-scale/getppid1, $(nproc) tasks, $seconds s, $(uname -r)"
echo "counted: $(wc -l <"$work/counted") of $(wc -l <"$work/events") events on every CPU"
printf 'none   %14.0f ops/s\n' "$(median <"$work/none")"
for way in "${ways[@]:1}"; do
	report "$way"
done
[ ${#ways[@]} -eq 4 ] || echo 'perf   not there, or not permitted: no comparison'
