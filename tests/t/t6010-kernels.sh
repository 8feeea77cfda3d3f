#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# collect --kernel: two kernels by turns, in the order that was asked for; what cannot be booted is refused.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/kernels.sh"

need_kernels 2
base=${kernels[0]},commit=base
new=${kernels[1]},commit=new

collect() { perfcmp collect --accel tcg --vm-mem 768M --counters auto "$@" 2>>err; }
sql() { sqlite3 "$PERFCMP_DB" "$1"; }

two_kernels_by_turns() {
	collect --kernel "$base" --kernel "$new" --boots 2 --iterations 2 --vm-nodes 2 --runtime 0.3 --warmup 0.1 \
		will-it-scale/sched_yield autonuma-benchmark/numa02 --param mem=16M --param loops=1
	[ "$(sql "SELECT group_concat(c.name, ' ') FROM (SELECT commit_id FROM runs GROUP BY boot_id ORDER BY min(id)) r
		JOIN commits c ON c.id = r.commit_id")" = 'base new base new' ]
	[ "$(sql 'SELECT count(*) FROM boots')" -eq 4 ]
	[ "$(sql 'SELECT max(iteration) FROM runs')" -eq 4 ]
	perfcmp diff --all base new >out 2>notes
	has notes '^note: vm-2cpu-2node-768M-tcg is emulated: its times tell of the emulator as much as of the kernels$'
	has out 'vm-2cpu-2node-768M-tcg/sched_yield/will-it-scale'
	for row in will-it-scale.per_process_ops perf-stat.ps.context-switches will-it-scale.time.elapsed_time \
		autonuma-benchmark.numa02.seconds; do
		has out " ${row//./\\.}\$"
	done
	perfcmp list machines >out
	has out ' emulated +2 +2 '
	perfcmp list commits >out
	has out '^base +8 +0 .* 6\.[0-9]'
}

images_that_are_none_are_refused() {
	head -c 100000 "${kernels[0]}" >half-image
	exits 2 collect --kernel half-image,commit=half fake/steady
	exits 2 collect --kernel /dev/null,commit=null fake/steady
	exits 2 collect --kernel no-such-image,commit=none fake/steady
	exits 2 collect --kernel "$base,colour=red" fake/steady
	exits 2 collect --kernel "$base" --kernel "$base" fake/steady
	exits 2 collect --kernel "$base" --commit v1 fake/steady
	exits 2 collect --kernel "$base" --vm-mem much fake/steady
	exits 2 collect --kernel "$base" --vm-mem 64T fake/steady
	exits 2 collect --kernel "$base" --vm-file no-such-file fake/steady
	exits 2 collect --kernel "$base" --dry-run -- no-such-command
	exits 2 collect --kernel "$base" autonuma-benchmark/numa01
	exits 2 collect --kernel "$base" --vm-nodes 4 --vm-cpus 2 fake/steady
	exits 2 collect --kernel "$base" --qemu /no/such/qemu fake/steady
	[ "$(wc -l <err)" -eq 13 ]
	[ ! -e "$PERFCMP_DB" ]
}

bad_images_without_a_label() {
	mkfifo pipe
	exits 2 collect --kernel no-such-image fake/steady
	has err '^perfcmp: --kernel no-such-image: .*No such file or directory$'
	exits 2 collect --kernel pipe fake/steady
	has err '^perfcmp: --kernel pipe: .*no regular file$'
	exits 2 collect --kernel ,commit=none fake/steady
	has err '^perfcmp: --kernel ,commit=none: names no image$'
}

subjects_have_commas() {
	collect --kernel "$new,commit=commas,subject=mm: a, b and \"c\",commit=d" --iterations 1 --workload fake fake/steady
	[ "$(sql "SELECT name || '|' || subject FROM commits WHERE name = 'commas'")" = 'commas|mm: a, b and "c",commit=d' ]
	exits 2 collect --kernel "$new" --subject 'of no kernel' fake/steady
	has err '^perfcmp: --subject: .*subject=TEXT$'
}

labels_are_printed_safely() {
	collect --kernel "$new,commit="$'a\nb\e[31m' --iterations 1 --dry-run fake/steady >out
	has out '^boot 1 of 1, a\\x0ab\\x1b\[31m$'
}

too_little_memory_is_said() {
	truncate -s 300M large
	exits 1 collect --kernel "$base" --vm-mem 256M --vm-file "$PWD/large" --iterations 1 fake/steady
	has err '^perfcmp: .*does not fit'
}

# Nothing is booted for it.
a_plan_is_printed() {
	plan() { collect --kernel "$base" --kernel "$new" --boots 2 --iterations 1 --dry-run "$@"; }
	plan fake/steady fake/noisy >out
	diff - out <<-'END'
		boot 1 of 4, base
		1. fake/steady iteration 1
		2. fake/noisy iteration 1
		boot 2 of 4, new
		3. fake/steady iteration 1
		4. fake/noisy iteration 1
		boot 3 of 4, base
		5. fake/steady iteration 2
		6. fake/noisy iteration 2
		boot 4 of 4, new
		7. fake/steady iteration 2
		8. fake/noisy iteration 2
		8 runs in 4 boots, 24 s to boot, time of the runs not known
	END
	plan --runtime 2 --warmup 1 will-it-scale/getppid1 >out
	has out '^4 runs in 4 boots, 36 s$'
	plan --order sequential fake/steady | sed -n 's/^boot . of 4, //p' | paste -sd' ' >out
	has out '^base base new new$'
	[ ! -e "$PERFCMP_DB" ]
}

a_random_order_follows_its_seed() {
	order() { sed -n 's/^boot [0-9]* of [0-9]*, \([a-z]*\).*/\1/p' | paste -sd' '; }
	plan() { collect --kernel "$base" --kernel "$new" --boots 8 --iterations 1 --dry-run --order random fake/steady "$@"; }
	plan --seed 5 >five
	has five '^random order of --seed 5$'
	plan --seed 5 | cmp five -
	plan --seed 6 | order >six
	exits 1 cmp -s six <(order <five)
	perfcmp collect --accel tcg --vm-mem 384M --vm-cpus 1 --counters off --kernel "$base" --kernel "$new" --boots 2 \
		--iterations 1 --order random --seed 3 fake/steady 2>told
	has told '^random order of --seed 3$'
	collect --kernel "$base" --kernel "$new" --boots 2 --iterations 1 --dry-run --order random --seed 3 fake/steady >out
	[ "$(sql "SELECT group_concat(name, ' ') FROM (SELECT name FROM runs r JOIN commits c ON c.id = r.commit_id ORDER BY r.id)")" = \
		"$(order <out)" ]
	# with another seed it is another campaign
	exits 1 collect --resume --accel tcg --vm-mem 384M --vm-cpus 1 --counters off --kernel "$base" --kernel "$new" --boots 2 \
		--iterations 1 --order random --seed 4 fake/steady
}

test_that 'two kernels boot by turns on two nodes, and their runs make a table' two_kernels_by_turns
test_that '--dry-run prints the boots, their order and the time they take' a_plan_is_printed
test_that 'a random order of boots is told and can be repeated by its seed' a_random_order_follows_its_seed
test_that 'what cannot be booted is refused before anything starts' images_that_are_none_are_refused
test_that 'what is wrong with an image is said, label or none' bad_images_without_a_label
test_that 'the subject of a kernel may have commas' subjects_have_commas
test_that 'a label cannot command the terminal' labels_are_printed_safely
test_that 'too little memory for the guest is said' too_little_memory_is_said
done_testing
