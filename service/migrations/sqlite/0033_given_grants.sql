-- The one thread whose calls are allowed.
ALTER TABLE grants ADD COLUMN thread_id TEXT;
-- The time from which on nothing is allowed any more.
ALTER TABLE grants ADD COLUMN until TEXT;
-- The names of the arguments that the person saw, as a JSON array.
ALTER TABLE grants ADD COLUMN names TEXT;
-- The call with whose approval the grant was given; empty for one of the operator.
ALTER TABLE grants ADD COLUMN execution_id TEXT NOT NULL DEFAULT '';
-- The number of calls that began because of it.
ALTER TABLE grants ADD COLUMN uses INTEGER NOT NULL DEFAULT 0;
CREATE INDEX grants_of_thread ON grants (user_id, thread_id) WHERE thread_id IS NOT NULL AND revoked_at IS NULL;
CREATE INDEX grants_ending ON grants (until) WHERE until IS NOT NULL AND revoked_at IS NULL;
