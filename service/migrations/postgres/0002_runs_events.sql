-- A run is the writing of one answer; its events stay for a while after its end, so that a reader whose connection broke
-- can go on. Runs replace the answers in progress, and events the pieces of drafts.
CREATE TABLE runs (
    user_id      TEXT    NOT NULL,
    -- That of the request that is answered.
    id           TEXT    NOT NULL,
    thread_id    TEXT    NOT NULL,
    handle       TEXT    NOT NULL,
    segments     BIGINT NOT NULL DEFAULT 0,
    input        TEXT    NOT NULL DEFAULT '',
    items_before BIGINT NOT NULL DEFAULT 0,
    resumed      BIGINT NOT NULL DEFAULT 0,
    -- The number of the first event that the log has.
    first_event  BIGINT NOT NULL DEFAULT 1,
    -- The number of the last event whose text is among the messages.
    stored_event BIGINT NOT NULL DEFAULT 0,
    -- The key that the client gave to the post, with a hash of the body.
    post_key     TEXT,
    post_fingerprint TEXT,
    ended_at     TEXT COLLATE "C",
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, thread_id) REFERENCES threads (user_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX runs_running ON runs (user_id, thread_id) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX runs_of_key ON runs (user_id, thread_id, post_key) WHERE post_key IS NOT NULL;
CREATE INDEX runs_of_thread ON runs (user_id, thread_id);
CREATE INDEX runs_ended ON runs (ended_at) WHERE ended_at IS NOT NULL;
-- Those whose events were not removed yet.
CREATE INDEX runs_with_log ON runs (ended_at) WHERE first_event < stored_event + 2;

-- A row has the events that one run logged together, as a JSON array; they are numbered from `first` to `last`.
CREATE TABLE events (
    user_id TEXT    NOT NULL,
    run_id  TEXT    NOT NULL,
    first   BIGINT NOT NULL,
    last    BIGINT NOT NULL,
    body    TEXT    NOT NULL,
    PRIMARY KEY (user_id, run_id, last)
);

INSERT INTO runs (user_id, id, thread_id, handle, segments, input, items_before, resumed)
SELECT user_id, request_id, thread_id, handle, segments, input, items_before, resumed FROM answers_in_progress;
-- The pieces of a thread, numbered from 1; of a colleague only the handle is known.
INSERT INTO events (user_id, run_id, first, last, body)
SELECT d.user_id, a.request_id, d.number, d.number, CAST(json_build_array(json_build_object(
    'type', 'AGENT_RESPONSE_CHUNK', 'content', d.text, 'words', CAST(COALESCE(d.words, '[]') AS json),
    'agent', CASE WHEN d.handle <> a.handle
             THEN json_build_object('name', d.handle, 'id', '', 'buildType', '', 'handle', d.handle) END,
    'timestamp', '')) AS TEXT)
FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY user_id, thread_id ORDER BY ordinal) AS number FROM draft_pieces) d
JOIN answers_in_progress a ON a.user_id = d.user_id AND a.thread_id = d.thread_id;
DROP TABLE draft_pieces;
DROP TABLE answers_in_progress;
