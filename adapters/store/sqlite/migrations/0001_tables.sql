-- What is left of tables when a process ends.
--
-- The table's id leads the key of every row that an ordinary command writes, so that all of one
-- table lies together; directories (place, sit, record, loose_step) have keys of their own. Ids are
-- compared byte by byte. Times are store time in milliseconds; -1 is never. Keys and hashes are
-- unsigned numbers of 64 bits, kept as signed ones.

CREATE TABLE store (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    secret BLOB NOT NULL, -- keys hashes; the same for ever
    now_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE game (
    table_id TEXT NOT NULL PRIMARY KEY,
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
    )
) STRICT, WITHOUT ROWID;
CREATE INDEX game_look ON game (look_ms) WHERE look_ms IS NOT NULL;
CREATE INDEX game_opener ON game (opener_network, opener);
CREATE INDEX game_community ON game (community);
CREATE INDEX game_rested ON game (rested) WHERE rested IS NOT NULL;

-- The table at its version, and at the earlier one.
CREATE TABLE snapshot (
    table_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (table_id, version)
) STRICT, WITHOUT ROWID;

-- Steps that were committed, and events dealt with in them.
CREATE TABLE step (
    table_id TEXT NOT NULL,
    version INTEGER NOT NULL, -- that it made
    epoch INTEGER NOT NULL,
    number INTEGER NOT NULL,
    event INTEGER, -- its hash
    ms INTEGER NOT NULL,
    PRIMARY KEY (table_id, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE journal (
    table_id TEXT NOT NULL,
    piece INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (table_id, piece)
) STRICT, WITHOUT ROWID;

-- The latest, for the log.
CREATE TABLE narration (
    table_id TEXT NOT NULL,
    line INTEGER NOT NULL,
    words TEXT NOT NULL,
    PRIMARY KEY (table_id, line)
) STRICT, WITHOUT ROWID;

-- Messages whose outcome is not known, in their order.
CREATE TABLE message (
    table_id TEXT NOT NULL,
    line INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    number INTEGER NOT NULL,
    board INTEGER NOT NULL,
    reader TEXT,
    bytes BLOB NOT NULL,
    PRIMARY KEY (table_id, line)
) STRICT, WITHOUT ROWID;

-- Where boards are shown.
CREATE TABLE board (
    table_id TEXT NOT NULL,
    board INTEGER NOT NULL,
    reader TEXT NOT NULL,
    message_id TEXT NOT NULL,
    PRIMARY KEY (table_id, board)
) STRICT, WITHOUT ROWID;

-- Which table lies at a place; the smallest id is where it has been for longest.
CREATE TABLE place (
    id INTEGER PRIMARY KEY,
    network TEXT NOT NULL,
    place TEXT NOT NULL,
    table_id TEXT NOT NULL,
    name TEXT NOT NULL,
    community TEXT NOT NULL,
    UNIQUE (network, place)
) STRICT;
CREATE INDEX place_table ON place (table_id);

-- Who sits where; the smallest id has sat for longest.
CREATE TABLE sit (
    id INTEGER PRIMARY KEY,
    network TEXT NOT NULL,
    person TEXT NOT NULL,
    table_id TEXT NOT NULL,
    chosen INTEGER NOT NULL, -- among several
    UNIQUE (network, person, table_id)
) STRICT;
CREATE INDEX sit_table ON sit (table_id);

-- How people played; the smallest id of a community was silent for longest.
CREATE TABLE record (
    id INTEGER PRIMARY KEY,
    community TEXT NOT NULL,
    network TEXT NOT NULL,
    person TEXT NOT NULL,
    games INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    kills INTEGER NOT NULL,
    deaths INTEGER NOT NULL,
    UNIQUE (community, network, person)
) STRICT;
CREATE INDEX record_community ON record (community);

CREATE TABLE community (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

-- Steps of tables that are gone, and of none.
CREATE TABLE loose_step (
    epoch INTEGER NOT NULL,
    number INTEGER NOT NULL,
    ms INTEGER NOT NULL,
    PRIMARY KEY (epoch, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX loose_step_ms ON loose_step (ms);

-- What adapters keep; the greatest id was kept last.
CREATE TABLE kept (
    id INTEGER PRIMARY KEY,
    word TEXT NOT NULL UNIQUE,
    bytes BLOB NOT NULL
) STRICT;
