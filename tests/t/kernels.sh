# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# For tests that boot kernels, after lib.sh: need_kernels N sets $kernels, images in order of their versions.
#
# $PERFCMP_TEST_KERNELS: a folder with kernel images somewhere below it

kernels=()
need_kernels() {
	local folder=${PERFCMP_TEST_KERNELS:-$SOURCE_DIR/build/kernels}
	command -v qemu-system-x86_64 >/dev/null || skip_all 'qemu-system-x86_64 is not installed'
	mapfile -t kernels < <(find "$folder" -name 'vmlinuz-*' -size +1M 2>/dev/null | sort -V)
	[ ${#kernels[@]} -ge "$1" ] || skip_all "fewer than $1 kernel images in $folder (PERFCMP_TEST_KERNELS)"
}
