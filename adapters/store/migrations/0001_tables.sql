-- What is left of tables when a process ends. One text for both engines: embed.cmake puts in the
-- words between @, which CMakeLists.txt has for each.
--
-- The table's id leads the key of every row that an ordinary command writes, so that all of one
-- table lies together; directories (place, sit, record, community, loose_step,
-- kept) have keys of their own. Ids are compared byte by byte. Times are store time in
-- milliseconds; -1 is never. Keys and hashes are unsigned numbers of 64 bits, kept as signed ones.

CREATE TABLE store (
    id @NUMBER@ PRIMARY KEY CHECK (id = 1),
    secret @BYTES@ NOT NULL, -- keys hashes; the same for ever
    now_ms @NUMBER@ NOT NULL
)@ROWS@;

-- In SQLite tables lie in the order they were opened in, not in that of their ids, which are
-- random: those that are played at are seldom the oldest, so their rows share pages.
CREATE TABLE game (
    table_id @ID@ NOT NULL @KEY@,
    version @NUMBER@ NOT NULL,
    earlier @NUMBER@, -- the version that undo goes back to
    opener_network @ID@ NOT NULL, -- whose share it takes
    opener @ID@ NOT NULL,
    community @ID@ NOT NULL,
    rested @NUMBER@, -- nobody plays there: the smallest has been left alone for longest; 0: it goes in this step
    since_ms @NUMBER@ NOT NULL, -- since when its time runs
    due_ms @NUMBER@ NOT NULL, -- what was left then until something falls due
    until_ms @NUMBER@ NOT NULL, -- when it is looked at whatever its time
    look_ms @NUMBER@ GENERATED ALWAYS AS (
        CASE
            WHEN since_ms < 0 OR due_ms < 0 THEN nullif(until_ms, -1)
            WHEN until_ms >= 0 AND until_ms < since_ms + due_ms THEN until_ms
            ELSE since_ms + due_ms
        END
    ) STORED,
    marked_by @NUMBER@ NOT NULL DEFAULT 0, -- the process that sends what it says, and until when ...
    marked_ms @NUMBER@ NOT NULL DEFAULT -1, -- ... that one sees to what is due there
    bytes @BYTES@ NOT NULL, -- the table at its version ...
    earlier_bytes @BYTES@ -- ... and at the earlier one
)@ROWS@;
CREATE INDEX game_look ON game (look_ms) WHERE look_ms IS NOT NULL;
CREATE INDEX game_opener ON game (opener_network, opener);
CREATE INDEX game_community ON game (community);
CREATE INDEX game_rested ON game (rested) WHERE rested IS NOT NULL;

-- Steps that were committed, and events dealt with in them.
CREATE TABLE step (
    table_id @ID@ NOT NULL,
    version @NUMBER@ NOT NULL, -- that it made
    epoch @NUMBER@ NOT NULL,
    number @NUMBER@ NOT NULL,
    event @NUMBER@, -- its hash
    ms @NUMBER@ NOT NULL,
    PRIMARY KEY (table_id, version)
)@KEYED@;
-- Whether an event was dealt with is one row to look up, however many there were in the last hour.
-- The time is in the index because SQLite else prefers to go through the table's steps.
CREATE INDEX step_event ON step (table_id, event, ms) WHERE event IS NOT NULL;

CREATE TABLE journal (
    table_id @ID@ NOT NULL,
    piece @NUMBER@ NOT NULL,
    bytes @BYTES@ NOT NULL,
    PRIMARY KEY (table_id, piece)
)@KEYED@;

-- The latest, for the log.
CREATE TABLE narration (
    table_id @ID@ NOT NULL,
    line @NUMBER@ NOT NULL,
    words @TEXT@ NOT NULL,
    PRIMARY KEY (table_id, line)
)@KEYED@;

-- Messages whose outcome is not known, in their order.
CREATE TABLE message (
    table_id @ID@ NOT NULL,
    line @NUMBER@ NOT NULL,
    epoch @NUMBER@ NOT NULL,
    number @NUMBER@ NOT NULL,
    board @NUMBER@ NOT NULL,
    reader @TEXT@,
    bytes @BYTES@ NOT NULL,
    said @NUMBER@, -- the line of the narration that it tells: its words are kept once
    answers @NUMBER@ NOT NULL DEFAULT 0, -- of an answer: the process that heard the line, or 0
    PRIMARY KEY (table_id, line)
)@KEYED@;

-- Where boards are shown.
CREATE TABLE board (
    table_id @ID@ NOT NULL,
    board @NUMBER@ NOT NULL,
    reader @TEXT@ NOT NULL,
    message_id @TEXT@ NOT NULL,
    PRIMARY KEY (table_id, board)
)@KEYED@;

-- Which table lies at a place; the smallest id is where it has been for longest.
CREATE TABLE place (
    id @TURN@,
    network @ID@ NOT NULL,
    place @ID@ NOT NULL,
    table_id @ID@ NOT NULL,
    name @TEXT@ NOT NULL,
    community @TEXT@ NOT NULL,
    @KEY@ (network, place)
)@ROWS@;
CREATE INDEX place_table ON place (table_id);

-- Who sits where; the smallest id has sat for longest.
CREATE TABLE sit (
    id @TURN@,
    network @ID@ NOT NULL,
    person @ID@ NOT NULL,
    table_id @ID@ NOT NULL,
    chosen @NUMBER@ NOT NULL, -- 1: among several
    @KEY@ (network, person, table_id)
)@ROWS@;
CREATE INDEX sit_table ON sit (table_id);

-- Communities with statistics; the smallest id is known for longest.
CREATE TABLE community (
    id @TURN@,
    name @ID@ NOT NULL @KEY@
)@ROWS@;
CREATE INDEX community_silent ON community (id);

-- How people played; the smallest id of a community was silent for longest.
CREATE TABLE record (
    id @TURN@,
    community @ID@ NOT NULL,
    network @ID@ NOT NULL,
    person @ID@ NOT NULL,
    games @NUMBER@ NOT NULL,
    wins @NUMBER@ NOT NULL,
    kills @NUMBER@ NOT NULL,
    deaths @NUMBER@ NOT NULL,
    @KEY@ (community, network, person)
)@ROWS@;
CREATE INDEX record_silent ON record (community, id);

-- Steps of tables that are gone, and of none.
CREATE TABLE loose_step (
    epoch @NUMBER@ NOT NULL,
    number @NUMBER@ NOT NULL,
    ms @NUMBER@ NOT NULL,
    PRIMARY KEY (epoch, number)
)@KEYED@;
CREATE INDEX loose_step_ms ON loose_step (ms);

-- What adapters keep; the greatest id was kept last.
CREATE TABLE kept (
    id @TURN@,
    word @ID@ NOT NULL @KEY@,
    bytes @BYTES@ NOT NULL
)@ROWS@;

-- What is left of tables that are gone: with their last version and their journal, and the card
-- files that tables play with.

-- The smallest id was put away first.
CREATE TABLE archive (
    id @TURN@,
    table_id @ID@ NOT NULL @KEY@,
    community @ID@ NOT NULL,
    bytes @BYTES@ NOT NULL, -- the last version
    pieces @PIECES@ NOT NULL -- of the journal, squeezed: parcel(), pieces_of()
)@ROWS@;
CREATE INDEX archive_community ON archive (community, id);

CREATE TABLE card_file (
    word @ID@ PRIMARY KEY,
    bytes @BYTES@ NOT NULL
)@ROWS@;

-- Who plays with them, also in the archive.
CREATE TABLE card_use (
    table_id @ID@ NOT NULL,
    word @ID@ NOT NULL,
    PRIMARY KEY (table_id, word)
)@KEYED@;
CREATE INDEX card_use_word ON card_use (word);

-- Networks and communities that cannot be heard: their tables' time stands.

-- Since when; community '' is the whole network.
CREATE TABLE away (
    community @ID@ NOT NULL,
    network @ID@ NOT NULL,
    ms @NUMBER@ NOT NULL,
    PRIMARY KEY (community, network)
)@KEYED@;

-- Processes that have a network.
CREATE TABLE present (
    network @ID@ NOT NULL,
    process @NUMBER@ NOT NULL,
    PRIMARY KEY (network, process)
)@KEYED@;
