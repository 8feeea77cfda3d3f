#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Scripts are free of what shellcheck knows to be wrong, and no test passes for want of an assertion.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/rules.sh"

# Files with a first line for the kernel can be executed, and only those.
executable() {
	local path
	tree_of . | but '^tests/(data|golden|fuzz/corpus)/' | while IFS= read -r path; do
		if [ "$(head -c 2 "$path" | tr -d '\0')" = '#!' ]; then
			[ -x "$path" ] || echo "$path: cannot be executed"
		elif [ -x "$path" ]; then
			echo "$path: can be executed and is no script"
		fi
	done
}

# A test file has the title of what should be true, the library, the number that its place wants, an end.
test_files() {
	local path
	tree_of '^tests/t/t[^/]*$' | while IFS= read -r path; do
		[[ $path =~ ^tests/t/t[0-9]{4}-[a-z0-9-]+\.sh$ ]] || echo "$path: is not named tNNNN-topic.sh"
		sed -n 3p "$path" | grep -qE '^# [A-Za-z].*[.,:;a-z]$' || echo "$path: the third line is no title"
		grep -q '/lib\.sh"$' "$path" || echo "$path: does not use lib.sh"
		grep -qE '^[[:blank:]]*test_that ' "$path" || echo "$path: has no test_that"
		[ "$(grep -vE '^$' "$path" | tail -n 1)" = done_testing ] || echo "$path: does not end with done_testing"
	done
	tree_of '^tests/t/t[0-9]{4}-' | sed 's|^\(tests/t/t....\).*|\1|' | uniq -d | sed 's/$/: two files of that number/'
}

# functions_without WORD-REGEX FILE: the names of the functions in which no such word is, nor in those of the
# same file that they call. A function begins at the margin with its name and ends with } at the margin.
functions_without() {
	awk -v word="$1" '
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
		END {
			for (n in names) if (body[n] ~ word) good[n] = 1
			do {
				more = 0
				for (n in names) if (!(n in good))
					for (m in good) if (body[n] ~ ("(^|[^a-zA-Z0-9_])" m "([^a-zA-Z0-9_]|$)")) { good[n] = 1; more = 1; break }
			} while (more)
			for (n in names) if (!(n in good)) print n
		}' "$2"
}

# Unit tests assert something; end-to-end tests look at a status, at output or at a file.
assertions() {
	local path name
	tree_of '^tests/unit/test_[^/]*\.c$' | while IFS= read -r path; do
		functions_without '(^|[^a-z_])(assert_[a-z_]+|fail|fail_msg|expect_[a-z_]+) *\\(' "$path" | while read -r name; do
			! grep -q "cmocka_unit_test[a-z_]*(${name}[,)]" "$path" || echo "$path: $name asserts nothing"
		done
	done
	# t0000 has a test file that should fail inside.
	tree_of '^tests/t/t[0-9]{4}-.*\.sh$' | but 't0000-lib\.sh$' | while IFS= read -r path; do
		functions_without '(^|[^a-zA-Z0-9_])(exits|has|has_not|same|cmp|diff|grep|test|obeyed|breach|no_breach) |\\[ |exit (!|1)' "$path" |
			while read -r name; do
				! grep -qE "^[[:blank:]]*test_that .*['\"] $name( |$)" "$path" || echo "$path: $name looks at nothing"
			done
	done
}

shellchecked() {
	local path
	tree_of . | but '^tests/(data|golden|fuzz/corpus)/' | while IFS= read -r path; do
		if head -n 2 "$path" | grep -qE '^#!.*\b(ba)?sh$|shellcheck shell='; then
			shellcheck -x -f gcc "$path" || true
		fi
	done
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
	breach assertions tests/t/t0001-x.sh "${good_test/exits 0/: }"
	breach assertions tests/t/t0001-x.sh "f() { perfcmp list; }\ntest_that 'x' f\n"
	no_breach assertions tests/t/t0001-x.sh "$good_test"
	no_breach assertions tests/t/t0001-x.sh "f() { [ -f x ]; }\ntest_that 'x' f\n"
}
shellchecked_can_fail() {
	breach shellchecked quickstart "${script}cd \$1\n"
	no_breach shellchecked quickstart "${script}echo \"\$1\"\n"
}

rules=(executable test_files assertions)
if command -v shellcheck >/dev/null; then
	rules+=(shellchecked)
else
	echo '# shellcheck is not installed: scripts are not checked'
fi
for rule in "${rules[@]}"; do
	test_that "the scripts and tests obey the rule: $rule" obeyed "$rule"
	test_that "a breach of it is noticed: $rule" "${rule}_can_fail"
done
done_testing
