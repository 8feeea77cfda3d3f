#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# collect --kernel IMAGE,modules=DIR: a guest gets the modules that it needs, and talks over the faster line then.
. "$(dirname "$0")/lib.sh"

# $PERFCMP_TEST_KERNELS: a folder with unpacked kernel packages somewhere below it
folder=${PERFCMP_TEST_KERNELS:-$SOURCE_DIR/build/kernels}
command -v qemu-system-x86_64 >/dev/null || skip_all 'qemu-system-x86_64 is not installed'

# The images, and beside each the folder of its modules
kernels=()
modules=()
while read -r list; do
	dir=${list%/modules.builtin}
	image=${dir%/lib/modules/*}
	image=${image%/usr}/boot/vmlinuz-${dir##*/}
	[ -f "$image" ] || continue
	kernels+=("$image")
	modules+=("$dir")
done < <(find "$folder" -name modules.builtin 2>/dev/null | sort -V)
[ ${#kernels[@]} -gt 0 ] || skip_all "no kernel with its modules in $folder (PERFCMP_TEST_KERNELS)"

# A kernel that has the driver of the faster line only as a module, and one that has it built in
lacking='' builtin=''
for i in "${!kernels[@]}"; do
	if grep -q '/virtio_console\.ko' "${modules[i]}/modules.builtin"; then
		builtin=$i
	elif [ -z "$lacking" ]; then
		lacking=$i
	fi
done

collect() { perfcmp collect --accel tcg --vm-mem 768M --counters off --iterations 1 "$@" 2>>err; }

# What the guest tells of itself: the line that its first program has open (as dash sees it: no readlink), vfat
tell='virtio=0 serial=0
for file in /proc/1/fd/*; do
	for port in /dev/vport*; do [ "$file" -ef "$port" ] && virtio=1; done
	[ "$file" -ef /dev/ttyS1 ] && serial=1
done
vfat=0
while read -r line; do case $line in *vfat) vfat=1 ;; esac; done </proc/filesystems
echo "virtio $virtio serial $serial vfat $vfat"'
telling=(--name tell --pick 'virtio=virtio ([01])' --pick 'serial=serial ([01])' --pick 'vfat=vfat ([01])'
	-- sh -c "$tell")

# told COMMIT VIRTIO SERIAL VFAT: its run says so
told() {
	perfcmp show "$(perfcmp list runs | awk -v c="$1" '$2 == c { print $1 }')" >run
	has run "^ *$2 +command\.virtio "
	has run "^ *$3 +command\.serial "
	has run "^ *$4 +command\.vfat "
}

boots_with_modules() {
	local i arguments=()
	for i in "${!kernels[@]}"; do
		arguments+=(--kernel "${kernels[i]},commit=k$i,modules=${modules[i]}")
	done
	collect "${arguments[@]}" --vm-module vfat "${telling[@]}"
	for i in "${!kernels[@]}"; do
		told "k$i" 1 0 1
	done
}

# The folder above, as of an installation; its kernel would have the faster line
slower_without() {
	collect --kernel "${kernels[lacking]},commit=bare" "${telling[@]}"
	told bare 0 1 0
	collect --kernel "${kernels[lacking]},commit=above,modules=${modules[lacking]%/*}" "${telling[@]}"
	told above 1 0 0
}

faster_by_itself() {
	collect --kernel "${kernels[builtin]},commit=bare" "${telling[@]}"
	told bare 1 0 0
}

# copy_of INDEX: a folder of modules to do damage to
copy_of() {
	mkdir -p lib/modules
	cp -r "${modules[$1]}" lib/modules
	copy=$PWD/lib/modules/${modules[$1]##*/}
}

refused() {
	local image=${kernels[0]} dir=${modules[0]} file
	exits 2 collect --kernel "$image,modules=$dir" --vm-module vfta fake/steady
	exits 2 collect --kernel "$image" --vm-module vfat fake/steady
	exits 2 collect --kernel "$image,modules=/nonexistent" fake/steady
	exits 2 collect --kernel "$image,modules=$PWD" fake/steady
	exits 2 collect --kernel "$image,modules=" fake/steady
	exits 2 collect --vm-module vfat fake/steady
	copy_of 0
	file=$(find "$copy" -name 'fat.ko*')
	truncate -s 3000 "$file"
	exits 2 collect --kernel "$image,modules=$copy" --vm-module vfat fake/steady
	rm "$file"
	exits 2 collect --kernel "$image,modules=$copy" --vm-module vfat fake/steady
	mv "$copy" lib/modules/1.2.3
	exits 2 collect --kernel "$image,modules=$PWD/lib/modules/1.2.3" fake/steady
	has err '^perfcmp: --vm-module vfta: neither built in nor a module of .* \(near: .*vfat'
	has err '^perfcmp: --vm-module vfat: where are the modules of '
	has err '^perfcmp: modules=/nonexistent: cannot be read: No such file or directory$'
	has err '^perfcmp: modules=.*: has no modules of .*, whose release is '
	has err '^perfcmp: --vm-module is for kernels in virtual machines: give --kernel$'
	has err '^perfcmp: --vm-module vfat: .*/fat\.ko.*: is (no whole module|damaged: .*)$'
	has err '^perfcmp: --vm-module vfat: .*/fat\.ko.*: cannot be read: No such file or directory$'
	has err '^perfcmp: modules=.*/1\.2\.3: are not those of '
	[ "$(wc -l <err)" -eq 9 ]
	[ ! -e "$PERFCMP_DB" ]
}

# Built with other options, which only the kernel itself can tell; and not signed, which it would tell first
spoil() { sed -i 's/ SMP / XMP /; s/~Module signature/-Module signature/' "$(find "$copy" -name "$1.ko")"; }

asked_and_does_not_load() {
	copy_of "$lacking"
	spoil fat
	exits 1 collect --kernel "${kernels[lacking]},commit=spoilt,modules=$copy" --vm-module vfat "${telling[@]}"
	perfcmp list runs >out
	has out '^.* spoilt .*failed: the module fat does not load: Exec format error'
	perfcmp show "$(awk '$2 == "spoilt" { print $1 }' out)" >run
	has run 'last_state\.booting'
	has run 'perfcmp: the module fat does not load: Exec format error'
}

wanted_and_does_not_load() {
	copy_of "$lacking"
	spoil virtio_console
	collect --kernel "${kernels[lacking]},commit=spoilt,modules=$copy" "${telling[@]}"
	told spoilt 0 1 0
}

other_modules_are_another_campaign() {
	collect --kernel "${kernels[0]},commit=one" fake/steady
	exits 1 collect --resume --kernel "${kernels[0]},commit=one,modules=${modules[0]}" fake/steady
	has err '^perfcmp: --resume: no campaign with this command line'
}

test_that 'each kernel gets what it lacks: the driver of the faster line, and a file system' boots_with_modules
if [ -n "$lacking" ]; then
	test_that 'without modules a kernel has the slower line' slower_without
	test_that 'a module that the user asked for and that does not load is a failed boot' asked_and_does_not_load
	test_that 'a module of ours that does not load costs speed and no run' wanted_and_does_not_load
else
	skip_test 'without modules a kernel has the slower line' 'all kernels have its driver built in'
fi
if [ -n "$builtin" ]; then
	test_that 'a kernel with the driver built in needs no modules for the faster line' faster_by_itself
else
	skip_test 'a kernel with the driver built in needs no modules' 'no kernel has it built in'
fi
test_that 'what cannot be had is refused before anything starts' refused
test_that 'a campaign with other modules is another one' other_modules_are_another_campaign
done_testing
