-- SPDX-License-Identifier: GPL-2.0-only
-- schema 1
--
-- The database of perfcmp: raw values of runs, and what they were measured on. Nothing here is an average.
-- A step of the ladder begins with a line "-- schema N"; a database says in its user_version which step it is
-- on, and in its application_id (0x70636d70, "pcmp") that it is ours. Text is bytes as they came, UTF-8 as a
-- rule. NULL is "not known". Packed forms are described in src/store/pack.h.

-- What is compared: a git commit, or any label given to a kernel. Made by the first run that names it.
CREATE TABLE commits (
	id INTEGER PRIMARY KEY,		-- for references only
	name TEXT NOT NULL UNIQUE,	-- what the user calls it: a hash, a tag or a label
	hash TEXT,			-- its git hash, full or abbreviated; the first one that was known stays
	subject TEXT			-- first line of its message; the first one that was known stays
) STRICT;
CREATE INDEX commits_by_hash ON commits (hash) WHERE hash IS NOT NULL;

-- An image that ran: each combination of the four once (NULL and '' are different).
CREATE TABLE kernels (
	id INTEGER PRIMARY KEY,		-- for references only
	release TEXT,			-- uname -r
	version TEXT,			-- uname -v
	cmdline TEXT,			-- /proc/cmdline
	hash TEXT			-- git hash in a "-g<hash>" of the release
) STRICT;
CREATE INDEX kernels_by_release ON kernels (release, version, cmdline, hash);
CREATE INDEX kernels_by_hash ON kernels (hash) WHERE hash IS NOT NULL;

-- Where kernels ran: each combination of the columns once. A machine that was changed (memory added) has a
-- row more with the same name; runs are compared by name.
CREATE TABLE machines (
	id INTEGER PRIMARY KEY,		-- for references only
	name TEXT NOT NULL,		-- its name: the host's, or as given
	kind TEXT,			-- 'real', 'kvm', 'emulated', 'vm' or 'unknown'
	cpu_model TEXT,			-- as /proc/cpuinfo has it
	cpus INTEGER NOT NULL,		-- CPUs online; 0: not known
	nodes INTEGER NOT NULL,		-- NUMA nodes online; 0: not known
	memory_bytes INTEGER NOT NULL	-- main memory; 0: not known
) STRICT;
CREATE INDEX machines_by_name ON machines (name, kind, cpu_model, cpus, nodes, memory_bytes);

-- One boot of a kernel on a machine: runs of one boot are not independent of each other.
CREATE TABLE boots (
	id INTEGER PRIMARY KEY,		-- for references only
	machine_id INTEGER NOT NULL	-- the machine
		REFERENCES machines,
	kernel_id INTEGER NOT NULL	-- the kernel
		REFERENCES kernels,
	boot_id TEXT			-- /proc/sys/kernel/random/boot_id
) STRICT;
CREATE INDEX boots_by_kernel ON boots (kernel_id, machine_id, boot_id);

-- A test with one set of parameters.
CREATE TABLE tests (
	id INTEGER PRIMARY KEY,		-- for references only
	testcase TEXT NOT NULL,		-- family of tests: 'will-it-scale'
	test TEXT NOT NULL,		-- the test in it: 'sched_yield'
	params TEXT NOT NULL,		-- lines 'key=value', sorted; '\n' for a line end, '\\' for '\', '\=' for '=' in a key
	UNIQUE (testcase, test, params)
) STRICT;

-- One execution of one test on one boot, good or failed.
CREATE TABLE runs (
	id INTEGER PRIMARY KEY,		-- in order of storing
	uid TEXT NOT NULL UNIQUE	-- 32 hex digits, globally unique; the run's id for everybody outside this file
		CHECK (length(uid) = 32),
	commit_id INTEGER NOT NULL	-- what was measured
		REFERENCES commits,
	test_id INTEGER NOT NULL	-- with what
		REFERENCES tests,
	boot_id INTEGER NOT NULL	-- on what
		REFERENCES boots,
	start_ns INTEGER NOT NULL,	-- when it began, nanoseconds since 1970
	wall_s REAL,			-- how long the whole run took, seconds
	iteration INTEGER NOT NULL,	-- from 1
	status TEXT NOT NULL		-- only an 'ok' run enters averages
		CHECK (status IN ('ok', 'failed', 'killed', 'timeout')),
	exit_code INTEGER NOT NULL,	-- of the test; 0 if it was killed
	signal INTEGER NOT NULL,	-- that killed it, or 0
	reason TEXT,			-- why it is not 'ok', one line
	last_output TEXT		-- what a failed test printed last
) STRICT;
CREATE INDEX runs_by_commit ON runs (commit_id, start_ns);
CREATE INDEX runs_by_boot ON runs (boot_id, commit_id);

-- What may bias a run (governor, SMT, load ...): each fact once.
CREATE TABLE facts (
	id INTEGER PRIMARY KEY,		-- for references only
	fact TEXT NOT NULL UNIQUE	-- 'key=value', written as a line of tests.params: 'cpufreq_governor=performance'
) STRICT;

-- Which facts were true of a run.
CREATE TABLE run_facts (
	run_id INTEGER NOT NULL		-- the run
		REFERENCES runs,
	fact_id INTEGER NOT NULL	-- the fact
		REFERENCES facts,
	PRIMARY KEY (run_id, fact_id)
) STRICT, WITHOUT ROWID;

-- Names of metrics, each once.
CREATE TABLE metrics (
	id INTEGER PRIMARY KEY,		-- what the packed values refer to
	name TEXT NOT NULL UNIQUE	-- 'will-it-scale.per_process_ops'
) STRICT;

-- The values of a run. Every run has a row here, an empty one if it measured nothing.
CREATE TABLE run_values (
	run_id INTEGER PRIMARY KEY	-- the run
		REFERENCES runs,
	packed BLOB NOT NULL		-- metric and value, one after the other, in the order measured, and a seal (pack.h)
) STRICT;

-- Samples of a metric over time inside a run.
CREATE TABLE series (
	run_id INTEGER NOT NULL		-- the run
		REFERENCES runs,
	place INTEGER NOT NULL,		-- 0, 1, 2 ... in the order measured
	metric_id INTEGER NOT NULL	-- what was sampled
		REFERENCES metrics,
	packed BLOB NOT NULL,		-- times (seconds since the measured part began) and values (pack.h)
	PRIMARY KEY (run_id, place)
) STRICT, WITHOUT ROWID;

-- Names of perf events, each once.
CREATE TABLE events (
	id INTEGER PRIMARY KEY,		-- for references only
	name TEXT NOT NULL UNIQUE	-- 'cpu-cycles'
) STRICT;

-- What perf counted over the measured part of a run: as read, not scaled.
CREATE TABLE counters (
	run_id INTEGER NOT NULL		-- the run
		REFERENCES runs,
	place INTEGER NOT NULL,		-- 0, 1, 2 ... in the order measured
	event_id INTEGER NOT NULL	-- what was counted
		REFERENCES events,
	value INTEGER NOT NULL,		-- the count; an unsigned 64-bit number: from 2^63 on it shows as negative here
	enabled_ns INTEGER NOT NULL,	-- time the event was enabled (unsigned as well)
	running_ns INTEGER NOT NULL,	-- time it was counting; less than enabled_ns: it was multiplexed
	PRIMARY KEY (run_id, place)
) STRICT, WITHOUT ROWID;

-- What is doubtful about a run, in words.
CREATE TABLE warnings (
	run_id INTEGER NOT NULL		-- the run
		REFERENCES runs,
	place INTEGER NOT NULL,		-- 0, 1, 2 ... in the order they came up
	text TEXT NOT NULL,		-- one line
	PRIMARY KEY (run_id, place)
) STRICT, WITHOUT ROWID;
