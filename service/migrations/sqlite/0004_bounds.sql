-- Bytes of text that are stored in a thread: messages, and what was asked in it.
ALTER TABLE threads ADD COLUMN stored_bytes INTEGER NOT NULL DEFAULT 0;
UPDATE threads SET stored_bytes =
    (SELECT COALESCE(SUM(OCTET_LENGTH(content)), 0) FROM messages WHERE thread_id = threads.id)
    + (SELECT COALESCE(SUM(OCTET_LENGTH(request)), 0) FROM approvals WHERE thread_id = threads.id)
    + (SELECT COALESCE(SUM(OCTET_LENGTH(body) + OCTET_LENGTH(feedback)), 0) FROM memories WHERE thread_id = threads.id);

-- An answer is compared with what was asked in its own batches, and a message waits for pending approvals: neither reads
-- all approvals of a long thread.
ALTER TABLE approvals ADD COLUMN batch_id TEXT NOT NULL DEFAULT '';
UPDATE approvals SET batch_id = COALESCE(json_extract(request, '$.toolExecutionBatchId'), '');
CREATE INDEX approvals_of_batch ON approvals (thread_id, batch_id);
CREATE INDEX approvals_pending ON approvals (thread_id) WHERE status = 'PENDING_HUMAN_APPROVAL';
CREATE INDEX approvals_of_memory ON approvals (memory_id, seq);
CREATE INDEX memories_of_thread ON memories (thread_id);

-- One row, written to see whether anything can be written.
CREATE TABLE readiness (
    id         TEXT NOT NULL PRIMARY KEY,
    checked_at TEXT NOT NULL
) STRICT;
