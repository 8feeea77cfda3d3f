/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef STORE_STATEMENTS_H
#define STORE_STATEMENTS_H
/*
 * Every statement the store runs, prepared when a database is opened. Parameters and columns are in the
 * order in which the functions that use them bind and read them. Where a statement is used in reading what
 * `diff` needs, it must not scan a table that grows with the history.
 */
enum stmt_id {
	/* what is stored once and referred to: FIND gives its id, ADD adds it */
	STMT_FIND_COMMIT,
	STMT_ADD_COMMIT,
	STMT_COMPLETE_COMMIT,
	STMT_FIND_KERNEL,
	STMT_ADD_KERNEL,
	STMT_FIND_MACHINE,
	STMT_ADD_MACHINE,
	STMT_FIND_BOOT,
	STMT_ADD_BOOT,
	STMT_FIND_TEST,
	STMT_ADD_TEST,
	STMT_FIND_METRIC,
	STMT_ADD_METRIC,
	STMT_FIND_EVENT,
	STMT_ADD_EVENT,
	STMT_FIND_FACT,
	STMT_ADD_FACT,

	/* a run */
	STMT_FIND_RUN,
	STMT_ADD_RUN,
	STMT_ADD_RUN_FACT,
	STMT_ADD_VALUES,
	STMT_ADD_SERIES,
	STMT_ADD_COUNTER,
	STMT_ADD_WARNING,
	STMT_FIND_TWIN,

	/* campaigns */
	STMT_ADD_CAMPAIGN,
	STMT_FIND_CAMPAIGN,
	STMT_CAMPAIGN_PLACES,
	STMT_ADD_CAMPAIGN_RUN,

	/* reading runs */
	STMT_METRIC_NAME,
	STMT_RUNS_OF_COMMIT,
	STMT_TEST,
	STMT_BOOT,
	STMT_FACTS,
	STMT_VALUES,
	STMT_RUNS_BY_UID,
	STMT_RUN,
	STMT_SERIES,
	STMT_COUNTERS,
	STMT_WARNINGS,

	/* finding a commit */
	STMT_COMMIT_BY_NAME,
	STMT_COMMITS_BY_HASH,
	STMT_COMMITS_BY_RELEASE,
	STMT_COMMITS_BY_PREFIX,
	STMT_NAMES,

	/* lists; these do scan */
	STMT_LIST_COMMITS,
	STMT_LIST_MACHINES,
	STMT_LIST_TESTS,
	STMT_LIST_RUNS,
	STMT_LIST_VALUES,
	STMT_LIST_METRICS,

	STMT_NR
};

extern const char *const stmt_sql[STMT_NR];

#endif
