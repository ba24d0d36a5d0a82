-- A row for each start of a service that uses the database: it owns the answers that it writes for as long as its row is
-- there.
CREATE TABLE replicas (
    id         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    -- The process, by which its connections are named.
    process    TEXT COLLATE "C" NOT NULL,
    -- The time after which others may remove the row, in milliseconds of the database's clock.
    expires_ms BIGINT NOT NULL
);

-- The replica that writes the answer, and the number of owners that it has had.
ALTER TABLE runs ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN epoch BIGINT NOT NULL DEFAULT 0;
-- 1 once the user does not want the answer any more.
ALTER TABLE runs ADD COLUMN cancel_wanted BIGINT NOT NULL DEFAULT 0;
CREATE INDEX runs_of_owner ON runs (owner) WHERE ended_at IS NULL;
