#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# No room of the house leans on a room it must not know, and every library stays behind its one door.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/rules.sh"

# Which rooms a room may include; itself always.
may_lean_on() {
	case $1 in
	base) echo base ;;
	model | store | measure | import | render) echo "base model $1" ;;
	workload) echo 'base model measure workload' ;;
	lab) echo 'base model store measure workload import render lab' ;;
	cmd) echo 'base model store measure workload import render lab cmd' ;;
	esac
}

rooms() {
	local path number text room target
	lines '^[[:blank:]]*#[[:blank:]]*include[[:blank:]]*"' '^src/.*\.[ch]$' |
		while IFS=: read -r path number text; do
			room=${path#src/}
			room=${room%%/*}
			target=${text#*\"}
			target=${target%\"*}
			case " $(may_lean_on "$room") " in
			*" ${target%%/*} "*) [ -f "src/$target" ] || echo "$path:$number: there is no src/$target" ;;
			*) echo "$path:$number: $room must not lean on $target" ;;
			esac
		done
}

# door HEADER-REGEX PATH-REGEX: the header is included from these files only
door() {
	lines "^[[:blank:]]*#[[:blank:]]*include[[:blank:]]*<($1)>" '^src/.*\.[ch]$' | but "^($2)"
}

doors() {
	door 'sqlite3\.h' 'src/store/db'
	door 'perf/.*|perfmon/.*|linux/perf_event\.h' 'src/measure/'
	door 'csv\.h' 'src/import/'
	door 'pcre2\.h' 'src/workload/'
	door 'hwloc\.h|hwloc/.*|numa\.h|numaif\.h' 'src/(workload|measure)/'
	door 'getopt\.h' 'src/cmd/opts'
	door 'archive\.h|archive_entry\.h' 'src/lab/initramfs'
	door 'jansson\.h' 'src/(lab/qmp|render/)'
}

# Without files, clocks, processes, environment and SQL. sys/random.h is for the ids of runs.
pure() {
	lines '#[[:blank:]]*include[[:blank:]]*<(time|unistd|fcntl|dirent|signal|pthread|sched|poll)\.h>' '^src/model/'
	lines '#[[:blank:]]*include[[:blank:]]*<sys/' '^src/model/' | but '<sys/random.h>'
	lines '\b(FILE|fopen|open|read|write|fork|getenv|clock_ns|wall_ns|clock_gettime|time)\b *(\(|\*)' '^src/model/'
	lines '"(SELECT|INSERT|UPDATE|DELETE|CREATE) ' '^src/(base|model|measure|workload|import|render|lab|cmd)/'
}

# Only cmd/ prints; the others write to a FILE they are given. base/util.c tells of the end of memory, and the
# fake test prints because tests do.
quiet() {
	lines '\b(printf|vprintf|puts|putchar|perror) *\(|\bv?fprintf *\( *std(out|err)' '^src/.*\.c$' |
		but '^src/(cmd/|base/util\.c|workload/fake\.c)'
	lines '\b(fputs|fputc|fwrite|putc) *\(.*\bstd(out|err) *\)' '^src/.*\.c$' |
		but '^src/(cmd/|base/util\.c|workload/fake\.c)'
}

# Only main.c and the end of memory end the process; a child of ours ends itself with _exit(). What cannot
# happen may abort(), if it says so.
enders() {
	lines '\b(exit|abort|quick_exit|_Exit) *\(' '^src/.*\.c$' |
		but '^src/cmd/main\.c|abort\(\); /\* cannot happen'
	lines '\b_exit *\(' '^src/.*\.c$' | but '^src/(base/util\.c|measure/|workload/|lab/vm_process\.c)'
}

# What can run out of memory goes through base/ (unless it is what a test measures).
allocators() {
	lines '\b(malloc|calloc|realloc|reallocarray|strdup|strndup|asprintf|vasprintf) *\(' '^src/.*\.c$' |
		but '^src/(base/util\.c|workload/will_it_scale/tests_)'
}

rooms_can_fail() {
	breach rooms src/model/a.c '#include "store/store.h"\n' src/store/store.h ''
	breach rooms src/store/a.c '# include "measure/child.h"\n' src/measure/child.h ''
	breach rooms src/render/deep/a.h '#include "import/import.h"\n' src/import/import.h ''
	breach rooms src/base/a.c '#include "err.h"\n' src/base/err.h ''
	breach rooms src/model/a.c '#include "base/gone.h"\n'
	breach rooms src/elsewhere/a.c '#include "base/err.h"\n' src/base/err.h ''
	no_breach rooms src/workload/a.c '#include "measure/child.h"\n' src/measure/child.h ''
}
doors_can_fail() {
	breach doors src/store/store.c '#include <sqlite3.h>\n'
	breach doors src/cmd/list.c '#include <sqlite3.h>\n'
	breach doors src/lab/one_run.c '#include <perf/evsel.h>\n'
	breach doors src/workload/a.h '# include <perfmon/pfmlib.h>\n'
	breach doors src/model/a.c '#include <csv.h>\n'
	breach doors src/lab/vm.c '#include <jansson.h>\n'
	breach doors src/lab/vm.c '#include <archive_entry.h>\n'
	no_breach doors src/store/db.c '#include <sqlite3.h>\n' src/measure/counters_open.c '#include <perf/evsel.h>\n'
}
pure_can_fail() {
	breach pure src/model/a.c '#include <time.h>\n'
	breach pure src/model/a.c '#include <sys/stat.h>\n'
	breach pure src/model/a.h 'void print(FILE *out);\n'
	breach pure src/model/a.c 'int64_t now = clock_ns();\n'
	breach pure src/model/a.c 'fd = open(path, O_RDONLY);\n'
	breach pure src/lab/a.c 'query("SELECT 1");\n'
	no_breach pure src/model/a.c '#include <sys/random.h>\nint elapsed_time(void);\n' src/cmd/a.c 'FILE *out;\n'
}
quiet_can_fail() {
	breach quiet src/store/a.c 'fputs("x", stderr);\n'
	breach quiet src/measure/a.c 'printf("x");\n'
	breach quiet src/lab/a.c 'perror("x");\n'
	breach quiet src/lab/a.c 'fprintf(stderr, "x");\n'
	no_breach quiet src/render/a.c 'fprintf(out, "x");\nsnprintf(b, 2, "x");\n' src/cmd/a.c 'puts("x");\n'
}
enders_can_fail() {
	breach enders src/lab/a.c 'exit(1);\n'
	breach enders src/cmd/diff.c 'abort();\n'
	breach enders src/model/a.c '_exit(1);\n'
	no_breach enders src/cmd/main.c 'exit(1);\n' src/measure/child.c '_exit(127);\n' src/lab/a.c 'on_exit_of (x);\n'
}
allocators_can_fail() {
	breach allocators src/lab/a.c 'p = malloc(1);\n'
	breach allocators src/cmd/a.c 'if (vasprintf(&s, f, ap) < 0)\n'
	no_breach allocators src/lab/a.c 'p = xmalloc(1);\ns = pool_strdup(pool, s);\n'
}

for rule in rooms doors pure quiet enders allocators; do
	test_that "the sources obey the rule: $rule" obeyed $rule
	test_that "a breach of it is noticed: $rule" ${rule}_can_fail
done
done_testing
