-- What is left of tables when a process ends.
--
-- The table's id leads the key of most rows that an ordinary command writes, so that all of one
-- table lies together; directories (place, sit, record, loose_step) have keys of their own. Ids are
-- compared byte by byte. Times are store time in milliseconds; -1 is never. Keys and hashes are
-- unsigned numbers of 64 bits, kept as signed ones.

CREATE TABLE store (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    secret BLOB NOT NULL, -- keys hashes; the same for ever
    now_ms INTEGER NOT NULL
) STRICT;

-- Tables lie in the order they were opened in, not in that of their ids, which are random: those
-- that are played at are seldom the oldest, so their rows share pages, however many are stored. A
-- command writes its table's row and no index that leads with the id.
CREATE TABLE game (
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
CREATE INDEX game_look ON game (look_ms) WHERE look_ms IS NOT NULL;
CREATE INDEX game_opener ON game (opener_network, opener);
CREATE INDEX game_community ON game (community);
CREATE INDEX game_rested ON game (rested) WHERE rested IS NOT NULL;

-- The table at its version, and at the earlier one.
CREATE TABLE snapshot (
    id INTEGER NOT NULL, -- the game's
    version INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (id, version)
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
-- Whether an event was dealt with is one row to look up, however many there were in the last hour.
-- The time is in the index because SQLite else prefers to go through the table's steps.
CREATE INDEX step_event ON step (table_id, event, ms) WHERE event IS NOT NULL;

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
    said INTEGER, -- the line of the narration that it tells: its words are kept once
    answers INTEGER NOT NULL DEFAULT 0, -- of an answer: the process that heard the line, or 0
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

-- What is left of tables that are gone: with their last version and their journal, and the card
-- files that tables play with.

-- The smallest id was put away first.
CREATE TABLE archive (
    id INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL UNIQUE,
    community TEXT NOT NULL,
    bytes BLOB NOT NULL, -- the last version
    pieces BLOB NOT NULL -- of the journal, packed
) STRICT;
CREATE INDEX archive_community ON archive (community);

CREATE TABLE card_file (
    word TEXT PRIMARY KEY,
    bytes BLOB NOT NULL
) STRICT;

-- Who plays with them, also in the archive.
CREATE TABLE card_use (
    table_id TEXT NOT NULL,
    word TEXT NOT NULL,
    PRIMARY KEY (table_id, word)
) STRICT, WITHOUT ROWID;
CREATE INDEX card_use_word ON card_use (word);

-- Networks and communities that cannot be heard: their tables' time stands.

-- Since when; community '' is the whole network.
CREATE TABLE away (
    community TEXT NOT NULL,
    network TEXT NOT NULL,
    ms INTEGER NOT NULL,
    PRIMARY KEY (community, network)
) STRICT, WITHOUT ROWID;

-- Processes that have a network.
CREATE TABLE present (
    network TEXT NOT NULL,
    process INTEGER NOT NULL,
    PRIMARY KEY (network, process)
) STRICT, WITHOUT ROWID;
