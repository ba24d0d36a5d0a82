-- A row for each batch that waits for a decision and of which a webhook is to be told; it goes once that is done.
CREATE TABLE notices (
    user_id   TEXT    NOT NULL,
    thread_id TEXT    NOT NULL,
    batch_id  TEXT    NOT NULL,
    -- The number of the batch's first request in its thread: they are told in this order.
    number    INTEGER NOT NULL,
    -- The id of the message, the same at each attempt.
    id        TEXT    NOT NULL,
    -- The time from which on somebody may send it, in milliseconds of the database's clock.
    due_ms    INTEGER NOT NULL,
    attempts  INTEGER NOT NULL DEFAULT 0,
    -- The time of the first attempt; 0 before it.
    since_ms  INTEGER NOT NULL DEFAULT 0,
    -- 1 for the reminder before the end of the request, once the first message is sent.
    reminds   INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, thread_id, batch_id),
    FOREIGN KEY (user_id, thread_id) REFERENCES threads (user_id, id) ON DELETE CASCADE
);
CREATE INDEX notices_due ON notices (due_ms);
