-- The files of a user are counted before another one is taken.
CREATE INDEX uploads_of_user ON uploads (user_id);
