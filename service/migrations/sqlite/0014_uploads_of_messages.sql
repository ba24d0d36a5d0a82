-- The files that a message came with, in their order. Messages of older services have no rows here.
CREATE TABLE message_uploads (
    seq        INTEGER PRIMARY KEY,
    message_id TEXT    NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    upload_id  TEXT    NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
    -- 1 if the message named it as an image, 0 if as a document.
    is_image   INTEGER NOT NULL,
    UNIQUE (message_id, upload_id)
) STRICT;
CREATE INDEX messages_of_upload ON message_uploads (upload_id);
