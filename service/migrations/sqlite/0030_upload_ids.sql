-- Files at their place are looked up by their ids alone.
CREATE INDEX uploads_by_id ON uploads (id);
