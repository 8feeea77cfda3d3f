#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# guest-lines.sh [MB]: what bench_lines says of each kernel in build/kernels (or $PERFCMP_TEST_KERNELS), with frames of
# 1 and of that many megabytes (default: 10). Over the serial port of an emulated machine a megabyte takes ten seconds.
set -eu
cd "$(dirname "$0")/../.."
found=false
while read -r list; do
	modules=${list%/modules.builtin}
	kernel=${modules%/lib/modules/*}
	kernel=${kernel%/usr}/boot/vmlinuz-${modules##*/}
	[ -f "$kernel" ] || continue
	found=true
	"${BUILD_DIR:-build}/tests/bench_lines" "$kernel" "$modules" "${1:-10}"
done < <(find "${PERFCMP_TEST_KERNELS:-build/kernels}" -name modules.builtin | sort -V)
$found || echo 'no kernel with its modules: see PERFCMP_TEST_KERNELS'
