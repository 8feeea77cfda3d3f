# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What quickstart and tests/run share, to be sourced from the top folder: steps that say what they do, the
# packages of src/packages.txt, the build.

log_dir=build/log

# A program that ends with a status of its own on Ctrl-C would look like one that failed.
interrupted() {
	[ -z "${progress-}" ] || kill "$progress"
	printf '\n== interrupted\n'
	exit 130
}
trap interrupted INT

on_terminal() {
	[ -t 1 ] && [ "${TERM:-dumb}" != dumb ]
}

# redraw TEXT: the line of a terminal, cut to its width
redraw() {
	local columns
	{ columns=$(stty size <&3 2>/dev/null); } 3>&1
	columns=${columns#* }
	[ "${columns:-0}" -ge 20 ] || columns=80
	printf '\r\033[K%s' "${1:0:columns-1}"
}

# show_step TITLE LOG: a line that tells the time and the last words of the log, until it is killed or the script
# has ended
show_step() {
	local started=$SECONDS last
	trap '' INT
	redraw "== $1 ... "
	while sleep 1 && kill -0 $$ 2>/dev/null; do
		last=$(tail -c 400 "$2" | tr -s '\r' '\n' | tail -n 1 | tr -cd '[:print:]')
		redraw "== $1 ... $((SECONDS - started)) s  $last"
	done
}

# begin_step TITLE LOG
begin_step() {
	: >"$2"
	progress=
	if on_terminal; then
		show_step "$@" &
		progress=$!
	else
		printf '== %s ... ' "$1"
	fi
}

# end_step TITLE
end_step() {
	[ -n "$progress" ] || return 0
	kill "$progress"
	wait "$progress" 2>/dev/null
	printf '\r\033[K== %s ... ' "$1"
}

# step TITLE COMMAND...: runs COMMAND (a program or a function, stopped by its first failing command) with its
# output in a log. A failure ends the script with the end of that log. Note: not to be called as a condition
# (if, &&, ||): bash would no longer stop the function at its first failing command.
step() {
	local title=$1 log started=$SECONDS status progress
	shift
	mkdir -p "$log_dir" || exit 1
	log=${title//[^a-zA-Z0-9]/-}
	log=$log_dir/${log:0:50}.txt
	begin_step "$title" "$log"
	(
		set -e -o pipefail
		"$@"
	) >"$log" 2>&1 </dev/null
	status=$?
	end_step "$title"
	if [ $status -ne 0 ]; then
		printf 'FAILED (status %d). The end of %s:\n' $status "$log"
		tail -n 30 "$log" | sed 's/^/    /'
		exit 1
	fi
	printf 'done (%d s)\n' $((SECONDS - started))
}

# packages_of PURPOSE...: the lines of the list for these purposes, without the purpose
packages_of() {
	local purpose
	for purpose; do
		sed -n "s/^$purpose  *//p" src/packages.txt
	done
}

installed() {
	[ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# known PACKAGE: apt can install it
known() {
	LC_ALL=C apt-cache policy "$1" 2>/dev/null | grep '^  Candidate:' | grep -qv '(none)'
}

# choose TEST PACKAGE...: the first one that passes TEST
choose() {
	local test=$1 package
	shift
	for package; do
		if "$test" "$package"; then
			echo "$package"
			return
		fi
	done
	return 1
}

# missing_lines PURPOSE...: the lines of which nothing is installed
missing_lines() {
	local line packages
	packages_of "$@" | while read -r line; do
		IFS=' |' read -ra packages <<<"$line"
		choose installed "${packages[@]}" >/dev/null || echo "$line"
	done
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

# ask_password: now, for the line of a step would overwrite the question
ask_password() {
	[ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null || sudo -v || exit 1
}

apt_get() {
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@"
}

# names_of LINES: a name for each line; fails if apt does not know one of them
names_of() {
	local line packages
	while read -r line; do
		IFS=' |' read -ra packages <<<"$line"
		choose known "${packages[@]}" || {
			echo "apt knows no package $line" >&2
			return 1
		}
	done <<<"$1"
}

try_install() {
	local names packages
	names=$(names_of "$1") || return
	mapfile -t packages <<<"$names"
	apt_get install -y --no-install-recommends "${packages[@]}"
}

# The lists of packages are fetched only if apt does not know a name, or a version that it knows is gone. One source
# of several that cannot be reached need not matter.
install_lines() {
	try_install "$1" || {
		apt_get update || true
		try_install "$1"
	}
}

# install_packages PURPOSE...: what is missing of the list; nothing to do is nothing done
install_packages() {
	local lines
	if ! command -v apt-get >/dev/null; then
		echo "== no apt-get here: not installing packages; src/packages.txt names them as Debian does"
		return
	fi
	lines=$(missing_lines "$@")
	if [ -z "$lines" ]; then
		echo "== packages for $*: all there"
		return
	fi
	if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
		echo "== packages are missing, and this is neither root nor is there sudo. Install these as root:"
		# shellcheck disable=SC2001 # not a pattern that ${//} can do
		sed 's/^/    /' <<<"$lines"
		exit 1
	fi
	echo "== packages that are missing: ${lines//$'\n'/, }"
	ask_password
	step "installing them" install_lines "$lines"
}

# configured DIR: a build folder that belongs to this source folder (which may have been moved or copied)
configured() {
	[ -f "$1/build.ninja" ] || [ -f "$1/Makefile" ] || return
	grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$1/CMakeCache.txt" 2>/dev/null
}

# configure DIR OPTION...
configure() {
	local dir=$1 new=()
	shift
	if ! configured "$dir"; then
		rm -rf "$dir/CMakeCache.txt" "$dir/CMakeFiles"
		command -v ninja >/dev/null && new=(-G Ninja)
	fi
	cmake -S . -B "$dir" "${new[@]}" "$@"
}

# ---- Two Debian kernels to boot in virtual machines, downloaded and unpacked, not installed. Of the cloud flavour,
# which is small and has built in what a guest needs. Wanted are the newest of 6.1 and of 6.12, which Debian 12 has;
# elsewhere the newest, and the oldest beside it.
kernel_packages='linux-image-cloud-amd64 linux-image-6.12-cloud-amd64'

# newest_of META-PACKAGE: the package that it depends on; nothing if apt does not know it
newest_of() {
	{ LC_ALL=C apt-cache depends "$1" 2>/dev/null || true; } |
		sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1
}

# oldest_kernel: of the cloud flavour that apt knows
oldest_kernel() {
	{ apt-cache search --names-only '^linux-image-[0-9]+[.][0-9]+[.][0-9].*-cloud-amd64$' || true; } |
		sed 's/ .*//' | sort -V | head -n 1
}

# chosen_kernels: at most two packages, the older first
chosen_kernels() {
	local meta chosen
	chosen=$(for meta in $kernel_packages; do newest_of "$meta"; done | sort -Vu)
	if [ "$(wc -w <<<"$chosen")" -eq 1 ]; then
		chosen=$(printf '%s\n' "$(oldest_kernel)" "$chosen" | sort -Vu)
	fi
	sed '/^$/d' <<<"$chosen"
}

# has_kernel FOLDER: a package was unpacked there, with modules
has_kernel() {
	compgen -G "$1/boot/vmlinuz*" >/dev/null &&
		{ compgen -G "$1/lib/modules/*/modules.builtin" ||
			compgen -G "$1/usr/lib/modules/*/modules.builtin"; } >/dev/null
}

# unpack_kernel FOLDER PACKAGE: FOLDER/tree of it, for a step: the image, the lists of its modules, and those modules
# that the tests want (virtio*: the faster line to a guest; fat: something else).
unpack_kernel() {
	(cd "$1" && apt-get -q download "$2") || return
	mkdir "$1/tree" || return
	dpkg-deb --fsys-tarfile "$1"/*.deb |
		tar -x -C "$1/tree" --wildcards --no-anchored 'boot/*' 'modules.*' 'virtio*' 'fat/*'
}

# fetch_kernel FOLDER PACKAGE: unpacks it below FOLDER, once; interrupted or failing, not at all
fetch_kernel() (
	! has_kernel "$1/$2" || exit 0
	work=$(mktemp -d "$1/new.XXXXXX") || exit
	trap 'rm -rf "$work"' EXIT
	unpack_kernel "$work" "$2" || exit
	rm -rf "${1:?}/$2" && mv "$work/tree" "$1/$2"
)

# say_missing: which of the wanted kernels apt does not know
say_missing() {
	local meta
	command -v apt-cache >/dev/null || return 0
	for meta in $kernel_packages; do
		[ -n "$(newest_of "$meta")" ] ||
			echo "apt knows no package $meta (Debian 12 has it, in bookworm-security)"
	done
}

# fetch_chosen FOLDER: what is of an earlier choice, or of a call that was killed, goes
fetch_chosen() {
	local chosen package
	say_missing
	chosen=$(chosen_kernels)
	[ -n "$chosen" ] || return
	for package in $chosen; do
		fetch_kernel "$1" "$package" || return
	done
	for package in "$1"/*; do
		grep -qxF "${package##*/}" <<<"$chosen" || rm -rf "$package"
	done
}

# kernel_images FOLDER: what fetch_kernels left there, the older first
kernel_images() {
	find "$1" -name 'vmlinuz-*' 2>/dev/null | sort -V
}

# fetch_kernels FOLDER: FOLDER/PACKAGE/boot/vmlinuz-RELEASE and FOLDER/PACKAGE/lib/modules/RELEASE (or below usr/). One
# where apt knows no other, none where there is no apt; what is there already where apt knows none now.
fetch_kernels() {
	command -v apt-get >/dev/null || return 0
	mkdir -p "$1"
	fetch_chosen "$1" || {
		apt_get update || true
		fetch_chosen "$1" || [ -n "$(kernel_images "$1")" ] || [ -z "$(chosen_kernels)" ]
	}
}
