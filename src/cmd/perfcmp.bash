# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Completion of perfcmp(1) for bash. What there is to complete comes from the program itself. The functions put
# it, one a line, into the variable `words` of _perfcmp().

_perfcmp_list() {
	local i db=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} != --db ]] || db=(--db "${COMP_WORDS[i + 1]}")
	done
	words=$("${COMP_WORDS[0]}" list "${db[@]}" "$1" 2>/dev/null | sed -n '2,$s/  .*//p')
}

# What may follow the option $2 of the command $1: the alternatives its help names, a file, or anything
_perfcmp_value() {
	words=$("${COMP_WORDS[0]}" --options "$1" 2>/dev/null | sed -n "s/^$2 //p")
	case $words in
	FILE)
		words=
		compopt -o default
		;;
	*[A-Z]*) words= ;;
	*) words=${words//|/$'\n'} ;;
	esac
}

_perfcmp_takes_value() {
	"${COMP_WORDS[0]}" --options "$1" 2>/dev/null | grep -q "^$2 ."
}

_perfcmp_word() {
	case $1 in
	collect) words=$("${COMP_WORDS[0]}" collect --list-tests 2>/dev/null | sed -n 's/^  *\([^ ]*\/[^ ]*\).*/\1/p') ;;
	diff) _perfcmp_list commits ;;
	list) words=$'commits\nmachines\ntests\nruns\nmetrics' ;;
	show) _perfcmp_list runs ;;
	import)
		if ((COMP_CWORD == 2)); then
			words=csv
		else
			compopt -o default
		fi
		;;
	esac
}

_perfcmp() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
	local words='' list i
	if [[ $word == = ]]; then # --option=, which readline takes for two words
		word=
	elif [[ $before == = ]]; then
		before=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	if ((COMP_CWORD == 1)); then
		words=$("${COMP_WORDS[0]}" --options 2>/dev/null)$'\n--help\n--version'
	elif [[ $before == --* ]] && _perfcmp_takes_value "$command" "$before"; then
		_perfcmp_value "$command" "$before"
	elif [[ $word == -* ]]; then
		words=$("${COMP_WORDS[0]}" --options "$command" 2>/dev/null | sed 's/ .*//')
	else
		_perfcmp_word "$command"
	fi
	COMPREPLY=()
	mapfile -t list <<<"$words"
	for i in "${list[@]}"; do
		[[ -z $i || $i != "$word"* ]] || COMPREPLY+=("$(printf %q "$i")")
	done
}

complete -F _perfcmp perfcmp
