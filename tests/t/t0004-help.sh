#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Help, manual page and what the program takes are the same, and the manual page is well formed.
. "$(dirname "$0")/lib.sh"

manual=$SOURCE_DIR/src/cmd/perfcmp.1

# options_of_page COMMAND < PAGE: "--name argument" of each option in the command's part, as --options prints it
options_of_page() {
	awk -v heading=".Ss perfcmp $1" '
		/^\.S[sh]/ { inside = $0 == heading }
		inside && sub(/^\.It Fl -/, "--") { sub(/ (Ar|Cm) /, " "); print }' | sort
}

options_of_program() {
	perfcmp --options "$1" | sed 's/ *$//' | sort
}

page_and_program() {
	local command
	perfcmp --options >commands
	[ -s commands ]
	while read -r command; do
		options_of_program "$command" >from_program
		options_of_page "$command" <"$manual" >from_page
		has from_program '^--help$'
		diff -u from_page from_program
	done <commands
}
commands_of_page() {
	sed -n 's/^\.Ss perfcmp //p' "$manual" | sort >from_page
	perfcmp --options | sort | diff -u from_page -
	sed -nE '/^\.Sh SYNOPSIS/,/^\.Sh DESCR/s/^\.Cm ([a-z]+).*/\1/p' "$manual" | sort -u | diff -u from_page -
}
difference_is_seen() {
	perfcmp --options >commands
	grep -v '^\.It Fl -db' "$manual" | options_of_page diff >from_page
	[ -s from_page ]
	options_of_program diff >from_program
	exits 1 diff from_page from_program
	sed 's/Cm name|count/Cm name/' "$manual" | options_of_page diff >from_page
	exits 1 diff from_page from_program
}
well_formed() {
	mandoc -T lint -W style "$manual" 2>&1 | grep -v 'mandoc\.db\|referenced manual not found' >complaints || true
	same /dev/null complaints
}
help_names_every_option() {
	local command option
	perfcmp --options >commands
	while read -r command; do
		perfcmp "$command" --help >help 2>errors
		[ ! -s errors ]
		has help "^usage: perfcmp $command"
		has help '^example:'
		has help "^  perfcmp $command "
		perfcmp help "$command" | diff help -
		perfcmp --options "$command" | while read -r option _; do
			has help "^  $option( |\$)"
		done
	done <commands
}
overview() {
	perfcmp --help >help
	perfcmp --options | while read -r command; do has help "^  $command +[A-Z]"; done
	exits 2 perfcmp >out 2>errors
	[ ! -s out ]
	diff help errors
	perfcmp --version | grep -Eqx 'perfcmp [0-9]+\.[0-9]+\.[0-9]+'
}

# one_line STATUS REGEX ARG...: nothing on standard output, one line that matches on the other
one_line() {
	local status=$1 regex=$2
	shift 2
	exits "$status" perfcmp "$@" >out 2>errors
	[ ! -s out ]
	[ "$(wc -l <errors)" -eq 1 ]
	has errors "$regex"
}
unknown() {
	local command
	one_line 2 'colect.*did you mean collect' colect
	one_line 2 'no such command: see perfcmp --help' zzzzzz
	perfcmp --options >commands
	while read -r command; do
		one_line 2 "^perfcmp: --no-such-thing.*see perfcmp $command --help" "$command" --no-such-thing
		one_line 2 "^perfcmp: -z: .*see perfcmp $command --help" "$command" -z
		one_line 2 "^perfcmp: --db needs an argument: see perfcmp $command --help" "$command" --db
	done <commands
}

# Every variable that the sources read, and every exit status they have, and no other
environment() {
	grep -rhoE 'getenv\("[A-Z_]+"\)' "$SOURCE_DIR/src" | sed 's/.*"\(.*\)".*/\1/' | sort -u >from_program
	sed -n '/^\.Sh ENVIRONMENT/,/^\.Sh FILES/s/^\.It Ev //p' "$manual" | sed 's/ , Ev /\n/g' |
		sort -u >from_page
	[ -s from_program ]
	diff -u from_page from_program
}
exit_statuses() {
	sed -nE 's/^[[:blank:]]*EXIT_[A-Z]+ = ([0-9]+).*/\1/p' "$SOURCE_DIR/src/cmd/opts.h" >from_program
	sed -nE '/^\.Sh EXIT STATUS/,/^\.Sh EXAMPLES/s/^\.It ([0-9]+)$/\1/p' "$manual" >from_page
	[ -s from_program ]
	diff -u from_page from_program
}
full_disk() {
	exits 1 perfcmp --help >/dev/full 2>errors
	has errors 'standard output: No space left on device'
}

test_that 'the manual page has the options of every command with their arguments, and no others' page_and_program
test_that 'the manual page has every command, and no others' commands_of_page
test_that 'a difference between page and program would be seen' difference_is_seen
test_with mandoc 'the manual page is free of what mandoc complains of' well_formed
test_that 'help of every command names each of its options and has an example' help_names_every_option
test_that 'the overview names every command; without arguments it is an error' overview
test_that 'what is unknown ends with status 2 and one line that says where to look' unknown
test_that 'the manual page has the environment variables that the sources read' environment
test_that 'the manual page has the exit statuses of the program' exit_statuses
test_that 'help that cannot be written is an error' full_disk
done_testing
