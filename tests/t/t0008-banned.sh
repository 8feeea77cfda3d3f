#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The compilers refuse every function that must not be used, also in a fortified build, and nothing else.
. "$(dirname "$0")/lib.sh"

banned=$SOURCE_DIR/src/base/banned.h
flags=(-std=gnu17 -D_GNU_SOURCE -I "$SOURCE_DIR/src" -fsyntax-only -O2)

compilers=()
for compiler in gcc clang; do
	! command -v $compiler >/dev/null || compilers+=("$compiler")
done
[ ${#compilers[@]} -gt 0 ] || skip_all 'neither gcc nor clang is installed'

banned_words() {
	sed -n 's/^#pragma GCC poison //p' "$banned" | tr ' ' '\n'
}

# refused COMPILER FLAG...: a file with one use of each word a line has an error on each of these lines
refused() {
	banned_words >words
	[ "$(wc -l <words)" -ge 20 ]
	{
		echo '#include "base/err.h"'
		sed 's/.*/void *use_of_&(void) { return (void *)\&&; }/' words
	} >uses.c
	case $1 in clang) set -- "$@" -ferror-limit=0 ;; esac
	"$@" "${flags[@]}" uses.c 2>errors && return 1
	grep -E '^uses\.c:[0-9]+:[0-9]+: error: .*poison' errors | cut -d : -f 2 | sort -nu >refused
	seq 2 $(($(wc -l <words) + 1)) | diff - refused
}

# What the sources include after the list, and what glibc makes of it
accepted() {
	{
		echo '#include "base/err.h"'
		grep -rhoE '^#include <[^>]+>' "$SOURCE_DIR/src" | grep -vE '<(perf|perfmon|hwloc|csv|pcre2|sqlite3|numa|numaif)\b' | sort -u
		echo 'int main(void) { char s[9]; snprintf(s, sizeof(s), "%d", 1); return s[0] == 0; }'
	} >headers.c
	"$@" -Wall -Werror "${flags[@]}" headers.c
}

for compiler in "${compilers[@]}"; do
	test_that "$compiler refuses each word of the list" refused $compiler -D_FORTIFY_SOURCE=0
	test_that "$compiler refuses it in a fortified build" refused $compiler -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
	test_that "$compiler takes the system's headers after the list" accepted $compiler -D_FORTIFY_SOURCE=0
	test_that "$compiler takes them in a fortified build" accepted $compiler -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
done
done_testing
