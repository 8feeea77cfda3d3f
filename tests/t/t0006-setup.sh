#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Packages are installed when they are missing, in every situation a fresh machine can be in; a step that fails says so.
. "$(dirname "$0")/lib.sh"

# A tree with setup.sh and a list of its own, and a folder of programs in which apt is a fake that keeps a
# record. `have` and `known` are the packages that are installed and that apt knows.
situation() {
	mkdir -p src bin
	cp "$SOURCE_DIR/src/setup.sh" src
	printf '%s\n' '# a comment' 'build alpha' 'build beta-2 | beta-1' 'test gamma' >src/packages.txt
	: >record
	: >have
	printf '%s\n' alpha beta-1 gamma >known
	fake dpkg-query 'grep -qx "${@: -1}" have && printf installed'
	fake apt-cache 'case $1 in
	policy) echo "  Candidate: $(grep -qx "$2" known && echo 1.0 || echo "(none)")" ;;
	depends) grep -qx "$2" known && printf "%s\\n  Depends: linux-image-7-of-%s\\n" "$2" "$2" || exit 100 ;;
	search) grep -E "$3" known | sed "s/$/ - a kernel/" ;;
	esac'
	fake apt-get 'echo "apt-get $*" | sed "s/ -[^ ]*//g; s/ [^ ]*::[^ ]*//g" >>record; . ./apt-does'
	echo ':' >apt-does
	fake id 'echo 0'
	local program
	for program in bash cat cp date env grep head mkdir sed sort tail tr wc; do
		ln -sf "$(command -v "$program")" "bin/$program"
	done
}
fake() {
	printf '#!/bin/bash\n%s\n' "$2" >"bin/$1"
	chmod +x "bin/$1"
}

# installing PURPOSE...: in a shell of its own, as a script would; its output is in the file `said`
installing() {
	PATH=$PWD/bin bash -c '. src/setup.sh; install_packages "$@"; echo went on' setup "$@" >said 2>&1
}
recorded() {
	printf '%s\n' "$@" | diff -u - record
}

all_there() {
	situation
	printf '%s\n' alpha beta-1 >have
	installing build
	has said '^went on$'
	[ ! -s record ]
}
some_missing() {
	situation
	echo alpha >have
	installing build
	recorded 'apt-get install beta-1'
	has said '^== packages that are missing: beta-2 \| beta-1$'
	has said '^== installing them \.\.\. done'
	has said '^went on$'
}
first_known_wins() {
	situation
	echo beta-2 >>known
	installing build test
	recorded 'apt-get install alpha beta-2 gamma'
}
other_purpose() {
	situation
	installing test
	recorded 'apt-get install gamma'
}
empty_lists() {
	situation
	mv known later
	: >known
	echo '[ "${@: -1}" != update ] || cp later known' >apt-does
	installing build
	recorded 'apt-get update' 'apt-get install alpha beta-1'
}
old_lists() {
	situation
	echo '[ "${@: -1}" != update ] && [ "$(grep -c install record)" -ne 1 ]' >apt-does
	installing test
	recorded 'apt-get install gamma' 'apt-get update' 'apt-get install gamma'
	has said '^went on$'
}
never_known() {
	situation
	: >known
	exits 1 installing build
	recorded 'apt-get update'
	has said 'FAILED'
	has said 'apt knows no package alpha'
	has_not said 'went on'
}
neither_root_nor_sudo() {
	situation
	fake id 'echo 1000'
	exits 1 installing build
	has said 'neither root nor is there sudo'
	has said '^    alpha$'
	[ ! -s record ]
}
through_sudo() {
	situation
	fake id 'echo 1000'
	fake sudo 'echo "sudo $1" >>record; [ "$1" != -n ] || shift; "$@"'
	ln -s "$(command -v true)" bin/true
	installing test
	recorded 'sudo -n' 'sudo env' 'apt-get install gamma'
}
password_for_sudo() {
	situation
	fake id 'echo 1000'
	fake sudo 'case $1 in
		-n) exit 1 ;;
		-v) read -r word && [ "$word" = secret ] ;;
		*) "$@" ;;
	esac'
	echo secret | installing test
	recorded 'apt-get install gamma'
	echo wrong >>record
	exits 1 installing test <<<'not it'
	recorded 'apt-get install gamma' wrong
	has_not said 'went on'
}
not_debian() {
	situation
	rm bin/apt-get
	installing build
	has said 'no apt-get here'
	has said '^went on$'
}

# The kernels: downloading one makes a file, unpacking that a tree.
kernels() {
	situation
	printf '%s\n' linux-image-cloud-amd64 linux-image-6.12-cloud-amd64 >>known
	printf '#!/bin/bash\n[ $2 != download ] || { echo "$3" >>"%s/record"; touch "$3.deb"; }\n. "%s/apt-does"\n' "$PWD" "$PWD" >bin/apt-get
	fake dpkg-deb 'mkdir -p tree/boot tree/lib/modules/7/{virtio,fs/fat,fs/xfs}
		touch tree/boot/vmlinuz-7 tree/lib/modules/7/{modules.builtin,virtio/virtio.ko,fs/fat/fat.ko,fs/xfs/xfs.ko}
		tar -c -C tree .'
	local program
	for program in find mktemp mv rm setsid sleep tar touch; do
		ln -sf "$(command -v $program)" "bin/$program"
	done
}
# cached PACKAGE: as if fetched by an earlier call
cached() {
	mkdir -p "k/$1/boot" "k/$1/lib/modules/7"
	touch "k/$1/boot/vmlinuz-7" "k/$1/lib/modules/7/modules.builtin"
}
fetching() {
	PATH=$PWD/bin bash -c '. src/setup.sh; step fetching fetch_kernels k; echo went on' >said 2>&1
}
both_kernels() {
	kernels
	fetching
	fetching
	recorded linux-image-7-of-linux-image-6.12-cloud-amd64 linux-image-7-of-linux-image-cloud-amd64
	local package
	for package in linux-image-7-of-linux-image-cloud-amd64 linux-image-7-of-linux-image-6.12-cloud-amd64; do
		[ -f k/$package/boot/vmlinuz-7 ]
		[ -f k/$package/lib/modules/7/modules.builtin ]
		[ -f k/$package/lib/modules/7/virtio/virtio.ko ]
		[ -f k/$package/lib/modules/7/fs/fat/fat.ko ]
		[ ! -e k/$package/lib/modules/7/fs/xfs ]
	done
	[ "$(find k -name '*.deb' -o -name 'new.*' | wc -l)" -eq 0 ]
}
# One that was unpacked when no test wanted modules.
kernel_without_modules() {
	kernels
	sed -i /6.12/d known
	echo '[ "${@: -1}" != update ]' >apt-does
	package=k/linux-image-7-of-linux-image-cloud-amd64
	mkdir -p $package/boot
	touch $package/boot/vmlinuz-7 $package/old
	fetching
	recorded linux-image-7-of-linux-image-cloud-amd64
	[ -f $package/lib/modules/7/modules.builtin ]
	[ ! -e $package/old ]
	[ "$(find k -name 'new.*' | wc -l)" -eq 0 ]
}
kernels_after_update() {
	kernels
	mv known later
	: >known
	echo "[ \"\${@: -1}\" != update ] || cp '$PWD/later' '$PWD/known'" >apt-does
	fetching
	recorded linux-image-7-of-linux-image-6.12-cloud-amd64 linux-image-7-of-linux-image-cloud-amd64
}
one_kernel() {
	kernels
	sed -i /6.12/d known
	echo '[ "${@: -1}" != update ]' >apt-does
	fetching
	recorded linux-image-7-of-linux-image-cloud-amd64
	has build/log/fetching.txt 'apt knows no package linux-image-6\.12-cloud-amd64'
	has said '^went on$'
}
no_download() {
	kernels
	echo 'exit 100' >apt-does
	exits 1 fetching
	has said 'FAILED'
	[ -z "$(ls k)" ]
}
kernels_of_a_gone_version() {
	kernels
	echo "if [ \"\${@: -1}\" = update ]; then touch '$PWD/updated'; else [ -e '$PWD/updated' ]; fi" >apt-does
	fetching
	has said '^went on$'
	[ "$(find k -name vmlinuz-7 | wc -l)" -eq 2 ]
}
oldest_kernel() {
	kernels
	sed -i /6.12/d known
	printf 'linux-image-6.%s\n' 12.90+deb13-cloud-amd64 9.100-cloud-amd64 12.7-cloud-amd64 5-cloud-amd64 \
		9.1-cloud-amd64-unsigned 9.1-amd64 >>known
	echo '[ "${@: -1}" != update ]' >apt-does
	fetching
	recorded linux-image-6.9.100-cloud-amd64 linux-image-7-of-linux-image-cloud-amd64
	has build/log/fetching.txt 'apt knows no package linux-image-6\.12-cloud-amd64'
}
newer_kernels() {
	kernels
	cached linux-image-6-of-old
	cached linux-image-7-of-linux-image-cloud-amd64
	mkdir k/new.killed
	fetching
	recorded linux-image-7-of-linux-image-6.12-cloud-amd64
	(cd k && echo *) >left
	has left '^linux-image-7-of-linux-image-6\.12-cloud-amd64 linux-image-7-of-linux-image-cloud-amd64$'
}
offline() {
	kernels
	cached linux-image-6-of-old
	echo 'exit 100' >apt-does
	fetching
	has said '^went on$'
	: >known
	fetching
	has said '^went on$'
	[ "$(ls k)" = linux-image-6-of-old ]
}

# Ctrl-C: a signal to all processes of the script, with a session of its own here
interrupted_download() {
	kernels
	echo "touch '$PWD/begun'; sleep 60" >apt-does
	PATH=$PWD/bin setsid env --default-signal=INT bash -c '. src/setup.sh; step fetching fetch_kernels k; echo went on' >said 2>&1 &
	local pid=$!
	for _ in $(seq 100); do
		[ ! -e begun ] || break
		sleep 0.1
	done
	[ -n "$(ls k)" ]
	kill -INT -- -$pid
	exits 130 wait $pid
	has said '^== interrupted$'
	has_not said 'FAILED|went on'
	[ -z "$(ls k)" ]
}

steps() {
	situation
	cat >script <<-'EOS'
		. src/setup.sh
		works() { echo "quiet"; }
		breaks() {
			seq 100 | sed 's/^/line /'
			echo "what went wrong" >&2
			false
			echo "not reached"
		}
		step "a step that works" works
		step "a step that breaks" breaks
		echo "not reached either"
	EOS
	fake seq "$(command -v seq)"' "$@"'
	exits 1 env PATH="$PWD/bin" bash script >said 2>&1
	has said '^== a step that works \.\.\. done \([0-9]+ s\)$'
	has said '^== a step that breaks \.\.\. FAILED \(status 1\)\. The end of build/log/a-step-that-breaks\.txt:$'
	has said '^    what went wrong$'
	has_not said 'quiet|not reached|line 9$'
	grep -q 'line 9$' build/log/a-step-that-breaks.txt
}

moved_folder() {
	situation
	fake cmake 'echo "cmake $*" >>record'
	ln -s "$(command -v rm)" bin/rm
	fake ninja :
	local shell=(env PATH="$PWD/bin" bash -c '. src/setup.sh; configure build -DX=1')
	mkdir build
	"${shell[@]}"
	touch build/build.ninja
	echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >build/CMakeCache.txt
	"${shell[@]}"
	echo "CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere" >build/CMakeCache.txt
	"${shell[@]}"
	[ ! -e build/CMakeCache.txt ]
	recorded 'cmake -S . -B build -G Ninja -DX=1' 'cmake -S . -B build -DX=1' 'cmake -S . -B build -G Ninja -DX=1'
}

# package_of LIBRARY: the Debian package of what CMake looks for under that name
package_of() {
	case $1 in
	sqlite3 | csv | hwloc | numa | jansson | cmocka | lzma | zstd) echo "lib$1-dev" ;;
	libpcre2-8) echo libpcre2-dev ;;
	pfm) echo libpfm4-dev ;;
	zlib) echo zlib1g-dev ;;
	archive) echo libarchive-dev ;;
	*) echo "(the package of $1: tell this test)" ;;
	esac
}

# libraries_of CMAKE-FILE...: what it requires, by the last name that it looks for
libraries_of() {
	sed -nE 's/^(pkg_check_modules|find_library)\((.*) REQUIRED.*/\1 \2 &/p' "$@" |
		sed -E 's/^pkg_check_modules .* ([^ ]+)\)$/\1/; s/^find_library [A-Z_]+ (NAMES )?([^ ]+ )*([^ ]+) find_library.*/\3/'
}

the_list() {
	local library
	grep -v '^#' "$SOURCE_DIR/src/packages.txt" >list
	[ "$(grep -cvE '^(build|vm|test|ci) [a-z0-9.+-]+( \| [a-z0-9.+-]+)*$' list)" -eq 0 ]
	[ -z "$(sort list | uniq -d)" ]
	libraries_of "$SOURCE_DIR/src/CMakeLists.txt" "$SOURCE_DIR/tests/CMakeLists.txt" >libraries
	[ "$(wc -l <libraries)" -eq "$(cat "$SOURCE_DIR"/{src,tests}/CMakeLists.txt | grep -c '^[a-z_]*(.* REQUIRED\b')" ]
	while read -r library; do
		grep -qE " $(package_of "$library")( |\$)" list || {
			echo "src/packages.txt lacks $(package_of "$library")"
			return 1
		}
	done <libraries
}

usage() {
	local script
	for script in quickstart tests/run; do
		"$SOURCE_DIR/$script" --help >out
		has out "^usage: .*${script##*/}"
	done
	exits 2 "$SOURCE_DIR/quickstart" --nonsense 2>errors
	has errors 'no such option: see ./quickstart --help'
	exits 2 "$SOURCE_DIR/tests/run" --ci more 2>errors
	has errors 'see tests/run --help'
}

test_that 'nothing is done where everything is installed' all_there
test_that 'only what is missing is installed' some_missing
test_that 'of alternatives the first that apt knows is installed' first_known_wins
test_that 'what another purpose needs is not installed' other_purpose
test_that 'lists of packages are fetched where apt has none' empty_lists
test_that 'lists of packages are fetched where a version they name is gone' old_lists
test_that 'a package that apt never knows is named' never_known
test_that 'without root and sudo the packages to install are named' neither_root_nor_sudo
test_that 'an ordinary user installs through sudo' through_sudo
test_that 'a password for sudo is asked for before the step' password_for_sudo
test_that 'without apt the script goes on, and says so' not_debian
test_that 'kernels for the tests are fetched once' both_kernels
test_that 'a kernel that was fetched without modules is fetched again' kernel_without_modules
test_that 'kernels are fetched where apt had no lists' kernels_after_update
test_that 'kernels are fetched where a version that apt knows is gone' kernels_of_a_gone_version
test_that 'a kernel that this release of Debian does not have is said and left out' one_kernel
test_that 'for a kernel that is not there the oldest of the others stands in' oldest_kernel
test_that 'a kernel that has been replaced goes, as does what a killed call left' newer_kernels
test_that 'without a network the kernels that are there do' offline
test_with setsid 'an interrupted download leaves nothing, and is called that' interrupted_download
test_that 'a kernel that cannot be fetched is a failure' no_download
test_that 'a failing step says which, shows the end of its log, and ends the script' steps
test_that 'a build folder of another place is configured anew' moved_folder
test_that 'the list of packages is well formed and has every library that CMake requires' the_list
test_that 'quickstart and tests/run say how they are used' usage
done_testing
