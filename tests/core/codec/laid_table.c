#include "tests/core/codec/laid_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/describe.h"
#include "core/loop/arrange.h"
#include "core/loop/query.h"
#include "core/numbers/strength.h"
#include "core/seen/moves.h"
#include "core/state/game_state.h"
#include "core/state/pile_list.h"

#include "tests/support/test.h"

enum { ANN, BOB, CY, DAN, EVE, SEATS, SETTLES = 80, USES = 3 };

struct laid_table {
    struct catalog *catalog;
    uint8_t own;
    struct box box;
    struct game *game;
    struct move_list moves;
    uint16_t x;
    enum use_at use;
    unsigned uses, victim;
    bool counted;
    uint64_t trace;
};

static const char BOARD[] =
    "[{'name':'Ant','kind':'monster','level':1,'treasures':1,'copies':3,'tags':['undead']},"
    "{'name':'Bear','kind':'monster','level':6,'treasures':2,'copies':2,'rows':[{'do':'monster_"
    "bonus',"
    "'amount':2},{'when':'bad_stuff','do':'draw','deck':'door','amount':3}]},"
    "{'name':'Dragon','kind':'monster','level':40,'treasures':4,'copies':2,'rows':[{'when':"
    "'bad_stuff','do':'level','amount':-1},{'when':'bad_stuff','do':'lose','cards':{'place':"
    "'equipped'}},{'when':'bad_stuff','do':'death','if':[{'own_turn':true}]}]},"
    "{'name':'Mirror','kind':'monster','level':14,'treasures':1,'rows':[{'do':'monster_bonus',"
    "'amount':1,'if':[{'trait':'Baker'}]}]},"
    "{'name':'Ogre','kind':'monster','level':18,'treasures':2,'copies':2},"
    "{'name':'Plume','kind':'item','slot':'headgear','bonus':1,'gold':400,'copies':2},"
    "{'name':'Mail','kind':'item','slot':'armor','bonus':2,'gold':600,'copies':2},"
    "{'name':'Clogs','kind':'item','slot':'footgear','bonus':1,'gold':500,'copies':2},"
    "{'name':'Club','kind':'item','slot':'hand','bonus':2,'gold':300,'copies':4,'tags':['fire']},"
    "{'name':'Pike','kind':'item','slot':'two_hands','big':true,'bonus':3,'gold':700,'copies':3},"
    "{'name':'Charm','kind':'item','bonus':1,'gold':200,'copies':7},"
    "{'name':'Pill','kind':'one_shot','bonus':2,'gold':200,'copies':7},"
    "{'name':'Smith','kind':'class','copies':3},{'name':'Baker','kind':'class','copies':4},"
    "{'name':'Thief X','kind':'class','rows':[{'when':'ability','ability':'Pinch','do':'theft',"
    "'target':'others_item','cards':{'item':'permanent','size':'small'}}]},"
    "{'name':'Gnome X','kind':'race','copies':3},"
    "{'name':'Page','kind':'follower','bonus':1,'copies':3},"
    "{'name':'Muscle','kind':'power','rank':1,'bonus':1,'copies':2},"
    "{'name':'Hex','kind':'curse','copies':7,'rows':[{'when':'strike','do':'level','amount':-1}]},"
    "{'name':'Rust','kind':'curse','copies':3,'rows':[{'when':'strike','do':'lose','cards':{'place'"
    ":"
    "'equipped','slot':'headgear'}}]},"
    "{'name':'Gloom','kind':'curse','copies':2,'stays':true,'rows':[{'do':'roll_bonus','amount':-1}"
    "]"
    "},"
    "{'name':'Stranger','kind':'door','play':['fight'],'copies':2,'rows':[{'when':'play','do':"
    "'add_monster'}]},"
    "{'name':'Spice','kind':'enhancer','bonus':2,'treasures':1,'copies':2},"
    "{'name':'Chest','kind':'treasure','copies':6,'play':['any_time'],'rows':[{'when':'play','do':"
    "'nothing'}]},"
    "{'name':'Broom','kind':'one_shot','play':['own_fight'],'rows':[{'when':'play','do':"
    "'remove_monster','outcome':'pays','target':'monster'}]},"
    "{'name':'Pit','kind':'door','copies':6,'play':['any_time'],'rows':[{'when':'play','do':"
    "'nothing'}]}]";

static char *double_quotes(const char *text)
{
    char *const copy = malloc(strlen(text) + 1);
    assert_non_null(copy);
    memcpy(copy, text, strlen(text) + 1);
    for (char *c = copy; *c != '\0'; c++) {
        if (*c == '\'') {
            *c = '"';
        }
    }
    return copy;
}

static bool add(struct catalog *catalog, const char *cards, uint8_t *set, char *why, size_t size)
{
    static struct catalog_issues issues;
    issues.count = issues.errors = issues.notes = 0;
    char *const text = double_quotes(cards);
    const bool added = catalog_add_text(catalog, text, strlen(text), "cards", set, &issues);
    free(text);
    if (!added) {
        (void)snprintf(why, size, "%s", issues.count > 0 ? issues.list[0].text : "?");
    }
    return added;
}

struct laid_table *laid_open(void)
{
    static const char *const SETS[] = {"cards/classic"};
    char why[CATALOG_ISSUE_SIZE] = "";
    struct laid_table *const table = calloc(1, sizeof *table);
    assert_non_null(table);
    table->catalog = catalog_load_sets(SETS, 1, NULL);
    table->game = calloc(1, game_size());
    table->moves.items = calloc(MB_MOVES_MAX, sizeof *table->moves.items);
    table->moves.capacity = MB_MOVES_MAX;
    assert_true(table->catalog != NULL && table->game != NULL && table->moves.items != NULL);
    if (!add(table->catalog, BOARD, &table->own, why, sizeof why)) {
        fail_msg("%s", why);
    }
    return table;
}

void laid_close(struct laid_table *table)
{
    catalog_destroy(table->catalog);
    free(table->game);
    free(table->moves.items);
    free(table);
}

/* The board. */

static uint16_t take(struct laid_table *table, const char *name)
{
    const uint16_t def = catalog_find_def(table->catalog, name, NO_SET);
    const uint16_t card = def != NO_DEF ? arrange_find(table->game, &table->box, def) : NO_CARD;
    if (card == NO_CARD) {
        fail_msg("no %s is left", name);
    }
    return card;
}

static void lay(struct laid_table *table, const char *name, unsigned pile, unsigned flags)
{
    arrange_card(table->game, take(table, name), pile, flags, NO_CARD);
}

static void on_top(struct laid_table *table, unsigned deck, const char *const *names,
                   unsigned count)
{
    uint16_t cards[8];
    for (unsigned i = 0; i < count; i++) { // each must be another copy: one after the other
        cards[i] = take(table, names[i]);
        arrange_card(table->game, cards[i], PILE_ASIDE, 0, NO_CARD);
    }
    arrange_top(table->game, deck, cards, count);
}

static void lay_players(struct laid_table *table)
{
    static const unsigned LEVELS[SEATS] = {5, 4, 2, 7, 3};
    for (unsigned seat = 0; seat < SEATS; seat++) {
        arrange_seat(table->game, seat, LEVELS[seat], seat % 2 == 0, false, true);
        lay(table, "Charm", pile_table(seat), CARD_EQUIPPED);
        lay(table, "Pill", pile_hand(seat), 0);
        lay(table, "Hex", pile_hand(seat), 0);
    }
    static const char *const WORN[] = {"Plume", "Mail", "Clogs", "Club"};
    for (unsigned i = 0; i < 4; i++) {
        lay(table, WORN[i], pile_table(ANN), CARD_EQUIPPED);
        lay(table, WORN[i], pile_table(BOB), CARD_EQUIPPED);
    }
    lay(table, "Pike", pile_table(ANN), 0);
    lay(table, "Club", pile_table(CY), CARD_EQUIPPED);
    lay(table, "Pike", pile_table(DAN), CARD_EQUIPPED);
    lay(table, "Pike", pile_table(EVE), CARD_EQUIPPED);
    lay(table, "Page", pile_table(ANN), 0);
    lay(table, "Page", pile_table(BOB), 0);
    lay(table, "Smith", pile_table(ANN), 0);
    lay(table, "Baker", pile_table(BOB), 0);
    lay(table, "Baker", pile_table(EVE), 0);
    lay(table, "Thief X", pile_table(CY), 0);
    lay(table, "Gnome X", pile_table(ANN), 0);
    lay(table, "Gnome X", pile_table(DAN), 0);
    lay(table, "Muscle", pile_table(ANN), 0);
    lay(table, "Gloom", pile_table(ANN), 0);
    lay(table, "Ant", pile_hand(BOB), 0);
    lay(table, "Stranger", pile_hand(CY), 0);
    lay(table, "Ant", pile_hand(CY), 0);
    lay(table, "Rust", pile_hand(CY), 0);
    lay(table, "Bear", pile_hand(ANN), 0);
    lay(table, "Broom", pile_hand(ANN), 0);
    lay(table, "Spice", pile_hand(DAN), 0);
    static const char *const GONE[] = {"Pit", "Gloom", "Rust", "Smith", "Gnome X", "Hex", "Bear"};
    for (unsigned i = 0; i < 7; i++) {
        lay(table, GONE[i], PILE_DOOR_DISCARD, 0);
    }
    lay(table, "Club", PILE_TREASURE_DISCARD, 0);
    lay(table, "Pill", PILE_TREASURE_DISCARD, 0);
}

static uint16_t find_in(const struct laid_table *table, const char *name, unsigned pile)
{
    const uint16_t def = catalog_find_def(table->catalog, name, NO_SET);
    uint16_t card = pile_first(table->game, pile);
    while (card != NO_CARD && table->box.card_def[card] != def) {
        card = table->game->cards[card].next;
    }
    return card;
}

// What the owner would have too much of goes.
static void make_room(struct laid_table *table, const struct card_def *def, unsigned owner)
{
    for (uint16_t at = 0; owner != ANN && at < table->box.card_count; at++) {
        const bool alike = box_def(&table->box, at)->kind == def->kind && def->kind != KIND_ITEM &&
                           table->game->cards[at].pile == pile_table(owner);
        if (alike) {
            arrange_card(table->game, at, PILE_ASIDE, 0, NO_CARD);
        }
    }
}

static void lay_x(struct laid_table *table, const struct card_def *def, enum story story)
{
    const struct row *const rows = box_rows(&table->box, def);
    const unsigned when = def->row_count > 0 ? rows[def->row_count - 1u].when : WHEN_STATIC;
    const unsigned op = def->row_count > 0 ? rows[def->row_count - 1u].op : EFFECT_NOTHING;
    const bool played = def->kind == KIND_ONESHOT || def->kind == KIND_DOOR ||
                        (def->kind == KIND_TREASURE && (def->flags & DEF_STAYS) == 0);
    if (when == WHEN_DRAWN) {
        arrange_top(table->game, def->deck == DECK_DOOR ? PILE_DOOR_DECK : PILE_TREASURE_DECK,
                    &table->x, 1);
    } else if (def->kind == KIND_MONSTER && (op == EFFECT_JOINS || story == STORY_JOINED)) {
        arrange_card(table->game, table->x, pile_hand(CY), 0, NO_CARD);
    } else if (def->kind == KIND_MONSTER) {
        arrange_top(table->game, PILE_DOOR_DECK, &table->x, 1);
    } else if (def->kind == KIND_ENHANCER) {
        arrange_card(table->game, table->x, pile_hand(DAN), 0, NO_CARD);
    } else if (def->kind == KIND_CURSE && (def->flags & DEF_STAYS) == 0) {
        arrange_card(table->game, table->x, pile_hand(BOB), 0, NO_CARD);
    } else if (played && (def->flags & DEF_STAYS) == 0) {
        arrange_card(table->game, table->x, pile_hand(op == EFFECT_TAKE_OVER ? DAN : ANN), 0,
                     NO_CARD);
    } else {
        const unsigned owner = when == WHEN_HELPED_KILL ? BOB : when == WHEN_DIES ? EVE : ANN;
        const uint16_t host =
            op == EFFECT_SEALS ? find_in(table, "Mail", pile_table(owner)) : (uint16_t)NO_CARD;
        make_room(table, def, owner);
        arrange_card(table->game, table->x, pile_table(owner),
                     def->kind == KIND_ITEM ? CARD_EQUIPPED : 0, host);
    }
}

static void arrange(struct laid_table *table, const struct card_def *def, enum story story)
{
    static const char *const DOORS[STORY_TOTAL][3] = {
        {"Ogre", "Pit", "Baker"},  {"Dragon", "Pit", "Baker"}, {"Dragon", "Pit", "Baker"},
        {"Pit", "Smith", "Baker"}, {"Ogre", "Pit", "Baker"},   {"Mirror", "Pit", "Baker"}};
    static const uint8_t DICE[STORY_TOTAL][12] = {
        {5, 2, 6, 1, 4, 3, 5, 2, 6, 1, 4, 3}, {5, 6, 6, 5, 1, 2, 6, 6, 5, 5, 2, 1},
        {5, 1, 2, 6, 3, 1, 2, 6, 5, 5, 2, 1}, {5, 2, 6, 1, 4, 3, 5, 2, 6, 1, 4, 3},
        {5, 2, 6, 1, 4, 3, 5, 2, 6, 1, 4, 3}, {5, 2, 6, 1, 4, 3, 5, 2, 6, 1, 4, 3}};
    static const uint8_t SEED[32] = {7};
    static const char *const GOODS[3] = {"Chest", "Charm", "Chest"};
    arrange_begin(table->game, &table->box, SEATS, SEED);
    lay_players(table);
    on_top(table, PILE_DOOR_DECK, DOORS[story], 3);
    on_top(table, PILE_TREASURE_DECK, GOODS, 3);
    lay_x(table, def, story);
    if (story == STORY_LOOTED) { // X is looted, not met
        static const char *const FIRST[1] = {"Pit"};
        on_top(table, PILE_DOOR_DECK, FIRST, 1);
    }
    arrange_dice(table->game, DICE[story], 12);
    assert_true(arrange_finish(table->game, &table->box, EVE, PHASE_CHARITY, NULL));
}

/* What is to be seen. */

static void mix(struct laid_table *table, uint64_t value)
{
    uint64_t z = table->trace + value * 0x9E3779B97F4A7C15u; // splitmix64
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    table->trace = z ^ (z >> 31);
}

static void mix_numbers(struct laid_table *table)
{
    const struct game *const game = table->game;
    const struct box *const box = &table->box;
    for (unsigned seat = 0; seat < SEATS; seat++) {
        moves_list(game, box, seat, &table->moves);
        mix(table, table->moves.count);
        mix(table, (uint64_t)strength_run_bonus(game, box, seat));
        mix(table, (uint64_t)strength_hand_limit(game, box, seat));
        mix(table, (uint64_t)strength_big_limit(game, box, seat));
        mix(table, (uint64_t)strength_hands(game, box, seat));
        mix(table, (uint64_t)strength_rank_limit(game, box, seat));
        mix(table, (uint64_t)strength_follower_limit(game, box, seat));
        mix(table, (uint64_t)strength_meta(game, box, seat, 1));
        mix(table, (uint64_t)strength_meta(game, box, seat, 3));
    }
    if (game->fight.on != 0) {
        mix(table, (uint64_t)strength_players(game, box, NULL));
        mix(table, (uint64_t)strength_monsters(game, box, NULL));
        for (unsigned i = 0; i < game->fight.monster_count; i++) {
            mix(table, (uint64_t)strength_treasures(game, box, i));
            mix(table, (uint64_t)strength_kill_levels(game, box, i));
        }
    }
}

static void look(struct laid_table *table)
{
    mix(table, game_digest(table->game));
    if (table->counted) {
        mix_numbers(table);
    }
}

/* What is done. */

static bool step(struct laid_table *table, const struct command *command)
{
    struct refusal why = {0};
    return game_step(table->game, &table->box, command, NULL, &why);
}

static void elapse(struct laid_table *table)
{
    struct command command = command_plain(NO_SEAT, VERB_ELAPSE);
    command.n = (int16_t)query_clock(table->game).kind;
    (void)step(table, &command);
}

// Whoever is asked answers by a rule that differs from seat to seat: yes, or the n-th option.
static bool answer(struct laid_table *table)
{
    const struct decision *const decision = &table->game->decision;
    for (unsigned seat = 0; seat < SEATS && decision->open == 1; seat++) {
        moves_list_own(table->game, &table->box, seat, &table->moves);
        uint32_t chosen[MB_MOVES_MAX];
        uint32_t count = 0;
        for (uint32_t i = 0; i < table->moves.count; i++) {
            if (table->moves.items[i].command.verb == VERB_CHOOSE) {
                chosen[count++] = i;
            }
        }
        if (count == 0) {
            continue;
        }
        const bool yes_no = decision->kind == DECIDE_YES_NO;
        const struct move *move = &table->moves.items[chosen[seat % count]];
        for (uint32_t i = 0; yes_no && i < count; i++) {
            const struct move *const one = &table->moves.items[chosen[i]];
            move = one->command.list[0] == 1 ? one : move;
        }
        struct command command = move->command;
        if (move->open == MOVE_LIST_OPEN && move->max == 1 && move->candidate_count > 0) {
            command.list[0] = move->candidates[seat % move->candidate_count];
            command.list_count = 1;
        }
        if (step(table, &command)) {
            return true;
        }
    }
    return false;
}

// X is played or used, by whoever may, in the way that concerns others rather than oneself.
static bool use_x(struct laid_table *table)
{
    for (unsigned seat = 0; seat < SEATS && table->uses < USES; seat++) {
        moves_list_own(table->game, &table->box, seat, &table->moves);
        struct command best = {0};
        int worth = -1;
        for (uint32_t i = 0; i < table->moves.count; i++) {
            const struct command *const one = &table->moves.items[i].command;
            const bool ours = (one->verb == VERB_PLAY || one->verb == VERB_USE) &&
                              (one->card == table->x || one->verb == VERB_USE);
            const bool pinch =
                one->verb == VERB_USE && one->card != table->x && one->card != NO_CARD;
            const bool curse = box_def(&table->box, table->x)->kind == KIND_CURSE;
            const bool on_victim = one->target_kind == TARGET_SEAT && one->target == table->victim;
            const int value = curse == on_victim ? 2 : one->target_kind != TARGET_NONE ? 1 : 0;
            if (ours && !pinch && seat != CY && value > worth) {
                best = *one;
                worth = value;
            }
            if (one->verb == VERB_PLAY && one->card == table->x && value > worth) {
                best = *one;
                worth = value;
            }
        }
        if (worth >= 0 && step(table, &best)) {
            table->uses++;
            return true;
        }
    }
    return false;
}

static void settle(struct laid_table *table)
{
    for (unsigned i = 0; i < SETTLES; i++) {
        const struct game *const game = table->game;
        if (game->phase == PHASE_OVER) {
            break;
        }
        if (game->decision.open == 1) {
            if (!answer(table)) {
                elapse(table);
            }
        } else if (game->moment.kind == PAUSE_ANSWER) {
            if (!use_x(table)) {
                elapse(table);
            }
        } else {
            break;
        }
    }
    look(table);
}

static void play_on(struct laid_table *table, unsigned seat, const char *name, unsigned target)
{
    struct command command = command_plain(seat, VERB_PLAY);
    command.card = find_in(table, name, pile_hand(seat));
    command.target_kind = TARGET_SEAT;
    command.target = (uint16_t)target;
    if (command.card != NO_CARD) {
        (void)step(table, &command);
    }
    settle(table);
}

static void plain(struct laid_table *table, unsigned seat, enum verb verb)
{
    const struct command command = command_plain(seat, verb);
    (void)step(table, &command);
    settle(table);
}

// Everything X can be used for at this point of the story.
static void point(struct laid_table *table, enum use_at at)
{
    while (table->use == at && table->uses < USES && use_x(table)) {
        settle(table);
    }
}

static void peace(struct laid_table *table)
{
    point(table, USE_IN_PEACE);
    play_on(table, CY, "Rust", ANN);
    play_on(table, BOB, "Hex", ANN);
    for (unsigned i = 0; i < 2; i++) { // a Club of Ann's is pinched
        struct command pinch = command_plain(CY, VERB_USE);
        pinch.ability = catalog_find_ability(table->catalog, "Pinch");
        pinch.target_kind = TARGET_CARD;
        pinch.target = find_in(table, i == 0 ? "Club" : "Charm", pile_table(ANN));
        if (pinch.target != NO_CARD) {
            (void)step(table, &pinch);
        }
        settle(table);
    }
    struct command sale = command_plain(ANN, VERB_SELL);
    sale.list[0] = find_in(table, "Pike", pile_table(ANN));
    sale.list[1] = find_in(table, "Clogs", pile_table(ANN));
    sale.list_count = 2;
    if (sale.list[0] != NO_CARD && sale.list[1] != NO_CARD) {
        (void)step(table, &sale);
    }
    settle(table);
}

static void throw_pill(struct laid_table *table, unsigned seat)
{
    struct command pill = command_plain(seat, VERB_PLAY);
    pill.card = find_in(table, "Pill", pile_hand(seat));
    pill.side = SIDE_PLAYERS;
    if (pill.card != NO_CARD) {
        (void)step(table, &pill);
    }
    settle(table);
}

static void meet(struct laid_table *table)
{
    plain(table, ANN, VERB_KICK);
    struct command ask = command_plain(ANN, VERB_ASK);
    ask.to = BOB;
    ask.n = 1;
    (void)step(table, &ask);
    plain(table, BOB, VERB_ACCEPT);
    struct command stranger = command_plain(CY, VERB_PLAY);
    stranger.card = find_in(table, "Stranger", pile_hand(CY));
    stranger.list[0] = find_in(table, "Ant", pile_hand(CY));
    if (table->game->cards[table->x].pile == pile_hand(CY)) {
        stranger.list[0] = table->x;
    }
    stranger.list_count = 1;
    if (stranger.card != NO_CARD && stranger.list[0] != NO_CARD) {
        (void)step(table, &stranger);
    }
    settle(table);
    struct command spice = command_plain(DAN, VERB_PLAY);
    spice.card = find_in(table, "Spice", pile_hand(DAN));
    spice.target_kind = TARGET_MONSTER;
    spice.target = table->game->fight.monster_count > 0 ? table->game->fight.monsters[0].card : 0;
    if (spice.card != NO_CARD && table->game->fight.on != 0) {
        (void)step(table, &spice);
    }
    settle(table);
    throw_pill(table, DAN);
    point(table, USE_IN_FIGHT);
}

static void run_away(struct laid_table *table)
{
    for (unsigned i = 0; i < 8 && table->game->fight.on != 0; i++) {
        point(table, USE_IN_FLIGHT);
        const unsigned seat = i < 4 ? ANN : BOB;
        struct command run = command_plain(seat, VERB_RUN);
        for (unsigned m = 0; m < table->game->fight.monster_count; m++) {
            run.card = table->game->fight.monsters[m].card;
            (void)step(table, &run);
        }
        run.card = NO_CARD;
        (void)step(table, &run);
        settle(table);
    }
}

static void end_turn(struct laid_table *table, unsigned seat)
{
    for (unsigned i = 0; i < 12 && table->game->turn == seat; i++) {
        const struct command done = command_plain(seat, VERB_DONE);
        if (!step(table, &done) || table->game->turn == seat) {
            moves_list_own(table->game, &table->box, seat, &table->moves);
            bool found = false;
            for (uint32_t k = 0; k < table->moves.count && !found; k++) {
                const struct command one = table->moves.items[k].command;
                found = (one.verb == VERB_CHARITY || one.verb == VERB_DISCARD) && step(table, &one);
            }
            if (!found) {
                break;
            }
        }
        settle(table);
    }
    settle(table);
}

static void tell(struct laid_table *table, enum story story)
{
    end_turn(table, EVE);
    if (story == STORY_ALONE) {
        plain(table, ANN, VERB_KICK);
        point(table, USE_IN_FIGHT);
    } else if (story != STORY_LOOTED) {
        if (story != STORY_JOINED) {
            peace(table);
        }
        meet(table);
    } else {
        plain(table, ANN, VERB_KICK);
        plain(table, ANN, VERB_LOOT);
        point(table, USE_IN_PEACE);
    }
    if (story == STORY_JOINED && table->game->fight.on != 0) {
        struct command broom = command_plain(ANN, VERB_PLAY);
        broom.card = find_in(table, "Broom", pile_hand(ANN));
        broom.target_kind = TARGET_MONSTER;
        broom.target = table->game->fight.monsters[0].card;
        if (broom.card != NO_CARD) {
            (void)step(table, &broom);
        }
        settle(table);
    }
    if (story == STORY_FLED) { // one-shots of the owner of X count too
        throw_pill(table, ANN);
    }
    if (story == STORY_FLED || story == STORY_CAUGHT) {
        run_away(table);
    }
    if (table->game->fight.on != 0) {
        elapse(table);
        settle(table);
        for (unsigned i = 0; i < 4 && table->game->window.kind != PAUSE_NONE; i++) {
            elapse(table);
            settle(table);
        }
    }
    end_turn(table, ANN);
}

static bool enter(struct laid_table *table, const char *card, char *why, size_t size, uint8_t *set)
{
    char list[1024];
    (void)snprintf(list, sizeof list, "[%s]", card);
    return add(table->catalog, list, set, why, size);
}

void laid_victim(struct laid_table *table, unsigned seat)
{
    table->victim = seat;
}

uint64_t laid_trace(struct laid_table *table, const char *card, enum story story, enum use_at use,
                    bool counted)
{
    char why[CATALOG_ISSUE_SIZE] = "";
    uint8_t sets[3] = {0, table->own, NO_SET};
    struct mb_error err = {0};
    if (!enter(table, card, why, sizeof why, &sets[2])) {
        fail_msg("%s\nin %s", why, card);
    }
    if (!catalog_box(table->catalog, sets, 3, EDITION_CLASSIC, &table->box, &err)) {
        fail_msg("%s", err.text);
    }
    table->use = use;
    table->uses = 0;
    table->counted = counted;
    table->trace = 14695981039346656037u;
    const struct card_def *const def =
        catalog_def(table->catalog, catalog_find_def(table->catalog, "X", sets[2]));
    memset(table->game, 0, game_size());
    arrange_begin(table->game, &table->box, SEATS, (const uint8_t[32]){7});
    table->x = arrange_find(table->game, &table->box,
                            (uint16_t)catalog_find_def(table->catalog, "X", sets[2]));
    arrange(table, def, story);
    settle(table);
    tell(table, story);
    catalog_rewind(table->catalog, sets[2]);
    return table->trace;
}

void laid_says(struct laid_table *table, const char *card, char *out, size_t size)
{
    char why[CATALOG_ISSUE_SIZE] = "";
    uint8_t set = NO_SET;
    if (!enter(table, card, why, sizeof why, &set)) {
        fail_msg("%s\nin %s", why, card);
    }
    describe_card(table->catalog, catalog_find_def(table->catalog, "X", set), out, size);
    catalog_rewind(table->catalog, set);
}

bool laid_reads(struct laid_table *table, const char *card, char *why, size_t size)
{
    uint8_t set = NO_SET;
    const bool reads = enter(table, card, why, size, &set);
    if (reads) {
        catalog_rewind(table->catalog, set);
    }
    return reads;
}
