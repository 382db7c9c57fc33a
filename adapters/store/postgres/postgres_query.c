#include "adapters/store/postgres/postgres_query.h"

#define NOW "(SELECT now_ms FROM store)"

// $1 table, $2 epoch, $3 number, $4 steps that are known again, $5 who asks
#define STEP                                                                                       \
    "(SELECT step.version, marked_by = $5::bigint AS held FROM game JOIN step USING (table_id) "   \
    "WHERE table_id = $1"                                                                          \
    " AND step.version > game.version - $4::bigint AND epoch = $2 AND number = $3"                 \
    " UNION ALL SELECT 0, false FROM loose_step WHERE epoch = $2 AND number = $3) AS known"

// Whether something that is away concerns a game's table.
#define CONCERNS(away)                                                                             \
    away ".community IN ('', game.community) AND EXISTS (SELECT 1 FROM place"                      \
         " WHERE place.table_id = game.table_id AND place.network = " away ".network)"
#define IS_DUE "(look_ms <= $1 AND NOT EXISTS (SELECT 1 FROM away WHERE " CONCERNS("away") "))"

// $1 until when, $2 behind which table, $3 how many
#define DUE(condition)                                                                             \
    "SELECT table_id FROM game WHERE table_id > $2 AND " condition " ORDER BY table_id LIMIT $3"

#define HAS_UNSENT(mine)                                                                           \
    "EXISTS (SELECT 1 FROM message WHERE message.table_id = game.table_id" mine ")"

// The same, $4 who asks, $5 how long the mark holds, $6 where they may lie. Who has marked a table
// while it was locked is seen. What else a table says is as of before the lock: one that somebody
// has taken further since then, and says something, is left to them.
#define IS_FREE                                                                                    \
    "(marked_by IN (0, $4) OR NOT lives(marked_by)"                                                \
    " OR (marked_ms <= " NOW " AND NOT speaks(table_id)))"                                         \
    " AND ($6::text IS NULL OR NOT EXISTS (SELECT 1 FROM place"                                    \
    " WHERE place.table_id = game.table_id) OR EXISTS (SELECT 1 FROM place"                        \
    " WHERE place.table_id = game.table_id AND position(' ' || network || ' ' IN $6) > 0))"        \
    " AND version = (SELECT version FROM game AS seen WHERE seen.table_id = game.table_id)"
#define CLAIM(due)                                                                                 \
    "WITH due AS MATERIALIZED (" due "),"                                                          \
    " marked AS (UPDATE game SET marked_by = $4, marked_ms = " NOW " + $5::bigint"                 \
    " WHERE table_id = ANY (ARRAY(SELECT table_id FROM due)) RETURNING table_id)"                  \
    " SELECT table_id FROM marked ORDER BY table_id"

const char *const QUERIES[QUERY_COUNT] = {
    [QUERY_KNOWN] =
        "SELECT refuse('MB001', version || CASE WHEN held THEN ' held' ELSE '' END) FROM " STEP,
    [QUERY_HEARD] = "SELECT refuse('MB002', 'heard') FROM step WHERE table_id = $1 AND event = $2"
                    " AND ms >= " NOW " - $3::bigint",
    [QUERY_VERSION] =
        "SELECT refuse('MB003', 'version')"
        " WHERE coalesce((SELECT version FROM game WHERE table_id = $1), 0) <> $2::bigint"
        " OR coalesce((SELECT version FROM game WHERE table_id = $3), 0) <> $4::bigint",
    [QUERY_PLACE_TAKEN] = "SELECT refuse('MB003', 'place') FROM place"
                          " WHERE network = $1 AND place = $2 AND table_id <> $3",
    [QUERY_SIT_ROOM] =
        "SELECT refuse('MB005', 'person')"
        " WHERE (SELECT count(*) FROM sit WHERE network = $1 AND person = $2) >= $4::bigint"
        " AND NOT EXISTS (SELECT 1 FROM sit WHERE network = $1 AND person = $2 AND table_id = $3)",

    // In the order of their keys.
    [QUERY_LOCK] = "SELECT version FROM game WHERE table_id = $1 OR table_id = $2"
                   " ORDER BY table_id FOR UPDATE",
    [QUERY_GAME_MAKE] =
        "INSERT INTO game (table_id, version, opener_network, opener, community, since_ms, due_ms,"
        " until_ms, rested, marked_by) VALUES ($1, 1, $2, $3, $4, $5, $6, $7,"
        " CASE WHEN $8::bigint <> 0 THEN nextval('turn') END, $9)"
        " RETURNING (marked_by <> 0)::int::bigint",
    [QUERY_GAME_CHANGE] =
        "UPDATE game SET version = $2, since_ms = $3, due_ms = $4, until_ms = $5,"
        " rested = CASE WHEN $6::bigint <> 0 THEN nextval('turn') END,"
        " earlier = CASE WHEN $7::bigint <> 0 THEN version ELSE earlier END, marked_ms = -1,"
        " marked_by = CASE WHEN $8::bigint NOT IN (0, marked_by) AND NOT speaks(table_id)"
        " THEN $8 ELSE marked_by END"
        " WHERE table_id = $1 RETURNING (marked_by = $9)::int::bigint",
    [QUERY_SNAPSHOT_KEEP] = "INSERT INTO snapshot (table_id, version, bytes) VALUES ($1, $2, $3)",
    [QUERY_SNAPSHOT_TIDY] =
        "DELETE FROM snapshot WHERE table_id = $1 AND version < $2 AND version IS DISTINCT FROM"
        " (SELECT earlier FROM game WHERE table_id = $1)",
    [QUERY_STEP_KEEP] = "INSERT INTO step (table_id, version, epoch, number, event, ms)"
                        " VALUES ($1, $2, $3, $4, $5, " NOW ")",
    [QUERY_STEP_TIDY] = "DELETE FROM step WHERE table_id = $1 AND version <= $2"
                        " AND (event IS NULL OR ms < " NOW " - $3::bigint)",
    [QUERY_LOOSE_KEEP] = "INSERT INTO loose_step (epoch, number, ms) VALUES ($1, $2, " NOW ")",
    [QUERY_LOOSE_TIDY] = "DELETE FROM loose_step WHERE ms < $1",
    [QUERY_NARRATION_KEEP] =
        "INSERT INTO narration (table_id, line, words) VALUES ($1,"
        " (SELECT coalesce(max(line), 0) + 1 FROM narration WHERE table_id = $1), $2)",
    [QUERY_NARRATION_TIDY] =
        "DELETE FROM narration WHERE table_id = $1"
        " AND line <= (SELECT max(line) FROM narration WHERE table_id = $1) - $2::bigint"
        " AND line NOT IN (SELECT said FROM message WHERE table_id = $1 AND said IS NOT NULL)",
    [QUERY_JOURNAL_KEEP] =
        "INSERT INTO journal (table_id, piece, bytes) VALUES ($1,"
        " (SELECT coalesce(max(piece), -1) + 1 FROM journal WHERE table_id = $1), $2)",
    [QUERY_MESSAGE_KEEP] = "INSERT INTO message (table_id, line, epoch, number, board, reader, "
                           "bytes, said, answers) VALUES ($1,"
                           " (SELECT coalesce(max(line), 0) + 1 FROM message WHERE table_id = $1),"
                           " $2, $3, $4, $5, $6, CASE WHEN $7::bigint <> 0 THEN"
                           " (SELECT max(line) FROM narration WHERE table_id = $1) END, $8)",
    // All but the one that makes the board: the oldest for this reader, while no id is known.
    [QUERY_MESSAGE_REPLACE] =
        "DELETE FROM message WHERE table_id = $1 AND board = $2"
        " AND (reader IS DISTINCT FROM $3::text OR EXISTS (SELECT 1 FROM board"
        " WHERE table_id = $1 AND board = $2 AND reader = $3::text)"
        " OR line > (SELECT min(line) FROM message"
        " WHERE table_id = $1 AND board = $2 AND reader = $3::text))",
    [QUERY_MESSAGE_DROP] = "DELETE FROM message WHERE table_id = $1 AND epoch = $2 AND number = $3",
    [QUERY_BOARD_KEEP] =
        "INSERT INTO board (table_id, board, reader, message_id)"
        " SELECT table_id, board, coalesce(reader, ''), $4::text FROM message"
        " WHERE table_id = $1 AND epoch = $2 AND number = $3 AND board <> 0"
        " ON CONFLICT (table_id, board)"
        " DO UPDATE SET reader = excluded.reader, message_id = excluded.message_id"
        " WHERE board.reader <> excluded.reader OR board.message_id <> excluded.message_id",
    [QUERY_BOARD_DROP] = "DELETE FROM board WHERE table_id = $1 AND board = $2",
    [QUERY_STARTS] = "UPDATE game SET since_ms = $2 WHERE table_id = $1 AND since_ms < 0",
    [QUERY_ROOM] = "SELECT make_room($1, $2, ARRAY[$3, $4, $5]::bigint[])",
    [QUERY_DROP] = "SELECT drop_game($1)",
    [QUERY_ANEW_EARLIER] = "UPDATE game SET earlier = NULL WHERE table_id = $1",
    [QUERY_ANEW_JOURNAL] = "DELETE FROM journal WHERE table_id = $1",
    [QUERY_ANEW_LOG] = "DELETE FROM narration WHERE table_id = $1",
    [QUERY_TAKE_OUT] = "INSERT INTO journal (table_id, piece, bytes)"
                       " SELECT table_id, its.n - 1, its.piece FROM archive,"
                       " unnest(pieces) WITH ORDINALITY AS its(piece, n) WHERE table_id = $1",
    [QUERY_ARCHIVE_DROP] = "DELETE FROM archive WHERE table_id = $1",
    [QUERY_CARDS_LOCK] = "SELECT pg_advisory_xact_lock_shared(hashtextextended('cards', 9))",
    [QUERY_CARDS_UNUSE] = "DELETE FROM card_use WHERE table_id = $1",
    [QUERY_CARD_KEEP] = "INSERT INTO card_file (word, bytes) VALUES ($1, $2)"
                        " ON CONFLICT DO NOTHING",
    [QUERY_CARD_USE] = "INSERT INTO card_use (table_id, word) VALUES ($1, $2)"
                       " ON CONFLICT DO NOTHING",
    [QUERY_CARDS_TIDY] = "SELECT tidy_cards()",

    // What is taken meanwhile by another table stays its own.
    [QUERY_PLACE_TAKE] =
        "INSERT INTO place (network, place, table_id, name, community)"
        " SELECT $1::text, $2::text, $3::text, $4::text, $5::text"
        " WHERE EXISTS (SELECT 1 FROM game WHERE table_id = $3)"
        " ON CONFLICT (network, place) DO UPDATE SET table_id = excluded.table_id,"
        " name = excluded.name, community = excluded.community, id ="
        " CASE WHEN place.table_id = excluded.table_id THEN place.id ELSE excluded.id END"
        " WHERE place.table_id = $3 OR place.table_id = $6::text",
    [QUERY_PLACE_LEAVE] = "DELETE FROM place WHERE network = $1 AND place = $2 AND table_id = $3",
    // One step at a time seats a person.
    [QUERY_PERSON_LOCK] =
        "SELECT pg_advisory_xact_lock(hashtextextended($1::text || ' ' || $2::text, 4))",
    [QUERY_SIT_DOWN] = "INSERT INTO sit (network, person, table_id, chosen)"
                       " SELECT $1::text, $2::text, $3::text, false"
                       " WHERE EXISTS (SELECT 1 FROM game WHERE table_id = $3)"
                       " ON CONFLICT DO NOTHING",
    [QUERY_SIT_UP] = "DELETE FROM sit WHERE network = $1 AND person = $2 AND table_id = $3",
    [QUERY_SIT_CHOOSE] = "UPDATE sit SET chosen = (table_id = $3)"
                         " WHERE network = $1 AND person = $2 AND EXISTS (SELECT 1 FROM sit"
                         " WHERE network = $1 AND person = $2 AND table_id = $3)",
    [QUERY_RECORD_ADD] =
        "INSERT INTO record (community, network, person, games, wins, kills, deaths)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (community, network, person) DO UPDATE"
        " SET id = excluded.id, games = record.games + excluded.games,"
        " wins = record.wins + excluded.wins, kills = record.kills + excluded.kills,"
        " deaths = record.deaths + excluded.deaths",
    [QUERY_RECORD_FORGET] =
        "DELETE FROM record WHERE community = $1 AND network = $2 AND person = $3",
    [QUERY_RECORD_TIDY] =
        "DELETE FROM record WHERE (community, network, person) IN (SELECT community, network,"
        " person FROM record WHERE community = $1 ORDER BY id DESC OFFSET $2)",
    // A new one may push out the one that is known for longest, with its statistics.
    [QUERY_COMMUNITY_ADD] =
        "WITH added AS (INSERT INTO community (name) VALUES ($1) ON CONFLICT DO NOTHING"
        " RETURNING name),"
        " gone AS (DELETE FROM community WHERE EXISTS (SELECT 1 FROM added) AND name IN"
        " (SELECT name FROM community ORDER BY id DESC OFFSET $2::bigint - 1) RETURNING name)"
        " DELETE FROM record WHERE community IN (SELECT name FROM gone)",
    [QUERY_KEEP] = "INSERT INTO kept (word, bytes) VALUES ($1, $2) ON CONFLICT (word)"
                   " DO UPDATE SET id = excluded.id, bytes = excluded.bytes",
    [QUERY_KEEP_NOTHING] = "DELETE FROM kept WHERE word = $1",
    [QUERY_FORGET_RECORDS] = "DELETE FROM record WHERE network = $1 AND person = $2",
    [QUERY_FORGET_SITS] = "DELETE FROM sit WHERE network = $1 AND person = $2",
    [QUERY_FORGET_OPENER] = "UPDATE game SET opener_network = '', opener = ''"
                            " WHERE opener_network = $1 AND opener = $2",
    [QUERY_FORGET_MESSAGES] = "DELETE FROM message WHERE reader = $1",
    [QUERY_FORGET_BOARDS] = "DELETE FROM board WHERE reader = $1",
    [QUERY_PURGE_GAMES] = "SELECT count(drop_game(table_id)) FROM"
                          " (SELECT table_id FROM game WHERE community = $1"
                          " ORDER BY table_id FOR UPDATE) AS its",
    [QUERY_PURGE_CARDS] = "DELETE FROM card_use WHERE table_id IN"
                          " (SELECT table_id FROM archive WHERE community = $1)",
    [QUERY_PURGE_ARCHIVE] = "DELETE FROM archive WHERE community = $1",
    [QUERY_PURGE_RECORDS] = "DELETE FROM record WHERE community = $1",
    [QUERY_PURGE_COMMUNITY] = "DELETE FROM community WHERE name = $1",

    [QUERY_STEP] = "SELECT version, held::int::bigint FROM " STEP,
    // In one statement, so that all of it is of one moment: the table, then its messages, boards
    // and events.
    [QUERY_LOAD] =
        "SELECT 0::bigint, version, since_ms, due_ms, until_ms, community, NULL::text, bytes,"
        " (marked_by = $3)::int::bigint FROM game JOIN snapshot USING (table_id, version)"
        " WHERE table_id = $1"
        " UNION ALL SELECT 0, 0, -1, -1, -1, community, NULL, bytes, 0 FROM archive"
        " WHERE table_id = $1"
        " UNION ALL SELECT 1, message.line, epoch, number, board, reader, words, bytes,"
        " (answers <> 0)::int::bigint FROM message"
        " LEFT JOIN narration ON narration.table_id = message.table_id AND narration.line = said"
        " WHERE message.table_id = $1 AND (answers IN (0, $3) OR NOT lives(answers))"
        " UNION ALL SELECT 2, board, 0, 0, 0, reader, message_id, NULL, 0 FROM board"
        " WHERE table_id = $1"
        " UNION ALL SELECT 3, version, event, 0, 0, NULL, NULL, NULL, 0 FROM step"
        " WHERE table_id = $1 AND event IS NOT NULL AND ms >= " NOW " - $2::bigint"
        " ORDER BY 1, 2",
    [QUERY_LOOK] = "SELECT version, since_ms, (marked_by = $2)::int::bigint FROM game"
                   " WHERE table_id = $1",
    [QUERY_WATCH] = "SELECT known.table_id FROM unnest($1::text[], $2::bigint[])"
                    " AS known (table_id, version) LEFT JOIN game USING (table_id)"
                    " WHERE game.version IS DISTINCT FROM known.version OR marked_by <> $3",
    [QUERY_EARLIER] = "SELECT earlier, bytes FROM game JOIN snapshot"
                      " ON snapshot.table_id = game.table_id AND snapshot.version = earlier"
                      " WHERE game.table_id = $1",
    // Of a table without any there is one row, without words.
    [QUERY_LOG] = "SELECT words FROM game LEFT JOIN LATERAL (SELECT line, words FROM narration"
                  " WHERE table_id = $1 ORDER BY line DESC LIMIT $2) AS latest ON true"
                  " WHERE game.table_id = $1 ORDER BY line",
    // Either is empty.
    [QUERY_JOURNAL] = "SELECT latest.bytes FROM (SELECT 1 FROM game WHERE table_id = $1"
                      " UNION ALL SELECT 1 FROM archive WHERE table_id = $1) AS known"
                      " LEFT JOIN LATERAL (SELECT piece, bytes FROM journal"
                      " WHERE table_id = $1 AND piece >= $2::bigint"
                      " UNION ALL SELECT its.n - 1, its.piece FROM archive,"
                      " unnest(pieces) WITH ORDINALITY AS its(piece, n)"
                      " WHERE table_id = $1 AND its.n > $2::bigint ORDER BY 1 LIMIT $3) AS latest"
                      " ON true ORDER BY piece",
    [QUERY_PLACE] = "SELECT table_id, community FROM place WHERE network = $1 AND place = $2",
    [QUERY_SITTINGS] = "SELECT table_id, chosen::int::bigint, coalesce((SELECT name FROM place"
                       " WHERE place.table_id = sit.table_id ORDER BY place.id LIMIT 1), ''),"
                       " coalesce((SELECT community FROM game"
                       " WHERE game.table_id = sit.table_id), '')"
                       " FROM sit WHERE network = $1 AND person = $2 ORDER BY id",
    [QUERY_RECORD] = "SELECT games, wins, kills, deaths FROM record"
                     " WHERE community = $1 AND network = $2 AND person = $3",
    [QUERY_RECORD_TOTAL] = "SELECT coalesce(sum(games), 0)::bigint, coalesce(sum(wins), 0)::bigint,"
                           " coalesce(sum(kills), 0)::bigint, coalesce(sum(deaths), 0)::bigint,"
                           " count(nullif(games, 0)) FROM record WHERE community = $1",
    [QUERY_KEPT] = "SELECT word, bytes FROM kept WHERE starts_with(word, $1)"
                   " ORDER BY id DESC LIMIT $2",

    [QUERY_CARD] = "SELECT bytes FROM card_file WHERE word = $1",
    [QUERY_GAMES] = "SELECT table_id FROM game WHERE table_id > $1 ORDER BY table_id LIMIT $2",
    [QUERY_ARCHIVED] =
        "SELECT table_id FROM archive WHERE table_id > $1 ORDER BY table_id LIMIT $2",
    [QUERY_COMMUNITIES] = "SELECT community FROM record WHERE network = $1 AND person = $2"
                          " ORDER BY community",

    [QUERY_BEAT] = "UPDATE store SET now_ms = $1 WHERE now_ms < $1",
    [QUERY_DUE] = DUE(IS_DUE),
    [QUERY_DUE_UNSENT] = DUE("(" IS_DUE " OR " HAS_UNSENT("") ")"),
    [QUERY_CLAIM] = CLAIM("SELECT table_id FROM game WHERE table_id > $2 AND " IS_DUE
                          " AND " IS_FREE " ORDER BY table_id LIMIT $3 FOR UPDATE SKIP LOCKED"),
    // One after the other, so that only so many tables are looked up as are told.
    [QUERY_CLAIM_UNSENT] =
        CLAIM("SELECT free.table_id FROM (SELECT DISTINCT table_id FROM"
              " (SELECT table_id FROM game WHERE " IS_DUE " UNION ALL SELECT table_id"
              " FROM message WHERE answers IN (0, $4) OR NOT lives(answers)) AS its"
              " WHERE table_id > $2 ORDER BY table_id) AS told CROSS JOIN LATERAL"
              " (SELECT table_id FROM game WHERE table_id = told.table_id AND " IS_FREE
              " FOR UPDATE SKIP LOCKED) AS free ORDER BY told.table_id LIMIT $3"),
    // Who asks lives on; 0: had been given up.
    [QUERY_ALIVE] =
        "WITH was AS (SELECT until_ms FROM process WHERE id = $1), kept AS ("
        "INSERT INTO process (id, until_ms) VALUES ($1, " NOW " + $2::bigint)"
        " ON CONFLICT (id) DO UPDATE SET until_ms = excluded.until_ms)"
        " SELECT now_ms, coalesce((SELECT until_ms FROM was) > now_ms, false)::int::bigint"
        " FROM store",
    [QUERY_PROCESS_TIDY] = "DELETE FROM process WHERE until_ms < $1",
    // Another process may mark what is due and end: then its mark lapses.
    [QUERY_DUE_NEXT] =
        "SELECT least((SELECT look_ms FROM game WHERE look_ms > $1 ORDER BY look_ms LIMIT 1),"
        " (SELECT min(greatest(marked_ms, $1 + 1)) FROM game WHERE look_ms <= $1"
        " AND marked_by <> $2 AND marked_ms > " NOW "))",
    [QUERY_PRESENT] = "INSERT INTO present (network, process) VALUES ($1, $2)"
                      " ON CONFLICT DO NOTHING",
    [QUERY_PRESENT_TIDY] = "DELETE FROM present WHERE network = $1"
                           " AND (process = $2 OR NOT lives(process))",
    [QUERY_AWAY_NETWORK] =
        "INSERT INTO away (community, network, ms) SELECT '', $1::text, $2::bigint"
        " WHERE NOT EXISTS (SELECT 1 FROM present WHERE network = $1::text)"
        " ON CONFLICT DO NOTHING",
    [QUERY_AWAY_COMMUNITY] =
        "INSERT INTO away (community, network, ms) SELECT $3::text, $1::text, $2::bigint"
        " WHERE EXISTS (SELECT 1 FROM game WHERE community = $3::text) ON CONFLICT DO NOTHING",
    // Up to now, or to when something else began to keep it standing.
    [QUERY_AWAY_SHIFT] =
        "UPDATE game SET since_ms = since_ms + greatest(0, coalesce("
        "(SELECT min(other.ms) FROM away AS other WHERE other.ms < $2::bigint"
        " AND NOT (other.community = $3 AND other.network = $1)"
        " AND " CONCERNS("other") "), $2::bigint) - greatest(away.ms, since_ms))"
                                  " FROM away WHERE away.community = $3 AND away.network = $1"
                                  " AND since_ms >= 0 AND since_ms < $2::bigint AND " CONCERNS(
                                      "away"),
    [QUERY_AWAY_OVER] = "DELETE FROM away WHERE community = $2 AND network = $1",
    [QUERY_AWAYS] = "SELECT network, community, ms FROM away",
    [QUERY_LEAVE] = "DELETE FROM process WHERE id = $1",

    [QUERY_FENCE] = "SELECT pg_advisory_lock(hashtextextended($1::bigint::text, $2))",
    [QUERY_HOLD] = "SELECT pg_try_advisory_lock(hashtextextended($1, 3))::int::bigint",
    [QUERY_LET_GO] = "SELECT pg_advisory_unlock_all()",
};
