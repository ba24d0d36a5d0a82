-- The trace in which a question was asked, so that the decision, maybe days later, leads back to it.
ALTER TABLE memories ADD COLUMN asked_in TEXT NOT NULL DEFAULT '';
