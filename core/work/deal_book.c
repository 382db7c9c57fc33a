#include "core/work/deal_book.h"

#include "core/numbers/strength.h"
#include "core/numbers/trait.h"

void deal_set(struct engine *engine, unsigned index, const struct deal *deal)
{
    struct event event = {.type = EVENT_DEAL, .n = (int)index, .u.deal = *deal};
    emit(engine, &event);
}

/** All to whom an "ask all" went. */
static unsigned asked_by(const struct game *game, const struct deal *deal)
{
    return seats_alive(game) & ~(unsigned)seat_bit(deal->from);
}

bool deal_answers_in(const struct game *game, const struct deal *deal)
{
    unsigned asked = asked_by(game, deal);
    return ((unsigned)(deal->accepted | deal->refused) & asked) == asked;
}

void deal_take_answer(struct engine *engine, unsigned index, unsigned seats, bool yes)
{
    const struct game *game = engine->game;
    const struct deal *deal = &game->deals[index];
    unsigned accepted = yes ? deal->accepted | seats : deal->accepted & ~seats;
    unsigned refused = yes ? deal->refused & ~seats : deal->refused | seats;
    struct event event = {.type = EVENT_DEAL_ANSWERS,
                          .n = (int)index,
                          .mask = (uint8_t)accepted,
                          .knowers = (uint8_t)refused};
    emit(engine, &event);
    if (!deal_answers_in(game, deal)) {
        return; // sealed until all are in
    }
    unsigned unwilling = asked_by(game, deal) & ~accepted;
    deal_note_refused(engine, unwilling);
    if (unwilling == asked_by(game, deal)) {
        deal_close(engine, index, DEAL_END_REFUSED);
    }
}

void deal_close(struct engine *engine, unsigned index, int how)
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
    deal_set(engine, index, &none);
}

static bool is_about_help(unsigned kind)
{
    return kind == DEAL_ASK || kind == DEAL_VOLUNTEER;
}

unsigned deal_slot_for(const struct game *game, unsigned seat, enum deal_kind kind)
{
    unsigned count[MB_SEATS_MAX] = {0};
    unsigned last[MB_SEATS_MAX] = {0}; // offers about help give way last
    unsigned most = seat;
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        const struct deal *deal = &game->deals[i];
        if (deal->kind == DEAL_NONE) {
            return i;
        }
        if (is_about_help(kind) && deal->kind == kind && deal->from == seat) {
            return i;
        }
        if (count[deal->from]++ == 0 || !is_about_help(deal->kind)) {
            last[deal->from] = i;
        }
        most = count[deal->from] > count[most] ? deal->from : most;
    }
    return count[most] > count[seat] + 1 ? last[most] : (unsigned)MB_DEALS_MAX;
}

void deal_lapse_fight(struct engine *engine)
{
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        unsigned kind = engine->game->deals[i].kind;
        if (is_about_help(kind) || kind == DEAL_BRIBE) {
            deal_close(engine, i, DEAL_END_LAPSED);
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
            deal_close(engine, i, DEAL_END_LAPSED);
            return true;
        }
    }
    return false;
}

static bool deal_concerns(const struct deal *deal, unsigned seat)
{
    return deal->to == seat || (deal->to == ALL_SEATS && deal->from != seat);
}

int deal_find(const struct game *game, const struct command *command, bool own, struct refusal *why)
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
        bool fits = own ? deal->from == command->seat : deal_concerns(deal, command->seat);
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

int deal_all_answered(const struct game *game, unsigned seat)
{
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        const struct deal *deal = &game->deals[i];
        if (deal->kind == DEAL_ASK && deal->from == seat && deal->to == ALL_SEATS &&
            deal_answers_in(game, deal)) {
            return (int)i;
        }
    }
    return -1;
}

void deal_note_refused(struct engine *engine, unsigned seats)
{
    const struct fight *fight = &engine->game->fight;
    if (fight->on != 0 && (fight->refused | seats) != fight->refused) {
        emit_fight_field(engine, FIGHT_REFUSED, (int)(fight->refused | seats));
    }
}

bool deal_holds(const struct game *game, unsigned seat, uint16_t card)
{
    const struct fight *fight = &game->fight;
    if (fight->on == 0 || fight->main != seat || (fight->flags & FIGHT_GAVE_UP) != 0) {
        return false;
    }
    for (unsigned i = 0; i < MB_DEALS_MAX; i++) {
        const struct deal *deal = &game->deals[i];
        if (deal->kind == DEAL_ASK && deal->from == seat &&
            (cards_include(deal->gives, deal->gives_count, card) ||
             cards_include(deal->promises, deal->promises_count, card))) {
            return true;
        }
    }
    return cards_include(fight->promised, fight->promise_count, card);
}
