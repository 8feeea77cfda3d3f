/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MODEL_RULE_0DAY_NAMES_H
#define MODEL_RULE_0DAY_NAMES_H
/*
 * What the kernel test robot concludes from the name of a metric alone. All of it is data, in tables of
 * patterns (model/pattern.h: '*' any text, '?' one character); its lists for dmesg messages are not complete.
 */
#include "base/util.h"

#define INCOMPLETE_RUN "last_state.is_incomplete_run"

/* The metric is on its list of what nobody wants to read: hidden unless --more. */
bool rule_0day_denied(const char *name);

/*
 * A failure (the robot: function) stat is shown as fail:runs: kernel messages, pass/fail counts. Anything whose
 * name ends like one is: `perf-profile.self.cycles-pp.warn` is, `...error_entry` is not (a '_' follows).
 */
bool rule_0day_is_failure(const char *name);

/* Of those, the ones that come from the kernel's log or the state of the run: dmesg, kmsg, last_state, stderr. */
bool rule_0day_is_log(const char *name);

/* "x.error*", "x.warn*", "x.fail*" without a '_' behind: the length of "x"; 0 for other names. */
size_t rule_0day_fail_stem(const char *name);

/* The family of the metric (the text before the first '.') is a test, not a monitor. */
bool rule_0day_is_test(const char *name);

/* ... and one that measures speed rather than passing or failing. */
bool rule_0day_is_benchmark(const char *name);

/* A test's own result: `will-it-scale.per_process_ops`, not `will-it-scale.time.user_time`. */
bool rule_0day_is_result(const char *name);

/* For these a change of 1% is worth a row; for all others it takes 5%. */
bool rule_0day_is_performance(const char *name);

/*
 * The change is too small in absolute terms, whatever it is in per cent. delta: distance of the medians,
 * max: the largest value on either side.
 */
bool rule_0day_below_floor(const char *name, double max, double delta);

#endif
