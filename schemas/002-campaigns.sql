-- schema 2
-- SPDX-License-Identifier: GPL-2.0-only
--
-- Collections that can be resumed.

-- One call of collect: what was asked for.
CREATE TABLE campaigns (
	id INTEGER PRIMARY KEY,		-- for references only; the newest has the highest
	key TEXT NOT NULL,		-- everything that makes the plan what it is; equal text, equal plan
	started_ns INTEGER NOT NULL	-- nanoseconds since 1970
) STRICT;
CREATE INDEX campaigns_by_key ON campaigns (key);

-- Which run is at which place of the plan: none twice.
CREATE TABLE campaign_runs (
	campaign_id INTEGER NOT NULL	-- the campaign
		REFERENCES campaigns,
	place INTEGER NOT NULL,		-- 0, 1, 2 ... in the plan
	run_id INTEGER NOT NULL UNIQUE	-- the run
		REFERENCES runs,
	PRIMARY KEY (campaign_id, place)
) STRICT, WITHOUT ROWID;
