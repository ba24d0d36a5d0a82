-- The version of the policy by which the call may run or a person is asked; empty for one that was made before.
ALTER TABLE tool_calls ADD COLUMN policy TEXT NOT NULL DEFAULT '';
-- The lines about a call are read by its id. As JSON a line could not be read here: the name of a tool that a model calls
-- may have a zero, which the type refuses. In the texts of a line quotation marks are escaped, so that this is the member.
CREATE INDEX audit_of_call ON audit ((substring(line from '"executionId":"([^"]*)"')));
