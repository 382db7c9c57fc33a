-- Whether an event was dealt with is one row to look up, however many there were in the last hour.
-- The time is in the index because SQLite else prefers to go through the table's steps.
CREATE INDEX step_event ON step (table_id, event, ms) WHERE event IS NOT NULL;
