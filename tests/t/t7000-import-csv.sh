#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# What is in a CSV file is in the database afterwards: every value, its kind and its run; or nothing is.
. "$(dirname "$0")/lib.sh"

data=$SOURCE_DIR/tests/data/lkp/set2x6.csv

csv() { printf '%b' 'commit,run,metric,value\n' "$@"; }

# values RUN: metric and value of each, as `show` prints them
values() {
	perfcmp show "$1" | awk '/^values$/ { inside = 1; next } /^[a-z]/ { inside = 0 } inside && NF { print $2, $1 }'
}

runs() { perfcmp list runs | awk 'NR > 1 { print $1 }'; }

# normal: metric, kind and value, however the value is written
normal() { awk '{ print $1, ($2 ~ /[.e]/ ? "float" : "whole"), sprintf("%.17g", $2) }'; }

# The file, sorted by run, is what comes back, run by run.
everything_comes_back() {
	local id commit iteration
	perfcmp import csv "$data"
	[ "$(runs | wc -l)" -eq 12 ]
	for id in $(runs); do
		perfcmp show "$id" >show.txt
		commit=$(sed -n 's/^commit   *//p' show.txt)
		iteration=$(sed -n 's/^iteration  *//p' show.txt)
		awk -F, -v c="$commit" -v r=$((iteration - 1)) '$1 == c && $2 == r { print $3, $4 }' "$data" |
			normal >expected.txt
		values "$id" | normal >got.txt
		[ -s expected.txt ]
		diff -u expected.txt got.txt
	done
}

# Columns, rows and line ends may be arranged otherwise; what is compared stays the same.
arrangement_does_not_matter() {
	local commits
	commits=$(awk -F, 'NR > 1 && !seen[$1]++ { print $1 }' "$data")
	perfcmp import --db plain.db --test c/t csv "$data"
	awk -F, '{ printf "\"%s\",%s,ignored,%s,%s\r\n", $4, $3, $2, $1 }' "$data" >turned.csv
	sed -i '1s/.*/\xef\xbb\xbfvalue,metric,unit,run,commit\r/' turned.csv
	perfcmp import --db turned.db --test c/t csv - <turned.csv 2>notes.txt
	has notes.txt "standard input:1: column 'unit' is ignored"
	# shellcheck disable=SC2086 # two commits
	for db in plain turned; do
		perfcmp diff --db $db.db --all $commits >$db.txt
	done
	[ -s plain.txt ]
	diff -u plain.txt turned.txt
}

options_describe_the_runs() {
	csv 'v6.12,0,ops,1\n' >runs.csv
	perfcmp import csv --machine box --test will-it-scale/read1 --param nr_task=16 --param mode=thread \
		--subject 'mm: faster' runs.csv
	perfcmp show "$(runs)" >show.txt
	has show.txt '^commit +v6\.12$'
	has show.txt '^subject +mm: faster$'
	has show.txt '^machine +box$'
	has show.txt '^test +will-it-scale/read1$'
	has show.txt '^  nr_task +16$'
	has show.txt '^  mode +thread$'
	has show.txt '^status +ok$'
}

defaults_name_the_file() {
	mkdir folder
	csv 'v6.12,0,ops,1\n' >folder/results.may.csv
	perfcmp import csv folder/results.may.csv
	perfcmp show "$(runs)" >show.txt
	has show.txt '^test +imported/results\.may$'
	has show.txt '^machine +imported$'
}

# fails REGEX FILE...: nothing is imported, and one line says why
fails() {
	local regex=$1
	shift
	exits 1 perfcmp import csv "$@" 2>err.txt
	has err.txt "^perfcmp: $regex"
	[ "$(grep -c '^perfcmp: ' err.txt)" -eq 1 ]
	[ ! -e test.db ] || [ -z "$(runs)" ]
}

nothing_half_imported() {
	csv 'a,0,ops,1\n' >good.csv
	csv 'a,0,ops,1\na,1,ops,"1,5"\n' >comma.csv
	fails "comma\.csv:3: '1,5' has a decimal comma: write the file with decimal points" good.csv comma.csv
	fails 'none\.csv: cannot be read: No such file or directory' good.csv none.csv
	csv >header.csv
	fails 'header\.csv: no runs in it' good.csv header.csv
	: >empty.csv
	fails 'empty\.csv: no runs in it' empty.csv
	printf 'commit,run,metric\na,0,ops\n' >three.csv
	fails "three\.csv:1: no column 'value'" three.csv
	csv 'a,0,"ops,1\na,0,b,2\n' >quote.csv
	fails 'quote\.csv:2: a quote that begins in this row is never closed' quote.csv
	perfcmp import csv good.csv
	[ "$(runs | wc -l)" -eq 1 ]
}

missing_is_not_zero() {
	csv 'a,0,ops,7\na,0,bad,nan\na,1,ops,\na,1,bad,<not counted>\n' >runs.csv
	perfcmp import csv runs.csv 2>err.txt
	has err.txt "runs\.csv:3: 'nan' is no number: bad is missing in that run"
	has err.txt "runs\.csv:4: '' is no number: ops is missing"
	has err.txt "runs\.csv:5: '<not counted>' is no number"
	perfcmp list metrics >metrics.txt
	has metrics.txt '^ *1  ops$'
	has_not metrics.txt 'bad'
	[ "$(runs | wc -l)" -eq 2 ]
}

cut_file() {
	csv 'a,0,ops,7\na,0,rate,12' >runs.csv
	perfcmp import csv runs.csv 2>err.txt
	has err.txt 'runs\.csv:3: the file ends inside this line'
	[ "$(values "$(runs)")" = 'ops 7' ]
}

hostile_names() {
	csv '"a\n\\x1b[31mb",0,"m\\t\xff",7\nplain,0,m,1\n' >runs.csv
	perfcmp import csv runs.csv
	perfcmp list runs >list.txt
	[ "$(wc -l <list.txt)" -eq 3 ] # a line end in a name is not one on the terminal
	LC_ALL=C has_not list.txt "$(printf '\033')"
	perfcmp list metrics >metrics.txt
	[ "$(wc -l <metrics.txt)" -eq 3 ]
}

large_file() {
	seq 1 100000 | awk 'BEGIN { print "commit,run,metric,value" } { print "a," int($1 / 1000) ",metric." $1 % 1000 "," $1 / 8 }' >large.csv
	perfcmp import csv large.csv
	perfcmp list metrics >metrics.txt
	[ "$(grep -c ' metric\.' metrics.txt)" -eq 1000 ]
	[ "$(runs | wc -l)" -eq 101 ]
	[ "$(values "$(runs | tail -n 1)")" = 'metric.0 12500' ]
}

test_that 'every value of the reference set comes back, run by run' everything_comes_back
test_that 'order of columns, quotes, CRLF, a byte order mark and standard input change nothing' \
	arrangement_does_not_matter
test_that 'machine, test, parameters and subject are stored with the runs' options_describe_the_runs
test_that 'without options the file gives the test its name' defaults_name_the_file
test_that 'one bad file and nothing of the import is stored' nothing_half_imported
test_that 'a value that is no number is missing, and named' missing_is_not_zero
test_that 'a line in which the file ends is left out, and named' cut_file
test_that 'hidden characters in names are stored and shown safely' hostile_names
test_that 'a hundred thousand values are taken in' large_file
done_testing
