-- Keys begin with the user, and ordinals count within a thread (those of threads, for their user): the rows of a user
-- can be kept together, and nothing is counted over all users. Rows that are there keep their numbers, which pages that
-- are open name. New tables are filled first; then the old ones are dropped from the leaves up, because a table that is
-- dropped while another one references it takes that one's rows with it.
CREATE TABLE new_threads (
    user_id           TEXT    NOT NULL,
    id                TEXT    NOT NULL,
    agent_id          TEXT    NOT NULL,
    agent_name        TEXT    NOT NULL,
    agent_handle      TEXT    NOT NULL,
    build_id          TEXT    NOT NULL,
    name              TEXT    NOT NULL,
    -- The source of the name: 0 nothing yet, 2 the first message, 1 a person or a model.
    named             INTEGER NOT NULL DEFAULT 0,
    -- Orders what has the same time.
    ordinal           INTEGER NOT NULL,
    last_message_time TEXT    NOT NULL,
    stored_bytes      INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, ordinal)
) STRICT;
INSERT INTO new_threads SELECT user_id, id, agent_id, agent_name, agent_handle, build_id, name, named,
    seq, last_message_time, stored_bytes FROM threads;

CREATE TABLE new_messages (
    user_id   TEXT    NOT NULL,
    thread_id TEXT    NOT NULL,
    ordinal   INTEGER NOT NULL,
    id        TEXT    NOT NULL,
    role      TEXT    NOT NULL CHECK (role IN ('user', 'assistant')),
    handle    TEXT,
    content   TEXT    NOT NULL,
    words     TEXT,
    timestamp TEXT    NOT NULL,
    PRIMARY KEY (user_id, thread_id, ordinal),
    UNIQUE (user_id, thread_id, id),
    FOREIGN KEY (user_id, thread_id) REFERENCES new_threads (user_id, id) ON DELETE CASCADE
) STRICT;
INSERT INTO new_messages SELECT t.user_id, m.thread_id, m.seq,
    m.id, m.role, m.handle, m.content, m.words, m.timestamp FROM messages m JOIN threads t ON t.id = m.thread_id;

CREATE TABLE new_answers_in_progress (
    user_id      TEXT    NOT NULL,
    thread_id    TEXT    NOT NULL,
    request_id   TEXT    NOT NULL,
    handle       TEXT    NOT NULL,
    segments     INTEGER NOT NULL DEFAULT 0,
    input        TEXT    NOT NULL DEFAULT '',
    items_before INTEGER NOT NULL DEFAULT 0,
    resumed      INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, thread_id),
    FOREIGN KEY (user_id, thread_id) REFERENCES new_threads (user_id, id) ON DELETE CASCADE
) STRICT;
INSERT INTO new_answers_in_progress SELECT t.user_id, a.thread_id, a.request_id, a.handle, a.segments, a.input,
    a.items_before, a.resumed FROM answers_in_progress a JOIN threads t ON t.id = a.thread_id;

CREATE TABLE new_draft_pieces (
    user_id   TEXT    NOT NULL,
    thread_id TEXT    NOT NULL,
    ordinal   INTEGER NOT NULL,
    handle    TEXT    NOT NULL,
    text      TEXT    NOT NULL,
    words     TEXT,
    PRIMARY KEY (user_id, thread_id, ordinal),
    FOREIGN KEY (user_id, thread_id) REFERENCES new_answers_in_progress (user_id, thread_id) ON DELETE CASCADE
) STRICT;
INSERT INTO new_draft_pieces SELECT t.user_id, d.thread_id, d.seq,
    d.handle, d.text, d.words FROM draft_pieces d JOIN threads t ON t.id = d.thread_id;

CREATE TABLE new_memories (
    user_id   TEXT NOT NULL,
    id        TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    body      TEXT NOT NULL,
    feedback  TEXT NOT NULL DEFAULT '{}',
    asked_in  TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, thread_id) REFERENCES new_threads (user_id, id) ON DELETE CASCADE
) STRICT;
INSERT INTO new_memories SELECT t.user_id, m.id, m.thread_id, m.body, m.feedback, m.asked_in
    FROM memories m JOIN threads t ON t.id = m.thread_id;

CREATE TABLE new_approvals (
    user_id      TEXT    NOT NULL,
    thread_id    TEXT    NOT NULL,
    ordinal      INTEGER NOT NULL,
    execution_id TEXT    NOT NULL,
    batch_id     TEXT    NOT NULL DEFAULT '',
    message_id   TEXT    NOT NULL,
    memory_id    TEXT    NOT NULL,
    request      TEXT    NOT NULL,
    status       TEXT    NOT NULL DEFAULT 'PENDING_HUMAN_APPROVAL'
                 CHECK (status IN ('PENDING_HUMAN_APPROVAL', 'APPROVED', 'DENIED', 'ABORTED_WITH_FEEDBACK')),
    PRIMARY KEY (user_id, thread_id, ordinal),
    UNIQUE (user_id, execution_id),
    FOREIGN KEY (user_id, thread_id) REFERENCES new_threads (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, thread_id, message_id) REFERENCES new_messages (user_id, thread_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, memory_id) REFERENCES new_memories (user_id, id) ON DELETE CASCADE
) STRICT;
INSERT INTO new_approvals SELECT t.user_id, a.thread_id, a.seq,
    a.execution_id, a.batch_id, a.message_id, a.memory_id, a.request, a.status
    FROM approvals a JOIN threads t ON t.id = a.thread_id;

CREATE TABLE new_uploads (
    user_id    TEXT    NOT NULL,
    id         TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    media_type TEXT    NOT NULL,
    size       INTEGER NOT NULL,
    stored_at  TEXT    NOT NULL,
    PRIMARY KEY (user_id, id)
) STRICT;
INSERT INTO new_uploads SELECT user_id, id, name, media_type, size, stored_at FROM uploads;

CREATE TABLE new_thread_uploads (
    user_id   TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    upload_id TEXT NOT NULL,
    PRIMARY KEY (user_id, thread_id, upload_id),
    FOREIGN KEY (user_id, thread_id) REFERENCES new_threads (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, upload_id) REFERENCES new_uploads (user_id, id) ON DELETE CASCADE
) STRICT;
INSERT INTO new_thread_uploads SELECT t.user_id, u.thread_id, u.upload_id
    FROM thread_uploads u JOIN threads t ON t.id = u.thread_id;

CREATE TABLE new_message_uploads (
    user_id    TEXT    NOT NULL,
    thread_id  TEXT    NOT NULL,
    message_id TEXT    NOT NULL,
    ordinal    INTEGER NOT NULL,
    upload_id  TEXT    NOT NULL,
    is_image   INTEGER NOT NULL,
    PRIMARY KEY (user_id, thread_id, message_id, ordinal),
    UNIQUE (user_id, thread_id, message_id, upload_id),
    FOREIGN KEY (user_id, thread_id, message_id) REFERENCES new_messages (user_id, thread_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, upload_id) REFERENCES new_uploads (user_id, id) ON DELETE CASCADE
) STRICT;
INSERT INTO new_message_uploads SELECT t.user_id, m.thread_id, u.message_id,
    u.seq, u.upload_id, u.is_image
    FROM message_uploads u JOIN messages m ON m.id = u.message_id JOIN threads t ON t.id = m.thread_id;

CREATE TABLE new_tool_images (
    user_id    TEXT    NOT NULL,
    thread_id  TEXT    NOT NULL,
    ordinal    INTEGER NOT NULL,
    upload_id  TEXT    NOT NULL,
    tool       TEXT    NOT NULL,
    message_id TEXT,
    PRIMARY KEY (user_id, thread_id, ordinal),
    UNIQUE (user_id, upload_id),
    FOREIGN KEY (user_id, thread_id) REFERENCES new_threads (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, upload_id) REFERENCES new_uploads (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, thread_id, message_id) REFERENCES new_messages (user_id, thread_id, id) ON DELETE CASCADE
) STRICT;
INSERT INTO new_tool_images SELECT t.user_id, i.thread_id, i.seq,
    i.upload_id, i.tool, i.message_id FROM tool_images i JOIN threads t ON t.id = i.thread_id;

CREATE TABLE new_transcript_items (
    user_id   TEXT    NOT NULL,
    thread_id TEXT    NOT NULL,
    ordinal   INTEGER NOT NULL,
    run       TEXT    NOT NULL DEFAULT '',
    body      TEXT    NOT NULL,
    PRIMARY KEY (user_id, thread_id, ordinal),
    FOREIGN KEY (user_id, thread_id) REFERENCES new_threads (user_id, id) ON DELETE CASCADE
) STRICT;
INSERT INTO new_transcript_items SELECT user_id, thread_id, ordinal, run, body FROM transcript_items;

CREATE TABLE new_tool_calls (
    user_id    TEXT    NOT NULL,
    id         TEXT    NOT NULL,
    thread_id  TEXT    NOT NULL,
    agent_id   TEXT    NOT NULL DEFAULT '',
    tool       TEXT    NOT NULL,
    arguments  TEXT    NOT NULL,
    definition TEXT    NOT NULL DEFAULT '',
    effect     TEXT    NOT NULL DEFAULT 'write' CHECK (effect IN ('read', 'idempotent', 'write')),
    state      TEXT    NOT NULL CHECK (state IN ('allowed', 'asked', 'approved', 'denied', 'running', 'succeeded',
                                                 'failed', 'unknown', 'refused', 'skipped')),
    attempts   INTEGER NOT NULL DEFAULT 0,
    started_at TEXT,
    ended_at   TEXT,
    grant_id   TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, thread_id) REFERENCES new_threads (user_id, id) ON DELETE CASCADE
) STRICT;
INSERT INTO new_tool_calls SELECT user_id, id, thread_id, agent_id, tool, arguments, definition, effect, state,
    attempts, started_at, ended_at, grant_id FROM tool_calls;

CREATE TABLE new_retrievals (
    user_id   TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    query_key TEXT NOT NULL,
    revision  TEXT NOT NULL,
    found     TEXT NOT NULL,
    PRIMARY KEY (user_id, thread_id, query_key),
    FOREIGN KEY (user_id, thread_id) REFERENCES new_threads (user_id, id) ON DELETE CASCADE
) STRICT;
INSERT INTO new_retrievals SELECT user_id, thread_id, query_key, revision, found FROM retrievals;

DROP TABLE retrievals;
DROP TABLE tool_calls;
DROP TABLE transcript_items;
DROP TABLE tool_images;
DROP TABLE message_uploads;
DROP TABLE thread_uploads;
DROP TABLE uploads;
DROP TABLE approvals;
DROP TABLE memories;
DROP TABLE draft_pieces;
DROP TABLE answers_in_progress;
DROP TABLE messages;
DROP TABLE threads;

-- Renaming changes the references of the others, too.
ALTER TABLE new_threads RENAME TO threads;
ALTER TABLE new_messages RENAME TO messages;
ALTER TABLE new_answers_in_progress RENAME TO answers_in_progress;
ALTER TABLE new_draft_pieces RENAME TO draft_pieces;
ALTER TABLE new_memories RENAME TO memories;
ALTER TABLE new_approvals RENAME TO approvals;
ALTER TABLE new_uploads RENAME TO uploads;
ALTER TABLE new_thread_uploads RENAME TO thread_uploads;
ALTER TABLE new_message_uploads RENAME TO message_uploads;
ALTER TABLE new_tool_images RENAME TO tool_images;
ALTER TABLE new_transcript_items RENAME TO transcript_items;
ALTER TABLE new_tool_calls RENAME TO tool_calls;
ALTER TABLE new_retrievals RENAME TO retrievals;

CREATE INDEX threads_by_time ON threads (user_id, agent_id, last_message_time, ordinal);
CREATE INDEX approvals_of_message ON approvals (user_id, thread_id, message_id);
CREATE INDEX approvals_of_batch ON approvals (user_id, thread_id, batch_id);
CREATE INDEX approvals_pending ON approvals (user_id, thread_id) WHERE status = 'PENDING_HUMAN_APPROVAL';
CREATE INDEX approvals_of_memory ON approvals (user_id, memory_id);
CREATE INDEX memories_of_thread ON memories (user_id, thread_id);
CREATE INDEX threads_of_upload ON thread_uploads (user_id, upload_id);
CREATE INDEX messages_of_upload ON message_uploads (user_id, upload_id);
CREATE INDEX tool_images_of_message ON tool_images (user_id, thread_id, message_id);
CREATE INDEX tool_calls_of_thread ON tool_calls (user_id, thread_id, state);
