-- What a model was given and gave in a thread, as JSON, in its order. It is appended to and never changed.
CREATE TABLE transcript_items (
    user_id   TEXT   NOT NULL,
    thread_id TEXT   NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    ordinal   BIGINT NOT NULL,
    body      TEXT   NOT NULL,
    PRIMARY KEY (user_id, thread_id, ordinal)
);
CREATE INDEX transcript_items_of_thread ON transcript_items (thread_id);

-- Tools that were started. A row is committed before its tool runs, so that no tool runs twice: a row that is 'running'
-- when nobody runs it any more is 'unknown' from then on.
CREATE TABLE tool_calls (
    user_id    TEXT NOT NULL,
    id         TEXT NOT NULL,
    thread_id  TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    tool       TEXT NOT NULL,
    arguments  TEXT NOT NULL,
    state      TEXT NOT NULL CHECK (state IN ('running', 'succeeded', 'failed', 'unknown')),
    started_at TEXT NOT NULL,
    ended_at   TEXT,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX tool_calls_of_thread ON tool_calls (thread_id, state);
