-- Each replica extends chains of lines of its own, so that none waits for another one; lines of before have none.
ALTER TABLE audit ADD COLUMN chain TEXT NOT NULL DEFAULT '';
ALTER TABLE audit DROP CONSTRAINT audit_pkey;
ALTER TABLE audit ADD PRIMARY KEY (chain, ordinal);

-- The heads of the chains at a moment.
CREATE TABLE audit_checkpoints (
    ordinal BIGINT PRIMARY KEY,
    hash    TEXT   NOT NULL,
    line    TEXT   NOT NULL
);
CREATE TRIGGER audit_checkpoint_is_not_changed BEFORE UPDATE OR DELETE ON audit_checkpoints
FOR EACH ROW EXECUTE FUNCTION audit_only_grows();
CREATE TRIGGER audit_checkpoints_are_not_emptied BEFORE TRUNCATE ON audit_checkpoints
FOR EACH STATEMENT EXECUTE FUNCTION audit_only_grows();
