# SPDX-License-Identifier: GPL-2.0-only
# Writes OUT: a C file with the FILES' bytes, one after the other, as a NUL-terminated array named SYMBOL.
set(hex "")
foreach(file IN LISTS FILES)
	file(READ ${file} part HEX)
	string(APPEND hex "${part}")
endforeach()
string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
file(WRITE ${OUT} "extern const char ${SYMBOL}[];\nconst char ${SYMBOL}[] = {\n${hex}0x00\n};\n")
