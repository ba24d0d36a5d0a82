-- The version of the policy by which the call may run or a person is asked; empty for one that was made before.
ALTER TABLE tool_calls ADD COLUMN policy TEXT NOT NULL DEFAULT '';
-- The lines about a call are read by its id.
CREATE INDEX audit_of_call ON audit (line ->> 'executionId');
