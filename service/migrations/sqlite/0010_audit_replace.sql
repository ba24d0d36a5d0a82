-- REPLACE removes a line without the triggers of a DELETE.
CREATE TRIGGER audit_is_not_replaced BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE ordinal = NEW.ordinal)
BEGIN SELECT RAISE(ABORT, 'the audit only grows'); END;
