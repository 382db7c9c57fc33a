#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/game.h"
#include "core/loop/query.h"

#include "bot/tools/balance.h"
#include "bot/tools/simulate.h"

#include "tests/support/table.h"
#include "tests/support/test.h"

enum { PLAYERS = 4 };

struct fixture {
    struct catalog *catalog;
    struct box box;
    struct balance balance;
    struct game *game;
    struct event_list events;
    unsigned fighters; // bits of the seats that fight
};

static int set_up(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    f->catalog = given_catalog();
    given_box(f->catalog, "classic", &f->box);
    f->game = calloc(1, game_size());
    f->events.items = calloc(MB_EVENTS_MAX, sizeof *f->events.items);
    f->events.capacity = MB_EVENTS_MAX;
    balance_init(&f->balance, &f->box, PLAYERS, 1000);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    balance_finish(&f->balance);
    free(f->events.items);
    free(f->game);
    catalog_destroy(f->catalog);
    free(f);
    return 0;
}

static void add(struct fixture *f, struct event event)
{
    f->events.items[f->events.count++] = event;
}

static uint16_t card_of(const struct fixture *f, const char *name)
{
    const uint16_t def = catalog_find_def(f->catalog, name, NO_SET);
    for (uint16_t card = 0; card < f->box.card_count; card++) {
        if (f->box.card_def[card] == def) {
            return card;
        }
    }
    fail_msg("no card %s", name);
    return NO_CARD;
}

static void begin(struct fixture *f)
{
    f->events.count = 0;
    balance_begin(&f->balance);
}

static void put(struct fixture *f, unsigned seat, const char *name, unsigned why, unsigned from)
{
    add(f, (struct event){.type = EVENT_MOVE,
                          .seat = (uint8_t)seat,
                          .why = (uint8_t)why,
                          .from = (uint8_t)from,
                          .card = card_of(f, name)});
}

// The game is over in `round`, won by the seats of `mask`.
static void end(struct fixture *f, unsigned mask, int round)
{
    const struct game_setup setup = {.seat_count = PLAYERS};
    struct event_list first = {.items = calloc(MB_EVENTS_MAX, sizeof *first.items),
                               .capacity = MB_EVENTS_MAX};
    balance_events(&f->balance, &f->events);
    game_create(f->game, &f->box, &setup, &first);
    free(first.items);
    const struct event rounds = {.type = EVENT_GAME, .why = GAME_ROUND, .n = round};
    const struct event won = {.type = EVENT_WON, .mask = (uint8_t)mask};
    event_apply(f->game, &rounds);
    event_apply(f->game, &won);
    balance_end(&f->balance, f->game);
}

static const struct balance_card *counted(const struct fixture *f, const char *name)
{
    return &f->balance.cards[catalog_find_def(f->catalog, name, NO_SET)];
}

static void a_card_counts_for_the_only_seat_that_put_it_in_play(void **state)
{
    struct fixture *const f = *state;
    begin(f);
    put(f, 1, "Siege Ladder", MOVE_PLAYED, pile_hand(1));
    put(f, 1, "Siege Ladder", MOVE_LAID, pile_hand(1)); // again: still one seat
    put(f, 2, "Magic Missile", MOVE_PLAYED, pile_hand(2));
    put(f, 0, "Enraged", MOVE_PLAYED, pile_hand(0));
    put(f, 3, "Enraged", MOVE_PLAYED, pile_hand(3)); // two seats
    put(f, 3, "Wet Socks", MOVE_DISCARDED, pile_hand(3));
    put(f, 3, "Butterfingers", MOVE_PLAYED, PILE_FACE_UP); // kicked open: nobody's play
    put(f, 1, "Net Troll", MOVE_KICKED, PILE_DOOR_DECK);
    end(f, seat_bit(1), 9);
    assert_int_equal(counted(f, "Siege Ladder")->games, 1);
    assert_int_equal(counted(f, "Siege Ladder")->wins, 1);
    assert_int_equal(counted(f, "Magic Missile")->games, 1);
    assert_int_equal(counted(f, "Magic Missile")->wins, 0);
    assert_int_equal(counted(f, "Enraged")->games, 0);
    assert_int_equal(counted(f, "Wet Socks")->games, 0);
    assert_int_equal(counted(f, "Butterfingers")->games, 0);
    assert_int_equal(counted(f, "Net Troll")->games, 0);
    assert_int_equal(counted(f, "Net Troll")->faced, 1);
    assert_int_equal(counted(f, "Net Troll")->beat, 1);

    begin(f);
    put(f, 3, "Magic Missile", MOVE_PLAYED, pile_hand(3));
    end(f, seat_bit(3) | seat_bit(0), 11);
    assert_int_equal(counted(f, "Magic Missile")->games, 2);
    assert_int_equal(counted(f, "Magic Missile")->wins, 1);
    assert_int_equal(counted(f, "Siege Ladder")->games, 1);
    assert_int_equal(f->balance.joint, 1);
    assert_int_equal(f->balance.wins, 3);
}

static void notes_levels_and_deaths_are_counted(void **state)
{
    struct fixture *const f = *state;
    const uint16_t troll = card_of(f, "Net Troll");
    begin(f);
    add(f, (struct event){.type = EVENT_NOTE, .why = NOTE_TURN_BEGINS, .seat = 2, .n = 1});
    add(f, (struct event){.type = EVENT_NOTE, .why = NOTE_TURN_BEGINS, .seat = 3, .n = 1});
    add(f, (struct event){.type = EVENT_NOTE, .why = NOTE_FIGHT_WON, .seat = 2, .seat2 = NO_SEAT});
    add(f, (struct event){.type = EVENT_NOTE, .why = NOTE_FIGHT_WON, .seat = 2, .seat2 = 1});
    add(f, (struct event){.type = EVENT_NOTE, .why = NOTE_GIVES_UP, .seat = 1});
    add(f, (struct event){.type = EVENT_NOTE, .why = NOTE_BAD_STUFF, .seat = 1, .card = troll});
    add(f, (struct event){.type = EVENT_DEATH, .seat = 1});
    add(f, (struct event){.type = EVENT_DEATH, .seat = 0}); // by no monster
    add(f, (struct event){.type = EVENT_LEVEL, .seat = 2, .why = LEVEL_KILL, .n = 4, .m = 2});
    add(f, (struct event){.type = EVENT_LEVEL, .seat = 1, .why = LEVEL_CURSE, .n = 1, .m = 2});
    end(f, seat_bit(3), 5);
    assert_int_equal(f->balance.wins_by_order[1], 1); // after seat 2, who began
    assert_int_equal(f->balance.wins_by_seat[3], 1);
    assert_int_equal(f->balance.fights_alone, 1);
    assert_int_equal(f->balance.fights_helped, 1);
    assert_int_equal(f->balance.fights_fled, 1);
    assert_int_equal(f->balance.deaths, 2);
    assert_int_equal(counted(f, "Net Troll")->deaths, 1);
    assert_int_equal(f->balance.gained[LEVEL_KILL], 2);
    assert_int_equal(f->balance.lost[LEVEL_CURSE], 1);
    assert_int_equal(f->balance.losers_by_level[1], 3);
}

// Puts a deal on the table, or takes it off it again.
static void deal(struct fixture *f, unsigned slot, struct deal deal)
{
    deal.id = (uint8_t)(slot + 1);
    add(f, (struct event){.type = EVENT_DEAL, .n = (int)slot, .u.deal = deal});
}

static void ends(struct fixture *f, unsigned slot, unsigned why, int how)
{
    add(f, (struct event){.type = EVENT_NOTE, .why = (uint8_t)why, .n = (int)slot + 1, .m = how});
    deal(f, slot, (struct deal){.kind = DEAL_NONE});
}

static void requests_and_offers_are_counted(void **state)
{
    struct fixture *const f = *state;
    const struct bargains *const bargains = &f->balance.bargains;
    enum { REFUSED, WITHDRAWN, LAPSED };
    begin(f);
    deal(f, 0, (struct deal){.kind = DEAL_ASK, .from = 0, .to = 1, .treasures = 1}); // taken
    ends(f, 0, NOTE_DEAL_MADE, 0);
    deal(f, 0, (struct deal){.kind = DEAL_ASK, .from = 0, .to = 2}); // declined
    ends(f, 0, NOTE_DEAL_OFF, REFUSED);
    deal(f, 0, (struct deal){.kind = DEAL_ASK, .from = 0, .to = 3}); // lapsed: nobody answered
    ends(f, 0, NOTE_DEAL_OFF, LAPSED);
    deal(f, 0, (struct deal){.kind = DEAL_ASK, .from = 0, .to = ALL_SEATS}); // asks nobody alone
    ends(f, 0, NOTE_DEAL_OFF, REFUSED);
    deal(f, 0, (struct deal){.kind = DEAL_ASK, .from = 0, .to = 1}); // haggled over, then taken
    deal(f, 1, (struct deal){.kind = DEAL_VOLUNTEER, .from = 1, .to = 0, .treasures = 3});
    ends(f, 1, NOTE_DEAL_MADE, 0);
    ends(f, 0, NOTE_DEAL_OFF, LAPSED);
    deal(f, 2, (struct deal){.kind = DEAL_VOLUNTEER, .from = 2, .to = 0, .treasures = 2});
    deal(f, 0, (struct deal){.kind = DEAL_ASK, .from = 0, .to = 2}); // answers the offer
    ends(f, 0, NOTE_DEAL_OFF, REFUSED);
    ends(f, 2, NOTE_DEAL_MADE, 0);
    deal(f, 3, (struct deal){.kind = DEAL_BRIBE, .from = 3, .to = 2});
    ends(f, 3, NOTE_DEAL_OFF, REFUSED);
    end(f, seat_bit(0), 9);
    assert_int_equal(bargains->asked, 3);
    assert_int_equal(bargains->declined, 1);
    assert_int_equal(bargains->haggled, 1);
    assert_int_equal(bargains->volunteered, 1);
    assert_int_equal(bargains->hired, 1);
    assert_int_equal(bargains->bribes, 1);
    assert_int_equal(bargains->bribed, 0);
    assert_int_equal(bargains->price[1], 1);
    assert_int_equal(bargains->price[2], 1);
    assert_int_equal(bargains->price[3], 1);
}

static void the_rounds_are_ranked(void **state)
{
    struct fixture *const f = *state;
    assert_int_equal(balance_within(f->balance.rounds, f->balance.games, 50), 0);
    for (int round = 10; round > 0; round--) {
        begin(f);
        end(f, seat_bit(0), round);
    }
    assert_int_equal(balance_within(f->balance.rounds, f->balance.games, 0), 1);
    assert_int_equal(balance_within(f->balance.rounds, f->balance.games, 50), 5);
    assert_int_equal(balance_within(f->balance.rounds, f->balance.games, 90), 9);
    assert_int_equal(balance_within(f->balance.rounds, f->balance.games, 100), 10);
}

static void shares_are_rounded(void **state)
{
    (void)state;
    assert_int_equal(balance_share(0, 0), 0);
    assert_int_equal(balance_share(1, 3), 333);
    assert_int_equal(balance_share(2, 3), 667);
    assert_int_equal(balance_share(5, 5), 1000);
}

static void comes(struct fixture *f, unsigned seat, const char *name)
{
    struct event event = {.type = EVENT_MOVE,
                          .seat = (uint8_t)seat,
                          .why = MOVE_DRAWN,
                          .to = (uint8_t)pile_hand(seat),
                          .card = card_of(f, name)};
    balance_events(&f->balance, &(struct event_list){.items = &event, .count = 1});
}

static void goes(struct fixture *f, unsigned seat, const char *name, unsigned why, unsigned to)
{
    struct event event = {.type = EVENT_MOVE,
                          .seat = (uint8_t)seat,
                          .why = (uint8_t)why,
                          .from = (uint8_t)pile_hand(seat),
                          .to = (uint8_t)to,
                          .card = card_of(f, name)};
    balance_events(&f->balance, &(struct event_list){.items = &event, .count = 1});
}

static void offered(struct fixture *f, unsigned seat, unsigned verb, const char *name)
{
    struct move move = {.command = command_plain(seat, verb)};
    move.command.card = card_of(f, name);
    const struct move_list moves = {.count = 1, .capacity = 1, .items = &move};
    balance_offers(&f->balance, &moves, f->fighters);
}

static void done(struct fixture *f, unsigned seat, unsigned verb, const char *name)
{
    struct command command = command_plain(seat, verb);
    command.card = card_of(f, name);
    balance_command(&f->balance, &command);
}

static const struct usage_card *used(const struct fixture *f, const char *name)
{
    return &f->balance.cards[catalog_find_def(f->catalog, name, NO_SET)].usage;
}

static void a_stay_with_a_seat_is_a_case(void **state)
{
    struct fixture *const f = *state;
    begin(f);
    comes(f, 0, "Siege Ladder"); // laid and worn: one stay, used
    goes(f, 0, "Siege Ladder", MOVE_LAID, pile_table(0));
    offered(f, 0, VERB_EQUIP, "Siege Ladder");
    done(f, 0, VERB_EQUIP, "Siege Ladder");
    comes(f, 1, "Magic Missile"); // offered, and sold instead
    offered(f, 1, VERB_PLAY, "Magic Missile");
    goes(f, 1, "Magic Missile", MOVE_SOLD, PILE_TREASURE_DISCARD);
    comes(f, 2, "Net Troll"); // a Monster that pays for something is used
    goes(f, 2, "Net Troll", MOVE_PAID, PILE_DOOR_DISCARD);
    comes(f, 3, "Wet Socks"); // never offered; to somebody else, who is offered it
    goes(f, 3, "Wet Socks", MOVE_CHARITY, pile_hand(2));
    offered(f, 2, VERB_PLAY, "Wet Socks");
    offered(f, 2, VERB_LAY, "Enraged"); // laying is no use
    end(f, seat_bit(3), 1);
    assert_int_equal(used(f, "Siege Ladder")->held, 1);
    assert_int_equal(used(f, "Siege Ladder")->used, 1);
    assert_int_equal(used(f, "Magic Missile")->could, 1);
    assert_int_equal(used(f, "Magic Missile")->used, 0);
    assert_int_equal(used(f, "Magic Missile")->sold, 1);
    assert_int_equal(used(f, "Net Troll")->could, 1);
    assert_int_equal(used(f, "Net Troll")->used, 1);
    assert_int_equal(used(f, "Net Troll")->paid, 1);
    assert_int_equal(used(f, "Wet Socks")->held, 2);
    assert_int_equal(used(f, "Wet Socks")->could, 1);
    assert_int_equal(used(f, "Wet Socks")->dropped, 1);
    assert_int_equal(used(f, "Enraged")->held, 0);
}

static void what_helps_an_opponent_alone_could_not_be_used(void **state)
{
    struct fixture *const f = *state;
    for (unsigned seat = 0; seat < 2; seat++) {
        begin(f);
        f->fighters = seat_bit(seat);
        comes(f, 0, "Yuppie Water");  // for the players' side alone
        comes(f, 0, "Magic Missile"); // for either
        offered(f, 0, VERB_PLAY, "Yuppie Water");
        offered(f, 0, VERB_PLAY, "Magic Missile");
        end(f, seat_bit(3), 1);
        assert_int_equal(used(f, "Yuppie Water")->could, 1);
        assert_int_equal(used(f, "Magic Missile")->could, seat + 1);
    }
}

static void a_simulation_feeds_it(void **state)
{
    struct fixture *const f = *state;
    struct simulate_result result;
    f->box.profile.constant[PROFILE_GOAL] = 3; // short games
    struct simulate_setup setup = {.catalog = f->catalog,
                                   .box = &f->box,
                                   .players = PLAYERS,
                                   .games = 3,
                                   .seed = 7,
                                   .complaints = stderr,
                                   .balance = &f->balance};
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        setup.policies[i] = &POLICY_RANDOM;
    }
    simulate_run(&setup, &result);
    assert_int_equal(f->balance.games, result.finished);
    assert_memory_equal(f->balance.wins_by_seat, result.wins_by_seat, sizeof result.wins_by_seat);
    assert_int_equal(f->balance.deaths, result.deaths);
    assert_int_equal(balance_within(f->balance.rounds, f->balance.games, 50), result.rounds_median);
    unsigned long ordered = 0;
    unsigned long losers = 0;
    unsigned long cards = 0;
    unsigned long uses = 0;
    for (unsigned seat = 0; seat < PLAYERS; seat++) {
        ordered += f->balance.wins_by_order[seat];
    }
    for (unsigned level = 0; level < BALANCE_LEVELS; level++) {
        losers += f->balance.losers_by_level[level];
    }
    for (unsigned def = 0; def < f->box.def_count; def++) {
        assert_true(f->balance.cards[def].wins <= f->balance.cards[def].games);
        cards += f->balance.cards[def].games;
        const struct usage_card *const usage = &f->balance.cards[def].usage;
        assert_true(usage->used <= usage->could && usage->could <= usage->held);
        uses += usage->used;
    }
    assert_int_equal(ordered, f->balance.wins);
    assert_int_equal(losers, PLAYERS * f->balance.games - f->balance.wins);
    assert_true(cards > 0 && uses > 0);

    char *text = NULL;
    size_t size = 0;
    FILE *const to = open_memstream(&text, &size);
    simulate_print(&setup, &result, true, to);
    assert_int_equal(fclose(to), 0);
    json_t *const root = json_loads(text, 0, NULL);
    assert_non_null(root);
    const json_t *const balance = json_object_get(root, "balance");
    assert_true(json_is_object(json_object_get(balance, "cards")));
    assert_int_equal(json_array_size(json_object_get(balance, "wins_by_order")), PLAYERS);
    assert_int_equal(json_integer_value(json_object_get(balance, "fights_alone")),
                     f->balance.fights_alone);
    json_decref(root);
    free(text);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_card_counts_for_the_only_seat_that_put_it_in_play),
        CASE(notes_levels_and_deaths_are_counted),
        CASE(requests_and_offers_are_counted),
        CASE(the_rounds_are_ranked),
        cmocka_unit_test(shares_are_rounded),
        CASE(a_stay_with_a_seat_is_a_case),
        CASE(what_helps_an_opponent_alone_could_not_be_used),
        CASE(a_simulation_feeds_it),
    };
    return cmocka_run_group_tests_name("balance", tests, NULL, NULL);
}
