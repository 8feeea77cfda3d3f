/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WORKLOAD_COMMAND_H
#define WORKLOAD_COMMAND_H
/*
 * testcase "command": any program. Its wall time is command.seconds; numbers in its output become metrics of
 * their own, command.NAME, by a regular expression each.
 */
#include "base/err.h"
#include "base/strbuf.h"
#include "model/metric.h"
#include "model/run.h"

struct workload;
extern const struct workload command_workload; /* has no tests and no run(): the job's argv runs */

/*
 * Name of a command as a test: "sleep,0.1" where that is short and unambiguous, else the program's name and a
 * hash of the arguments ("fio-5d2c91fe"). The program's folder does not count: ./old/bench and ./new/bench
 * with the same arguments are the same test of two builds. In pool.
 */
const char *command_test_name(struct pool *pool, char *const *argv);

struct pick {
	char *name;
	char *unit; /* NULL: not known */
	enum metric_better better;
	struct pcre2_real_code_8 *regex;
};
void pick_release(struct pick *pick); /* takes a zeroed one */

/*
 * "NAME=REGEX": letters, digits, '.', '_', '-' and '%' make a name; REGEX is Perl's (PCRE2), ^ and $ match at
 * lines. A regular expression that does not compile is refused with the place of its fault.
 */
int pick_parse(struct pick *out, const char *text, struct err *err);

/* --unit and --better (higher, lower), for the pick before them. */
void pick_set_unit(struct pick *pick, const char *unit);
int pick_set_better(struct pick *pick, const char *text, struct err *err);

/*
 * Sets the metric command.NAME from each pick's last match in the output (of a benchmark that reports as it
 * goes, the last report is the result), and the facts pick.NAME.unit and pick.NAME.better. The number is the
 * first group of the regular expression, or the whole match if it has none, written with a decimal point.
 * No match, no number in the match, or a search that takes too long: a warning, and no metric.
 */
void picks_apply(const struct pick *picks, int picks_nr, const struct strbuf *output,
		 struct run *run);

#endif
