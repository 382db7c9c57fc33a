-- Tables lie in the order they were opened in, not in that of their ids, which are random: those
-- that are played at are seldom the oldest, so their rows share pages, however many are stored. A
-- command writes its table's row and no index that leads with the id.

CREATE TABLE game_in_order (
    id INTEGER PRIMARY KEY, -- the smallest was opened first
    table_id TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    earlier INTEGER, -- the version that undo goes back to
    opener_network TEXT NOT NULL, -- whose share it takes
    opener TEXT NOT NULL,
    community TEXT NOT NULL,
    rested INTEGER, -- nobody plays there: the smallest has been left alone for longest
    since_ms INTEGER NOT NULL, -- since when its time runs
    due_ms INTEGER NOT NULL, -- what was left then until something falls due
    until_ms INTEGER NOT NULL, -- when it is looked at whatever its time
    look_ms INTEGER AS (
        CASE
            WHEN since_ms < 0 OR due_ms < 0 THEN nullif(until_ms, -1)
            WHEN until_ms < 0 THEN since_ms + due_ms
            ELSE min(since_ms + due_ms, until_ms)
        END
    ),
    marked_by INTEGER NOT NULL DEFAULT 0, -- who sends what it says, and until when ...
    marked_ms INTEGER NOT NULL DEFAULT -1 -- ... one sees to what is due there
) STRICT;

-- When those of an older store were opened is not known; what is played at comes last.
INSERT INTO game_in_order (table_id, version, earlier, opener_network, opener, community, rested,
    since_ms, due_ms, until_ms, marked_by, marked_ms)
    SELECT table_id, version, earlier, opener_network, opener, community, rested,
    since_ms, due_ms, until_ms, marked_by, marked_ms FROM game
    ORDER BY rested IS NULL, rested, table_id;

CREATE TABLE snapshot_in_order (
    id INTEGER NOT NULL, -- the game's
    version INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (id, version)
) STRICT, WITHOUT ROWID;

INSERT INTO snapshot_in_order
    SELECT game_in_order.id, snapshot.version, bytes FROM snapshot
    JOIN game_in_order USING (table_id) ORDER BY 1, 2;

DROP TABLE snapshot;

ALTER TABLE snapshot_in_order RENAME TO snapshot;

DROP TABLE game;

ALTER TABLE game_in_order RENAME TO game;

CREATE INDEX game_look ON game (look_ms) WHERE look_ms IS NOT NULL;
CREATE INDEX game_opener ON game (opener_network, opener);
CREATE INDEX game_community ON game (community);
CREATE INDEX game_rested ON game (rested) WHERE rested IS NOT NULL;
