-- Calls of tools from the moment at which the model made them: what may run is what is 'allowed' or 'approved' here, and
-- a call is claimed by becoming 'running', once. 'skipped': a person stopped everything before it ran.
CREATE TABLE calls_of_tools (
    user_id    TEXT   NOT NULL,
    id         TEXT   NOT NULL,
    thread_id  TEXT   NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    -- The agent that works with it: the thread's, or a colleague of it.
    agent_id   TEXT   NOT NULL DEFAULT '',
    tool       TEXT   NOT NULL,
    -- Exactly what runs.
    arguments  TEXT   NOT NULL,
    -- Hash of the tool's definition.
    definition TEXT   NOT NULL DEFAULT '',
    effect     TEXT   NOT NULL DEFAULT 'write' CHECK (effect IN ('read', 'idempotent', 'write')),
    state      TEXT   NOT NULL CHECK (state IN ('allowed', 'asked', 'approved', 'denied', 'running', 'succeeded',
                                                'failed', 'unknown', 'refused', 'skipped')),
    -- How often it was claimed: more than once only where its effect allows that.
    attempts   BIGINT NOT NULL DEFAULT 0,
    started_at TEXT,
    ended_at   TEXT,
    PRIMARY KEY (user_id, id)
);
INSERT INTO calls_of_tools (user_id, id, thread_id, tool, arguments, state, attempts, started_at, ended_at)
SELECT user_id, id, thread_id, tool, arguments, state, 1, started_at, ended_at FROM tool_calls;
DROP TABLE tool_calls;
ALTER TABLE calls_of_tools RENAME TO tool_calls;
CREATE INDEX tool_calls_of_thread ON tool_calls (thread_id, state);

-- Definitions of tools that were accepted, by a user or (user_id '') by the service when it first saw a server.
CREATE TABLE tool_definitions (
    user_id     TEXT NOT NULL,
    agent_id    TEXT NOT NULL,
    tool        TEXT NOT NULL,
    definition  TEXT NOT NULL,
    accepted_at TEXT NOT NULL,
    PRIMARY KEY (user_id, agent_id, tool, definition)
);

-- What a user need not be asked about any more.
CREATE TABLE grants (
    user_id    TEXT NOT NULL,
    id         TEXT NOT NULL,
    agent_id   TEXT NOT NULL,
    tool       TEXT NOT NULL,
    -- Conditions, as a JSON object.
    arguments  TEXT NOT NULL,
    definition TEXT NOT NULL,
    granted_at TEXT NOT NULL,
    revoked_at TEXT,
    PRIMARY KEY (user_id, id)
);

-- Tokens of models by user and day (UTC).
CREATE TABLE token_use (
    user_id TEXT   NOT NULL,
    day     TEXT   NOT NULL,
    tokens  BIGINT NOT NULL,
    PRIMARY KEY (user_id, day)
);

-- Decisions about tools, each line with the hash of the one before. Nothing of it is ever changed or removed, not even
-- with its thread.
CREATE TABLE audit (
    ordinal BIGINT NOT NULL PRIMARY KEY,
    hash    TEXT   NOT NULL,
    line    TEXT   NOT NULL
);
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit only grows'); END;
CREATE TRIGGER audit_is_not_shortened BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit only grows'); END;

-- What is being answered, as JSON, and how many entries the transcript had before: from that an answer goes on after a
-- crash, once.
ALTER TABLE answers_in_progress ADD COLUMN input TEXT NOT NULL DEFAULT '';
ALTER TABLE answers_in_progress ADD COLUMN items_before INTEGER NOT NULL DEFAULT 0;
ALTER TABLE answers_in_progress ADD COLUMN resumed INTEGER NOT NULL DEFAULT 0;
