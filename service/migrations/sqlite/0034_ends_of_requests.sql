-- The time from which on a request for approval takes no decision any more.
ALTER TABLE approvals ADD COLUMN expires_at TEXT;
-- What decided where no person did: `timeout`.
ALTER TABLE approvals ADD COLUMN decided_by TEXT NOT NULL DEFAULT '';
CREATE INDEX approvals_ending ON approvals (expires_at) WHERE expires_at IS NOT NULL AND status = 'PENDING_HUMAN_APPROVAL';
