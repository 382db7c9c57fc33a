-- Whether an event was dealt with is one row to look up, however many there were in the last hour.
CREATE INDEX step_event ON step (table_id, event) WHERE event IS NOT NULL;
