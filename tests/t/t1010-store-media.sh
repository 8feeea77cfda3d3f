#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Full disks and read-only media cost what cannot be stored, nothing else.
. "$(dirname "$0")/lib.sh"
command -v sqlite3 >/dev/null || skip_all 'sqlite3 is not installed'

# Mounts are made in a namespace of our own, where nobody else sees them.
if [ -z "${IN_NAMESPACE:-}" ]; then
	if unshare -m true 2>/dev/null; then
		IN_NAMESPACE=1 unshare -m bash "$0"
		exit
	elif unshare -rm true 2>/dev/null; then
		IN_NAMESPACE=1 unshare -rm bash "$0"
		exit
	fi
	skip_all 'mounting in a namespace of our own is not permitted'
fi
mkdir "$root/disk"
mount -t tmpfs none "$root/disk" 2>/dev/null || skip_all 'a tmpfs cannot be mounted here'
umount "$root/disk"

# csv COMMIT RUNS METRICS
csv() {
	awk -v commit="$1" -v runs="$2" -v metrics="$3" 'BEGIN { print "commit,run,metric,value"
		for (r = 0; r < runs; r++) for (m = 0; m < metrics; m++) print commit "," r ",metric." m "," r + m / 7 }'
}

# medium SIZE: an empty disk of that size at $work/disk
medium() {
	mkdir disk
	mount -t tmpfs -o "size=$1" none disk
	trap 'umount "$work/disk"' EXIT
}

# said REGEX: the last command's standard error is one line like that
said() {
	has err.txt "$1"
	[ "$(wc -l <err.txt)" -eq 1 ]
}

# Reading what was stored first: three runs of base.
base_is_intact() {
	perfcmp list --db disk/runs.db commits >list.txt
	has list.txt '^base +3 +0 '
	has_not list.txt '^new'
}

# whole RUNS: so many runs, and SQLite finds nothing wrong
whole() {
	[ "$(sqlite3 disk/runs.db 'PRAGMA integrity_check; SELECT count(*) FROM runs')" = "$(printf 'ok\n%d' "$1")" ]
}

full_disk_import() {
	medium 1m
	csv base 3 100 >base.csv
	csv new 300 1000 >new.csv
	perfcmp import --db disk/runs.db csv base.csv
	exits 1 perfcmp import --db disk/runs.db csv new.csv 2>err.txt
	said 'disk/runs\.db: the disk is full: what was stored before is intact, make room and try again$'
	base_is_intact
	whole 3
	mount -o remount,size=9m disk
	perfcmp import --db disk/runs.db csv new.csv
	whole 303
}

# The disk is filled by others up to the last page.
full_disk_read() {
	medium 1m
	csv base 3 100 >base.csv
	perfcmp import --db disk/runs.db csv base.csv
	cat /dev/zero >disk/filler 2>/dev/null || true
	base_is_intact
	exits 1 perfcmp import --db disk/runs.db csv base.csv 2>err.txt
	said 'disk/runs\.db: the disk is full: '
	exits 1 perfcmp collect --db disk/runs.db --commit new -- true >out.txt 2>err.txt
	has err.txt 'disk/runs\.db: the disk is full: '
	rm disk/filler
	base_is_intact
	whole 3
	perfcmp import --db disk/runs.db csv base.csv
	whole 6
}

full_disk_from_the_start() {
	medium 16k
	csv base 3 100 >base.csv
	cat /dev/zero >disk/filler 2>/dev/null || true
	exits 1 perfcmp import --db disk/runs.db csv base.csv 2>err.txt
	said 'disk/runs\.db: the disk is full: '
	mount -o remount,size=1m disk
	perfcmp import --db disk/runs.db csv base.csv
	base_is_intact
	whole 3
}

read_only_medium() {
	medium 1m
	csv base 3 100 >base.csv
	csv new 3 100 >new.csv
	perfcmp import --db disk/runs.db --test case/test csv base.csv new.csv
	mount -o remount,ro disk
	perfcmp list --db disk/runs.db >list.txt
	has list.txt '^base +3 '
	perfcmp diff --db disk/runs.db --all base new >diff.txt 2>notes.txt
	has diff.txt 'metric\.7$'
	exits 1 perfcmp import --db disk/runs.db csv base.csv 2>err.txt
	said 'disk/runs\.db: cannot be written \(Read-only file system\): name a file in another folder with --db$'
	exits 1 perfcmp import --db disk/new.db csv base.csv 2>err.txt
	said 'disk/new\.db: cannot be written \(Read-only file system\)'
	exits 1 perfcmp import --db disk/folder/new.db csv base.csv 2>err.txt
	said 'disk/folder: the folder cannot be made: Read-only file system$'
	exits 1 perfcmp collect --db disk/runs.db --commit new -- true >out.txt 2>err.txt
	said 'disk/runs\.db: cannot be written \(Read-only file system\)'
	ls disk >files.txt
	[ "$(cat files.txt)" = runs.db ]
}

# A -wal file as a killed writer leaves it; without its index it cannot be used on a read-only medium.
read_only_medium_with_changes() {
	medium 1m
	csv base 3 100 >base.csv
	csv new 3 100 >new.csv
	perfcmp import --db live.db csv base.csv
	{
		echo 'SELECT count(*) FROM runs;'
		until [ -s imported ]; do sleep 0.01; done
		sleep 0.1
	} | sqlite3 live.db >/dev/null & # while this one reads, the -wal file stays
	until [ -e live.db-shm ]; do sleep 0.01; done
	perfcmp import --db live.db csv new.csv
	cp live.db disk/runs.db
	cp live.db-wal disk/runs.db-wal
	echo yes >imported
	wait
	mount -o remount,ro disk
	exits 1 perfcmp list --db disk/runs.db 2>err.txt
	said 'disk/runs\.db: its newest changes wait in disk/runs\.db-wal, which cannot be used here: copy both files'
	mount -o remount,rw disk
	perfcmp list --db disk/runs.db >list.txt
	has list.txt '^new +3 '
}

test_that 'an import that does not fit is undone, what was stored before is intact' full_disk_import
test_that 'on a disk filled by others everything stored can be read' full_disk_read
test_that 'a disk that is full from the start can be used once there is room' full_disk_from_the_start
test_that 'a read-only medium can be read, and writing names the reason' read_only_medium
test_that 'changes that wait beside a read-only file are not passed over' read_only_medium_with_changes
done_testing
