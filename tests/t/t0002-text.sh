#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Every file of the project is of a readable size, says its licence and holds what it should.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/rules.sh"

code='\.(c|h|sh|sql|cmake)$|(^|/)(CMakeLists\.txt|packages\.txt|quickstart|run|\.shellcheckrc)$|\.bash$|\.1$'

# "About" 400 lines, 120 for a header, twice that for tests: a tenth more is no breach. A file that is clearer in one piece says so in
# a line that begins: Long because
sizes() {
	tree_of '^(src|tests)/.*\.[ch]$' | each_file '
		function judge() {
			limit = path ~ /^tests/ ? 880 : path ~ /\.h$/ ? 132 : 440
			if (length_ > limit && !reason) print path ": " length_ " lines, more than " limit
		}
		FNR == 1 { judge(); path = FILENAME; reason = 0 }
		/Long because/ { reason = 1 }
		{ length_ = FNR }
		END { judge() }'
}

licences() {
	tree_of "$code" | but '^tests/(data|golden|fuzz/corpus)/' | each_file '
		FNR <= 2 && /SPDX-License-Identifier: GPL-2\.0-only/ { licensed[FILENAME] = 1 }
		FNR > 2 { nextfile }
		END { for (i = 1; i < ARGC; i++) if (!(ARGV[i] in licensed)) print ARGV[i] ": no SPDX line on top" }'
}

# What is compared byte by byte (the README's table too), or is there because it is odd, may have anything in it.
clean_text() {
	lines '[[:blank:]]$' . | but '^(tests/(data|golden|fuzz/corpus)/|LICENSE:|README\.md:)'
	lines $'\r' . | but '^tests/(data|golden|fuzz/corpus)/'
	tree_of . | but '^tests/(data|golden|fuzz/corpus)/' | not_empty >"$root/not-empty"
	xargs -r -d '\n' tail -qc 1 <"$root/not-empty" | od -An -v -tx1 -w1 >"$root/last-bytes"
	paste "$root/last-bytes" "$root/not-empty" | awk '$1 != "0a" { print $2 ": no newline at its end" }'
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
	tree_of '^src/.*\.h$' | each_file '
		function judge() {
			if (!path) return
			split(path, part, "/"); room = toupper(part[2])
			name = path; sub(/.*\//, "", name); gsub(/[.-]/, "_", name); name = toupper(name)
			if (!defined || ("_" guard "_") !~ ("_" room "(_[A-Z0-9_]+)?_" name "_"))
				print path ": its guard should be " room "_" name
		}
		FNR == 1 { judge(); path = FILENAME; guard = ""; defined = 0 }
		/^#ifndef/ && !guard { guard = $2 }
		$0 == "#define " guard { defined = 1 }
		END { judge() }'
	tree_of '^src/.*\.c$' | each_file '
		/^#include/ {
			header = FILENAME; sub(/\.c$/, ".h", header)
			own = header; sub(/^src\//, "", own)
			if ($0 != "#include \"" own "\"" && (getline line < header) >= 0)
				print FILENAME ": includes its own header not first"
			close(header)
			nextfile
		}'
}

# No binaries, and no databases but as SQL text: what is in the tree can be read.
readable() {
	tree_of . | but '^tests/fuzz/corpus/' | xargs -r -d '\n' grep -laP '\x00' | sed 's/$/: a binary file/' || true
}

long_file() { yes 'int x;' | head -n "$1"; }

sizes_can_fail() {
	breach sizes src/model/a.c "$(long_file 441)\n"
	breach sizes src/model/a.h "$(long_file 133)\n"
	breach sizes tests/unit/test_a.c "$(long_file 881)\n"
	breach sizes src/model/a.c "$(long_file 441)\n" src/model/b.c '/* Long because of nothing. */\n'
	no_breach sizes src/model/a.c "$(long_file 440)\n" src/model/a.h "$(long_file 132)\n"
	no_breach sizes src/model/a.c "/* Long because the table is one. */\n$(long_file 500)\n"
}
licences_can_fail() {
	breach licences src/model/a.c 'int x;\n'
	breach licences src/model/a.c ''
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
	breach clean_text a.txt '' b.txt 'x\n' c.txt 'x'
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
	breach headers src/model/a.h 'int x;\n'
	breach headers src/model/a.c '#include <stdio.h>\n#include "model/a.h"\n' \
		src/model/a.h '#ifndef MODEL_A_H\n#define MODEL_A_H\n#endif\n'
	no_breach headers src/model/x/a.h '#ifndef MODEL_X_A_H\n#define MODEL_X_A_H\n#endif\n'
	no_breach headers src/model/a.c '#include "model/a.h"\n' src/model/a.h '#ifndef MODEL_A_H\n#define MODEL_A_H\n#endif\n'
}
readable_can_fail() {
	breach readable src/a.o '\x7fELF\x00\x01'
	breach readable src/a.txt 'x\n' src/b.txt 'x\n\x00'
	no_breach readable src/a.txt '± text\n' tests/fuzz/corpus/csv/1 '\x00'
}

for rule in sizes licences clean_text words headers readable; do
	test_that "the files obey the rule: $rule" obeyed $rule
	test_that "a breach of it is noticed: $rule" ${rule}_can_fail
done
done_testing
