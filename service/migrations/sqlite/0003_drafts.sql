-- What was said of an answer and is not stored as a message yet, piece by piece: writing a long draft anew for each of
-- its pieces would cost more and more.
CREATE TABLE draft_pieces (
    seq       INTEGER PRIMARY KEY AUTOINCREMENT,
    thread_id TEXT    NOT NULL REFERENCES answers_in_progress (thread_id) ON DELETE CASCADE,
    handle    TEXT    NOT NULL,
    text      TEXT    NOT NULL
) STRICT;
CREATE INDEX draft_pieces_of_thread ON draft_pieces (thread_id, seq);

INSERT INTO draft_pieces (thread_id, handle, text)
SELECT thread_id, handle, draft FROM answers_in_progress WHERE draft <> '';
ALTER TABLE answers_in_progress DROP COLUMN draft;
-- How many segments of the answer are stored: pieces of these come too late.
ALTER TABLE answers_in_progress ADD COLUMN segments INTEGER NOT NULL DEFAULT 0;
