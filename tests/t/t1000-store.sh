#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The database is one SQLite file that others can read, and what is wrong with it is said in one line.
. "$(dirname "$0")/lib.sh"
command -v sqlite3 >/dev/null || skip_all 'sqlite3 is not installed'

three_runs() {
	printf 'commit,run,metric,value\nbase,0,ops,7\nbase,0,rate%%,0.5\nbase,1,ops,8\nnew,0,ops,9.0\n' >runs.csv
	perfcmp import csv --machine box --test case/test --param nr_task=2 --param mode=process \
		--subject "it's \"fast\"" runs.csv
}

# sql DB TEXT: what SQLite itself says
sql() { sqlite3 -batch -noheader -cmd '.timeout 20000' "$@"; }

# fails_in_one_line STATUS REGEX COMMAND...
fails_in_one_line() {
	local status=$1 regex=$2
	shift 2
	exits "$status" "$@" >out.txt 2>err.txt
	has err.txt "$regex"
	[ "$(wc -l <err.txt)" -eq 1 ]
	[ ! -s out.txt ]
}

readable_by_others() {
	three_runs
	sql "$PERFCMP_DB" 'PRAGMA integrity_check; PRAGMA foreign_key_check' >got.txt
	sql "$PERFCMP_DB" "SELECT c.name, c.subject, t.testcase, t.test, replace(t.params, char(10), ' '), m.name,
		r.iteration, r.status FROM runs r JOIN commits c ON c.id = r.commit_id JOIN tests t ON t.id = r.test_id
		JOIN boots b ON b.id = r.boot_id JOIN machines m ON m.id = b.machine_id ORDER BY r.id" >>got.txt
	# the packed values, written down by hand from src/store/pack.h: ops 7, rate% 0.5
	sql "$PERFCMP_DB" 'SELECT hex(substr(packed, 1, length(packed) - 4)) FROM run_values LIMIT 1' >>got.txt
	cat >expected.txt <<-'END'
		ok
		base|it's "fast"|case|test|mode=process nr_task=2|box|1|ok
		base|it's "fast"|case|test|mode=process nr_task=2|box|2|ok
		new|it's "fast"|case|test|mode=process nr_task=2|box|1|ok
		080E0AA101
	END
	diff -u expected.txt got.txt
}

one_file() {
	three_runs
	perfcmp list >/dev/null
	perfcmp diff base new >/dev/null
	ls >files.txt
	has files.txt '^test\.db$'
	has_not files.txt 'wal|shm|journal'
	[ "$(sql test.db 'PRAGMA journal_mode')" = wal ]
}

# Every table is introduced by a comment, every column ends with one or continues in a line that does.
commented() {
	awk '
		/^CREATE TABLE/ { tables++; inside = 1; if (before !~ /^--/) print FILENAME ": no comment: " $0; next }
		/^\)/ { inside = 0 }
		inside && /^\t[a-z]/ { columns++; if (!/[ \t]-- [^ ]/) print FILENAME ": no comment: " $0 }
		{ before = $0 }
		END { if (tables < 10 || columns < 30) print "not understood: " tables " tables, " columns " columns" }
	' "$SOURCE_DIR"/schemas/0*.sql >breaches.txt
	cat breaches.txt
	[ ! -s breaches.txt ]
}

text_file() {
	echo 'notes' >notes.txt
	cp notes.txt copy.txt
	fails_in_one_line 1 '^perfcmp: notes\.txt: not a perfcmp database: name another file' perfcmp list --db notes.txt
	three_runs
	fails_in_one_line 1 '^perfcmp: notes\.txt: not a perfcmp' perfcmp import --db notes.txt csv runs.csv
	fails_in_one_line 1 '^perfcmp: notes\.txt: not a perfcmp' perfcmp collect --db notes.txt --commit x -- true
	cmp notes.txt copy.txt
}

newer_schema() {
	three_runs
	sql test.db 'PRAGMA user_version = 4'
	fails_in_one_line 1 'test\.db: schema 4 is newer than this perfcmp \(2\): upgrade perfcmp$' perfcmp list
	fails_in_one_line 1 'schema 4 is newer' perfcmp diff base new
	fails_in_one_line 1 'schema 4 is newer' perfcmp import csv runs.csv
	sql test.db 'PRAGMA user_version = 2'
	perfcmp list >list.txt
	has list.txt '^base +2 '
}

other_program() {
	sql other.db 'CREATE TABLE t (a); INSERT INTO t VALUES (1)'
	fails_in_one_line 1 'other\.db: a database of another program' perfcmp list --db other.db
	[ "$(sql other.db 'SELECT count(*) FROM t; PRAGMA journal_mode')" = "$(printf '1\ndelete')" ]
}

nothing_yet() {
	fails_in_one_line 1 'no database yet: run "perfcmp collect" or "perfcmp import" first' perfcmp list
	fails_in_one_line 1 'no database yet' perfcmp diff a b --db no/such/folder/x.db
	[ ! -e no ]
	: >empty.db
	fails_in_one_line 1 'empty\.db: no database yet' perfcmp list --db empty.db
	fails_in_one_line 1 ': is a folder: name a file in it' perfcmp list --db .
}

default_place() {
	three_runs
	unset PERFCMP_DB
	HOME=$work XDG_DATA_HOME='' perfcmp import csv runs.csv
	[ -s .local/share/perfcmp/perfcmp.db ]
	XDG_DATA_HOME=$work/data perfcmp import csv runs.csv
	[ -s data/perfcmp/perfcmp.db ]
	PERFCMP_DB=env.db perfcmp import csv runs.csv
	[ -s env.db ]
	PERFCMP_DB=env.db perfcmp import --db option.db csv runs.csv
	[ -s option.db ]
}

unknown_commit() {
	three_runs
	fails_in_one_line 2 "unknown commit 'bsae': near are 'base'" perfcmp diff bsae new
	fails_in_one_line 2 "unknown commit 'quite-different': there are '(base|new)', '(base|new)'" \
		perfcmp diff base quite-different
}

# The second half of each page is overwritten, page by page.
damaged() {
	local pages page told=0
	seq 1 400 | awk 'BEGIN { print "commit,run,metric,value" } { for (r = 0; r < 20; r++)
		print (r % 2 ? "base" : "new") "," r ",metric." $1 "," r + $1 / 7 }' >many.csv
	perfcmp import --db good.db csv many.csv
	perfcmp diff --db good.db --all base new >good.txt
	pages=$(sql good.db 'PRAGMA page_count')
	for page in $(seq 0 $((pages - 1))); do
		cp good.db bad.db
		head -c 1024 /dev/zero | tr '\0' '\252' |
			dd of=bad.db bs=1024 seek=$((page * 2 + 1)) conv=notrunc status=none
		if perfcmp diff --db bad.db --all base new >bad.txt 2>err.txt; then
			diff good.txt bad.txt
		else
			told=$((told + 1))
			has err.txt '^perfcmp: bad\.db: '
		fi
	done
	echo "$told of $pages pages are told"
	[ "$told" -ge 10 ] # the others hold nothing there that is asked for
}

locked() {
	three_runs
	{
		echo 'BEGIN IMMEDIATE; SELECT 1;'
		until [ -e release ]; do sleep 0.05; done
	} | sql test.db >locked.txt &
	until [ -s locked.txt ]; do sleep 0.01; done
	export PERFCMP_DB_TIMEOUT=0.2
	fails_in_one_line 1 'test\.db: locked by another process for 0\.2 s: try again' perfcmp import csv runs.csv
	perfcmp list >list.txt # reading goes on
	has list.txt '^base +2 '
	touch release
	wait
	perfcmp import csv runs.csv
}

together() {
	local i
	three_runs
	rm test.db
	for i in 1 2 3 4 5 6; do
		perfcmp import csv --machine "box$i" runs.csv &
	done
	for i in 1 2 3 4 5 6; do wait -n; done
	[ "$(sql test.db 'SELECT count(*) FROM runs; PRAGMA integrity_check')" = "$(printf '18\nok')" ]
}

# An import is killed after 1, 2, 3 ... hundredths of a second, until one comes to its end.
killed() {
	local i runs before=0 early=0 status
	seq 1 2000 | awk 'BEGIN { print "commit,run,metric,value" } { for (r = 0; r < 50; r++)
		print "base," r ",metric." $1 "," r * $1 }' >many.csv
	for i in $(seq 1 60); do
		status=0
		timeout -s KILL "$(awk "BEGIN { print $i / 100 }")" "$PERFCMP" import csv many.csv 2>/dev/null || status=$?
		[ "$status" -ne 0 ] || break
		early=$((early + 1))
		[ -s test.db ] || continue
		[ "$(sql test.db 'PRAGMA integrity_check')" = ok ]
		runs=$(sql test.db "SELECT count(*) FROM sqlite_schema WHERE name = 'runs'")
		[ "$runs" -eq 0 ] || runs=$(sql test.db 'SELECT count(*) FROM runs')
		[ $((runs % 50)) -eq 0 ]
		[ "$runs" -ge "$before" ]
		before=$runs
	done
	[ "$early" -gt 0 ]
	perfcmp import csv many.csv
	runs=$(sql test.db 'SELECT count(*) FROM runs; PRAGMA integrity_check' | tr '\n' ' ')
	[[ $runs =~ ^[0-9]*[05]0\ ok\ $ ]]
}

test_that 'other programs can read it: names, parameters, packed values' readable_by_others
test_that 'it is one file when nobody uses it' one_file
test_that 'every table and column of the schema has a comment' commented
test_that 'a text file is refused and left as it is' text_file
test_that 'a newer schema is refused: upgrade perfcmp' newer_schema
test_that 'the database of another program is refused and left as it is' other_program
test_that 'where there is no database yet, the message says what makes one' nothing_yet
test_that 'it is at --db, PERFCMP_DB, XDG_DATA_HOME or in the home folder' default_place
test_that 'an unknown commit lists what is near' unknown_commit
test_that 'a damaged page is told or does not matter, never other numbers' damaged
test_that 'a locked database is waited for, then told; reading goes on' locked
test_that 'six imports that make the database together all succeed' together
test_that 'an import that is killed is in the database whole or not at all' killed
done_testing
