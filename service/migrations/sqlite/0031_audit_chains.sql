-- Replicas that share a database extend a chain of lines each, which begin with a process; the one of a database that
-- nobody shares has no name.
CREATE TABLE audit_with_chains (
    chain   TEXT   NOT NULL DEFAULT '',
    ordinal BIGINT NOT NULL,
    hash    TEXT   NOT NULL,
    line    TEXT   NOT NULL,
    PRIMARY KEY (chain, ordinal)
);
INSERT INTO audit_with_chains (ordinal, hash, line) SELECT ordinal, hash, line FROM audit ORDER BY ordinal;
DROP TABLE audit;
ALTER TABLE audit_with_chains RENAME TO audit;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit only grows'); END;
CREATE TRIGGER audit_is_not_shortened BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit only grows'); END;
CREATE TRIGGER audit_is_not_replaced BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE chain = NEW.chain AND ordinal = NEW.ordinal)
BEGIN SELECT RAISE(ABORT, 'the audit only grows'); END;

-- The heads of the chains at a moment; only a shared database has some.
CREATE TABLE audit_checkpoints (
    ordinal BIGINT NOT NULL PRIMARY KEY,
    hash    TEXT   NOT NULL,
    line    TEXT   NOT NULL
);
