-- Files that a user sent, beside the database under the same id. The name is the user's own and never a path.
CREATE TABLE uploads (
    id         TEXT    NOT NULL PRIMARY KEY,
    user_id    TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    media_type TEXT    NOT NULL,
    size       INTEGER NOT NULL,
    stored_at  TEXT    NOT NULL
) STRICT;
