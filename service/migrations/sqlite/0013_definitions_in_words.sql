-- What the server said of a tool whose definition was accepted, as a JSON array of pairs of names and texts; empty for
-- those that an older service accepted.
ALTER TABLE tool_definitions ADD COLUMN said TEXT NOT NULL DEFAULT '';
