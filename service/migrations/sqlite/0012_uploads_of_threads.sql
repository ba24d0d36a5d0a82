-- The files that the messages of a thread name: one that no other thread names goes with its thread. Messages of older
-- services named theirs without a row here, and their files stay.
CREATE TABLE thread_uploads (
    thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    upload_id TEXT NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
    PRIMARY KEY (thread_id, upload_id)
);
CREATE INDEX threads_of_upload ON thread_uploads (upload_id);
