// SPDX-License-Identifier: GPL-2.0-only
#include "store/statements.h"

/* Commits whose runs were on a kernel; the condition on the kernel k follows. */
#define COMMITS_OF_KERNEL                                                                          \
	" IN (SELECT r.commit_id FROM kernels k JOIN boots b ON b.kernel_id = k.id"                \
	" JOIN runs r ON r.boot_id = b.id WHERE "

const char *const stmt_sql[STMT_NR] = {
	[STMT_FIND_COMMIT] = "SELECT id FROM commits WHERE name = ?",
	[STMT_ADD_COMMIT] = "INSERT INTO commits (name, hash, subject) VALUES (?, ?, ?)",
	[STMT_COMPLETE_COMMIT] =
		"UPDATE commits SET hash = coalesce(hash, ?1), subject = coalesce(subject, ?2)"
		" WHERE id = ?3"
		" AND ((hash IS NULL AND ?1 NOT NULL) OR (subject IS NULL AND ?2 NOT NULL))",
	[STMT_FIND_KERNEL] = "SELECT id FROM kernels"
			     " WHERE release IS ? AND version IS ? AND cmdline IS ? AND hash IS ?",
	[STMT_ADD_KERNEL] =
		"INSERT INTO kernels (release, version, cmdline, hash) VALUES (?, ?, ?, ?)",
	[STMT_FIND_MACHINE] = "SELECT id FROM machines WHERE name = ? AND kind IS ?"
			      " AND cpu_model IS ? AND cpus = ? AND nodes = ? AND memory_bytes = ?",
	[STMT_ADD_MACHINE] = "INSERT INTO machines"
			     " (name, kind, cpu_model, cpus, nodes, memory_bytes)"
			     " VALUES (?, ?, ?, ?, ?, ?)",
	[STMT_FIND_BOOT] = "SELECT id FROM boots"
			   " WHERE machine_id = ? AND kernel_id = ? AND boot_id IS ?",
	[STMT_ADD_BOOT] = "INSERT INTO boots (machine_id, kernel_id, boot_id) VALUES (?, ?, ?)",
	[STMT_FIND_TEST] = "SELECT id FROM tests WHERE testcase = ? AND test = ? AND params = ?",
	[STMT_ADD_TEST] = "INSERT INTO tests (testcase, test, params) VALUES (?, ?, ?)",
	[STMT_FIND_METRIC] = "SELECT id FROM metrics WHERE name = ?",
	[STMT_ADD_METRIC] = "INSERT INTO metrics (name) VALUES (?)",
	[STMT_FIND_EVENT] = "SELECT id FROM events WHERE name = ?",
	[STMT_ADD_EVENT] = "INSERT INTO events (name) VALUES (?)",
	[STMT_FIND_FACT] = "SELECT id FROM facts WHERE fact = ?",
	[STMT_ADD_FACT] = "INSERT INTO facts (fact) VALUES (?)",

	[STMT_FIND_RUN] = "SELECT id FROM runs WHERE uid = ?",
	[STMT_ADD_RUN] = "INSERT INTO runs (uid, commit_id, test_id, boot_id, start_ns, wall_s,"
			 " iteration, status, exit_code, signal, reason, last_output)"
			 " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[STMT_ADD_RUN_FACT] = "INSERT INTO run_facts (run_id, fact_id) VALUES (?, ?)",
	[STMT_ADD_VALUES] = "INSERT INTO run_values (run_id, packed) VALUES (?, ?)",
	[STMT_ADD_SERIES] =
		"INSERT INTO series (run_id, place, metric_id, packed) VALUES (?, ?, ?, ?)",
	[STMT_ADD_COUNTER] = "INSERT INTO counters"
			     " (run_id, place, event_id, value, enabled_ns, running_ns)"
			     " VALUES (?, ?, ?, ?, ?, ?)",
	[STMT_ADD_WARNING] = "INSERT INTO warnings (run_id, place, text) VALUES (?, ?, ?)",
	[STMT_FIND_TWIN] =
		"SELECT r.uid FROM runs r JOIN run_values v ON v.run_id = r.id"
		" WHERE r.commit_id = ? AND r.test_id = ? AND r.id <= ?"
		" AND length(v.packed) = length(?4) AND v.packed = ?4"
		" AND ?5 = (SELECT m.name FROM boots b JOIN machines m ON m.id = b.machine_id"
		" WHERE b.id = r.boot_id) LIMIT 1",

	[STMT_ADD_CAMPAIGN] = "INSERT INTO campaigns (key, started_ns) VALUES (?, ?)",
	[STMT_FIND_CAMPAIGN] = "SELECT id FROM campaigns WHERE key = ? ORDER BY id DESC LIMIT 1",
	[STMT_CAMPAIGN_PLACES] = "SELECT place FROM campaign_runs WHERE campaign_id = ?",
	[STMT_ADD_CAMPAIGN_RUN] =
		"INSERT INTO campaign_runs (campaign_id, place, run_id) VALUES (?, ?, ?)",

	[STMT_METRIC_NAME] = "SELECT name FROM metrics WHERE id = ?",
	[STMT_RUNS_OF_COMMIT] = "SELECT id, uid, test_id, boot_id, status FROM runs"
				" WHERE commit_id = ? ORDER BY start_ns, id",
	[STMT_TEST] = "SELECT testcase, test, params FROM tests WHERE id = ?",
	[STMT_BOOT] = "SELECT b.boot_id, m.name, m.kind, m.cpu_model, m.cpus, m.nodes,"
		      " m.memory_bytes, k.release, k.version, k.cmdline, k.hash"
		      " FROM boots b JOIN machines m ON m.id = b.machine_id"
		      " JOIN kernels k ON k.id = b.kernel_id WHERE b.id = ?",
	[STMT_FACTS] = "SELECT f.fact FROM run_facts r JOIN facts f ON f.id = r.fact_id"
		       " WHERE r.run_id = ?",
	[STMT_VALUES] = "SELECT packed FROM run_values WHERE run_id = ?",
	[STMT_RUNS_BY_UID] =
		"SELECT id, uid FROM runs WHERE uid >= ?1 AND uid < ?1 || 'g' ORDER BY uid LIMIT 6",
	[STMT_RUN] = "SELECT r.uid, r.test_id, r.boot_id, r.start_ns, r.wall_s, r.iteration,"
		     " r.status, r.exit_code, r.signal, r.reason, r.last_output,"
		     " c.name, c.hash, c.subject"
		     " FROM runs r JOIN commits c ON c.id = r.commit_id WHERE r.id = ?",
	[STMT_SERIES] = "SELECT metric_id, packed FROM series WHERE run_id = ? ORDER BY place",
	[STMT_COUNTERS] = "SELECT e.name, c.value, c.enabled_ns, c.running_ns"
			  " FROM counters c JOIN events e ON e.id = c.event_id"
			  " WHERE c.run_id = ? ORDER BY c.place",
	[STMT_WARNINGS] = "SELECT text FROM warnings WHERE run_id = ? ORDER BY place",

	[STMT_COMMIT_BY_NAME] = "SELECT id, name, hash, subject FROM commits WHERE name = ?",
	[STMT_COMMITS_BY_HASH] = "SELECT id, name, hash, subject FROM commits"
				 " WHERE hash = ?1 OR id" COMMITS_OF_KERNEL "k.hash = ?1)"
				 " ORDER BY name",
	[STMT_COMMITS_BY_RELEASE] = "SELECT id, name, hash, subject FROM commits"
				    " WHERE id" COMMITS_OF_KERNEL "k.release = ?) ORDER BY name",
	/* hex digits are all before 'g' */
	[STMT_COMMITS_BY_PREFIX] =
		"SELECT id, name, hash, subject FROM commits"
		" WHERE (name >= ?1 AND name < ?1 || 'g' AND name NOT GLOB '*[^0-9a-f]*')"
		" OR (hash >= ?1 AND hash < ?1 || 'g')"
		" OR id" COMMITS_OF_KERNEL "k.hash >= ?1 AND k.hash < ?1 || 'g') ORDER BY name",
	[STMT_NAMES] = "SELECT name FROM (SELECT name, id FROM commits"
		       " UNION ALL SELECT release, 0 FROM kernels WHERE release NOT NULL)"
		       " GROUP BY name ORDER BY max(id) DESC, name",

	[STMT_LIST_COMMITS] = "SELECT c.name, c.hash, c.subject, count(*), sum(r.status <> 'ok'),"
			      " min(r.start_ns) AS first, max(r.start_ns),"
			      " (SELECT k.release FROM runs n JOIN boots b ON b.id = n.boot_id"
			      " JOIN kernels k ON k.id = b.kernel_id WHERE n.commit_id = c.id"
			      " ORDER BY n.start_ns DESC, n.id DESC LIMIT 1)"
			      " FROM commits c JOIN runs r ON r.commit_id = c.id GROUP BY c.id"
			      " ORDER BY first, c.id",
	[STMT_LIST_MACHINES] =
		"SELECT m.name, m.kind, m.cpu_model, m.cpus, m.nodes, m.memory_bytes, count(*)"
		" FROM machines m JOIN boots b ON b.machine_id = m.id"
		" JOIN runs r ON r.boot_id = b.id GROUP BY m.id ORDER BY m.name, m.id",
	[STMT_LIST_TESTS] =
		"SELECT t.testcase, t.test, t.params, count(DISTINCT r.commit_id), count(*)"
		" FROM tests t JOIN runs r ON r.test_id = t.id GROUP BY t.id"
		" ORDER BY t.testcase, t.test, t.params",
	[STMT_LIST_RUNS] =
		"SELECT r.uid, c.name, t.testcase, t.test, t.params, m.name, r.reason, r.status,"
		" r.iteration, r.start_ns, r.wall_s FROM runs r"
		" JOIN commits c ON c.id = r.commit_id JOIN tests t ON t.id = r.test_id"
		" JOIN boots b ON b.id = r.boot_id JOIN machines m ON m.id = b.machine_id"
		" ORDER BY r.start_ns, r.id",
	[STMT_LIST_VALUES] = "SELECT run_id FROM run_values",
	[STMT_LIST_METRICS] = "SELECT name FROM metrics ORDER BY name",
};
