-- Session threads. `seq` orders what has the same time.
CREATE TABLE threads (
    seq               INTEGER PRIMARY KEY AUTOINCREMENT,
    id                TEXT    NOT NULL UNIQUE,
    user_id           TEXT    NOT NULL,
    agent_id          TEXT    NOT NULL,
    agent_name        TEXT    NOT NULL,
    agent_handle      TEXT    NOT NULL,
    build_id          TEXT    NOT NULL,
    name              TEXT    NOT NULL,
    -- 0 until the first message or the user names the thread.
    named             INTEGER NOT NULL DEFAULT 0,
    last_message_time TEXT    NOT NULL
) STRICT;
CREATE INDEX threads_of_user ON threads (user_id, agent_id, last_message_time);

CREATE TABLE messages (
    seq       INTEGER PRIMARY KEY AUTOINCREMENT,
    id        TEXT    NOT NULL UNIQUE,
    thread_id TEXT    NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    role      TEXT    NOT NULL CHECK (role IN ('user', 'assistant')),
    handle    TEXT,
    content   TEXT    NOT NULL,
    timestamp TEXT    NOT NULL
) STRICT;
CREATE INDEX messages_of_thread ON messages (thread_id, seq);

-- The answer being written in a thread: at most one. What is left here at start-up was cut off by a crash.
CREATE TABLE answers_in_progress (
    thread_id  TEXT NOT NULL PRIMARY KEY REFERENCES threads (id) ON DELETE CASCADE,
    request_id TEXT NOT NULL,
    handle     TEXT NOT NULL,
    draft      TEXT NOT NULL DEFAULT ''
) STRICT;

-- What an agent wants to know again when its question is answered.
CREATE TABLE memories (
    id        TEXT NOT NULL PRIMARY KEY,
    thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    body      TEXT NOT NULL,
    -- What the user said with decisions so far, as JSON: the question may be answered in several messages.
    feedback  TEXT NOT NULL DEFAULT '{}'
) STRICT;

-- One row for each run of a tool that a person decides about.
CREATE TABLE approvals (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    thread_id    TEXT    NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    message_id   TEXT    NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    execution_id TEXT    NOT NULL UNIQUE,
    memory_id    TEXT    NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    -- The request as it was streamed, as JSON.
    request      TEXT    NOT NULL,
    status       TEXT    NOT NULL DEFAULT 'PENDING_HUMAN_APPROVAL'
                 CHECK (status IN ('PENDING_HUMAN_APPROVAL', 'APPROVED', 'DENIED', 'ABORTED_WITH_FEEDBACK'))
) STRICT;
CREATE INDEX approvals_of_thread ON approvals (thread_id, seq);
CREATE INDEX approvals_of_message ON approvals (message_id, seq);
