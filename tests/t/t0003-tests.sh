#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Scripts are free of what shellcheck knows to be wrong, and no test passes for want of an assertion.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/rules.sh"

# Files with a first line for the kernel can be executed, and only those.
executable() {
	local path
	tree_of . | but '^tests/(data|golden|fuzz/corpus)/' >"$root/paths"
	each_file '/^#!/ { print FILENAME } { nextfile }' <"$root/paths" >"$root/scripts"
	while IFS= read -r path; do
		[ -x "$path" ] || echo "$path: cannot be executed"
	done <"$root/scripts"
	while IFS= read -r path; do
		[ ! -x "$path" ] || echo "$path"
	done <"$root/paths" | but_paths "$root/scripts" | sed 's/$/: can be executed and is no script/'
}

# but_paths FILE: the lines of standard input that are none of the file's
but_paths() {
	grep -vxFf "$1" || true
}

# A test file has the title of what should be true, the library, the number that its place wants, an end.
test_files() {
	tree_of '^tests/t/t[^/]*$' | but '^tests/t/t[0-9]{4}-[a-z0-9-]+\.sh$' | sed 's/$/: is not named tNNNN-topic.sh/'
	tree_of '^tests/t/t[^/]*$' | each_file '
		function judge() {
			if (!path) return
			if (!titled) print path ": the third line is no title"
			if (!library) print path ": does not use lib.sh"
			if (!tests) print path ": has no test_that"
			if (last != "done_testing") print path ": does not end with done_testing"
		}
		FNR == 1 { judge(); path = FILENAME; titled = library = tests = 0; last = "" }
		FNR == 3 && /^# [A-Za-z].*[.,:;a-z]$/ { titled = 1 }
		/\/lib\.sh"$/ { library = 1 }
		/^[ \t]*test_(that|with) / { tests = 1 }
		!/^$/ { last = $0 }
		END { judge() }'
	tree_of '^tests/t/t[0-9]{4}-' | sed 's|^\(tests/t/t....\).*|\1|' | uniq -d | sed 's/$/: two files of that number/'
}

# tests_without WORD-REGEX TEST-REGEX: "path function" for each test of the files on standard input in whose
# function no such word is, nor in those of the same file that it calls. A function begins at the margin with its
# name and ends with } at the margin; a macro of one line is one, too. A test is what follows TEST-REGEX in a line.
tests_without() {
	xargs -r -d '\n' -n 1 awk -v word="$1" -v test="$2" '
		/^[a-z_][a-zA-Z0-9_ *]*\(.*[^;]$/ && !inside {
			name = $0; sub(/\(.*/, "", name); sub(/.*[^a-zA-Z0-9_]/, "", name)
			inside = 1; names[name] = 1
		}
		inside {
			text = $0
			if (!(name in body)) sub(/^[^{]*/, "", text)
			body[name] = body[name] "\n" text
		}
		/^}/ || /^[a-z_]+\(\) \{.*\}$/ { inside = 0 }
		/^#define [a-zA-Z0-9_]+\(/ {
			macro = $2; sub(/\(.*/, "", macro); names[macro] = 1
			text = $0; sub(/^[^)]*\)/, "", text)
			body[macro] = text
		}
		match($0, test) {
			text = substr($0, RSTART + RLENGTH); sub(/[^a-zA-Z0-9_].*/, "", text)
			tests[text] = 1
		}
		END {
			for (n in names) if (body[n] ~ word) good[n] = 1
			do {
				more = 0
				for (n in names) if (!(n in good))
					for (m in good) if (body[n] ~ ("(^|[^a-zA-Z0-9_])" m "([^a-zA-Z0-9_]|$)")) { good[n] = 1; more = 1; break }
			} while (more)
			for (n in names) if (n in tests && !(n in good)) print FILENAME, n
		}'
}

# Unit tests assert something; end-to-end tests look at a status, at output or at a file.
assertions() {
	tree_of '^tests/unit/test_[^/]*\.c$' |
		tests_without '(^|[^a-z_])(assert_[a-z_]+|fail|fail_msg|expect_[a-z_]+) *\\(' \
			'(cmocka_unit_test[a-z_]*|[A-Z]+_TEST)\\(' | sed 's/$/ asserts nothing/'
	# t0000 has a test file that should fail inside.
	tree_of '^tests/t/t[0-9]{4}-.*\.sh$' | but 't0000-lib\.sh$' |
		tests_without '(^|[^a-zA-Z0-9_])(exits|has|has_not|same|cmp|diff|grep|test|obeyed|breach|no_breach) |\\[ |exit (!|1)' \
			"^[ \\t]*test_(that|with) .*['\"] " | sed 's/$/ looks at nothing/'
}

# What cmocka's skip() does not print, the line or two before it do.
reasons() {
	tree_of '^tests/unit/.*\.[ch]$' | each_file '
		/(^|[^a-z_])skip\(\)/ && before !~ /print_message\(/ && last !~ /print_message\(/ {
			print FILENAME ":" FNR ": a skip that gives no reason"
		}
		{ before = last; last = $0 }'
}

scripts() {
	tree_of . | but '^tests/(data|golden|fuzz/corpus)/' | each_file '
		FNR <= 2 && (/^#!.*[^a-z](ba)?sh$/ || /shellcheck shell=/) { print FILENAME; nextfile }
		FNR > 1 { nextfile }'
}

shellchecked() {
	scripts | xargs -r -d '\n' -n 8 -P "$(nproc)" shellcheck -x -f gcc || true
}

# What this shellcheck has found in order stays so until some script, or what tells shellcheck how to look, changes.
shellchecked_once() {
	local known=$BUILD_DIR/shellchecked.sum sum
	sum=$({
		shellcheck --version
		{ scripts && tree_of '(^|/)\.shellcheckrc$'; } | xargs -r -d '\n' sha256sum
	} | sha256sum)
	[ "$(cat "$known" 2>/dev/null)" != "$sum" ] || return 0
	shellchecked >"$root/complaints"
	cat "$root/complaints"
	[ -s "$root/complaints" ] || echo "$sum" >"$known"
}

script='#!/usr/bin/env bash\n# SPDX\n'
good_test="$script"'# A thing is true.\n. "$(dirname "$0")/lib.sh"\nf() {\n\texits 0 true\n}\ntest_that "x" f\ndone_testing\n'

executable_can_fail() {
	breach executable quickstart "$script"
	sample notes.txt 'x\n'
	chmod +x sample/notes.txt
	(cd sample && executable) | grep 'notes.txt: can be executed'
}
test_files_can_fail() {
	breach test_files tests/t/t1-x.sh "$good_test"
	breach test_files tests/t/t0001-x.sh "${good_test/A thing is true./}"
	breach test_files tests/t/t0001-x.sh "${good_test/test_that/: test}"
	breach test_files tests/t/t0001-x.sh "${good_test/done_testing/}"
	breach test_files tests/t/t0001-x.sh "${good_test/lib.sh/bil.sh}"
	breach test_files tests/t/t0001-x.sh "$good_test" tests/t/t0001-y.sh "$good_test"
	no_breach test_files tests/t/t0001-x.sh "$good_test" tests/t/t0002-y.sh "$good_test"
}
assertions_can_fail() {
	local unit='static void helps(int x)\n{\n\tHERE(x);\n}\n\nstatic void a_test(void **state)\n{\n\thelps(1);\n}\n'
	unit+='int main(void)\n{\n\tcmocka_unit_test(a_test),\n}\n'
	breach assertions tests/unit/test_x.c "${unit/HERE/use}"
	no_breach assertions tests/unit/test_x.c "${unit/HERE/assert_true}"
	breach assertions tests/unit/test_x.c "#define HERE(x) use(x)\n$unit"
	no_breach assertions tests/unit/test_x.c "#define HERE(x) assert_true(x)\n$unit"
	breach assertions tests/unit/test_x.c "${unit/cmocka_unit_test/CHILD_TEST}"
	breach assertions tests/t/t0001-x.sh "${good_test/exits 0/: }"
	breach assertions tests/t/t0001-x.sh "f() { perfcmp list; }\ntest_that 'x' f\n"
	no_breach assertions tests/t/t0001-x.sh "$good_test"
	no_breach assertions tests/t/t0001-x.sh "f() { [ -f x ]; }\ntest_that 'x' f\n"
}
reasons_can_fail() {
	breach reasons tests/unit/test_x.c 'int x;\n\tskip();\n'
	breach reasons tests/unit/test_x.c '\tprint_message("x");\n\ty();\n\tz();\n\tskip();\n'
	no_breach reasons tests/unit/test_x.c '\tprint_message("x");\n\tskip();\n'
	no_breach reasons tests/unit/test_x.c '\tprint_message("%s",\n\t\tx);\n\tskip();\n'
}
shellchecked_can_fail() {
	breach shellchecked quickstart "${script}cd \$1\n"
	no_breach shellchecked quickstart "${script}echo \"\$1\"\n"
}
shellchecked_once_can_fail() {
	BUILD_DIR=$work
	shellchecked_can_fail
	no_breach shellchecked_once quickstart "${script}echo \"\$1\"\n"
	[ -s shellchecked.sum ]
	breach shellchecked_once quickstart "${script}cd \$1\n"
	breach shellchecked_once quickstart "${script}cd \$1\n"
	no_breach shellchecked_once quickstart "${script}echo \"\$1\"\n"
}

for rule in executable test_files assertions reasons; do
	test_that "the scripts and tests obey the rule: $rule" obeyed "$rule"
	test_that "a breach of it is noticed: $rule" "${rule}_can_fail"
done
test_with shellcheck 'the scripts are free of what shellcheck knows to be wrong' obeyed shellchecked_once
test_with shellcheck 'what shellcheck complains of is noticed, again and again' shellchecked_once_can_fail
done_testing
