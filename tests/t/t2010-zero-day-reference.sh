#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# What the robot's own program prints for a set of measured values, perfcmp prints for it, byte by byte.
. "$(dirname "$0")/lib.sh"

data=$SOURCE_DIR/tests/data/lkp
{
	read -r base
	read -r new
} <"$data/set2x6.commits"

import_set2x6() {
	perfcmp import csv --machine lkp-skl-fpga01 --test will-it-scale/sched_yield \
		--param compiler=gcc-12 --param cpufreq_governor=performance \
		--param kconfig=x86_64-rhel-8.3 --param mode=process --param nr_task=16 \
		--param rootfs=debian-11.1-x86_64-20220510.cgz "$data/set2x6.csv"
}

# reproduces TABLE OPTION...
reproduces() {
	local table=$data/tables/set2x6.$1.txt
	shift
	import_set2x6
	perfcmp diff --rule 0day "$@" "$base" "$new" >table.txt
	[ -s "$table" ]
	diff -u "$table" table.txt
}

abbreviations_do() {
	import_set2x6
	perfcmp diff --rule 0day "${base:0:10}" "${new:0:10}" >table.txt
	diff -u "$data/tables/set2x6.default.txt" table.txt
}

hidden_kpis_are_notes() {
	import_set2x6
	perfcmp diff --rule 0day "$base" "$new" >table.txt 2>notes.txt
	diff -u "$data/tables/set2x6.default.txt" table.txt
	has notes.txt '^ +76\.64 +-0\.4% +76\.31 ±  3%  autonuma-benchmark\.numa01_THREAD_ALLOC\.seconds$'
	has_not table.txt 'THREAD_ALLOC'
}

test_that 'the default table is reproduced' reproduces default
test_that 'with every metric: --all' reproduces all --all
test_that 'without the deny list: --more' reproduces more --more
test_that "with the tests' own metrics only: --kpi" reproduces kpi --kpi
test_that 'a threshold of 5 is not the default' reproduces p5 --profile-threshold 5
test_that 'with a threshold of 1' reproduces p1 --profile-threshold 1
test_that 'with a threshold of 0.5' reproduces p0.5 --profile-threshold 0.5
test_that 'with a threshold of 0.05' reproduces p0.05 --profile-threshold 0.05
test_that 'in the order of the mails of 2023 to 2025' reproduces default.count-order --order count
test_that 'in that order with every metric' reproduces all.count-order --order count --all
test_that 'abbreviated commits give the same bytes' abbreviations_do
test_that 'KPIs that the rule hides go to standard error' hidden_kpis_are_notes
done_testing
