-- The arguments that a person approved in place of `arguments`, as one compact JSON object.
ALTER TABLE tool_calls ADD COLUMN edited_arguments TEXT;
