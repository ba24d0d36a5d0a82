-- Folders of knowledge, read into pieces. They belong to an agent and to no user.
CREATE TABLE knowledge_sources (
    agent_id   TEXT NOT NULL,
    source     TEXT NOT NULL,
    revision   TEXT NOT NULL,
    -- The model that made the vectors of all pieces; NULL until they are there.
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
    -- A JSON array of numbers.
    vector   TEXT,
    PRIMARY KEY (agent_id, source, ordinal)
);

-- What was searched in a thread and found, so that the same search is not made twice.
CREATE TABLE retrievals (
    user_id   TEXT NOT NULL,
    thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    query_key TEXT NOT NULL,
    revision  TEXT NOT NULL,
    -- A JSON array of ordinals of pieces.
    found     TEXT NOT NULL,
    PRIMARY KEY (user_id, thread_id, query_key)
);
CREATE INDEX retrievals_of_thread ON retrievals (thread_id);

-- What agents keep of a user beyond a thread.
CREATE TABLE user_memories (
    user_id  TEXT   NOT NULL,
    agent_id TEXT   NOT NULL,
    ordinal  BIGINT NOT NULL,
    body     TEXT   NOT NULL,
    kept_at  TEXT   NOT NULL,
    PRIMARY KEY (user_id, agent_id, ordinal)
);

-- The transcript of a colleague's run within a thread; '' is that of the thread's agent.
ALTER TABLE transcript_items ADD COLUMN run TEXT NOT NULL DEFAULT '';

-- The one table of this dialect: texts to search. `shelf` is one word that says whose text it is.
CREATE VIRTUAL TABLE full_text USING fts5 (
    shelf, place UNINDEXED, body, tokenize = 'porter unicode61 remove_diacritics 2'
);
-- What is deleted leaves no words behind.
INSERT INTO full_text (full_text, rank) VALUES ('secure-delete', 1);
