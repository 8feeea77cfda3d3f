#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Every file of the project is of a readable size, says its licence and holds what it should.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/rules.sh"

code='\.(c|h|sh|sql|cmake)$|(^|/)(CMakeLists\.txt|packages\.txt|quickstart|run|\.shellcheckrc)$|\.bash$|\.1$'

# "About" 400 lines, 120 for a header, twice that for tests: a tenth more is no breach. A file that is clearer in one piece says so in
# a line that begins: Long because
sizes() {
	local path limit length
	tree_of '^(src|tests)/.*\.[ch]$' | while IFS= read -r path; do
		limit=440
		case $path in
		src/*.h) limit=132 ;;
		tests/*) limit=880 ;;
		esac
		length=$(wc -l <"$path")
		[ "$length" -le "$limit" ] || grep -q 'Long because' "$path" || echo "$path: $length lines, more than $limit"
	done
}

licences() {
	local path
	tree_of "$code" | but '^tests/(data|golden|fuzz/corpus)/' | while IFS= read -r path; do
		head -n 2 "$path" | grep -q 'SPDX-License-Identifier: GPL-2\.0-only' || echo "$path: no SPDX line on top"
	done
}

# What is compared byte by byte (the README's table too), or is there because it is odd, may have anything in it.
clean_text() {
	local path
	lines '[[:blank:]]$' . | but '^(tests/(data|golden|fuzz/corpus)/|LICENSE:|README\.md:)'
	lines $'\r' . | but '^tests/(data|golden|fuzz/corpus)/'
	tree_of . | but '^tests/(data|golden|fuzz/corpus)/' | while IFS= read -r path; do
		[ ! -s "$path" ] || [ -z "$(tail -c 1 "$path" | tr '\n' ' ' | tr -d ' ')" ] ||
			echo "$path: no newline at its end"
	done
}

# Nothing of one machine, no host of a package registry, nothing left for later. (Written so that this file
# is no breach itself.)
words() {
	lines '/wor[k]/|/tmp/build[-]' .
	lines '(deb|security|snapshot)\.debia[n]\.org|pypi\.or[g]|npmjs\.or[g]|crates\.i[o]|ubuntu\.co[m]' .
	lines '\b(TO[D]O|FIX[M]E|XX[X]|HAC[K])\b' '^(src|tests|schemas|reports)/.*' | but '^tests/(data|fuzz/corpus)/'
}

# The guard of src/room/some_file.h is ROOM_SOME_FILE_H, or longer for a subfolder; a .c file that has a header
# includes it first.
headers() {
	local path guard first
	tree_of '^src/.*\.h$' | while IFS= read -r path; do
		guard=$(sed -nE '/^#ifndef/{s/^#ifndef //p;q}' "$path")
		first=$(cut -d / -f 2 <<<"$path")_$(basename "$path")
		first=$(tr 'a-z.-' 'A-Z__' <<<"$first")
		[[ _${guard}_ =~ _${first%%_*}(_[A-Z0-9_]+)?_${first#*_}_ ]] && grep -q "^#define $guard\$" "$path" ||
			echo "$path: its guard should be $first"
	done
	tree_of '^src/.*\.c$' | while IFS= read -r path; do
		[ -f "${path%.c}.h" ] || continue
		first=$(grep -m 1 '^#include' "$path")
		[ "$first" = "#include \"$(sed 's|^src/||; s|\.c$|.h|' <<<"$path")\"" ] ||
			echo "$path: includes its own header not first"
	done
}

# No binaries, and no databases but as SQL text: what is in the tree can be read.
readable() {
	local path
	tree_of . | but '^tests/fuzz/corpus/' | while IFS= read -r path; do
		[ "$(head -c 8000 "$path" | tr -d '\0' | wc -c)" -eq "$(head -c 8000 "$path" | wc -c)" ] ||
			echo "$path: a binary file"
	done
}

long_file() { yes 'int x;' | head -n "$1"; }

sizes_can_fail() {
	breach sizes src/model/a.c "$(long_file 441)\n"
	breach sizes src/model/a.h "$(long_file 133)\n"
	breach sizes tests/unit/test_a.c "$(long_file 881)\n"
	no_breach sizes src/model/a.c "$(long_file 440)\n" src/model/a.h "$(long_file 132)\n"
	no_breach sizes src/model/a.c "/* Long because the table is one. */\n$(long_file 500)\n"
}
licences_can_fail() {
	breach licences src/model/a.c 'int x;\n'
	breach licences quickstart '#!/usr/bin/env bash\necho\n'
	breach licences src/CMakeLists.txt 'project(x)\n'
	breach licences src/model/a.h '\n\n\n/* SPDX-License-Identifier: GPL-2.0-only */\n'
	breach licences src/model/a.h '/* SPDX-License-Identifier: MIT */\n'
	no_breach licences src/model/a.c '// SPDX-License-Identifier: GPL-2.0-only\nint x;\n' README.md 'x\n'
}
clean_text_can_fail() {
	breach clean_text quickstart 'text \n'
	breach clean_text src/model/a.c 'int x;\t\n'
	breach clean_text src/model/a.c 'int x;\r\n'
	breach clean_text schemas/a.sql 'x'
	no_breach clean_text tests/golden/a.txt 'table  \n' src/model/a.c '\tint x;\n' src/b.txt ''
}
words_can_fail() {
	breach words README.md 'see /wor''k/main\n'
	breach words quickstart 'curl deb.debia''n.org\n'
	breach words src/a.c '/* TO''DO: more */\n'
	no_breach words src/a.c 'the network of homes; tmp/build\n'
}
headers_can_fail() {
	breach headers src/model/a.h '#ifndef A_H\n#define A_H\n#endif\n'
	breach headers src/model/a.h '#ifndef MODEL_A_H\n#define MODEL_B_H\n#endif\n'
	breach headers src/model/a.c '#include <stdio.h>\n#include "model/a.h"\n' \
		src/model/a.h '#ifndef MODEL_A_H\n#define MODEL_A_H\n#endif\n'
	no_breach headers src/model/x/a.h '#ifndef MODEL_X_A_H\n#define MODEL_X_A_H\n#endif\n'
	no_breach headers src/model/a.c '#include "model/a.h"\n' src/model/a.h '#ifndef MODEL_A_H\n#define MODEL_A_H\n#endif\n'
}
readable_can_fail() {
	breach readable src/a.o '\x7fELF\x00\x01'
	no_breach readable src/a.txt '± text\n' tests/fuzz/corpus/csv/1 '\x00'
}

for rule in sizes licences clean_text words headers readable; do
	test_that "the files obey the rule: $rule" obeyed $rule
	test_that "a breach of it is noticed: $rule" ${rule}_can_fail
done
done_testing
