-- The grant by which a call may run without a question; empty without one. A call whose grant was taken back is not
-- claimed any more.
ALTER TABLE tool_calls ADD COLUMN grant_id TEXT NOT NULL DEFAULT '';
