#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# diff finds commits, says what it cannot compare, and keeps notes out of the table.
. "$(dirname "$0")/lib.sh"

# import_values COMMIT VALUE... [-- OPTION...]: a run for each value of will-it-scale.per_process_ops
import_values() {
	local commit=$1 run=0
	shift
	echo commit,run,metric,value >in.csv
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		echo "$commit,$run,will-it-scale.per_process_ops,$1" >>in.csv
		run=$((run + 1))
		shift
	done
	[ $# -eq 0 ] || shift
	perfcmp import csv --test will-it-scale/getppid1 "$@" in.csv 2>/dev/null
}

diff_quietly() { perfcmp diff "$@" >out 2>err; }

shows_a_change() {
	import_values a 1000 1001 1002
	import_values b 1100 1101 1102
	diff_quietly a b
	has out '^      1001           \+10\.0%       1101        will-it-scale\.per_process_ops$'
	[ ! -s err ]
}

notes_what_the_rule_hides() {
	import_values a 1000 1001 1002
	import_values b 1000 1001 1003
	diff_quietly a b
	[ ! -s out ]
	has err 'nothing above the threshold'
	has err '^ +1001 +\+0\.0% .* will-it-scale\.per_process_ops$'
	diff_quietly --all a b
	has out 'will-it-scale\.per_process_ops$'
	[ ! -s err ]
}

warns_of_too_few_runs() {
	import_values a 1000 1001
	import_values b 2000 2001
	diff_quietly a b
	[ ! -s out ]
	has err '2 complete runs of a and 2 of b: .* unless one side has 3$'
}

three_commits() {
	import_values a 100 100 100
	import_values b 110 110 110
	import_values c 90 90 90
	diff_quietly a b c
	has out '^    100\.00           \+10\.0%     110\.00           -10\.0%      90\.00        will'
	diff_quietly c b a
	has out '^     90\.00           \+22\.2%     110\.00           \+11\.1%     100\.00        will'
}

eight_but_not_nine_commits() {
	for c in c1 c2 c3 c4 c5 c6 c7 c8 c9; do import_values $c 1 2 3; done
	diff_quietly --all c1 c2 c3 c4 c5 c6 c7 c8
	has out ' will-it-scale\.per_process_ops$'
	exits 2 diff_quietly c1 c2 c3 c4 c5 c6 c7 c8 c9
	exits 2 diff_quietly c1
	exits 2 diff_quietly
}

an_unknown_commit_is_answered_with_what_is_near() {
	import_values v6.12-base 1 2 3
	exits 2 diff_quietly v6.12-base v6.12-bose
	has err "unknown commit 'v6\.12-bose'.*v6\.12-base"
	[ "$(wc -l <err)" -eq 1 ]
	[ ! -s out ]
}

an_abbreviated_hash_is_enough_if_it_is_unambiguous() {
	import_values dd1cd4101d7deca31755b45fa311e60c01be71db 1 2 3
	import_values dd1cdfffffdeca31755b45fa311e60c01be71db0 4 5 6
	diff_quietly --all dd1cd41 dd1cdf
	has out '^  dd1cd4101d7deca31755b45fa311e60c01be71db$'
	exits 2 diff_quietly dd1cd dd1cdf
	has err 'dd1cd4101d7deca.*dd1cdfffffdeca'
}

nothing_in_common_is_status_2() {
	import_values a 1 2 3 -- --param nr_task=1
	import_values b 1 2 3 -- --param nr_task=2
	exits 2 diff_quietly a b
	[ ! -s out ]
	has err 'nothing to compare'
	has err '^  will-it-scale/getppid1 on imported \(nr_task=1\): 3 runs$'
	has err '^  will-it-scale/getppid1 on imported \(nr_task=2\): 3 runs$'
}

a_group_of_one_side_is_named() {
	import_values a 1 1 1 -- --param nr_task=1
	import_values b 2 2 2 -- --param nr_task=1
	import_values b 1 2 3 -- --param nr_task=2
	diff_quietly a b
	has out '^  1/imported/'
	has_not out '^  2/imported/'
	has err 'nr_task=2'
}

one_table_a_group() {
	for task in 1 2; do
		import_values a 1 1 1 -- --param nr_task=$task --machine m1
		import_values b 2 2 2 -- --param nr_task=$task --machine m1
	done
	import_values a 1 1 1 -- --param nr_task=2 --machine m2
	import_values b 3 3 3 -- --param nr_task=2 --machine m2
	diff_quietly a b
	[ "$(grep -c '^nr_task/tbox_group/test/testcase:$' out)" -eq 3 ]
	diff_quietly --where nr_task=2 a b
	[ "$(grep -c '^nr_task/tbox_group/test/testcase:$' out)" -eq 2 ]
	diff_quietly --machine m2 a b
	[ "$(grep -c '^nr_task/tbox_group/test/testcase:$' out)" -eq 1 ]
	has out '\+200\.0%'
	diff_quietly --test 'will-it-scale/get*' a b
	exits 2 diff_quietly --test 'will-it-scale/page*' a b
	exits 2 diff_quietly --where nr_task a b
}

a_parameter_has_one_value() {
	import_values a 1 1 1 -- --param nr_task=1
	exits 2 diff_quietly --where nr_task=1 --where nr_task=2 a a
	[ "$(wc -l <err)" -eq 1 ]
	has err '^perfcmp: --where nr_task=2: nr_task is given twice'
	exits 2 import_values b 1 -- --param nr_task=1 --param nr_task=2
	exits 2 diff_quietly a b
}

a_commit_beside_itself() {
	import_values a 1000 1001 1003
	diff_quietly --all a a
	has out '^      1001            \+0\.0%       1001        will-it-scale\.per_process_ops$'
}

chooses_metrics() {
	cat >in.csv <<-'END'
		commit,run,metric,value
		a,0,x.one,1
		a,0,x.two,1
		b,0,x.one,2
		b,0,x.two,2
	END
	perfcmp import csv in.csv 2>/dev/null
	diff_quietly --all --metric '*.one' a b
	has out ' x\.one$'
	has_not out ' x\.two$'
	diff_quietly --all --exclude '*.one' a b
	has out ' x\.two$'
	has_not out ' x\.one$'
}

a_subject_is_shown_the_way_the_mails_do() {
	import_values dd1cd4101d7deca31755b45fa311e60c01be71db 1 1 1 -- --subject 'sched: do "less"'
	import_values b 2 2 2
	diff_quietly dd1cd41 b
	has out '^  dd1cd4101d \("sched: do "less""\)$'
	has out '^dd1cd4101d7deca3 +b $'
}

a_missing_result_is_said() {
	cat >in.csv <<-'END'
		commit,run,metric,value
		a,0,will-it-scale.x,1000
		a,1,will-it-scale.x,1000
		a,2,will-it-scale.x,1000
		b,0,will-it-scale.x,1100
		b,1,other.y,1
		b,2,will-it-scale.x,1100
	END
	perfcmp import csv in.csv 2>/dev/null
	diff_quietly --all a b
	has out ' will-it-scale\.x$'
	has err '^note: will-it-scale\.x: missing in 1 of 3 runs of b; the 0-day rule counts it as 0$'
	has_not err 'other\.y'
}

hostile_names_stay_text() {
	printf 'commit,run,metric,value\na,0,"x.\033]0;evil\007\nrow",1\nb,0,"x.\033]0;evil\007\nrow",2\n' >in.csv
	perfcmp import csv --machine "$(printf 'm\033[31m')" --subject "$(printf 'two\nlines')" in.csv 2>/dev/null
	diff_quietly --all a b
	has_not out "$(printf '\033')"
	has out ' x\.\\x1b\]0;evil\\x07\\x0arow$'
	has out 'm\\x1b\[31m'
	has out '^  a \("two\\x0alines"\)$'
}

a_heading_is_cut_at_characters() {
	import_values äöüäöüäöüäöüäöüäöü 1 1 1
	import_values b 2 2 2
	diff_quietly --all äöüäöüäöüäöüäöüäöü b
	has out '^äöüäöüäöüäöüäöüä                           b $'
}

a_full_disk_is_an_error() {
	[ -c /dev/full ]
	import_values a 1 1 1
	import_values b 2 2 2
	perfcmp diff a b >/dev/full 2>err && return 1
	has err '^perfcmp: standard output: No space left'
}

bad_options() {
	import_values a 1 1 1
	local call
	while read -r call; do
		# shellcheck disable=SC2086
		exits 2 diff_quietly $call a a
		[ "$(wc -l <err)" -eq 1 ]
	done <<-'END'
		--rule robot
		--order size
		--profile-threshold -1
		--profile-threshold x
		--al1
		-x
		--all=1
	END
	exits 2 perfcmp dif a b
	exits 2 perfcmp
}

test_that 'a change is printed as the robot prints it, with no note' shows_a_change
test_that 'what the rule hides and an empty table are noted on standard error' notes_what_the_rule_hides
test_that 'too few runs for the rule is said' warns_of_too_few_runs
test_that 'three commits: each against the first' three_commits
test_that 'two to eight commits' eight_but_not_nine_commits
test_that 'an unknown commit is answered with what is near' an_unknown_commit_is_answered_with_what_is_near
test_that 'an abbreviated hash does where it is unambiguous' an_abbreviated_hash_is_enough_if_it_is_unambiguous
test_that 'nothing in common: status 2 and what each side has' nothing_in_common_is_status_2
test_that 'a group that only one side has is named, not shown' a_group_of_one_side_is_named
test_that 'one table for each machine, test and parameters, and options to choose' one_table_a_group
test_that 'a parameter that is given two values is refused' a_parameter_has_one_value
test_that 'a commit compared with itself has not changed' a_commit_beside_itself
test_that 'metrics can be chosen and left out' chooses_metrics
test_that 'a known subject is shown as in the mails' a_subject_is_shown_the_way_the_mails_do
test_that 'a result that some runs lack is said' a_missing_result_is_said
test_that 'control characters in names are printed as text' hostile_names_stay_text
test_that 'a heading is cut at characters, not bytes' a_heading_is_cut_at_characters
test_that 'a full disk on standard output is an error' a_full_disk_is_an_error
test_that 'bad options exit 2 with one line' bad_options
done_testing
