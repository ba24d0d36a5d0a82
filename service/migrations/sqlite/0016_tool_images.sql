-- The images that tools made, in their order: files of the thread's user, which go with the thread.
CREATE TABLE tool_images (
    seq        INTEGER PRIMARY KEY,
    thread_id  TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    upload_id  TEXT NOT NULL UNIQUE REFERENCES uploads (id) ON DELETE CASCADE,
    tool       TEXT NOT NULL,
    -- NULL until a part of the answer is stored in which the tool ran.
    message_id TEXT REFERENCES messages (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX tool_images_of_thread ON tool_images (thread_id) WHERE message_id IS NULL;
CREATE INDEX tool_images_of_message ON tool_images (message_id);
