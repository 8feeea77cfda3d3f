#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# A database that cannot be used is status 1, a name that nothing has is status 2, each with one line.
. "$(dirname "$0")/lib.sh"
command -v sqlite3 >/dev/null || skip_all 'sqlite3 is not installed'

# One good database for all, with values that fill some pages
good=$root/good.db
cat >"$root/in.csv" <<-'END'
	commit,run,metric,value
	base,0,ops,7
	new,0,ops,9
END
{
	PERFCMP_FAKE=metrics=2000 perfcmp collect --db "$good" --counters fake --commit fakes --iterations 5 fake/wide
	perfcmp import --db "$good" csv "$root/in.csv"
} 2>"$root/log"
id=$(perfcmp list --db "$good" runs | awk '$2 == "base" { print $1 }')

# What a user types, one command a line
everything="diff base new
list
list runs
list machines
list tests
list metrics
show $id
import csv $root/in.csv
collect --counters off --commit v --iterations 1 -- touch ran"

# refuses STATUS REGEX COMMAND-LINE: one line on standard error, nothing on the other, nothing ran
refuses() {
	local words
	read -r -a words <<<"$3"
	exits "$1" perfcmp "${words[@]}" >out 2>err
	[ ! -s out ]
	[ "$(wc -l <err)" -eq 1 ]
	has err "^perfcmp: $2"
	[ ! -e ran ]
}

# all_refuse REGEX [COMMAND-LINES]: each of the commands with the database bad.db
all_refuse() {
	local line
	export PERFCMP_DB=$work/bad.db
	while read -r line; do
		cp -r bad.db before
		refuses 1 "[^ ]*bad\.db: $1" "$line"
		diff -r before bad.db
		rm -r before
	done <<<"${2:-$everything}"
}

everything_works() {
	local line words
	cp "$good" "$PERFCMP_DB"
	while read -r line; do
		read -r -a words <<<"$line"
		perfcmp "${words[@]}"
	done <<<"$everything"
	[ -e ran ]
}

text() {
	echo 'not a database' >bad.db
	all_refuse 'not a perfcmp database'
}
folder() {
	mkdir bad.db
	all_refuse 'is a folder'
}
newer() {
	cp "$good" bad.db
	sqlite3 bad.db 'PRAGMA user_version = 99'
	all_refuse 'schema 99 is newer than this perfcmp \([0-9]+\): upgrade perfcmp'
}
other_program() {
	sqlite3 bad.db 'CREATE TABLE t (x)'
	all_refuse 'a database of another program'
}
cut_off() {
	local size
	size=$(stat -c %s "$good")
	for keep in $((size / 2)) 8192; do
		head -c "$keep" "$good" >bad.db
		all_refuse 'damaged: '
	done
}
zeroed() {
	cp "$good" bad.db
	dd if=/dev/zero of=bad.db bs=4096 seek=1 count=20 conv=notrunc status=none
	all_refuse 'damaged: '
}
schema_gone() {
	cp "$good" bad.db
	sqlite3 bad.db '.dbconfig defensive off' "PRAGMA writable_schema = 1; DELETE FROM sqlite_schema WHERE name = 'runs'"
	all_refuse 'damaged: '
}
values_changed() {
	cp "$good" bad.db
	sqlite3 bad.db 'UPDATE run_values SET packed = substr(packed, 1, length(packed) - 1)'
	all_refuse 'damaged: values of a run' "diff base new
list metrics
show $id"
}

unknown_names() {
	cp "$good" "$PERFCMP_DB"
	while IFS='|' read -r regex line; do
		refuses 2 "$regex" "$line"
	done <<-END
		unknown commit 'nonesuch'|diff base nonesuch
		unknown commit 'nonesuch'|diff nonesuch new
		unknown run 'ffffffff'|show ffffffff
		unknown run 'nonesuch'|show nonesuch
		list nonesuch: takes one of commits, machines, tests, runs, metrics|list nonesuch
		list base: takes one of commits, machines, tests, runs, metrics|list runs base
		.*nonesuch|import nonesuch $root/in.csv
		.*nonesuch|collect --commit v nonesuch
		.*fake/nonesuch|collect --commit v fake/nonesuch
		.*nonesuch|collect --commit v --events nonesuch -- touch ran
		.*nonesuch|nonesuch
		.*--nonesuch|diff --nonesuch base new
	END
}
missing() {
	for line in 'diff base new' 'list' 'list runs' "show $id"; do
		refuses 1 '.*test\.db' "$line"
		[ ! -e "$PERFCMP_DB" ]
	done
	refuses 1 'nonesuch\.csv: .*No such file' 'import csv nonesuch.csv'
}

test_that 'with a good database all of the commands here succeed' everything_works
test_that 'a text file is status 1 for every command' text
test_that 'a folder is status 1 for every command' folder
test_that 'a newer schema is status 1 for every command' newer
test_that 'the database of another program is status 1 for every command' other_program
test_that 'a database that was cut off is status 1 for every command' cut_off
test_that 'a database with pages of zeros is status 1 for every command' zeroed
test_that 'a database without its most important table is status 1 for every command' schema_gone
test_that 'values that are not what was stored are status 1 for every command that reads them' values_changed
test_that 'a name that nothing has is status 2' unknown_names
test_that 'a database or a file that is not there is status 1' missing
done_testing
