-- 1 for a run that another replica accepted for its owner, until the owner begins it.
ALTER TABLE runs ADD COLUMN handed_on INTEGER NOT NULL DEFAULT 0;
-- 1 once the replica is about to end.
ALTER TABLE replicas ADD COLUMN draining INTEGER NOT NULL DEFAULT 0;
