#include "core/deal.h"

#include <stddef.h>
#include <string.h>

#include "core/equip.h"
#include "core/fight.h"
#include "core/harm.h"
#include "core/pile.h"
#include "core/play.h"
#include "core/program.h"
#include "core/requirement.h"
#include "core/strength.h"
#include "core/trait.h"

static void set_deal(struct engine *engine, unsigned index, const struct deal *deal)
{
    struct event event = {.type = EVENT_DEAL, .n = (int)index, .u.deal = *deal};
    emit(engine, &event);
}

static void close_deal(struct engine *engine, unsigned index, int how)
{
    struct deal none = {.kind = DEAL_NONE};
    struct event note = {.why = NOTE_DEAL_OFF,
                         .seat = engine->game->deals[index].from,
                         .seat2 = engine->game->deals[index].to,
                         .card = NO_CARD,
                         .card2 = NO_CARD,
                         .n = engine->game->deals[index].id,
                         .m = how};
    if (how >= 0) {
        emit_note_full(engine, &note);
    }
    set_deal(engine, index, &none);
}

bool deal_may_carry(const struct game *game, const struct box *box, unsigned seat, uint16_t card)
{
    const struct card_def *def = box_def(box, card);
    if (def->kind == KIND_FOLLOWER) { // Rules: to a player with room for one (SIDE-2).
        return (int)trait_count(game, box, seat, KIND_FOLLOWER) <
               strength_follower_limit(game, box, seat);
    }
    return (def->flags & DEF_BIG) == 0 || !kind_is_item(def->kind) ||
           big_count(game, box, seat) + 1 <= strength_big_limit(game, box, seat);
}

int deal_treasures_in_sight(const struct game *game, const struct box *box)
{
    int total = 0;
    for (unsigned i = 0; game->fight.on != 0 && i < game->fight.monster_count; i++) {
        if ((game->fight.monsters[i].flags & (MONSTER_GONE | MONSTER_PASSED)) == 0) {
            total += strength_treasures(game, box, i);
        }
    }
    for (unsigned i = 0; i < game->fight.owed_count; i++) {
        total += game->fight.owed[i].treasures; // Rules: owed ones may be offered too (RUL-172).
    }
    return total;
}

bool deal_fight_would_win_game(const struct game *game, const struct box *box, unsigned seat)
{
    if (game->fight.on == 0 || seat >= MB_SEATS_MAX) {
        return false;
    }
    int levels = 0;
    int kills = 0;
    for (unsigned i = 0; i < game->fight.monster_count; i++) {
        if ((game->fight.monsters[i].flags & (MONSTER_GONE | MONSTER_PASSED)) == 0) {
            levels += strength_kill_levels(game, box, i);
            kills++;
        }
    }
    for (unsigned i = 0; i < game->fight.owed_count; i++) {
        levels += game->fight.owed[i].levels;
    }
    if (seat != game->fight.main) {
        levels = 0;
        uint16_t at = pile_first(game, pile_table(seat));
        for (; at != NO_CARD; at = game->cards[at].next) {
            if (program_has(box, box_def(box, at), WHEN_HELPED_KILL)) {
                levels += kills;
            }
        }
    }
    return game->seats[seat].level + levels >= box->profile.constant[PROFILE_GOAL];
}

void deal_lapse_fight(struct engine *engine)
{
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        unsigned kind = engine->game->deals[i].kind;
        if (kind == DEAL_ASK || kind == DEAL_VOLUNTEER || kind == DEAL_BRIBE) {
            close_deal(engine, i, 2);
        }
    }
}

static bool all_in_play(const struct game *game, const uint16_t *cards, unsigned count,
                        unsigned seat)
{
    for (unsigned i = 0; i < count; i++) {
        if (game->cards[cards[i]].pile != pile_table(seat)) {
            return false;
        }
    }
    return true;
}

static bool deal_dead(const struct game *game, const struct box *box, const struct deal *deal)
{
    bool help = deal->kind == DEAL_ASK || deal->kind == DEAL_VOLUNTEER;
    bool running = (game->fight.flags & FIGHT_GAVE_UP) != 0;
    if (help) {
        return game->fight.on == 0 || running || game->fight.helper != NO_SEAT ||
               strength_players_win(game, box) ||
               (deal->kind == DEAL_ASK && deal->from != game->fight.main);
    }
    if (game->seats[deal->from].alive == 0 ||
        (deal->to < MB_SEATS_MAX && game->seats[deal->to].alive == 0)) {
        return true;
    }
    return !all_in_play(game, deal->gives, deal->gives_count, deal->from) ||
           !all_in_play(game, deal->wants, deal->wants_count, deal->to);
}

bool deal_settle(struct engine *engine)
{
    const struct game *game = engine->game;
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        if (game->deals[i].kind != DEAL_NONE && deal_dead(game, engine->box, &game->deals[i])) {
            close_deal(engine, i, 2);
            return true;
        }
    }
    return false;
}

/** Plays a promised hand card on the helper if that is legal now (RUL-152). */
static bool keep_card(struct engine *engine, uint16_t card, unsigned from, unsigned to)
{
    struct command command = {.verb = VERB_PLAY,
                              .seat = (uint8_t)from,
                              .card = card,
                              .target_kind = TARGET_SEAT,
                              .target = (uint16_t)to,
                              .to = NO_SEAT,
                              .about = NO_SEAT};
    struct refusal why = {.code = REFUSAL_NONE};
    check_play(engine->game, engine->box, &command, &why);
    if (why.code != REFUSAL_NONE) {
        return false;
    }
    act_play(engine, &command);
    return true;
}

void deal_keep_promises(struct engine *engine, unsigned from, unsigned to)
{
    const struct game *game = engine->game;
    for (unsigned i = 0; i < game->fight.promise_count; i++) {
        uint16_t card = game->fight.promised[i];
        bool kept = false;
        if (game->cards[card].pile == pile_table(from)) {
            kept = deal_may_carry(game, engine->box, to, card);
            if (kept) {
                card_to_table(engine, card, to, MOVE_PROMISED, from);
            }
        } else if (game->cards[card].pile == pile_hand(from)) {
            kept = keep_card(engine, card, from, to);
        }
        if (!kept) {
            struct event note = {.why = NOTE_PROMISE_LAPSES,
                                 .seat = (uint8_t)from,
                                 .seat2 = (uint8_t)to,
                                 .card = pile_is_hand(game->cards[card].pile) ? NO_CARD : card,
                                 .card2 = NO_CARD};
            emit_note_full(engine, &note);
        }
    }
    struct event none = {.type = EVENT_PROMISE};
    emit(engine, &none);
}

static unsigned free_slot(const struct game *game)
{
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        if (game->deals[i].kind == DEAL_NONE) {
            return i;
        }
    }
    return MB_DEALS_MAX;
}

static void fill_deal(const struct command *command, struct deal *deal)
{
    deal->from = command->seat;
    deal->to = command->to;
    deal->treasures = (uint8_t)command->n;
    deal->picking = command->picking;
    deal->about = command->about;
    deal->gives_count = command->list_count;
    memcpy(deal->gives, command->list, command->list_count * sizeof deal->gives[0]);
    uint16_t *second = command->verb == VERB_ASK ? deal->promises : deal->wants;
    memcpy(second, command->more, command->more_count * sizeof second[0]);
    if (command->verb == VERB_ASK) {
        deal->promises_count = command->more_count;
    } else {
        deal->wants_count = command->more_count;
    }
}

static unsigned deal_kind_of(const struct command *command)
{
    switch ((enum verb)command->verb) {
    case VERB_ASK:
        return DEAL_ASK;
    case VERB_VOLUNTEER:
        return DEAL_VOLUNTEER;
    case VERB_GIVE:
        return DEAL_GIFT;
    default:
        return command->bribe != 0 ? DEAL_BRIBE : DEAL_TRADE;
    }
}

/** Whether the asker's Kneepads and their like make the one asked come without a price (I16). */
static bool forced_help(const struct game *game, const struct box *box, unsigned asker,
                        unsigned asked)
{
    struct row_iter it;
    row_iter_begin(&it, game, box, asker, EFFECT_FREE_HELP);
    return asked < MB_SEATS_MAX && row_next(&it) != NULL &&
           game->seats[asked].level > game->seats[asker].level;
}

void act_deal(struct engine *engine, const struct command *command)
{
    const struct game *game = engine->game;
    struct deal deal = {.kind = (uint8_t)deal_kind_of(command)};
    fill_deal(command, &deal);
    if (deal.kind == DEAL_VOLUNTEER) {
        deal.to = game->fight.main;
    }
    if (deal.kind == DEAL_ASK || deal.kind == DEAL_VOLUNTEER) { // a new one replaces the old one
        for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
            if (game->deals[i].kind == deal.kind && game->deals[i].from == deal.from) {
                close_deal(engine, i, -1);
            }
        }
    }
    if (deal.kind == DEAL_ASK && forced_help(game, engine->box, deal.from, deal.to)) {
        emit_fight_field(engine, FIGHT_FLAGS, game->fight.flags | FIGHT_FORCED_HELP);
        fight_helper_joins(engine, deal.to, &deal);
        return;
    }
    deal.id = (uint8_t)(game->deal_next + 1u);
    emit_game(engine, GAME_DEAL_NEXT, deal.id % 99);
    for (unsigned i = 0; i < deal.promises_count && deal.to < MB_SEATS_MAX; i++) {
        emit_know(engine, deal.promises[i], seat_bit(deal.to)); // shown to the one asked only
    }
    set_deal(engine, free_slot(game), &deal);
    struct event note = {.why = NOTE_DEAL_OPEN,
                         .seat = deal.from,
                         .seat2 = deal.to,
                         .card = NO_CARD,
                         .card2 = NO_CARD,
                         .n = deal.id,
                         .m = deal.kind};
    emit_note_full(engine, &note);
}

static bool concerns(const struct deal *deal, unsigned seat)
{
    return deal->to == seat || (deal->to == ALL_SEATS && deal->from != seat);
}

/** The deal that accept, refuse or withdraw means; -1 with the reason. */
static int find_deal(const struct game *game, const struct command *command, bool own,
                     struct refusal *why)
{
    int found = -1;
    unsigned open = 0;
    unsigned mine = 0;
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        const struct deal *deal = &game->deals[i];
        if (deal->kind == DEAL_NONE) {
            continue;
        }
        open++;
        bool fits = own ? deal->from == command->seat : concerns(deal, command->seat);
        if (command->n > 0 && deal->id == command->n) {
            if (fits) {
                return (int)i;
            }
            refuse(why, REFUSAL_NOT_ASKED, "HELP-1");
            return -1;
        }
        if (fits && command->n == 0) {
            mine++;
            found = (int)i;
        }
    }
    if (mine > 1) {
        refuse_card(why, REFUSAL_AMBIGUOUS_NAME, "HELP-1", NO_CARD, (int)mine);
        return -1;
    }
    if (mine == 0) {
        bool ask_open = false;
        for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
            ask_open |= game->deals[i].kind != DEAL_NONE && !own;
        }
        // A number that no open deal has is no offer of anybody's.
        bool others = open > 0 && ask_open && command->n == 0;
        refuse(why, others ? REFUSAL_NOT_ASKED : REFUSAL_NO_OFFER, "HELP-1");
        return -1;
    }
    return found;
}

static void check_trade_parties(const struct game *game, unsigned one, unsigned two,
                                struct refusal *why)
{
    if (game->phase == PHASE_SETUP) {
        refuse(why, REFUSAL_WRONG_PHASE, "SETUP-6");
    }
    if (two >= game->seat_count) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "TRADE-1");
        return;
    }
    // Rules: neither partner may be in a fight (TRADE-1, RUL-4).
    if (seat_fights(game, one) || seat_fights(game, two)) {
        refuse(why, REFUSAL_IN_COMBAT, "TRADE-1");
    }
    if (game->seats[two].alive == 0 || one == two) {
        refuse(why, REFUSAL_ILLEGAL_TARGET, "TRADE-1");
    }
}

static bool tradable(const struct box *box, const struct card_def *def)
{
    (void)box;
    return kind_is_item(def->kind) ||
           (def->kind == KIND_FOLLOWER && (def->flags & DEF_VALUE) != 0); // Rules: SIDE-2.
}

static void check_items_of(const struct game *game, const struct box *box, const uint16_t *cards,
                           unsigned count, unsigned seat, struct refusal *why)
{
    for (unsigned i = 0; i < count; i++) {
        if (game->cards[cards[i]].pile != pile_table(seat)) {
            refuse_card(why, REFUSAL_NOT_IN_PLAY, "TRADE-1", cards[i], 0);
        } else if (!tradable(box, box_def(box, cards[i]))) {
            refuse_card(why, REFUSAL_ILLEGAL_TARGET, "ITEM-7", cards[i], 0);
        }
    }
}

/** The Items that the commanding seat promises or gives away. */
static void check_own_items(const struct game *game, const struct box *box,
                            const struct command *command, struct refusal *why)
{
    for (unsigned i = 0; i < command->list_count; i++) {
        unsigned pile = game->cards[command->list[i]].pile;
        if (pile_is_of_another(pile, command->seat)) {
            refuse_not_ours(why, "TRADE-1", command->list[i], pile, command->seat);
        }
    }
    check_items_of(game, box, command->list, command->list_count, command->seat, why);
}

/** Cards of one side of a deal. */
struct deal_side {
    const uint16_t *cards;
    unsigned count;
};

static const struct deal_side NOTHING = {.cards = NULL, .count = 0};

static void check_room(const struct game *game, const struct box *box, unsigned seat,
                       struct deal_side gets, struct deal_side loses, struct refusal *why)
{
    int big = big_count(game, box, seat);
    int followers =
        strength_follower_limit(game, box, seat) - (int)trait_count(game, box, seat, KIND_FOLLOWER);
    bool gets_big = false;
    for (unsigned i = 0; i < loses.count; i++) {
        big -= (box_def(box, loses.cards[i])->flags & DEF_BIG) != 0;
        followers += box_def(box, loses.cards[i])->kind == KIND_FOLLOWER;
    }
    for (unsigned i = 0; i < gets.count; i++) {
        bool is_big = (box_def(box, gets.cards[i])->flags & DEF_BIG) != 0;
        gets_big |= is_big;
        big += is_big;
        followers -= box_def(box, gets.cards[i])->kind == KIND_FOLLOWER;
    }
    if (gets_big && big > strength_big_limit(game, box, seat)) {
        refuse_card(why, REFUSAL_BIG_ITEM, "TRADE-3", gets.count > 0 ? gets.cards[0] : NO_CARD, 0);
    }
    if (followers < 0) {
        refuse_card(why, REFUSAL_SLOT_FULL, "SIDE-2", gets.count > 0 ? gets.cards[0] : NO_CARD, 0);
    }
}

void check_give(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why)
{
    if (command->list_count == 0 || command->list_count > MB_DEAL_CARDS) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "TRADE-3");
        return;
    }
    check_trade_parties(game, command->seat, command->to, why);
    check_own_items(game, box, command, why);
    if (command->to < game->seat_count) {
        struct deal_side gift = {.cards = command->list, .count = command->list_count};
        check_room(game, box, command->to, gift, NOTHING, why);
    }
    if (free_slot(game) == MB_DEALS_MAX) {
        refuse(why, REFUSAL_LIMIT_REACHED, "TRADE-3");
    }
}

static void check_bribe(const struct game *game, const struct box *box,
                        const struct command *command, struct refusal *why)
{
    (void)box;
    if (game->fight.on == 0) {
        refuse(why, REFUSAL_NOT_IN_COMBAT, "TRADE-3");
    }
    if (command->to >= game->seat_count) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "TRADE-3");
        return;
    }
    if (seat_fights(game, command->seat) || seat_fights(game, command->to)) {
        refuse(why, REFUSAL_IN_COMBAT, "TRADE-1");
    }
    if (command->to == command->seat || game->seats[command->to].alive == 0) {
        refuse(why, REFUSAL_ILLEGAL_TARGET, "TRADE-3");
    }
    if (command->about != NO_SEAT && game->fight.on != 0 && command->about != game->fight.main) {
        refuse(why, REFUSAL_ILLEGAL_TARGET, "RUL-154");
    }
}

void check_offer(const struct game *game, const struct box *box, const struct command *command,
                 struct refusal *why)
{
    bool empty = command->list_count == 0 || (command->bribe == 0 && command->more_count == 0);
    if (empty || command->list_count > MB_DEAL_CARDS || command->more_count > MB_DEAL_CARDS) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "TRADE-1");
        return;
    }
    check_own_items(game, box, command, why);
    if (command->bribe != 0) {
        check_bribe(game, box, command, why);
    } else {
        check_trade_parties(game, command->seat, command->to, why);
    }
    if (command->to < game->seat_count) {
        check_items_of(game, box, command->more, command->more_count, command->to, why);
        struct deal_side gives = {.cards = command->list, .count = command->list_count};
        struct deal_side wants = {.cards = command->more, .count = command->more_count};
        check_room(game, box, command->to, gives, wants, why);
        if (command->bribe == 0) {
            check_room(game, box, command->seat, wants, gives, why);
        }
    }
    if (free_slot(game) == MB_DEALS_MAX) {
        refuse(why, REFUSAL_LIMIT_REACHED, "TRADE-1");
    }
}

/** Whether nobody may help in this fight: a monster's text, or what lies on the main fighter (M36).
 */
static bool help_barred(const struct game *game, const struct box *box)
{
    return fight_no_help(game, box) || seat_barred(game, box, game->fight.main, BAR_BE_HELPED);
}

/** Whether this seat may not help: what lies on it, or a monster's text about the helper (M38). */
static bool helper_barred(const struct game *game, const struct box *box, unsigned seat)
{
    if (seat_barred(game, box, seat, BAR_HELP)) {
        return true;
    }
    bool asks = false;
    for (unsigned i = 0; i < game->fight.monster_count && !asks; i++) {
        asks = program_has_op(box, box_def(box, game->fight.monsters[i].face), EFFECT_NO_HELP);
    }
    if (!asks) {
        return false;
    }
    struct game scratch = *game;
    scratch.fight.helper = (uint8_t)seat;
    return fight_no_help(&scratch, box);
}

/** Whether a promised card could be played on the one asked, or on one of all (RUL-152). */
static bool could_be_kept(const struct game *game, const struct box *box, uint16_t card,
                          const struct command *command)
{
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        bool asked = command->to == ALL_SEATS ? seat != command->seat : seat == command->to;
        if (asked && play_on_would_do(game, box, card, seat)) {
            return true;
        }
    }
    return command->to != ALL_SEATS && command->to >= game->seat_count;
}

/** What an ask promises: Items in play, hand cards where the house allows, Treasures in sight. */
static void check_price(const struct game *game, const struct box *box,
                        const struct command *command, struct refusal *why)
{
    unsigned seat = command->seat;
    if (command->n < 0 || command->n > deal_treasures_in_sight(game, box)) {
        refuse_card(why, REFUSAL_LIMIT_REACHED, "HELP-3", NO_CARD,
                    deal_treasures_in_sight(game, box));
    }
    check_own_items(game, box, command, why);
    if (command->to < game->seat_count) { // Rules: only to who may carry it (TRADE-3).
        struct deal_side price = {.cards = command->list, .count = command->list_count};
        check_room(game, box, command->to, price, NOTHING, why);
    }
    for (unsigned i = 0; i < command->more_count; i++) {
        uint16_t card = command->more[i];
        const struct card_def *def = box_def(box, card);
        if (game->cards[card].pile != pile_hand(seat)) {
            refuse_card(why, REFUSAL_NOT_IN_HAND, "HELP-3", card, 0);
        } else if (!box->profile.flag[FLAG_PROMISE_HAND] || kind_is_item(def->kind) ||
                   def->kind == KIND_MONSTER || kind_is_identity(def->kind)) {
            refuse_card(why, REFUSAL_NOT_USABLE, "HELP-3", card, 0);
        } else if (!could_be_kept(game, box, card, command)) {
            refuse_card(why, REFUSAL_NOT_USABLE, "RUL-152", card, 0);
        }
    }
}

void check_ask(const struct game *game, const struct box *box, const struct command *command,
               struct refusal *why)
{
    unsigned seat = command->seat;
    if (command->to == NO_SEAT || command->list_count > MB_DEAL_CARDS ||
        command->more_count > MB_DEAL_CARDS) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "HELP-1");
        return;
    }
    if (game->fight.on == 0 || game->fight.main != seat) {
        // Asking is for whose turn it is; only a fight taken over makes an exception (O12).
        refuse(why, game->turn != seat ? REFUSAL_NOT_YOUR_TURN : REFUSAL_NOT_IN_COMBAT, "HELP-1");
        return;
    }
    if ((game->fight.flags & FIGHT_GAVE_UP) != 0) {
        refuse(why, REFUSAL_WRONG_PHASE, "HELP-1");
    }
    if (strength_players_win(game, box) || help_barred(game, box)) {
        refuse(why, REFUSAL_NOT_USABLE, "RUL-46");
    }
    if (game->fight.helper != NO_SEAT) {
        refuse(why, REFUSAL_HELPER_TAKEN, "HELP-1");
    }
    if (command->to != ALL_SEATS &&
        (command->to == seat || command->to >= game->seat_count ||
         game->seats[command->to].alive == 0 || helper_barred(game, box, command->to))) {
        refuse(why, REFUSAL_ILLEGAL_TARGET, "HELP-9");
    }
    if (forced_help(game, box, seat, command->to)) {
        bool price = command->n > 0 || command->list_count > 0 || command->more_count > 0;
        // Rules: not in a fight that would win the game (RUL-28).
        if (price || deal_fight_would_win_game(game, box, seat)) {
            refuse(why, REFUSAL_NOT_USABLE, price ? "HELP-3" : "RUL-28");
        }
    }
    check_price(game, box, command, why);
    if (free_slot(game) == MB_DEALS_MAX) {
        refuse(why, REFUSAL_LIMIT_REACHED, "HELP-1");
    }
}

void check_volunteer(const struct game *game, const struct box *box, const struct command *command,
                     struct refusal *why)
{
    if (game->fight.on == 0) {
        refuse(why, REFUSAL_NOT_IN_COMBAT, "HELP-1");
        return;
    }
    if ((game->bribed & seat_bit(command->seat)) != 0) {
        refuse(why, REFUSAL_DEAL_BINDS, "RUL-154");
    }
    if ((game->fight.flags & FIGHT_GAVE_UP) != 0) {
        refuse(why, REFUSAL_WRONG_PHASE, "HELP-1");
    }
    if (strength_players_win(game, box) || help_barred(game, box) ||
        game->fight.main == command->seat || helper_barred(game, box, command->seat)) {
        refuse(why, REFUSAL_NOT_USABLE, "HELP-1");
    }
    if (game->fight.helper != NO_SEAT) {
        refuse(why, REFUSAL_HELPER_TAKEN, "HELP-1");
    }
    if (command->n < 0 || command->n > deal_treasures_in_sight(game, box)) {
        refuse_card(why, REFUSAL_LIMIT_REACHED, "HELP-3", NO_CARD,
                    deal_treasures_in_sight(game, box));
    }
    if (free_slot(game) == MB_DEALS_MAX) {
        refuse(why, REFUSAL_LIMIT_REACHED, "HELP-1");
    }
}

void check_accept(const struct game *game, const struct box *box, const struct command *command,
                  struct refusal *why)
{
    int index = find_deal(game, command, false, why);
    if (index < 0) {
        return;
    }
    const struct deal *deal = &game->deals[index];
    const struct deal_side gives = {.cards = deal->gives, .count = deal->gives_count};
    const struct deal_side wants = {.cards = deal->wants, .count = deal->wants_count};
    unsigned seat = command->seat;
    switch ((enum deal_kind)deal->kind) {
    case DEAL_ASK:
        if ((game->bribed & seat_bit(seat)) != 0) {
            refuse(why, REFUSAL_DEAL_BINDS, "RUL-154");
        }
        if (helper_barred(game, box, seat) || help_barred(game, box)) {
            refuse(why, REFUSAL_NOT_USABLE, "HELP-1");
        }
        break;
    case DEAL_VOLUNTEER:
        if (help_barred(game, box)) {
            refuse(why, REFUSAL_NOT_USABLE, "HELP-1");
        }
        break;
    case DEAL_GIFT:
    case DEAL_TRADE:
        check_trade_parties(game, deal->from, deal->to, why);
        check_room(game, box, seat, gives, wants, why);
        check_room(game, box, deal->from, wants, gives, why);
        break;
    case DEAL_BRIBE:
        check_room(game, box, seat, gives, NOTHING, why);
        if (seat_fights(game, seat) || seat_fights(game, deal->from)) {
            refuse(why, REFUSAL_IN_COMBAT, "TRADE-1");
        }
        break;
    case DEAL_NONE:
        break;
    }
}

void check_refuse(const struct game *game, const struct box *box, const struct command *command,
                  struct refusal *why)
{
    (void)box;
    find_deal(game, command, false, why);
}

void check_withdraw(const struct game *game, const struct box *box, const struct command *command,
                    struct refusal *why)
{
    (void)box;
    find_deal(game, command, true, why);
}

static void pass_items(struct engine *engine, const uint16_t *cards, unsigned count, unsigned to,
                       unsigned from, enum move_why why)
{
    for (unsigned i = 0; i < count; i++) {
        card_to_table(engine, cards[i], to, why, from);
    }
}

/** A bribed player's earlier yes to an open "ask all" no longer stands (RUL-154). */
static void take_yes_back(struct engine *engine, unsigned seat)
{
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        struct deal deal = engine->game->deals[i];
        if (deal.kind == DEAL_ASK && (deal.accepted & seat_bit(seat)) != 0) {
            deal.accepted &= (uint8_t)~seat_bit(seat);
            deal.refused |= seat_bit(seat);
            set_deal(engine, i, &deal);
        }
    }
}

static void note_made(struct engine *engine, const struct deal *deal, unsigned seat)
{
    struct event note = {.why = NOTE_DEAL_MADE,
                         .seat = (uint8_t)seat,
                         .seat2 = deal->from,
                         .card = NO_CARD,
                         .card2 = NO_CARD,
                         .n = deal->id,
                         .m = deal->kind};
    emit_note_full(engine, &note);
}

void act_accept(struct engine *engine, const struct command *command)
{
    struct refusal why = {.code = REFUSAL_NONE};
    int index = find_deal(engine->game, command, false, &why);
    struct deal deal = engine->game->deals[index];
    unsigned seat = command->seat;
    if (deal.to == ALL_SEATS) { // "ask all": the asker picks among those who accept
        deal.accepted |= seat_bit(seat);
        deal.refused &= (uint8_t)~seat_bit(seat);
        set_deal(engine, (unsigned)index, &deal);
        return;
    }
    note_made(engine, &deal, seat);
    close_deal(engine, (unsigned)index, -1);
    switch ((enum deal_kind)deal.kind) {
    case DEAL_ASK:
        fight_helper_joins(engine, seat, &deal);
        break;
    case DEAL_VOLUNTEER:
        fight_helper_joins(engine, deal.from, &deal);
        break;
    case DEAL_GIFT:
        pass_items(engine, deal.gives, deal.gives_count, seat, deal.from, MOVE_GIVEN);
        break;
    case DEAL_TRADE:
        pass_items(engine, deal.gives, deal.gives_count, seat, deal.from, MOVE_TRADED);
        pass_items(engine, deal.wants, deal.wants_count, deal.from, seat, MOVE_TRADED);
        break;
    case DEAL_BRIBE:
        pass_items(engine, deal.gives, deal.gives_count, seat, deal.from, MOVE_GIVEN);
        emit_game(engine, GAME_BRIBED, engine->game->bribed | seat_bit(seat));
        take_yes_back(engine, seat);
        break;
    case DEAL_NONE:
        break;
    }
}

void act_refuse(struct engine *engine, const struct command *command)
{
    struct refusal why = {.code = REFUSAL_NONE};
    bool own = command->verb == VERB_WITHDRAW;
    int index = find_deal(engine->game, command, own, &why);
    struct deal deal = engine->game->deals[index];
    if (!own && deal.to == ALL_SEATS) {
        deal.refused |= seat_bit(command->seat);
        deal.accepted &= (uint8_t)~seat_bit(command->seat);
        set_deal(engine, (unsigned)index, &deal);
        unsigned others = seats_alive(engine->game) & ~(unsigned)seat_bit(deal.from);
        if ((deal.refused & others) == others) {
            close_deal(engine, (unsigned)index, 0);
        }
        return;
    }
    close_deal(engine, (unsigned)index, own ? 1 : 0);
}
