#include "adapters/store/sqlite/sqlite_sql.h"

// Whether a game's table has something to say.
#define SPEAKS                                                                                     \
    "EXISTS (SELECT 1 FROM message WHERE message.table_id = game.table_id AND answers = 0)"

// Whether something that is away concerns a game's table.
#define CONCERNS(away)                                                                             \
    away ".community IN ('', game.community) AND EXISTS (SELECT 1 FROM place"                      \
         " WHERE place.table_id = game.table_id AND place.network = " away ".network)"
#define RUNS "NOT EXISTS (SELECT 1 FROM away WHERE " CONCERNS("away") ")"

const char *const SQL[SQL_COUNT] = {
    [SQL_BEGIN] = "BEGIN IMMEDIATE",
    [SQL_BEGIN_READING] = "BEGIN",
    [SQL_END] = "COMMIT",
    [SQL_UNDO] = "ROLLBACK",
    [SQL_STEP_BEGIN] = "SAVEPOINT step",
    [SQL_STEP_END] = "RELEASE step",
    [SQL_STEP_UNDO] = "ROLLBACK TO step",

    [SQL_NOW] = "SELECT now_ms FROM store",
    [SQL_BEAT] = "UPDATE store SET now_ms = ?1 WHERE now_ms < ?1",
    [SQL_SECRET] = "SELECT secret FROM store",
    [SQL_SECRET_KEEP] = "INSERT OR IGNORE INTO store (id, secret, now_ms) VALUES (1, ?1, 0)",

    [SQL_GAME] = "SELECT version FROM game WHERE table_id = ?1",
    [SQL_GAME_LOOK] = "SELECT version, since_ms, marked_by = ?2, earlier, id FROM game"
                      " WHERE table_id = ?1",
    [SQL_GAME_WATCH] = "SELECT 1 FROM game"
                       " WHERE table_id = ?1 AND version = ?2 AND marked_by = ?3",
    [SQL_GAME_LOAD] = "SELECT version, since_ms, due_ms, until_ms, community, bytes,"
                      " marked_by = ?2"
                      " FROM game JOIN snapshot USING (id, version) WHERE table_id = ?1",
    [SQL_GAME_MAKE] = "INSERT INTO game (table_id, version, opener_network, opener, community,"
                      " since_ms, due_ms, until_ms) VALUES (?1, 0, ?2, ?3, ?4, -1, -1, -1)",
    [SQL_GAME_CHANGE] =
        "UPDATE game SET version = ?2, since_ms = ?3, due_ms = ?4, until_ms = ?5,"
        " rested = CASE WHEN ?6 THEN"
        " (SELECT coalesce(max(rested), 0) + 1 FROM game"
        " WHERE rested IS NOT NULL) END, marked_ms = -1, marked_by ="
        " CASE WHEN ?7 AND marked_by <> ?8 AND NOT " SPEAKS " THEN ?8 ELSE marked_by END,"
        " earlier = ?9 WHERE id = ?1",
    [SQL_GAME_STARTS] = "UPDATE game SET since_ms = ?2 WHERE table_id = ?1 AND since_ms < 0",
    [SQL_SNAPSHOT] = "SELECT earlier, bytes FROM game JOIN snapshot"
                     " ON snapshot.id = game.id AND snapshot.version = earlier"
                     " WHERE table_id = ?1",
    [SQL_SNAPSHOT_KEEP] = "INSERT INTO snapshot (id, version, bytes) VALUES (?1, ?2, ?3)",
    [SQL_SNAPSHOT_TIDY] = "DELETE FROM snapshot WHERE id = ?1 AND version < ?2"
                          " AND version IS NOT ?3",

    [SQL_STEP_FIND] = "SELECT version FROM step WHERE table_id = ?1 AND version > ?2"
                      " AND epoch = ?3 AND number = ?4",
    [SQL_STEP_KEEP] = "INSERT INTO step (table_id, version, epoch, number, event, ms)"
                      " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    [SQL_STEP_TIDY] = "DELETE FROM step WHERE table_id = ?1 AND version <= ?2"
                      " AND (event IS NULL OR ms < ?3)",
    [SQL_LOOSE_FIND] = "SELECT 1 FROM loose_step WHERE epoch = ?1 AND number = ?2",
    [SQL_LOOSE_KEEP] = "INSERT INTO loose_step (epoch, number, ms) VALUES (?1, ?2, ?3)",
    [SQL_LOOSE_TIDY] = "DELETE FROM loose_step WHERE ms < ?1",
    [SQL_EVENT_FIND] = "SELECT 1 FROM step WHERE table_id = ?1 AND event = ?2 AND ms >= ?3",
    [SQL_EVENTS] = "SELECT event FROM step WHERE table_id = ?1 AND event IS NOT NULL AND ms >= ?2"
                   " ORDER BY version",
    [SQL_JOURNAL] = "SELECT bytes FROM journal WHERE table_id = ?1 AND piece >= ?2"
                    " ORDER BY piece LIMIT ?3",
    [SQL_JOURNAL_KEEP] = "INSERT INTO journal (table_id, piece, bytes) VALUES (?1,"
                         " (SELECT coalesce(max(piece), -1) + 1 FROM journal WHERE table_id = ?1),"
                         " ?2)",
    [SQL_NARRATIONS] = "SELECT words FROM (SELECT line, words FROM narration WHERE table_id = ?1"
                       " ORDER BY line DESC LIMIT ?2) ORDER BY line",
    [SQL_NARRATION_KEEP] = "INSERT INTO narration (table_id, line, words) VALUES (?1,"
                           " (SELECT coalesce(max(line), 0) + 1 FROM narration"
                           " WHERE table_id = ?1), ?2)",
    [SQL_NARRATION_TIDY] = "DELETE FROM narration WHERE table_id = ?1 AND line <="
                           " (SELECT max(line) FROM narration WHERE table_id = ?1) - ?2"
                           " AND line NOT IN (SELECT said FROM message WHERE table_id = ?1"
                           " AND said IS NOT NULL)",
    [SQL_MESSAGES] = "SELECT epoch, number, board, reader, bytes, words, answers FROM message"
                     " LEFT JOIN narration ON narration.table_id = message.table_id"
                     " AND narration.line = said WHERE message.table_id = ?1"
                     " AND (answers IN (0, ?2) OR NOT lives(answers)) ORDER BY message.line",
    [SQL_MESSAGE_FIND] = "SELECT line, board, reader FROM message"
                         " WHERE table_id = ?1 AND epoch = ?2 AND number = ?3",
    [SQL_MESSAGE_KEEP] = "INSERT INTO message (table_id, line, epoch, number, board, reader, bytes,"
                         " said, answers)"
                         " VALUES (?1, (SELECT coalesce(max(line), 0) + 1 FROM message"
                         " WHERE table_id = ?1), ?2, ?3, ?4, ?5, ?6, CASE WHEN ?7 THEN"
                         " (SELECT max(line) FROM narration WHERE table_id = ?1) END, ?8)",
    // All but the one that makes the board: the oldest for this reader, while no id is known.
    [SQL_MESSAGE_REPLACE] = "DELETE FROM message WHERE table_id = ?1 AND board = ?2"
                            " AND (reader IS NOT ?3 OR EXISTS (SELECT 1 FROM board"
                            " WHERE table_id = ?1 AND board = ?2 AND reader = ?3)"
                            " OR line > (SELECT min(line) FROM message"
                            " WHERE table_id = ?1 AND board = ?2 AND reader = ?3))",
    [SQL_MESSAGE_DROP] = "DELETE FROM message WHERE table_id = ?1 AND line = ?2",
    [SQL_BOARDS] = "SELECT board, reader, message_id FROM board WHERE table_id = ?1",
    [SQL_BOARD_KEEP] = "INSERT INTO board (table_id, board, reader, message_id)"
                       " VALUES (?1, ?2, ?3, ?4) ON CONFLICT (table_id, board) DO UPDATE SET"
                       " reader = excluded.reader, message_id = excluded.message_id"
                       " WHERE reader <> excluded.reader OR message_id <> excluded.message_id",
    [SQL_BOARD_DROP] = "DELETE FROM board WHERE table_id = ?1 AND board = ?2",
    [SQL_DROP_GAME] = "DELETE FROM game WHERE table_id = ?1",
    [SQL_DROP_SNAPSHOTS] = "DELETE FROM snapshot WHERE id ="
                           " (SELECT id FROM game WHERE table_id = ?1)",
    [SQL_DROP_STEPS] = "DELETE FROM step WHERE table_id = ?1",
    [SQL_DROP_JOURNAL] = "DELETE FROM journal WHERE table_id = ?1",
    [SQL_DROP_NARRATIONS] = "DELETE FROM narration WHERE table_id = ?1",
    [SQL_DROP_MESSAGES] = "DELETE FROM message WHERE table_id = ?1",
    [SQL_DROP_BOARDS] = "DELETE FROM board WHERE table_id = ?1",
    [SQL_DROP_PLACES] = "DELETE FROM place WHERE table_id = ?1",
    [SQL_DROP_SITS] = "DELETE FROM sit WHERE table_id = ?1",

    [SQL_ARCHIVE_KEEP] = "INSERT OR REPLACE INTO archive (table_id, community, bytes, pieces)"
                         " SELECT table_id, community, bytes, ?2 FROM game"
                         " JOIN snapshot USING (id, version) WHERE table_id = ?1",
    [SQL_ARCHIVE_DROP] = "DELETE FROM archive WHERE table_id = ?1",
    [SQL_ARCHIVE_COUNT] = "SELECT count(*) FROM archive WHERE community ="
                          " (SELECT community FROM archive WHERE table_id = ?1)",
    [SQL_ARCHIVE_FIRST] = "SELECT table_id FROM archive WHERE community ="
                          " (SELECT community FROM archive WHERE table_id = ?1)"
                          " ORDER BY id LIMIT 1",
    [SQL_ARCHIVE_LOAD] = "SELECT community, bytes FROM archive WHERE table_id = ?1",
    [SQL_ARCHIVE_JOURNAL] = "SELECT pieces FROM archive WHERE table_id = ?1",
    [SQL_CARD] = "SELECT bytes FROM card_file WHERE word = ?1",
    [SQL_CARD_KEEP] = "INSERT OR IGNORE INTO card_file (word, bytes) VALUES (?1, ?2)",
    [SQL_CARD_USE] = "INSERT OR IGNORE INTO card_use (table_id, word) VALUES (?1, ?2)",
    [SQL_CARDS_UNUSE] = "DELETE FROM card_use WHERE table_id = ?1",
    [SQL_CARDS_TIDY] = "DELETE FROM card_file WHERE NOT EXISTS"
                       " (SELECT 1 FROM card_use WHERE card_use.word = card_file.word)",
    [SQL_GAMES] = "SELECT table_id FROM game WHERE table_id > ?1 ORDER BY table_id LIMIT ?2",
    [SQL_ARCHIVED] = "SELECT table_id FROM archive WHERE table_id > ?1 ORDER BY table_id LIMIT ?2",

    // ?1: the table that goes anyway.
    [SQL_OPENER_COUNT] = "SELECT count(*) FROM game WHERE table_id IS NOT ?1"
                         " AND opener_network = ?2 AND opener = ?3",
    [SQL_OPENER_OLDEST] = "SELECT table_id FROM game WHERE table_id IS NOT ?1"
                          " AND opener_network = ?2 AND opener = ?3"
                          " AND rested IS NOT NULL ORDER BY rested LIMIT 1",
    [SQL_COMMUNITY_COUNT] = "SELECT count(*) FROM game WHERE table_id IS NOT ?1"
                            " AND community = ?2",
    [SQL_COMMUNITY_OLDEST] = "SELECT table_id FROM game WHERE table_id IS NOT ?1"
                             " AND community = ?2 AND rested IS NOT NULL ORDER BY rested LIMIT 1",
    [SQL_GAME_COUNT] = "SELECT count(*) FROM game WHERE table_id IS NOT ?1",
    [SQL_GAME_OLDEST] = "SELECT table_id FROM game WHERE table_id IS NOT ?1"
                        " AND rested IS NOT NULL ORDER BY rested LIMIT 1",

    [SQL_DUE] = "SELECT table_id FROM game INDEXED BY game_look"
                " WHERE look_ms <= ?1 AND table_id > ?2 AND " RUNS
                " UNION SELECT table_id FROM message WHERE ?3 AND table_id > ?2"
                " ORDER BY table_id LIMIT ?4",
    // ?5: who asks, ?6: how long the mark holds, ?7: where they may lie
    [SQL_DUE_CLAIM] =
        "UPDATE game SET marked_by = ?5, marked_ms = (SELECT now_ms FROM store) + ?6"
        " WHERE table_id IN (SELECT table_id FROM game WHERE table_id IN"
        " (SELECT table_id FROM game INDEXED BY game_look WHERE look_ms <= ?1 AND " RUNS " UNION"
        " SELECT table_id FROM message WHERE ?3 AND (answers IN (0, ?5) OR NOT lives(answers)))"
        " AND table_id > ?2 AND (marked_by IN (0, ?5) OR NOT lives(marked_by)"
        " OR (marked_ms <= (SELECT now_ms FROM store) AND NOT " SPEAKS "))"
        " AND (?7 IS NULL OR NOT EXISTS (SELECT 1 FROM place WHERE table_id = game.table_id)"
        " OR EXISTS (SELECT 1 FROM place WHERE table_id = game.table_id"
        " AND instr(?7, ' ' || network || ' ') > 0))"
        " ORDER BY table_id LIMIT ?4) RETURNING table_id",
    [SQL_DUE_NEXT] = "SELECT look_ms FROM game WHERE look_ms > ?1 ORDER BY look_ms LIMIT 1",

    [SQL_PRESENT] = "INSERT OR IGNORE INTO present (network, process) VALUES (?1, ?2)",
    [SQL_PRESENT_TIDY] = "DELETE FROM present WHERE network = ?1"
                         " AND (process = ?2 OR NOT lives(process))",
    [SQL_AWAY_NETWORK] = "INSERT OR IGNORE INTO away (community, network, ms) SELECT '', ?1, ?2"
                         " WHERE NOT EXISTS (SELECT 1 FROM present WHERE network = ?1)",
    [SQL_AWAY_COMMUNITY] = "INSERT OR IGNORE INTO away (community, network, ms) SELECT ?3, ?1, ?2"
                           " WHERE EXISTS (SELECT 1 FROM game WHERE community = ?3)",
    // Up to now, or to when something else began to keep it standing.
    [SQL_AWAY_SHIFT] =
        "UPDATE game SET since_ms = since_ms + max(0, coalesce("
        "(SELECT min(other.ms) FROM away AS other WHERE other.ms < ?2"
        " AND NOT (other.community = ?3 AND other.network = ?1)"
        " AND " CONCERNS("other") "), ?2) - max(away.ms, since_ms))"
                                  " FROM away WHERE away.community = ?3 AND away.network = ?1"
                                  " AND since_ms >= 0 AND since_ms < ?2 AND " CONCERNS("away"),
    [SQL_AWAY_OVER] = "DELETE FROM away WHERE community = ?2 AND network = ?1",
    [SQL_AWAYS] = "SELECT network, community, ms FROM away",

    [SQL_KEPT] = "SELECT word, bytes FROM kept WHERE substr(word, 1, length(?1)) = ?1"
                 " ORDER BY id DESC LIMIT ?2",
    [SQL_KEEP] = "INSERT OR REPLACE INTO kept (word, bytes) VALUES (?1, ?2)",
    [SQL_KEEP_NOTHING] = "DELETE FROM kept WHERE word = ?1",

    [SQL_PLACE] = "SELECT table_id, community FROM place WHERE network = ?1 AND place = ?2",
    [SQL_PLACE_TAKE] = "INSERT OR REPLACE INTO place (network, place, table_id, name, community)"
                       " VALUES (?1, ?2, ?3, ?4, ?5)",
    [SQL_PLACE_KEEP] = "UPDATE place SET name = ?4, community = ?5"
                       " WHERE network = ?1 AND place = ?2 AND table_id = ?3",
    [SQL_PLACE_LEAVE] = "DELETE FROM place WHERE network = ?1 AND place = ?2 AND table_id = ?3",

    [SQL_SITTINGS] = "SELECT table_id, chosen, (SELECT name FROM place"
                     " WHERE place.table_id = sit.table_id ORDER BY place.id LIMIT 1),"
                     " (SELECT community FROM game WHERE game.table_id = sit.table_id)"
                     " FROM sit WHERE network = ?1 AND person = ?2 ORDER BY id",
    [SQL_SIT_FIND] = "SELECT 1 FROM sit WHERE network = ?1 AND person = ?2 AND table_id = ?3",
    [SQL_SIT_COUNT] = "SELECT count(*) FROM sit WHERE network = ?1 AND person = ?2",
    [SQL_SIT_DOWN] = "INSERT OR IGNORE INTO sit (network, person, table_id, chosen)"
                     " VALUES (?1, ?2, ?3, 0)",
    [SQL_SIT_UP] = "DELETE FROM sit WHERE network = ?1 AND person = ?2 AND table_id = ?3",
    [SQL_SIT_CHOOSE] = "UPDATE sit SET chosen = table_id = ?3"
                       " WHERE network = ?1 AND person = ?2 AND EXISTS (SELECT 1 FROM sit"
                       " WHERE network = ?1 AND person = ?2 AND table_id = ?3)",

    [SQL_RECORD] = "SELECT games, wins, kills, deaths FROM record"
                   " WHERE community = ?1 AND network = ?2 AND person = ?3",
    [SQL_RECORD_TOTAL] = "SELECT total(games), total(wins), total(kills), total(deaths),"
                         " count(nullif(games, 0)) FROM record WHERE community = ?1",
    [SQL_RECORD_COUNT] = "SELECT count(*) FROM record WHERE community = ?1",
    [SQL_RECORD_ADD] = "INSERT INTO record (community, network, person, games, wins, kills, deaths)"
                       " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
                       " ON CONFLICT (community, network, person) DO UPDATE SET"
                       " id = (SELECT max(id) + 1 FROM record), games = games + excluded.games,"
                       " wins = wins + excluded.wins, kills = kills + excluded.kills,"
                       " deaths = deaths + excluded.deaths",
    [SQL_RECORD_FORGET] = "DELETE FROM record"
                          " WHERE community = ?1 AND network = ?2 AND person = ?3",
    [SQL_RECORD_DROP_OLDEST] = "DELETE FROM record WHERE id ="
                               " (SELECT min(id) FROM record WHERE community = ?1)",
    [SQL_COMMUNITY_ADD] = "INSERT OR IGNORE INTO community (name) VALUES (?1)",
    [SQL_COMMUNITIES] = "SELECT count(*) FROM community",
    [SQL_COMMUNITY_DROP_RECORDS] = "DELETE FROM record WHERE community ="
                                   " (SELECT name FROM community ORDER BY id LIMIT 1)",
    [SQL_COMMUNITY_DROP_OLDEST] = "DELETE FROM community WHERE id ="
                                  " (SELECT min(id) FROM community)",
    [SQL_KNOWN] = "SELECT community FROM record WHERE network = ?1 AND person = ?2"
                  " ORDER BY community",
    [SQL_FORGET_RECORDS] = "DELETE FROM record WHERE network = ?1 AND person = ?2",
    [SQL_FORGET_SITS] = "DELETE FROM sit WHERE network = ?1 AND person = ?2",
    [SQL_FORGET_OPENER] = "UPDATE game SET opener_network = '', opener = ''"
                          " WHERE opener_network = ?1 AND opener = ?2",
    [SQL_FORGET_MESSAGES] = "DELETE FROM message WHERE reader = ?1",
    [SQL_FORGET_BOARDS] = "DELETE FROM board WHERE reader = ?1",
    [SQL_PURGE_NEXT] = "SELECT table_id FROM game WHERE community = ?1 LIMIT 1",
    [SQL_PURGE_CARDS] = "DELETE FROM card_use WHERE table_id IN"
                        " (SELECT table_id FROM archive WHERE community = ?1)",
    [SQL_PURGE_ARCHIVE] = "DELETE FROM archive WHERE community = ?1",
    [SQL_PURGE_RECORDS] = "DELETE FROM record WHERE community = ?1",
    [SQL_PURGE_COMMUNITY] = "DELETE FROM community WHERE name = ?1",
};
