// Taking back: free while it gives nobody anything, else by consent; and what it never gives back.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/loop/arrange.h"
#include "core/loop/prospect.h"
#include "core/state/refusal.h"

#include "tests/support/talk.h"
#include "tests/support/test.h"

enum { A_MINUTE_MS = 60000 };

static uint64_t digest_without_version(struct talk *t, struct game *copy)
{
    game_copy(copy, talk_game(t));
    arrange_version(copy, 0);
    return game_digest(copy);
}

// A card of the seat's hand that may be laid out now; its name into `line` behind the verb.
static bool find_play(struct talk *t, unsigned seat, char *line, size_t size)
{
    static const char *const VERBS[] = {"lay", "play"};
    struct card_list hand;
    query_pile(talk_game(t), pile_hand(seat), &hand);
    for (size_t v = 0; v < 2; v++) {
        for (unsigned i = 0; i < hand.count; i++) {
            const unsigned def = solo_box(t->solo)->card_def[hand.cards[i]];
            struct command command = {.verb = (uint8_t)(v == 0 ? VERB_LAY : VERB_PLAY),
                                      .seat = (uint8_t)seat,
                                      .card = hand.cards[i],
                                      .target = NO_CARD,
                                      .to = NO_SEAT,
                                      .about = NO_SEAT};
            struct refusal why = {0};
            if (game_check(talk_game(t), solo_box(t->solo), &command, &why)) {
                (void)snprintf(line, size, "%s %s", VERBS[v], catalog_name(t->catalog, def));
                return true;
            }
        }
    }
    return false;
}

static void verify_file(struct talk *t)
{
    struct mb_error err = {0};
    struct journal_report report;
    if (solo_state(t->solo) == TABLE_RUNNING) {
        assert_true(solo_moderator_line(t->solo, "Mod", "end", NULL)); // whoever is host by now
        assert_true(solo_moderator_line(t->solo, "Mod", "end", NULL));
    }
    char *const text = journal_export(solo_journal(t->solo), talk_game(t), &err);
    assert_non_null(text);
    const bool good = journal_verify(t->catalog, text, strlen(text), &report, &err);
    assert_string_equal(err.text, "");
    assert_true(good);
    assert_true(report.undone > 0);
    free(text);
}

static void ones_own_play_is_taken_back_at_once(void **state)
{
    struct talk *const t = *state;
    struct game *const copy = malloc(game_size());
    char line[128];
    unsigned tried = 0;
    talk_start(t, "", 2);
    for (unsigned seat = 0; seat < 3; seat++) {
        const char *const name = solo_seat_name(t->solo, seat);
        if (!find_play(t, seat, line, sizeof line)) {
            continue;
        }
        const uint64_t before = digest_without_version(t, copy);
        const uint32_t version = query_version(talk_game(t));
        talk_do(t, name, line);
        assert_true(digest_without_version(t, copy) != before);
        talk_do(t, name, "undo");
        assert_true(digest_without_version(t, copy) == before);
        assert_true(query_version(talk_game(t)) > version + 1); // old controls stay stale
        assert_int_equal(talk_code(t, name, "undo"), REFUSAL_NOT_USABLE);
        tried++;
    }
    assert_true(tried > 0);
    assert_true(talk_heard(t, NULL, "undoes the last command"));
    free(copy);
    verify_file(t);
}

static void after_somebody_elses_command_the_table_is_asked(void **state)
{
    struct talk *const t = *state;
    talk_start(t, "", 2);
    talk_do(t, "Ann", "done");
    talk_do(t, "Bob", "undo"); // not Bob's own
    assert_true(talk_heard(t, NULL, "Bob wants to undo Ann's last command"));
    assert_true(talk_heard(t, NULL, "Ann and Cy: \"accept\" or \"refuse\"?"));
    assert_int_equal(talk_code(t, "Ann", "undo"), REFUSAL_NOT_USABLE);
    talk_do(t, "Cy", "refuse");
    assert_true(talk_heard(t, NULL, "Cy does not agree"));
    talk_do(t, "Bob", "undo");
    talk_do(t, "Bob", "withdraw");
    assert_true(talk_heard(t, NULL, "thinks better of it"));
    talk_do(t, "Bob", "undo");
    talk_do(t, "Ann", "accept");
    assert_int_not_equal(talk_code(t, "Ann", "accept"), REFUSAL_NONE); // once is enough
    talk_do(t, "Cy", "accept");
    assert_true(talk_heard(t, NULL, "Bob undoes the last command"));
    verify_file(t);
}

static void what_was_drawn_takes_consent_and_is_shuffled_back(void **state)
{
    struct talk *const t = *state;
    const unsigned turn = talk_first_turn(t, "", 12);
    const char *const name = solo_seat_name(t->solo, turn);
    struct game *const before = malloc(game_size());
    game_copy(before, talk_game(t));
    talk_do(t, name, "kick");
    talk_do(t, name, "undo");
    assert_int_equal(query_phase(talk_game(t)) == PHASE_START, 0);
    for (unsigned seat = 0; seat < 3; seat++) {
        if (seat != turn) {
            talk_do(t, solo_seat_name(t->solo, seat), "accept");
        }
    }
    assert_int_equal(query_phase(talk_game(t)), PHASE_START);
    assert_true(talk_heard(t, NULL, "the drawn cards are shuffled back in"));
    assert_true(prospect_drew(before, talk_game(t))); // chance is not rewound
    assert_int_equal(query_count(talk_game(t), PILE_DOOR_DECK),
                     query_count(before, PILE_DOOR_DECK));
    bool same = true;
    uint16_t at = query_first(talk_game(t), PILE_DOOR_DECK);
    uint16_t was = query_first(before, PILE_DOOR_DECK);
    for (; at != NO_CARD; at = query_next(talk_game(t), at), was = query_next(before, was)) {
        same = same && at == was;
        assert_int_equal(query_knowers(talk_game(t), at), 0);
    }
    assert_false(same);
    free(before);
    talk_do(t, name, "kick");
    verify_file(t);
}

static void the_question_lapses(void **state)
{
    struct talk *const t = *state;
    talk_start(t, "", 2);
    talk_do(t, "Ann", "done");
    talk_do(t, "Bob", "undo");
    talk_do(t, "Cy", "done"); // the game goes on
    assert_true(talk_heard(t, NULL, "nothing is undone"));
    talk_do(t, "Bob", "undo");
    talk_wait(t, A_MINUTE_MS); // the ask clock of the live pace
    assert_true(talk_heard(t, NULL, "Not everybody agreed in time"));
    assert_int_equal(talk_code(t, "Dot", "undo"), REFUSAL_NOT_AT_TABLE);
}

static void who_leaves_is_not_asked_any_more(void **state)
{
    struct talk *const t = *state;
    talk_start(t, "", 2);
    talk_do(t, "Ann", "done");
    talk_do(t, "Bob", "undo");
    talk_do(t, "Ann", "accept");
    talk_do(t, "Cy", "leave");
    assert_true(talk_heard(t, NULL, "Bob undoes the last command"));
}

static void bots_let_no_dice_be_taken_back(void **state)
{
    struct talk *const t = *state;
    talk_do(t, "Ann", "new");
    talk_do(t, "Ann", "add-bot");
    talk_do(t, "Ann", "add-bot");
    talk_do(t, "Ann", "start");
    talk_do(t, "Ann", "done");
    talk_do(t, "Ann", "undo"); // nothing came of it yet: one's own
    assert_true(talk_heard(t, NULL, "Ann undoes the last command"));
    talk_do(t, "Ann", "done");
    for (unsigned i = 0;
         i < 2000 && !(query_phase(talk_game(t)) == PHASE_START && query_turn(talk_game(t)) == 0);
         i++) {
        talk_wait(t, solo_due(t->solo).ms);
    }
    talk_do(t, "Ann", "kick");
    talk_forget(t);
    talk_do(t, "Ann", "undo");
    assert_true(talk_heard(t, NULL, "Bot players do not undo dice and drawn cards"));
    assert_false(talk_heard(t, NULL, "undoes the last command"));
}

// Whole games of random people who take back whatever they may: nothing breaks, the file verifies.
static void games_full_of_regret_verify(void **state)
{
    struct talk *const t = *state;
    struct mb_rng rng;
    uint8_t seed[32];
    struct move_list moves = {.items = calloc(MB_MOVES_MAX, sizeof *moves.items),
                              .capacity = MB_MOVES_MAX};
    mb_rng_seed_u64(seed, 99);
    mb_rng_init(&rng, seed);
    (void)talk_first_turn(t, "", 99);
    for (unsigned i = 0; i < 1500 && solo_state(t->solo) == TABLE_RUNNING; i++) {
        const unsigned seat = mb_rng_below(&rng, 3);
        struct command command;
        struct refusal why = {0};
        moves.count = 0;
        moves_list(talk_game(t), solo_box(t->solo), seat, &moves);
        if (moves.count > 0) {
            move_sample(talk_game(t), solo_box(t->solo),
                        &moves.items[mb_rng_below(&rng, moves.count)], &rng, &command);
            (void)solo_submit(t->solo, &command, &why);
        } else if (mb_rng_below(&rng, 6) == 0) {
            talk_wait(t, solo_due(t->solo).ms);
        }
        if (mb_rng_below(&rng, 5) == 0) {
            (void)talk_code(t, solo_seat_name(t->solo, seat), "undo");
            for (unsigned other = 0; other < 3; other++) {
                (void)talk_code(t, solo_seat_name(t->solo, other),
                                mb_rng_below(&rng, 8) > 0 ? "accept undo" : "refuse undo");
            }
        }
        talk_forget(t);
        message_list_clear(solo_outbox(t->solo));
    }
    free(moves.items);
    verify_file(t);
}

// Time that the table rests is nobody's: not that of the question, nor of those who go on after it.
static void a_pause_stops_the_time_to_agree(void **state)
{
    struct talk *const t = *state;
    const char *const name = solo_seat_name(t->solo, talk_first_turn(t, "", 3));
    talk_do(t, name, "kick");
    talk_do(t, name, "undo");
    assert_true(talk_heard(t, NULL, "wants to undo the last command"));
    const struct table_due before = solo_due(t->solo);
    talk_do(t, solo_seat_name(t->solo, 0), "pause");
    talk_wait(t, (int64_t)60 * A_MINUTE_MS);
    talk_do(t, solo_seat_name(t->solo, 0), "resume");
    const struct table_due after = solo_due(t->solo);
    assert_int_equal(after.kind, before.kind);
    assert_true(after.ms >= 0);
    assert_int_equal(after.clock_ms, before.clock_ms);
}

int main(void)
{
#define TALK(name) cmocka_unit_test_setup_teardown(name, talk_set_up, talk_tear_down)
    const struct CMUnitTest tests[] = {
        TALK(ones_own_play_is_taken_back_at_once),
        TALK(after_somebody_elses_command_the_table_is_asked),
        TALK(what_was_drawn_takes_consent_and_is_shuffled_back),
        TALK(the_question_lapses),
        TALK(who_leaves_is_not_asked_any_more),
        TALK(bots_let_no_dice_be_taken_back),
        TALK(a_pause_stops_the_time_to_agree),
        TALK(games_full_of_regret_verify),
    };
#undef TALK
    return cmocka_run_group_tests_name("table_undo", tests, NULL, NULL);
}
