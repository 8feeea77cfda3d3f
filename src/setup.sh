# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What quickstart and tests/run share, to be sourced from the top folder: steps that say what they do, the
# packages of src/packages.txt, the build.

log_dir=build/log

# step TITLE COMMAND...: runs COMMAND (a program or a function, stopped by its first failing command) with its
# output in a log. A failure ends the script with the end of that log. Note: not to be called as a condition
# (if, &&, ||): bash would no longer stop the function at its first failing command.
step() {
	local title=$1 log started=$SECONDS status
	shift
	mkdir -p "$log_dir" || exit 1
	log=${title//[^a-zA-Z0-9]/-}
	log=$log_dir/${log:0:50}.txt
	printf '== %s ... ' "$title"
	(
		set -e -o pipefail
		"$@"
	) >"$log" 2>&1 </dev/null
	status=$?
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
	step "installing $(wc -l <<<"$lines") packages: $(tr '\n' ' ' <<<"$lines" | sed 's/ $//')" install_lines "$lines"
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

# Two Debian kernels to boot in virtual machines: the newest of 6.1 and of 6.12, of the cloud flavour, which is
# small and has built in what a guest needs. Downloaded and unpacked, not installed.
kernel_packages='linux-image-cloud-amd64 linux-image-6.12-cloud-amd64'

# newest_of META-PACKAGE: the package that it depends on; nothing if apt does not know it
newest_of() {
	{ LC_ALL=C apt-cache depends "$1" 2>/dev/null || true; } |
		sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1
}

# has_kernel FOLDER: a package was unpacked there, with modules
has_kernel() {
	compgen -G "$1/boot/vmlinuz*" >/dev/null &&
		{ compgen -G "$1/lib/modules/*/modules.builtin" ||
			compgen -G "$1/usr/lib/modules/*/modules.builtin"; } >/dev/null
}

# fetch_kernel FOLDER PACKAGE: unpacks it below FOLDER, once: the image, the lists of its modules, and those modules
# that the tests want (virtio*: the faster line to a guest; fat: something else).
fetch_kernel() {
	local folder=$1 package=$2 new
	! has_kernel "$folder/$package" || return 0
	new=$(mktemp -d "$folder/new.XXXXXX")
	(cd "$new" && apt-get -q download "$package")
	dpkg-deb --fsys-tarfile "$new"/*.deb |
		tar -x -C "$new" --wildcards --no-anchored 'boot/*' 'modules.*' 'virtio*' 'fat/*'
	rm "$new"/*.deb
	rm -rf "${folder:?}/$package"
	mv "$new" "$folder/$package"
}

# fetch_kernels FOLDER: FOLDER/PACKAGE/boot/vmlinuz-RELEASE and FOLDER/PACKAGE/lib/modules/RELEASE of both, or of the one that this release of Debian has.
# The tests that need what is not there say so.
fetch_kernels() {
	local meta package
	command -v apt-get >/dev/null || return 0
	mkdir -p "$1"
	for meta in $kernel_packages; do
		package=$(newest_of "$meta")
		if [ -z "$package" ]; then
			apt_get update || true
			package=$(newest_of "$meta")
		fi
		if [ -z "$package" ]; then
			echo "apt knows no package $meta"
			continue
		fi
		fetch_kernel "$1" "$package"
	done
}
