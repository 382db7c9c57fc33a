// What a request asks of the database: its statements, in an order in which they can be checked.
//
// A step locks its table first, so what it finds afterwards stays so until it ends. Directories are
// written in the order of their keys, so that two steps never wait for each other; where they do by
// another way, one is tried again.
#include "adapters/store/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

/* Statements. */

#define BOTH(words)         {words, words}
#define EACH(server, words) {server, words}
#define SERVER(words)       {words, ""} // against others, of whom the one writer of a file knows none

#define NOW "(SELECT now_ms FROM store)"

// $1 table, $2 epoch, $3 number, $4 steps that are known again, $5 who asks
#define STEP                                                                                       \
    "(SELECT step.version, marked_by = $5::bigint AS held FROM game JOIN step USING (table_id)"    \
    " WHERE table_id = $1 AND step.version > game.version - $4::bigint"                            \
    " AND epoch = $2 AND number = $3"                                                              \
    " UNION ALL SELECT 0, false FROM loose_step WHERE epoch = $2 AND number = $3) AS known"

// Whether a game's table has something to say.
#define SPEAKS                                                                                     \
    "EXISTS (SELECT 1 FROM message WHERE message.table_id = game.table_id AND answers = 0)"

// Whether something that is away concerns a game's table.
#define CONCERNS(away)                                                                             \
    away ".community IN ('', game.community) AND EXISTS (SELECT 1 FROM place"                      \
         " WHERE place.table_id = game.table_id AND place.network = " away ".network)"
#define IS_DUE "look_ms <= $1 AND NOT EXISTS (SELECT 1 FROM away WHERE " CONCERNS("away") ")"

#define LAST_RESTED "(SELECT coalesce(max(rested), 0) FROM game WHERE rested > 0)"

// $1 the new table, $2 the one that gives way, $3 the share of `mine`. The oldest table at which
// nobody plays makes room where the share is used up: one at most, of the first such share.
#define ROOM(mine, lock)                                                                           \
    "UPDATE game SET rested = 0 WHERE table_id = (SELECT CASE WHEN"                                \
    " NOT EXISTS (SELECT 1 FROM game WHERE rested = 0 AND table_id IS DISTINCT FROM $2::text)"     \
    " AND (SELECT count(*) FROM game WHERE " mine ")"                                              \
    " - (SELECT count(*) FROM game WHERE rested = 0 AND " mine ") > $3::bigint"                    \
    " THEN coalesce((SELECT table_id FROM game WHERE rested > 0 AND table_id <> $1::text"          \
    " AND " mine " ORDER BY rested LIMIT 1" lock "), refuse('MB004', 'full')) END)"                \
    " RETURNING table_id"
#define ROOM_OF(mine) EACH(ROOM(mine, " FOR UPDATE SKIP LOCKED"), ROOM(mine, ""))

// Of more tables put away than there may be in a community ($1) the first.
#define OLD                                                                                        \
    "(SELECT archive.table_id FROM (SELECT community, (SELECT id FROM archive"                     \
    " WHERE archive.community = its.community ORDER BY id DESC LIMIT 1 OFFSET $1) AS last"         \
    " FROM (SELECT DISTINCT community FROM game WHERE rested = 0) AS its) AS overfull"             \
    " JOIN archive ON archive.community = overfull.community AND archive.id <= overfull.last)"

// Of more communities than there may be ($2) the last that goes for a new one ($1).
#define TOO_OLD                                                                                    \
    "(SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM record WHERE community = $1)"                     \
    " THEN (SELECT id FROM community ORDER BY id DESC LIMIT 1 OFFSET $2) END)"

// What belongs to a table that goes.
#define GOES "table_id IN (SELECT table_id FROM game WHERE rested = 0)"

#define UNUSED "NOT EXISTS (SELECT 1 FROM card_use WHERE card_use.word = card_file.word)"

// $1 until when, $2 behind which table, $3 how many
#define DUE(unsent)                                                                                \
    "WITH its AS MATERIALIZED (SELECT table_id FROM game WHERE " IS_DUE unsent ")"                 \
    " SELECT table_id FROM its WHERE table_id > $2 ORDER BY table_id LIMIT $3"

// The same, $4 who asks, $5 how long the mark holds, $6 where they may lie.
#define IS_FREE                                                                                    \
    "(marked_by IN (0, $4) OR NOT lives(marked_by)"                                                \
    " OR (marked_ms <= " NOW " AND NOT " SPEAKS "))"                                               \
    " AND ($6::text IS NULL OR NOT EXISTS (SELECT 1 FROM place"                                    \
    " WHERE place.table_id = game.table_id) OR EXISTS (SELECT 1 FROM place"                        \
    " WHERE place.table_id = game.table_id"                                                        \
    " AND replace($6::text, ' ' || network || ' ', '') <> $6::text))"
#define MARKS     "UPDATE game SET marked_by = $4, marked_ms = " NOW " + $5::bigint WHERE table_id "
#define TO_OTHERS " SELECT table_id FROM message WHERE answers IN (0, $4) OR NOT lives(answers)"
// Who has marked a table while it was locked is seen. What else a table says is as of before the
// lock: one that somebody has taken further since then, and says something, is left to them.
#define IS_FREE_STILL                                                                              \
    IS_FREE " AND version = (SELECT version FROM game AS seen WHERE seen.table_id = "              \
            "game.table_id)"
#define CLAIM_LOCKED(due)                                                                          \
    "WITH due AS MATERIALIZED (" due "), marked AS (" MARKS                                        \
    "= ANY (ARRAY(SELECT table_id FROM due)) RETURNING table_id)"                                  \
    " SELECT table_id FROM marked ORDER BY table_id"
#define CLAIM(unsent)                                                                              \
    MARKS "IN (SELECT table_id FROM game WHERE table_id IN (SELECT table_id FROM game"             \
          " INDEXED BY game_look WHERE " IS_DUE unsent ") AND table_id > $2 AND " IS_FREE          \
          " ORDER BY table_id LIMIT $3) RETURNING table_id"

const char *const QUERIES[QUERY_COUNT][PLAN_ENGINES] = {
    [QUERY_KNOWN] =
        BOTH("SELECT refuse('MB001', version || CASE WHEN held THEN ' held' ELSE '' END)"
             " FROM " STEP),
    [QUERY_HEARD] = BOTH("SELECT refuse('MB002', 'heard') FROM step WHERE table_id = $1"
                         " AND event = $2 AND ms >= " NOW " - $3::bigint"),
    [QUERY_VERSION] =
        BOTH("SELECT refuse('MB003', 'version')"
             " WHERE coalesce((SELECT version FROM game WHERE table_id = $1), 0) <> $2::bigint"
             " OR coalesce((SELECT version FROM game WHERE table_id = $3), 0) <> $4::bigint"),
    [QUERY_PLACE_TAKEN] = BOTH("SELECT refuse('MB003', 'place') FROM place"
                               " WHERE network = $1 AND place = $2 AND table_id <> $3"),
    [QUERY_SIT_ROOM] = BOTH(
        "SELECT refuse('MB005', 'person')"
        " WHERE (SELECT count(*) FROM sit WHERE network = $1 AND person = $2) >= $4::bigint"
        " AND NOT EXISTS (SELECT 1 FROM sit WHERE network = $1 AND person = $2 AND table_id = $3)"),

    // In the order of their keys.
    [QUERY_LOCK] = SERVER("SELECT 1 FROM game WHERE table_id = $1 OR table_id = $2"
                          " ORDER BY table_id FOR UPDATE"),
    [QUERY_LOCK_COMMUNITY] =
        SERVER("SELECT 1 FROM game WHERE community = $1 ORDER BY table_id FOR UPDATE"),
    [QUERY_LOCK_PLACES] =
        SERVER("SELECT 1 FROM place WHERE " GOES " ORDER BY network, place FOR UPDATE"),
    [QUERY_LOCK_SITS] =
        SERVER("SELECT 1 FROM sit WHERE " GOES " ORDER BY network, person FOR UPDATE"),
    // One step at a time seats a person, checks a share, or forgets card files.
    [QUERY_PERSON_ALONE] = SERVER("SELECT alone('person ' || $1::text || ' ' || $2::text)"),
    [QUERY_OPENER_ALONE] = SERVER("SELECT alone('opener ' || $1::text || ' ' || $2::text)"),
    [QUERY_COMMUNITY_ALONE] = SERVER("SELECT alone('community ' || $1::text)"),
    // ... that of all tables only where it is nearly used up: fewer are under way at once.
    [QUERY_GAMES_ALONE] =
        SERVER("SELECT alone('games') WHERE (SELECT count(*) FROM game) + 1000 >= $1::bigint"),
    [QUERY_CARDS_BESIDE] = SERVER("SELECT beside('cards')"),
    [QUERY_CARDS_ALONE] =
        SERVER("SELECT alone('cards') WHERE EXISTS (SELECT 1 FROM card_file WHERE " UNUSED ")"),

    [QUERY_GAME_MAKE] =
        BOTH("INSERT INTO game (table_id, version, opener_network, opener, community, since_ms,"
             " due_ms, until_ms, rested, marked_by, bytes) VALUES ($1, 1, $2, $3, $4, $5, $6, $7,"
             " CASE WHEN $8::bigint <> 0 THEN " LAST_RESTED " + 1 END, $9, $10)"
             " RETURNING marked_by <> 0"),
    // $7 what undo goes back to: 0 the same, 1 the version before, 2 nothing
    [QUERY_GAME_CHANGE] =
        BOTH("UPDATE game SET version = $2, since_ms = $3, due_ms = $4, until_ms = $5,"
             " rested = CASE WHEN $6::bigint <> 0 THEN " LAST_RESTED " + 1 END,"
             " earlier = CASE $7::bigint WHEN 0 THEN earlier WHEN 1 THEN version END,"
             " earlier_bytes = CASE $7::bigint WHEN 0 THEN earlier_bytes WHEN 1 THEN bytes END,"
             " marked_ms = -1, marked_by = CASE WHEN $8::bigint NOT IN (0, marked_by)"
             " AND NOT " SPEAKS " THEN $8::bigint ELSE marked_by END, bytes = $10"
             " WHERE table_id = $1 RETURNING marked_by = $9"),
    [QUERY_STEP_KEEP] = BOTH("INSERT INTO step (table_id, version, epoch, number, event, ms)"
                             " VALUES ($1, $2, $3, $4, $5, " NOW ")"),
    [QUERY_STEP_TIDY] = BOTH("DELETE FROM step WHERE table_id = $1 AND version <= $2"
                             " AND (event IS NULL OR ms < " NOW " - $3::bigint)"),
    [QUERY_LOOSE_KEEP] =
        BOTH("INSERT INTO loose_step (epoch, number, ms) VALUES ($1, $2, " NOW ")"),
    [QUERY_LOOSE_TIDY] = BOTH("DELETE FROM loose_step WHERE ms < $1"),
    [QUERY_NARRATION_KEEP] =
        BOTH("INSERT INTO narration (table_id, line, words) VALUES ($1,"
             " (SELECT coalesce(max(line), 0) + 1 FROM narration WHERE table_id = $1), $2)"),
    [QUERY_NARRATION_TIDY] =
        BOTH("DELETE FROM narration WHERE table_id = $1"
             " AND line <= (SELECT max(line) FROM narration WHERE table_id = $1) - $2::bigint"
             " AND line NOT IN (SELECT said FROM message"
             " WHERE table_id = $1 AND said IS NOT NULL)"),
    [QUERY_JOURNAL_KEEP] =
        BOTH("INSERT INTO journal (table_id, piece, bytes) VALUES ($1,"
             " (SELECT coalesce(max(piece), -1) + 1 FROM journal WHERE table_id = $1), $2)"),
    [QUERY_MESSAGE_KEEP] =
        BOTH("INSERT INTO message (table_id, line, epoch, number, board, reader, bytes, said,"
             " answers) VALUES ($1,"
             " (SELECT coalesce(max(line), 0) + 1 FROM message WHERE table_id = $1),"
             " $2, $3, $4, $5, $6, CASE WHEN $7::bigint <> 0 THEN"
             " (SELECT max(line) FROM narration WHERE table_id = $1) END, $8)"),
    // All but the one that makes the board: the oldest for this reader, while no id is known.
    [QUERY_MESSAGE_REPLACE] =
        BOTH("DELETE FROM message WHERE table_id = $1 AND board = $2"
             " AND (reader IS DISTINCT FROM $3::text OR EXISTS (SELECT 1 FROM board"
             " WHERE table_id = $1 AND board = $2 AND reader = $3::text)"
             " OR line > (SELECT min(line) FROM message"
             " WHERE table_id = $1 AND board = $2 AND reader = $3::text))"),
    [QUERY_MESSAGE_DROP] =
        BOTH("DELETE FROM message WHERE table_id = $1 AND epoch = $2 AND number = $3"),
    [QUERY_BOARD_KEEP] =
        BOTH("INSERT INTO board (table_id, board, reader, message_id)"
             " SELECT table_id, board, coalesce(reader, ''), $4::text FROM message"
             " WHERE table_id = $1 AND epoch = $2 AND number = $3 AND board <> 0"
             " ON CONFLICT (table_id, board)"
             " DO UPDATE SET reader = excluded.reader, message_id = excluded.message_id"
             " WHERE board.reader <> excluded.reader OR board.message_id <> excluded.message_id"),
    [QUERY_BOARD_DROP] = BOTH("DELETE FROM board WHERE table_id = $1 AND board = $2"),
    // Where time runs already the row is not written again: the table's bytes lie in it.
    [QUERY_STARTS] = BOTH("UPDATE game SET since_ms = $2 WHERE table_id = $1 AND since_ms < 0"),
    [QUERY_ANEW_JOURNAL] = BOTH("DELETE FROM journal WHERE table_id = $1"),
    [QUERY_ANEW_LOG] = BOTH("DELETE FROM narration WHERE table_id = $1"),
    [QUERY_TAKE_OUT] = BOTH("INSERT INTO journal (table_id, piece, bytes)"
                            " SELECT archive.table_id, its.n, its.piece"
                            " FROM archive, pieces_of(archive.pieces) AS its"
                            " WHERE archive.table_id = $1"),
    [QUERY_ARCHIVE_DROP] = BOTH("DELETE FROM archive WHERE table_id = $1"),
    [QUERY_CARDS_UNUSE] = BOTH("DELETE FROM card_use WHERE table_id = $1"),
    [QUERY_CARD_KEEP] =
        BOTH("INSERT INTO card_file (word, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING"),
    [QUERY_CARD_USE] =
        BOTH("INSERT INTO card_use (table_id, word) VALUES ($1, $2) ON CONFLICT DO NOTHING"),
    [QUERY_CARDS_TIDY] = BOTH("DELETE FROM card_file WHERE " UNUSED),

    [QUERY_GOES] = BOTH("UPDATE game SET rested = 0 WHERE table_id = $1"),
    [QUERY_GOES_COMMUNITY] = BOTH("UPDATE game SET rested = 0 WHERE community = $1"),
    [QUERY_ROOM_OPENER] = ROOM_OF("opener_network = $4 AND opener = $5"),
    [QUERY_ROOM_COMMUNITY] = ROOM_OF("community = $4"),
    [QUERY_ROOM_ALL] = ROOM_OF("true"),
    [QUERY_PUT_AWAY] =
        BOTH("INSERT INTO archive (table_id, community, bytes, pieces, put_away_ms)"
             " SELECT table_id, community, bytes, (SELECT parcel(its.bytes) FROM"
             " (SELECT journal.bytes FROM journal WHERE journal.table_id = game.table_id"
             " ORDER BY piece) AS its), (SELECT now_ms FROM store) FROM game WHERE rested = 0"
             " AND EXISTS (SELECT 1 FROM journal WHERE journal.table_id = game.table_id)"),
    [QUERY_UNUSE_GONE] =
        BOTH("DELETE FROM card_use WHERE table_id IN (SELECT table_id FROM game WHERE rested = 0"
             " AND NOT EXISTS (SELECT 1 FROM journal WHERE journal.table_id = game.table_id))"),
    [QUERY_UNUSE_OLD] = BOTH("DELETE FROM card_use WHERE table_id IN " OLD),
    [QUERY_ARCHIVE_TIDY] = BOTH("DELETE FROM archive WHERE table_id IN " OLD),
    [QUERY_UNUSE_AGED] = BOTH("DELETE FROM card_use WHERE table_id IN"
                              " (SELECT table_id FROM archive WHERE put_away_ms < $1)"),
    [QUERY_ARCHIVE_AGED] = BOTH("DELETE FROM archive WHERE put_away_ms < $1"),
    [QUERY_DROP_STEPS] = BOTH("DELETE FROM step WHERE " GOES),
    [QUERY_DROP_JOURNAL] = BOTH("DELETE FROM journal WHERE " GOES),
    [QUERY_DROP_LOG] = BOTH("DELETE FROM narration WHERE " GOES),
    [QUERY_DROP_MESSAGES] = BOTH("DELETE FROM message WHERE " GOES),
    [QUERY_DROP_BOARDS] = BOTH("DELETE FROM board WHERE " GOES),
    [QUERY_DROP_PLACES] = BOTH("DELETE FROM place WHERE " GOES),
    [QUERY_DROP_SITS] = BOTH("DELETE FROM sit WHERE " GOES),
    [QUERY_DROP_GAME] = BOTH("DELETE FROM game WHERE rested = 0"),

    // What is taken meanwhile by another table stays its own.
    [QUERY_PLACE_TAKE] =
        BOTH("INSERT INTO place (network, place, table_id, name, community)"
             " SELECT $1::text, $2::text, $3::text, $4::text, $5::text"
             " WHERE EXISTS (SELECT 1 FROM game WHERE table_id = $3::text)"
             " ON CONFLICT (network, place) DO UPDATE SET table_id = excluded.table_id,"
             " name = excluded.name, community = excluded.community, id ="
             " CASE WHEN place.table_id = excluded.table_id THEN place.id ELSE excluded.id END"
             " WHERE place.table_id = $3::text OR place.table_id = $6::text"),
    [QUERY_PLACE_LEAVE] =
        BOTH("DELETE FROM place WHERE network = $1 AND place = $2 AND table_id = $3"),
    [QUERY_SIT_DOWN] = BOTH("INSERT INTO sit (network, person, table_id, chosen)"
                            " SELECT $1::text, $2::text, $3::text, 0"
                            " WHERE EXISTS (SELECT 1 FROM game WHERE table_id = $3::text)"
                            " ON CONFLICT DO NOTHING"),
    [QUERY_SIT_UP] = BOTH("DELETE FROM sit WHERE network = $1 AND person = $2 AND table_id = $3"),
    [QUERY_SIT_CHOOSE] = BOTH("UPDATE sit SET chosen = CASE WHEN table_id = $3 THEN 1 ELSE 0 END"
                              " WHERE network = $1 AND person = $2 AND EXISTS (SELECT 1 FROM sit"
                              " WHERE network = $1 AND person = $2 AND table_id = $3)"),
    [QUERY_COMMUNITY_ADD] = BOTH("INSERT INTO community (name) VALUES ($1) ON CONFLICT DO NOTHING"),
    // One of which nothing is known yet may push out the one that is known for longest.
    [QUERY_COMMUNITY_LEAVE] = BOTH("DELETE FROM record WHERE community IN"
                                   " (SELECT name FROM community WHERE id <= " TOO_OLD ")"),
    [QUERY_COMMUNITY_TIDY] = BOTH("DELETE FROM community WHERE id <= " TOO_OLD),
    [QUERY_RECORD_ADD] =
        BOTH("INSERT INTO record (community, network, person, games, wins, kills, deaths)"
             " VALUES ($1, $2, $3, $4, $5, $6, $7)"
             " ON CONFLICT (community, network, person) DO UPDATE"
             " SET id = excluded.id, games = record.games + excluded.games,"
             " wins = record.wins + excluded.wins, kills = record.kills + excluded.kills,"
             " deaths = record.deaths + excluded.deaths"),
    [QUERY_RECORD_TIDY] =
        BOTH("DELETE FROM record WHERE community = $1 AND id <= (SELECT id FROM record"
             " WHERE community = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)"),
    [QUERY_RECORD_FORGET] =
        BOTH("DELETE FROM record WHERE community = $1 AND network = $2 AND person = $3"),
    [QUERY_KEEP] = BOTH("INSERT INTO kept (word, bytes) VALUES ($1, $2) ON CONFLICT (word)"
                        " DO UPDATE SET id = excluded.id, bytes = excluded.bytes"),
    [QUERY_KEEP_NOTHING] = BOTH("DELETE FROM kept WHERE word = $1"),
    [QUERY_FORGET_RECORDS] = BOTH("DELETE FROM record WHERE network = $1 AND person = $2"),
    [QUERY_FORGET_SITS] = BOTH("DELETE FROM sit WHERE network = $1 AND person = $2"),
    [QUERY_FORGET_OPENER] = BOTH("UPDATE game SET opener_network = '', opener = ''"
                                 " WHERE opener_network = $1 AND opener = $2"),
    [QUERY_FORGET_MESSAGES] = BOTH("DELETE FROM message WHERE reader = $1"),
    [QUERY_FORGET_BOARDS] = BOTH("DELETE FROM board WHERE reader = $1"),
    [QUERY_PURGE_CARDS] = BOTH("DELETE FROM card_use WHERE table_id IN"
                               " (SELECT table_id FROM archive WHERE community = $1)"),
    [QUERY_PURGE_ARCHIVE] = BOTH("DELETE FROM archive WHERE community = $1"),
    [QUERY_PURGE_RECORDS] = BOTH("DELETE FROM record WHERE community = $1"),
    [QUERY_PURGE_COMMUNITY] = BOTH("DELETE FROM community WHERE name = $1"),

    [QUERY_STEP] = BOTH("SELECT version, held FROM " STEP),
    // In one statement, so that all of it is of one moment: the table, then its messages, boards
    // and events.
    [QUERY_LOAD] = BOTH(
        "SELECT 0, version, since_ms, due_ms, until_ms, community, NULL, bytes, marked_by = $3"
        " FROM game WHERE table_id = $1"
        " UNION ALL SELECT 0, 0, -1, -1, -1, community, NULL, bytes, false FROM archive"
        " WHERE table_id = $1"
        " UNION ALL SELECT 1, message.line, epoch, number, board, reader, words, bytes,"
        " answers <> 0 FROM message"
        " LEFT JOIN narration ON narration.table_id = message.table_id AND narration.line = said"
        " WHERE message.table_id = $1 AND (answers IN (0, $3) OR NOT lives(answers))"
        " UNION ALL SELECT 2, board, 0, 0, 0, reader, message_id, NULL, false FROM board"
        " WHERE table_id = $1"
        " UNION ALL SELECT 3, version, event, 0, 0, NULL, NULL, NULL, false FROM step"
        " WHERE table_id = $1 AND event IS NOT NULL AND ms >= " NOW " - $2::bigint"
        " ORDER BY 1, 2"),
    [QUERY_LOOK] = BOTH("SELECT version, since_ms, marked_by = $2 FROM game WHERE table_id = $1"),
    // $1 is an object: versions by tables.
    [QUERY_WATCH] = BOTH("SELECT known.key FROM json_each($1::text) AS known"
                         " LEFT JOIN game ON game.table_id = known.key"
                         " WHERE game.version IS DISTINCT FROM known.value OR marked_by <> $2"),
    [QUERY_EARLIER] = BOTH("SELECT earlier, earlier_bytes FROM game"
                           " WHERE table_id = $1 AND earlier IS NOT NULL"),
    // Of a table without any there is one row, without words.
    [QUERY_LOG] = BOTH("SELECT words FROM game LEFT JOIN narration"
                       " ON narration.table_id = game.table_id AND line > (SELECT max(line)"
                       " FROM narration WHERE table_id = $1) - $2::bigint"
                       " WHERE game.table_id = $1 ORDER BY line"),
    [QUERY_JOURNAL] = BOTH("SELECT journal.bytes FROM game LEFT JOIN journal"
                           " ON journal.table_id = game.table_id"
                           " AND piece >= $2::bigint AND piece < $2::bigint + $3::bigint"
                           " WHERE game.table_id = $1 ORDER BY piece"),
    [QUERY_JOURNAL_AWAY] = BOTH("SELECT its.piece FROM archive LEFT JOIN pieces_of(archive.pieces)"
                                " AS its ON its.n >= $2::bigint AND its.n < $2::bigint + $3::bigint"
                                " WHERE archive.table_id = $1 ORDER BY its.n"),
    [QUERY_PLACE] = BOTH("SELECT table_id, community FROM place WHERE network = $1 AND place = $2"),
    [QUERY_SITTINGS] =
        BOTH("SELECT table_id, chosen, coalesce((SELECT name FROM place"
             " WHERE place.table_id = sit.table_id ORDER BY place.id LIMIT 1), ''),"
             " coalesce((SELECT community FROM game WHERE game.table_id = sit.table_id), '')"
             " FROM sit WHERE network = $1 AND person = $2 ORDER BY id"),
    [QUERY_RECORD] = BOTH("SELECT games, wins, kills, deaths FROM record"
                          " WHERE community = $1 AND network = $2 AND person = $3"),
    [QUERY_RECORD_TOTAL] = BOTH(
        "SELECT CAST(coalesce(sum(games), 0) AS bigint), CAST(coalesce(sum(wins), 0) AS bigint),"
        " CAST(coalesce(sum(kills), 0) AS bigint), CAST(coalesce(sum(deaths), 0) AS bigint),"
        " count(nullif(games, 0)) FROM record WHERE community = $1"),
    [QUERY_KEPT] =
        BOTH("SELECT word, bytes FROM kept WHERE substr(word, 1, length($1::text)) = $1::text"
             " ORDER BY id DESC LIMIT $2"),
    [QUERY_CARD] = BOTH("SELECT bytes FROM card_file WHERE word = $1"),
    [QUERY_GAMES] =
        BOTH("SELECT table_id FROM game WHERE table_id > $1 ORDER BY table_id LIMIT $2"),
    [QUERY_ARCHIVED] =
        BOTH("SELECT table_id FROM archive WHERE table_id > $1 ORDER BY table_id LIMIT $2"),
    [QUERY_COMMUNITIES] = BOTH("SELECT community FROM record WHERE network = $1 AND person = $2"
                               " ORDER BY community"),

    [QUERY_BEAT] = BOTH("UPDATE store SET now_ms = $1 WHERE now_ms < $1"),
    // Who asks lives on; false: had been given up.
    [QUERY_ALIVE] = EACH("WITH was AS (SELECT until_ms FROM process WHERE id = $1), kept AS ("
                         "INSERT INTO process (id, until_ms) VALUES ($1, " NOW " + $2::bigint)"
                         " ON CONFLICT (id) DO UPDATE SET until_ms = excluded.until_ms)"
                         " SELECT now_ms, coalesce((SELECT until_ms FROM was) > now_ms, false)"
                         " FROM store",
                         "SELECT now_ms, true FROM store"),
    [QUERY_PROCESS_TIDY] = SERVER("DELETE FROM process WHERE until_ms < $1"),
    [QUERY_DUE] = BOTH(DUE("")),
    [QUERY_DUE_UNSENT] = BOTH(DUE(" UNION SELECT table_id FROM message")),
    [QUERY_CLAIM] = EACH(CLAIM_LOCKED("SELECT table_id FROM game WHERE table_id > $2 AND " IS_DUE
                                      " AND " IS_FREE_STILL " ORDER BY table_id LIMIT $3"
                                      " FOR UPDATE SKIP LOCKED"),
                         CLAIM("")),
    // One after the other, so that only so many tables are looked up as are told.
    [QUERY_CLAIM_UNSENT] =
        EACH(CLAIM_LOCKED("SELECT free.table_id FROM (SELECT DISTINCT table_id FROM"
                          " (SELECT table_id FROM game WHERE " IS_DUE " UNION ALL" TO_OTHERS
                          ") AS its WHERE table_id > $2 ORDER BY table_id) AS told CROSS JOIN"
                          " LATERAL (SELECT table_id FROM game WHERE table_id = told.table_id"
                          " AND " IS_FREE_STILL " FOR UPDATE SKIP LOCKED) AS free"
                          " ORDER BY told.table_id LIMIT $3"),
             CLAIM(" UNION" TO_OTHERS)),
    // Another process may mark what is due and end: then its mark lapses.
    [QUERY_DUE_NEXT] =
        BOTH("SELECT min(ms) FROM (SELECT (SELECT look_ms FROM game WHERE look_ms > $1::bigint"
             " ORDER BY look_ms LIMIT 1) AS ms UNION ALL SELECT max(marked_ms, $1::bigint + 1)"
             " FROM game WHERE look_ms <= $1::bigint AND marked_by <> $2"
             " AND marked_ms > " NOW ") AS its"),
    [QUERY_PRESENT] =
        BOTH("INSERT INTO present (network, process) VALUES ($1, $2) ON CONFLICT DO NOTHING"),
    [QUERY_PRESENT_TIDY] = BOTH("DELETE FROM present WHERE network = $1"
                                " AND (process = $2 OR NOT lives(process))"),
    [QUERY_AWAY_NETWORK] =
        BOTH("INSERT INTO away (community, network, ms) SELECT '', $1::text, $2::bigint"
             " WHERE NOT EXISTS (SELECT 1 FROM present WHERE network = $1::text)"
             " ON CONFLICT DO NOTHING"),
    [QUERY_AWAY_COMMUNITY] = BOTH(
        "INSERT INTO away (community, network, ms) SELECT $3::text, $1::text, $2::bigint"
        " WHERE EXISTS (SELECT 1 FROM game WHERE community = $3::text) ON CONFLICT DO NOTHING"),
    // Up to now, or to when something else began to keep it standing.
    [QUERY_AWAY_SHIFT] =
        BOTH("UPDATE game SET since_ms = since_ms + max(0, coalesce("
             "(SELECT min(other.ms) FROM away AS other WHERE other.ms < $2::bigint"
             " AND NOT (other.community = $3 AND other.network = $1)"
             " AND " CONCERNS("other") "), $2::bigint) - max(away.ms, since_ms))"
                                       " FROM away WHERE away.community = $3 AND away.network = $1"
                                       " AND since_ms >= 0 AND since_ms < $2::bigint AND " CONCERNS(
                                           "away")),
    [QUERY_AWAY_OVER] = BOTH("DELETE FROM away WHERE community = $2 AND network = $1"),
    [QUERY_AWAYS] = BOTH("SELECT network, community, ms FROM away"),
    [QUERY_HOLD] = BOTH("SELECT hold($1)"),
    // The word's value is when the hold ends, by the store's own time: twenty digits, so that they
    // sort by time. A process may lag behind that time after its store has failed.
    [QUERY_HOLD_FOR] =
        EACH("INSERT INTO kept (word, bytes) VALUES ($1, convert_to(lpad((" NOW
             " + $2::bigint)::text, 20, '0'), 'UTF8')) ON CONFLICT (word) DO UPDATE SET"
             " bytes = excluded.bytes WHERE kept.bytes <= convert_to(lpad(" NOW
             "::text, 20, '0'), 'UTF8') RETURNING 1",
             "INSERT INTO kept (word, bytes) VALUES ($1, CAST(printf('%020d', " NOW
             " + $2) AS BLOB)) ON CONFLICT (word) DO UPDATE SET bytes = excluded.bytes"
             " WHERE kept.bytes <= CAST(printf('%020d', " NOW ") AS BLOB) RETURNING 1"),
};

/* Requests. */

static void run(const struct plan *plan, enum query query, const struct db_value *values)
{
    plan->run(plan->user, query, values);
}

// Statements of the same values, up to QUERY_COUNT.
static void run_all(const struct plan *plan, const enum query *all, const struct db_value *values)
{
    for (; *all != QUERY_COUNT; all++) {
        run(plan, *all, values);
    }
}

static const char *text_or_empty(const char *text)
{
    return text != NULL ? text : "";
}

/* Directories, in the order of their keys. */

static int by_words(const char *const one[3], const char *const other[3])
{
    int order = 0;
    for (unsigned i = 0; order == 0 && i < 3; i++) {
        order = strcmp(one[i], other[i]);
    }
    return order;
}

static int by_place(const void *a, const void *b)
{
    const struct store_place *const one = *(const struct store_place *const *)a;
    const struct store_place *const other = *(const struct store_place *const *)b;
    return by_words((const char *[]){one->network, one->place, ""},
                    (const char *[]){other->network, other->place, ""});
}

static int by_person(const void *a, const void *b)
{
    const struct store_sit *const one = *(const struct store_sit *const *)a;
    const struct store_sit *const other = *(const struct store_sit *const *)b;
    return by_words((const char *[]){one->network, one->person, ""},
                    (const char *[]){other->network, other->person, ""});
}

static int by_record(const void *a, const void *b)
{
    const struct store_record *const one = *(const struct store_record *const *)a;
    const struct store_record *const other = *(const struct store_record *const *)b;
    return by_words((const char *[]){one->community, one->network, one->person},
                    (const char *[]){other->community, other->network, other->person});
}

static int by_word(const void *a, const void *b)
{
    const struct store_card *const one = *(const struct store_card *const *)a;
    const struct store_card *const other = *(const struct store_card *const *)b;
    return strcmp(one->word, other->word);
}

// Pointers to the members of a list, sorted. The caller frees it.
static const void **sorted(const void *list, size_t count, size_t size,
                           int (*compare)(const void *a, const void *b))
{
    const void **const order = mb_new(count, sizeof *order);
    for (size_t i = 0; i < count; i++) {
        order[i] = (const char *)list + i * size;
    }
    qsort(order, count, sizeof *order, compare);
    return order;
}

static void ask_places(const struct plan *plan, const struct store_commit *commit)
{
    const void **const order =
        sorted(commit->places, commit->place_count, sizeof *commit->places, by_place);
    for (size_t i = 0; i < commit->place_count; i++) {
        const struct store_place *const place = order[i];
        const struct db_value *const values = DB(
            db_text(place->network), db_text(place->place), db_text(text_or_empty(commit->table)),
            db_text(text_or_empty(place->name)), db_text(text_or_empty(place->community)),
            db_text(commit->directories ? NULL : commit->from));
        if (place->taken) {
            run(plan, QUERY_PLACE_TAKE, values);
        }
        run(plan, place->taken ? QUERY_PLACE_TAKEN : QUERY_PLACE_LEAVE,
            DB(values[0], values[1], values[2]));
    }
    free(order);
}

static void ask_sits(const struct plan *plan, const struct store_commit *commit)
{
    static const enum query HOW[] = {[STORE_SITS] = QUERY_SIT_DOWN,
                                     [STORE_LEAVES] = QUERY_SIT_UP,
                                     [STORE_CHOOSES] = QUERY_SIT_CHOOSE};
    const void **const order =
        sorted(commit->sits, commit->sit_count, sizeof *commit->sits, by_person);
    for (size_t i = 0; i < commit->sit_count; i++) {
        const struct store_sit *const sit = order[i];
        const struct db_value network = db_text(sit->network);
        const struct db_value person = db_text(sit->person);
        const struct db_value table = db_text(text_or_empty(commit->table));
        run(plan, QUERY_PERSON_ALONE, DB(network, person));
        if (sit->what == STORE_SITS) {
            run(plan, QUERY_SIT_ROOM,
                DB(network, person, table, db_number(STORE_TABLES_OF_PERSON)));
        }
        run(plan, HOW[sit->what], DB(network, person, table));
    }
    free(order);
}

static void ask_records(const struct plan *plan, const struct store_commit *commit)
{
    const void **const order =
        sorted(commit->records, commit->record_count, sizeof *commit->records, by_record);
    for (size_t i = 0; i < commit->record_count; i++) {
        const struct store_record *const record = order[i];
        const struct db_value community = db_text(record->community);
        const struct db_value network = db_text(record->network);
        const struct db_value person = db_text(record->person);
        if (record->forget) {
            run(plan, QUERY_RECORD_FORGET, DB(community, network, person));
            continue;
        }
        run(plan, QUERY_COMMUNITY_ADD, DB(community));
        run(plan, QUERY_COMMUNITY_LEAVE, DB(community, db_number(STORE_COMMUNITIES_MAX)));
        run(plan, QUERY_COMMUNITY_TIDY, DB(community, db_number(STORE_COMMUNITIES_MAX)));
        run(plan, QUERY_RECORD_ADD,
            DB(community, network, person, db_number(record->line.games),
               db_number(record->line.wins), db_number(record->line.kills),
               db_number(record->line.deaths)));
        run(plan, QUERY_RECORD_TIDY, DB(community, db_number(STORE_PEOPLE_OF_COMMUNITY)));
    }
    free(order);
}

/* A commit. */

static struct db_value event_of(const struct plan *plan, const char *event)
{
    return text_or_empty(event)[0] != '\0' ? db_big(store_event(plan->secret, event))
                                           : db_text(NULL);
}

static void ask_conditions(const struct plan *plan, const struct store_commit *commit)
{
    const struct db_value table = db_text(commit->table);
    const struct db_value event = event_of(plan, commit->event);
    if (!commit->directories) {
        run(plan, QUERY_LOCK, DB(table, db_text(commit->from)));
    }
    run(plan, QUERY_KNOWN,
        DB(table, db_big(commit->step.epoch), db_big(commit->step.number), db_number(PLAN_STEPS),
           db_number(plan->me)));
    if (commit->directories) {
        return;
    }
    if (event.kind == DB_NUMBER) {
        run(plan, QUERY_HEARD, DB(table, event, db_number(STORE_EVENT_MS)));
    }
    run(plan, QUERY_VERSION,
        DB(table, db_big(commit->expected), db_text(commit->from), db_big(commit->from_version)));
}

static void ask_words(const struct plan *plan, const struct store_commit *commit)
{
    const struct db_value table = db_text(commit->table);
    if (commit->anew) {
        run(plan, QUERY_ANEW_JOURNAL, DB(table));
        run(plan, QUERY_ANEW_LOG, DB(table));
    }
    for (size_t i = 0; commit->anew && i < commit->log_count; i++) {
        run(plan, QUERY_NARRATION_KEEP, DB(table, db_text(commit->log[i])));
    }
    if (commit->narration != NULL) {
        run(plan, QUERY_NARRATION_KEEP, DB(table, db_text(commit->narration)));
    }
    for (size_t i = 0; i < commit->journal_count; i++) {
        run(plan, QUERY_JOURNAL_KEEP, DB(table, db_bytes(commit->journal[i])));
    }
    for (size_t i = 0; i < commit->message_count; i++) {
        const struct store_message *const message = &commit->messages[i];
        const struct db_value board = db_number(message->board);
        const struct db_value reader = db_text(message->reader);
        if (message->board != 0) {
            run(plan, QUERY_MESSAGE_REPLACE, DB(table, board, reader));
        }
        run(plan, QUERY_MESSAGE_KEEP,
            DB(table, db_big(message->key.epoch), db_big(message->key.number), board, reader,
               db_bytes(message->bytes), db_number(message->narrates),
               db_number(message->answer ? plan->me : 0)));
    }
}

static const enum query CARDS_TIDY[] = {QUERY_CARDS_ALONE, QUERY_CARDS_TIDY, QUERY_COUNT};

static void ask_cards(const struct plan *plan, const struct store_commit *commit)
{
    const struct db_value table = db_text(commit->table);
    const void **const order =
        sorted(commit->cards, commit->card_count, sizeof *commit->cards, by_word);
    if (commit->card_count > 0) {
        run(plan, QUERY_CARDS_BESIDE, NULL);
        run(plan, QUERY_CARDS_UNUSE, DB(table));
    }
    for (size_t i = 0; i < commit->card_count; i++) {
        const struct store_card *const card = order[i];
        run(plan, QUERY_CARD_KEEP, DB(db_text(card->word), db_bytes(card->bytes)));
        run(plan, QUERY_CARD_USE, DB(table, db_text(card->word)));
    }
    if (commit->card_count > 0) {
        run_all(plan, CARDS_TIDY, NULL);
    }
    free(order);
}

static void ask_table(const struct plan *plan, const struct store_commit *commit)
{
    const struct db_value table = db_text(commit->table);
    const struct db_value version = db_big(commit->expected + 1);
    const struct db_value since = db_number(commit->since_ms);
    const struct db_value due = db_number(commit->due_ms);
    const struct db_value until = db_number(commit->until_ms);
    const struct db_value rests = db_number(commit->rests);
    const struct db_value sender = db_number(commit->sends ? plan->me : 0);
    if (commit->expected == 0) {
        run(plan, QUERY_GAME_MAKE,
            DB(table, db_text(text_or_empty(commit->opener_network)),
               db_text(text_or_empty(commit->opener)), db_text(text_or_empty(commit->community)),
               since, due, until, rests, sender, db_bytes(commit->bytes)));
        if (!commit->anew) {
            run(plan, QUERY_TAKE_OUT, DB(table));
        }
        run(plan, QUERY_ARCHIVE_DROP, DB(table));
    } else {
        const int64_t undo = commit->anew ? 2 : commit->keep_earlier ? 1 : 0;
        run(plan, QUERY_GAME_CHANGE,
            DB(table, version, since, due, until, rests, db_number(undo), sender,
               db_number(plan->me), db_bytes(commit->bytes)));
    }
    run(plan, QUERY_STEP_KEEP,
        DB(table, version, db_big(commit->step.epoch), db_big(commit->step.number),
           event_of(plan, commit->event)));
    if ((commit->expected + 1) % PLAN_STEPS == 0) {
        run(plan, QUERY_STEP_TIDY,
            DB(table, db_number((int64_t)commit->expected + 1 - PLAN_STEPS),
               db_number(STORE_EVENT_MS)));
        run(plan, QUERY_NARRATION_TIDY, DB(table, db_number(STORE_LOG_MAX)));
    }
    ask_words(plan, commit);
    ask_cards(plan, commit);
}

static void ask_room(const struct plan *plan, const struct store_commit *commit)
{
    const struct db_value table = db_text(commit->table);
    const struct db_value from = db_text(commit->from);
    const struct db_value network = db_text(text_or_empty(commit->opener_network));
    const struct db_value opener = db_text(text_or_empty(commit->opener));
    const struct db_value community = db_text(text_or_empty(commit->community));
    run(plan, QUERY_OPENER_ALONE, DB(network, opener));
    run(plan, QUERY_COMMUNITY_ALONE, DB(community));
    run(plan, QUERY_GAMES_ALONE, DB(db_number(STORE_TABLES_MAX)));
    run(plan, QUERY_ROOM_OPENER,
        DB(table, from, db_number(STORE_TABLES_OF_OPENER), network, opener));
    run(plan, QUERY_ROOM_COMMUNITY,
        DB(table, from, db_number(STORE_TABLES_OF_COMMUNITY), community));
    run(plan, QUERY_ROOM_ALL, DB(table, from, db_number(STORE_TABLES_MAX)));
}

// What was marked is put away, and goes with all that belongs to it.
static void ask_drop(const struct plan *plan)
{
    static const enum query LEFT[] = {QUERY_UNUSE_OLD, QUERY_ARCHIVE_TIDY, QUERY_COUNT};
    static const enum query ALL[] = {QUERY_LOCK_PLACES,  QUERY_LOCK_SITS,   QUERY_DROP_STEPS,
                                     QUERY_DROP_JOURNAL, QUERY_DROP_LOG,    QUERY_DROP_BOARDS,
                                     QUERY_DROP_PLACES,  QUERY_DROP_SITS,   QUERY_DROP_MESSAGES,
                                     QUERY_DROP_GAME,    QUERY_CARDS_ALONE, QUERY_CARDS_TIDY,
                                     QUERY_COUNT};
    run(plan, QUERY_PUT_AWAY, NULL);
    run(plan, QUERY_UNUSE_GONE, NULL);
    run_all(plan, LEFT, DB(db_number(STORE_ARCHIVE_OF_COMMUNITY)));
    run_all(plan, ALL, NULL);
}

static void ask_commit(const struct plan *plan, const struct store_commit *commit)
{
    const bool keeps = !commit->directories && commit->bytes.at != NULL;
    const bool opens = keeps && commit->expected == 0;
    const bool gives_way = !commit->directories && commit->from != NULL;
    const bool goes = !commit->directories && !keeps;
    ask_conditions(plan, commit);
    if (keeps) {
        ask_table(plan, commit);
    } else {
        run(plan, QUERY_LOOSE_KEEP, DB(db_big(commit->step.epoch), db_big(commit->step.number)));
    }
    ask_places(plan, commit);
    ask_sits(plan, commit);
    if (gives_way || goes) {
        run(plan, QUERY_GOES, DB(db_text(gives_way ? commit->from : commit->table)));
    }
    if (opens) {
        ask_room(plan, commit);
    }
    ask_records(plan, commit);
    if (gives_way || goes || opens) {
        ask_drop(plan);
    }
}

static void ask_confirm(const struct plan *plan, const struct store_request *request)
{
    const struct db_value table = db_text(request->table);
    const struct db_value epoch = db_big(request->key.epoch);
    const struct db_value number = db_big(request->key.number);
    run(plan, QUERY_LOCK, DB(table, db_text(NULL)));
    if (request->id != NULL) {
        run(plan, QUERY_BOARD_KEEP, DB(table, epoch, number, db_text(request->id)));
    }
    if (request->forget_board != 0) {
        run(plan, QUERY_BOARD_DROP, DB(table, db_number(request->forget_board)));
    }
    run(plan, QUERY_MESSAGE_DROP, DB(table, epoch, number));
    if (request->starts) {
        run(plan, QUERY_STARTS, DB(table, db_number(request->ms)));
    }
}

/* Questions. */

static struct db_value bounded_count(size_t count, size_t most)
{
    return db_number((int64_t)(count < most ? count : most));
}

static void ask_due(const struct plan *plan, const struct store_request *request)
{
    const struct db_value ms = db_number(request->ms);
    const struct db_value me = db_number(plan->me);
    const struct db_value after = db_text(text_or_empty(request->after));
    const struct db_value most = db_number(STORE_DUE_MAX);
    if (request->claims) {
        run(plan, request->unsent ? QUERY_CLAIM_UNSENT : QUERY_CLAIM,
            DB(ms, after, most, me, db_number(STORE_MARK_MS), db_text(request->networks)));
    } else {
        run(plan, request->unsent ? QUERY_DUE_UNSENT : QUERY_DUE, DB(ms, after, most));
    }
    run(plan, QUERY_DUE_NEXT, DB(ms, me));
}

// Of a table that is there and of one that is put away; either has none.
static void ask_journal(const struct plan *plan, const struct store_request *request)
{
    const struct db_value *const values =
        DB(db_text(request->table), bounded_count(request->from, INT32_MAX),
           bounded_count(request->count, STORE_JOURNAL_MAX));
    run(plan, QUERY_JOURNAL, values);
    run(plan, QUERY_JOURNAL_AWAY, values);
}

// Versions by tables: {"a":1,"b":2}. Ids have no signs that would end them.
static void ask_watch(const struct plan *plan, const struct store_request *request)
{
    enum { MEMBER = 2 * STORE_TABLE_SIZE + 32 };
    char *const words = mb_new(request->seen_count * MEMBER + 3, 1);
    char *at = words;
    *at++ = '{';
    for (size_t i = 0; i < request->seen_count; i++) {
        const char *id = request->seen[i].table;
        at += sprintf(at, "%s\"", i == 0 ? "" : ",");
        for (; *id != '\0'; id++) {
            if (*id == '"' || *id == '\\') {
                *at++ = '\\';
            }
            *at++ = *id;
        }
        at += sprintf(at, "\":%" PRIu64, request->seen[i].version);
    }
    *at = '}';
    run(plan, QUERY_WATCH, DB(db_text(words), db_number(plan->me)));
    free(words);
}

/* Directories that no table's step changes. */

// What goes is put away first, and goes from there.
static void ask_purge(const struct plan *plan, const struct store_request *request)
{
    static const enum query MARKED[] = {QUERY_LOCK_COMMUNITY, QUERY_GOES_COMMUNITY, QUERY_COUNT};
    static const enum query LEFT[] = {QUERY_PURGE_CARDS, QUERY_PURGE_ARCHIVE, QUERY_PURGE_RECORDS,
                                      QUERY_PURGE_COMMUNITY, QUERY_COUNT};
    const struct db_value community = db_text(request->community);
    run_all(plan, MARKED, DB(community));
    ask_drop(plan);
    run_all(plan, LEFT, DB(community));
    run_all(plan, CARDS_TIDY, NULL);
}

static void ask_forget(const struct plan *plan, const struct store_request *request)
{
    static const enum query OF_PERSON[] = {QUERY_FORGET_RECORDS, QUERY_FORGET_SITS,
                                           QUERY_FORGET_OPENER, QUERY_COUNT};
    static const enum query OF_READER[] = {QUERY_FORGET_MESSAGES, QUERY_FORGET_BOARDS, QUERY_COUNT};
    run_all(plan, OF_PERSON, DB(db_text(request->network), db_text(request->person)));
    run_all(plan, OF_READER, DB(db_text(request->word)));
}

/* Time, and what is away. */

static void ask_life(const struct plan *plan)
{
    run(plan, QUERY_ALIVE, DB(db_number(plan->me), db_number(STORE_LEASE_MS)));
}

// `keep_ms`: what was put away longer ago goes, but for card files, which go with the next table.
static void ask_beat(const struct plan *plan, int64_t ms, int64_t keep_ms)
{
    static const enum query AGED[] = {QUERY_UNUSE_AGED, QUERY_ARCHIVE_AGED, QUERY_COUNT};
    run(plan, QUERY_BEAT, DB(db_number(ms)));
    ask_life(plan);
    run(plan, QUERY_LOOSE_TIDY, DB(db_number(ms - STORE_EVENT_MS)));
    run(plan, QUERY_PROCESS_TIDY, DB(db_number(ms - STORE_EVENT_MS)));
    if (keep_ms > 0) {
        run_all(plan, AGED, DB(db_number(ms - keep_ms)));
    }
}

static void ask_runs_on(const struct plan *plan, const struct store_request *request,
                        const char *community)
{
    const struct db_value network = db_text(request->network);
    run(plan, QUERY_AWAY_SHIFT, DB(network, db_number(request->ms), db_text(community)));
    run(plan, QUERY_AWAY_OVER, DB(network, db_text(community)));
}

static void ask_stand(const struct plan *plan, const struct store_request *request)
{
    const struct db_value network = db_text(request->network);
    const struct db_value ms = db_number(request->ms);
    if (request->community_count == 0) {
        run(plan, QUERY_PRESENT_TIDY, DB(network, db_number(plan->me)));
        run(plan, request->back ? QUERY_PRESENT : QUERY_AWAY_NETWORK,
            DB(network, request->back ? db_number(plan->me) : ms));
        if (request->back) {
            ask_runs_on(plan, request, "");
        }
    }
    for (size_t i = 0; i < request->community_count; i++) {
        if (request->back) {
            ask_runs_on(plan, request, request->communities[i]);
        } else {
            run(plan, QUERY_AWAY_COMMUNITY, DB(network, ms, db_text(request->communities[i])));
        }
    }
}

static void ask_hold(const struct plan *plan, const struct store_request *request)
{
    const struct db_value its_word = db_text(request->word);
    if (request->for_ms == 0) {
        run(plan, QUERY_HOLD, DB(its_word));
    } else {
        run(plan, QUERY_HOLD_FOR, DB(its_word, db_number(request->for_ms)));
    }
}

// What is asked of directories, and changed in them without a table.
static void ask_directory(const struct plan *plan, const struct store_request *request)
{
    const struct db_value network = db_text(request->network);
    const struct db_value person = db_text(request->person);
    const struct db_value its_word = db_text(request->word);
    switch (request->kind) {
    case STORE_PLACE:
        run(plan, QUERY_PLACE, DB(network, db_text(request->place)));
        break;
    case STORE_PERSON:
        run(plan, QUERY_SITTINGS, DB(network, person));
        break;
    case STORE_STATISTICS:
        run(plan, QUERY_RECORD, DB(db_text(request->community), network, person));
        run(plan, QUERY_RECORD_TOTAL, DB(db_text(request->community)));
        break;
    case STORE_KNOWN:
        run(plan, QUERY_COMMUNITIES, DB(network, person));
        break;
    case STORE_KEEP:
        run(plan, request->bytes.at != NULL ? QUERY_KEEP : QUERY_KEEP_NOTHING,
            request->bytes.at != NULL ? DB(its_word, db_bytes(request->bytes)) : DB(its_word));
        break;
    case STORE_KEPT:
        run(plan, QUERY_KEPT, DB(its_word, db_number(STORE_KEPT_MAX)));
        break;
    case STORE_HOLD:
        ask_hold(plan, request);
        break;
    case STORE_CARD:
        run(plan, QUERY_CARD, DB(its_word));
        break;
    case STORE_LIST:
        run(plan, request->archived ? QUERY_ARCHIVED : QUERY_GAMES,
            DB(db_text(text_or_empty(request->after)), db_number(STORE_DUE_MAX)));
        break;
    default: // STORE_FORGET
        (request->person == NULL ? ask_purge : ask_forget)(plan, request);
        break;
    }
}

void plan_ask(const struct plan *plan, const struct store_request *request)
{
    const struct db_value me = db_number(plan->me);
    const struct db_value table = db_text(request->table);
    switch (request->kind) {
    case STORE_HELLO:
        ask_life(plan);
        run(plan, QUERY_KEPT, DB(db_text(STORE_RESTORED), db_number(1)));
        run(plan, QUERY_AWAYS, NULL);
        break;
    case STORE_BEAT:
        ask_beat(plan, request->ms, request->for_ms);
        run(plan, QUERY_AWAYS, NULL);
        break;
    case STORE_STAND:
        ask_stand(plan, request);
        run(plan, QUERY_AWAYS, NULL);
        break;
    case STORE_LOAD:
        run(plan, QUERY_LOAD, DB(table, db_number(STORE_EVENT_MS), me));
        break;
    case STORE_LOOK:
        run(plan, QUERY_LOOK, DB(table, me));
        break;
    case STORE_WATCH:
        ask_watch(plan, request);
        break;
    case STORE_EARLIER:
        run(plan, QUERY_EARLIER, DB(table));
        break;
    case STORE_LOG:
        run(plan, QUERY_LOG, DB(table, bounded_count(request->count, STORE_LOG_MAX)));
        break;
    case STORE_JOURNAL:
        ask_journal(plan, request);
        break;
    case STORE_COMMIT:
        ask_commit(plan, &request->commit);
        break;
    case STORE_STEP:
        run(plan, QUERY_STEP,
            DB(table, db_big(request->key.epoch), db_big(request->key.number),
               db_number(PLAN_STEPS), me));
        break;
    case STORE_CONFIRM:
        ask_confirm(plan, request);
        break;
    case STORE_DUE:
        ask_due(plan, request);
        break;
    default:
        ask_directory(plan, request);
        break;
    }
}
