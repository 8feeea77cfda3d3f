# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# For tests of the rules that the files of the project obey; to be sourced after lib.sh. A rule is a function
# that looks at the tree in the current folder and prints a line for each breach of it.

# The tree's files, one a line: what git knows or would take, or all of them where there is no repository.
tree() {
	if [ -e .git ] && git -c safe.directory="$PWD" ls-files -co --exclude-standard 2>/dev/null; then
		return
	fi
	find . -path './build*' -prune -o -path ./.git -prune -o -type f -print | sed 's|^\./||'
}

# but REGEX: the lines of standard input that do not match; with none left it is no failure
but() {
	grep -vE -e "$1" || true
}

# tree_of REGEX: those whose path matches, and which are there
tree_of() {
	local path
	{ tree | grep -E -e "$1" || true; } | sort -u | while IFS= read -r path; do
		[ ! -f "$path" ] || printf '%s\n' "$path"
	done
}

# lines REGEX PATH-REGEX: "path:line:text" of each line that matches (extended regular expression)
lines() {
	tree_of "$2" | xargs -r -d '\n' grep -nHIE -e "$1" || true
}

# each_file AWK-PROGRAM: runs it over the files whose paths are on standard input
each_file() {
	xargs -r -d '\n' awk "$1"
}

# Of the paths on standard input those of files with something in them
not_empty() {
	local path
	while IFS= read -r path; do
		[ ! -s "$path" ] || printf '%s\n' "$path"
	done
}

# obeyed RULE: no breach of it in this project
obeyed() {
	(cd "$SOURCE_DIR" && "$1") >breaches
	if [ -s breaches ]; then
		echo "$1:"
		cat breaches
		return 1
	fi
}

sample() {
	rm -rf sample
	while [ $# -ge 2 ]; do
		mkdir -p "sample/$(dirname "$1")"
		printf '%b' "$2" >"sample/$1"
		shift 2
	done
}

# breach RULE PATH TEXT...: a tree of these files breaks the rule. Escapes in TEXT are read as printf's %b.
breach() {
	local rule=$1
	shift
	sample "$@"
	(cd sample && "$rule") >breaches
	[ -s breaches ] || {
		echo "$rule does not notice: $*"
		return 1
	}
}

# no_breach RULE PATH TEXT...: a tree of these files does not
no_breach() {
	local rule=$1
	shift
	sample "$@"
	(cd sample && "$rule") >breaches
	[ ! -s breaches ] || {
		echo "$rule complains of: $*"
		cat breaches
		return 1
	}
}
