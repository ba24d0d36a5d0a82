-- The sentences of the service in a text, as JSON (extension `words`); NULL: there are none.
ALTER TABLE messages ADD COLUMN words TEXT;
ALTER TABLE draft_pieces ADD COLUMN words TEXT;
