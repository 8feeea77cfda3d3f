#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Killed at any moment, a campaign goes on with what is missing, and leaves no machine and no file.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/kernels.sh"

need_kernels 2
mark=marked_for_kill_resume_$$
campaign=(--accel tcg --vm-mem 384M --vm-cpus 1 --counters off --append "$mark" --kernel "${kernels[0]},commit=base"
	--kernel "${kernels[1]},commit=new" --boots 3 --iterations 2 fake/steady fake/noisy)
planned=24 # two kernels, three boots, two tests, two iterations
kills=20

sql() { sqlite3 -batch -noheader -cmd '.timeout 20000' "$PERFCMP_DB" "$1"; }
machines() { pgrep -f -- "qemu-system-x86_64.* $mark" >pids; }
now_ms() { echo $(($(date +%s%N) / 1000000)); }

# start OPTION...: the campaign, in the background, with a folder of its own for temporary files
start() {
	: >err
	TMPDIR=$work/tmp "$PERFCMP" collect "$@" "${campaign[@]}" 2>err &
	pid=$!
}

# wait_line REGEX: until the campaign has said so, or has ended
wait_line() {
	until grep -Eq -e "$1" err || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done
}

# A moment of any boot, of a run, or of the storing of one: a random while after something was said.
wait_moment() {
	local kind=$1 ms
	case $kind in
	0) ms=$((RANDOM % 6000)) ;;       # anything
	1) wait_line '^boot ' && ms=$((RANDOM % 3000)) ;;   # the machine starts, the kernel boots
	2) wait_line '^\[' && ms=$((RANDOM % 300)) ;;       # a run
	3) wait_line ': [0-9.]+ ops' && ms=$((RANDOM % 50)) ;; # one was stored, the next is sent
	esac
	sleep "$((ms / 1000)).$(printf %03d $((ms % 1000)))"
}

# within five seconds no machine is there any more
nothing_is_left() {
	local until=$(($(now_ms) + 5000))
	while machines; do
		[ "$(now_ms)" -lt $until ] || {
			echo 'a machine is left:' && cat pids
			return 1
		}
		sleep 0.1
	done
	[ -z "$(find tmp -mindepth 1)" ]
	[ -z "$(find /dev/shm -newer begin -iname '*perfcmp*' -o -newer begin -iname '*qemu*')" ]
	exits 1 grep -F "$work" /proc/net/unix
	# of the database, no other files than SQLite's own
	[ -z "$(find . -maxdepth 1 -name 'test.db*' ! -name test.db ! -name test.db-wal ! -name test.db-shm)" ]
	[ ! -e test.db ] || [ "$(sql 'PRAGMA integrity_check')" = ok ]
}

# Each place once, and nothing else in the database.
is_complete() {
	local campaigns=$1
	[ "$(sql 'SELECT count(*) FROM campaigns')" -eq "$campaigns" ]
	[ "$(sql 'SELECT count(*), count(DISTINCT campaign_id * 1000 + place), count(DISTINCT run_id) FROM campaign_runs')" = \
		"$((campaigns * planned))|$((campaigns * planned))|$((campaigns * planned))" ]
	[ "$(sql "SELECT count(*), sum(status = 'ok') FROM runs")" = "$((campaigns * planned))|$((campaigns * planned))" ]
	[ -z "$(sql "SELECT commit_id, test_id, iteration, count(*) FROM runs GROUP BY 1, 2, 3 HAVING count(*) <> $campaigns")" ]
	[ "$(sql 'SELECT count(DISTINCT iteration), max(iteration) FROM runs')" = '6|6' ]
}

killed_again_and_again() {
	local killed=0 campaigns=0 option='' before
	RANDOM=$seed
	mkdir tmp
	touch begin
	while [ $killed -lt $kills ]; do
		# shellcheck disable=SC2086 # none or one
		start $option
		[ -n "$option" ] || campaigns=$((campaigns + 1))
		wait_moment $((killed % 4))
		before=$(tail -n 1 err)
		if kill -KILL $pid 2>/dev/null; then
			killed=$((killed + 1))
			echo "kill $killed: $before"
		fi
		wait $pid 2>/dev/null || :
		nothing_is_left
		option=--resume
		# nothing was stored of it, not even that it began; or it is complete
		if [ "$(sql 'SELECT count(*) FROM campaigns' 2>/dev/null || echo 0)" -lt $campaigns ]; then
			campaigns=$((campaigns - 1))
			option=
		elif [ "$(sql "SELECT count(*) FROM campaign_runs WHERE campaign_id = (SELECT max(id) FROM campaigns)")" -eq $planned ]; then
			option=
		fi
	done
	if [ -n "$option" ]; then
		start --resume
		wait $pid
		nothing_is_left
	fi
	echo "$campaigns campaigns"
	is_complete $campaigns
}

ctrl_c_leaves_no_machine() {
	mkdir tmp
	touch begin
	start
	wait_line '^\['
	kill -INT $pid
	exits 130 wait $pid
	nothing_is_left
	start --resume
	wait_line '^boot '
	kill -TERM $pid
	exits 130 wait $pid
	nothing_is_left
	exits 1 perfcmp collect --resume "${campaign[@]}" fake/bimodal 2>err
	has err '^perfcmp: --resume: no campaign with this command line'
}

seed=${PERFCMP_TEST_SEED:-$((RANDOM + 1))}
test_that "killed at $kills random moments (PERFCMP_TEST_SEED=$seed), a campaign is whole in the end" killed_again_and_again
test_that 'a request to stop, in a boot or in a run, leaves nothing' ctrl_c_leaves_no_machine
done_testing
