-- The tables of the service, as the last migration of SQLite leaves them. Numbers are BIGINT, and what is compared or
-- ordered as text is so by its bytes, whatever the database's own collation is. What belongs to a user has a key that
-- begins with the user, so that a database of several servers can keep it together; ordinals count within a thread.

CREATE TABLE threads (
    user_id           TEXT    NOT NULL,
    id                TEXT    NOT NULL,
    agent_id          TEXT    NOT NULL,
    agent_name        TEXT    NOT NULL,
    agent_handle      TEXT    NOT NULL,
    build_id          TEXT    NOT NULL,
    name              TEXT    NOT NULL,
    -- The source of the name: 0 nothing yet, 2 the first message, 1 a person or a model.
    named             BIGINT  NOT NULL DEFAULT 0,
    -- Orders what has the same time.
    ordinal           BIGINT  NOT NULL,
    last_message_time TEXT COLLATE "C" NOT NULL,
    stored_bytes      BIGINT  NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, ordinal)
);
CREATE INDEX threads_by_time ON threads (user_id, agent_id, last_message_time, ordinal);

CREATE TABLE messages (
    user_id   TEXT    NOT NULL,
    thread_id TEXT    NOT NULL,
    ordinal   BIGINT  NOT NULL,
    id        TEXT    NOT NULL,
    role      TEXT    NOT NULL CHECK (role IN ('user', 'assistant')),
    handle    TEXT,
    content   TEXT    NOT NULL,
    words     TEXT,
    timestamp TEXT    NOT NULL,
    PRIMARY KEY (user_id, thread_id, ordinal),
    UNIQUE (user_id, thread_id, id),
    FOREIGN KEY (user_id, thread_id) REFERENCES threads (user_id, id) ON DELETE CASCADE
);

-- The answer being written in a thread: at most one. What is left here at start-up was cut off by a crash.
CREATE TABLE answers_in_progress (
    user_id      TEXT    NOT NULL,
    thread_id    TEXT    NOT NULL,
    request_id   TEXT    NOT NULL,
    handle       TEXT    NOT NULL,
    segments     BIGINT  NOT NULL DEFAULT 0,
    input        TEXT    NOT NULL DEFAULT '',
    items_before BIGINT  NOT NULL DEFAULT 0,
    resumed      BIGINT  NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, thread_id),
    FOREIGN KEY (user_id, thread_id) REFERENCES threads (user_id, id) ON DELETE CASCADE
);

CREATE TABLE draft_pieces (
    user_id   TEXT    NOT NULL,
    thread_id TEXT    NOT NULL,
    ordinal   BIGINT  NOT NULL,
    handle    TEXT    NOT NULL,
    text      TEXT    NOT NULL,
    words     TEXT,
    PRIMARY KEY (user_id, thread_id, ordinal),
    FOREIGN KEY (user_id, thread_id) REFERENCES answers_in_progress (user_id, thread_id) ON DELETE CASCADE
);

CREATE TABLE memories (
    user_id   TEXT NOT NULL,
    id        TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    body      TEXT NOT NULL,
    feedback  TEXT NOT NULL DEFAULT '{}',
    asked_in  TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, thread_id) REFERENCES threads (user_id, id) ON DELETE CASCADE
);
CREATE INDEX memories_of_thread ON memories (user_id, thread_id);

CREATE TABLE approvals (
    user_id      TEXT    NOT NULL,
    thread_id    TEXT    NOT NULL,
    ordinal      BIGINT  NOT NULL,
    execution_id TEXT    NOT NULL,
    batch_id     TEXT    NOT NULL DEFAULT '',
    message_id   TEXT    NOT NULL,
    memory_id    TEXT    NOT NULL,
    request      TEXT    NOT NULL,
    status       TEXT    NOT NULL DEFAULT 'PENDING_HUMAN_APPROVAL'
                 CHECK (status IN ('PENDING_HUMAN_APPROVAL', 'APPROVED', 'DENIED', 'ABORTED_WITH_FEEDBACK')),
    PRIMARY KEY (user_id, thread_id, ordinal),
    UNIQUE (user_id, execution_id),
    FOREIGN KEY (user_id, thread_id) REFERENCES threads (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, thread_id, message_id) REFERENCES messages (user_id, thread_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, memory_id) REFERENCES memories (user_id, id) ON DELETE CASCADE
);
CREATE INDEX approvals_of_message ON approvals (user_id, thread_id, message_id);
CREATE INDEX approvals_of_batch ON approvals (user_id, thread_id, batch_id);
CREATE INDEX approvals_pending ON approvals (user_id, thread_id) WHERE status = 'PENDING_HUMAN_APPROVAL';
CREATE INDEX approvals_of_memory ON approvals (user_id, memory_id);

CREATE TABLE uploads (
    user_id    TEXT    NOT NULL,
    id         TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    media_type TEXT    NOT NULL,
    size       BIGINT  NOT NULL,
    stored_at  TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (user_id, id)
);

-- One row, written to see whether anything can be written.
CREATE TABLE readiness (
    id         TEXT PRIMARY KEY,
    checked_at TEXT NOT NULL
);

CREATE TABLE transcript_items (
    user_id   TEXT    NOT NULL,
    thread_id TEXT    NOT NULL,
    ordinal   BIGINT  NOT NULL,
    run       TEXT    NOT NULL DEFAULT '',
    body      TEXT    NOT NULL,
    PRIMARY KEY (user_id, thread_id, ordinal),
    FOREIGN KEY (user_id, thread_id) REFERENCES threads (user_id, id) ON DELETE CASCADE
);

-- Calls of tools. A row is committed before its tool runs, so that no tool runs twice.
CREATE TABLE tool_calls (
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
    attempts   BIGINT  NOT NULL DEFAULT 0,
    started_at TEXT,
    ended_at   TEXT,
    grant_id   TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, thread_id) REFERENCES threads (user_id, id) ON DELETE CASCADE
);
CREATE INDEX tool_calls_of_thread ON tool_calls (user_id, thread_id, state);

CREATE TABLE knowledge_sources (
    agent_id   TEXT NOT NULL,
    source     TEXT NOT NULL,
    revision   TEXT NOT NULL,
    vectors_of TEXT,
    PRIMARY KEY (agent_id, source)
);
CREATE TABLE knowledge_pieces (
    agent_id TEXT   NOT NULL,
    source   TEXT   NOT NULL,
    ordinal  BIGINT NOT NULL,
    file     TEXT   NOT NULL,
    heading  TEXT   NOT NULL,
    body     TEXT   NOT NULL,
    vector   TEXT,
    PRIMARY KEY (agent_id, source, ordinal)
);

CREATE TABLE retrievals (
    user_id   TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    query_key TEXT NOT NULL,
    revision  TEXT NOT NULL,
    found     TEXT NOT NULL,
    PRIMARY KEY (user_id, thread_id, query_key),
    FOREIGN KEY (user_id, thread_id) REFERENCES threads (user_id, id) ON DELETE CASCADE
);

-- What agents keep of a user beyond a thread.
CREATE TABLE user_memories (
    user_id  TEXT   NOT NULL,
    agent_id TEXT   NOT NULL,
    ordinal  BIGINT NOT NULL,
    body     TEXT   NOT NULL,
    kept_at  TEXT   NOT NULL,
    PRIMARY KEY (user_id, agent_id, ordinal)
);

-- Definitions of tools that were accepted, by a user or (user_id '') by the service when it first saw a server.
CREATE TABLE tool_definitions (
    user_id     TEXT NOT NULL,
    agent_id    TEXT NOT NULL,
    tool        TEXT NOT NULL,
    definition  TEXT NOT NULL,
    accepted_at TEXT COLLATE "C" NOT NULL,
    said        TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (user_id, agent_id, tool, definition)
);

CREATE TABLE grants (
    user_id    TEXT NOT NULL,
    id         TEXT NOT NULL,
    agent_id   TEXT NOT NULL,
    tool       TEXT NOT NULL,
    arguments  TEXT NOT NULL,
    definition TEXT NOT NULL,
    granted_at TEXT COLLATE "C" NOT NULL,
    revoked_at TEXT,
    PRIMARY KEY (user_id, id)
);

CREATE TABLE token_use (
    user_id TEXT   NOT NULL,
    day     TEXT COLLATE "C" NOT NULL,
    tokens  BIGINT NOT NULL,
    PRIMARY KEY (user_id, day)
);

-- The audit only grows, and no line goes away with its thread.
CREATE TABLE audit (
    ordinal BIGINT PRIMARY KEY,
    hash    TEXT   NOT NULL,
    line    TEXT   NOT NULL
);
CREATE FUNCTION audit_only_grows() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'the audit only grows'; END $$;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE OR DELETE ON audit
FOR EACH ROW EXECUTE FUNCTION audit_only_grows();
CREATE TRIGGER audit_is_not_emptied BEFORE TRUNCATE ON audit
FOR EACH STATEMENT EXECUTE FUNCTION audit_only_grows();

CREATE TABLE thread_uploads (
    user_id   TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    upload_id TEXT NOT NULL,
    PRIMARY KEY (user_id, thread_id, upload_id),
    FOREIGN KEY (user_id, thread_id) REFERENCES threads (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, upload_id) REFERENCES uploads (user_id, id) ON DELETE CASCADE
);
CREATE INDEX threads_of_upload ON thread_uploads (user_id, upload_id);

CREATE TABLE message_uploads (
    user_id    TEXT    NOT NULL,
    thread_id  TEXT    NOT NULL,
    message_id TEXT    NOT NULL,
    ordinal    BIGINT  NOT NULL,
    upload_id  TEXT    NOT NULL,
    is_image   BOOLEAN NOT NULL,
    PRIMARY KEY (user_id, thread_id, message_id, ordinal),
    UNIQUE (user_id, thread_id, message_id, upload_id),
    FOREIGN KEY (user_id, thread_id, message_id) REFERENCES messages (user_id, thread_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, upload_id) REFERENCES uploads (user_id, id) ON DELETE CASCADE
);
CREATE INDEX messages_of_upload ON message_uploads (user_id, upload_id);

CREATE TABLE tool_images (
    user_id    TEXT    NOT NULL,
    thread_id  TEXT    NOT NULL,
    ordinal    BIGINT  NOT NULL,
    upload_id  TEXT    NOT NULL,
    tool       TEXT    NOT NULL,
    message_id TEXT,
    PRIMARY KEY (user_id, thread_id, ordinal),
    UNIQUE (user_id, upload_id),
    FOREIGN KEY (user_id, thread_id) REFERENCES threads (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, upload_id) REFERENCES uploads (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, thread_id, message_id) REFERENCES messages (user_id, thread_id, id) ON DELETE CASCADE
);
CREATE INDEX tool_images_of_message ON tool_images (user_id, thread_id, message_id);

-- Texts to search: stems as SQLite's porter tokenizer makes them, without stop words. The words are folded before.
CREATE TEXT SEARCH DICTIONARY assent_porter (TEMPLATE = snowball, Language = porter);
CREATE TEXT SEARCH CONFIGURATION assent (COPY = simple);
ALTER TEXT SEARCH CONFIGURATION assent
    ALTER MAPPING FOR asciiword, word, hword, hword_part, hword_asciipart, asciihword WITH assent_porter;
CREATE TABLE full_text (
    shelf TEXT     NOT NULL,
    place BIGINT   NOT NULL,
    words TSVECTOR NOT NULL,
    PRIMARY KEY (shelf, place)
);
