#include "core/work/trigger.h"

#include "core/numbers/requirement.h"
#include "core/numbers/trait.h"
#include "core/state/pile_list.h"

/** Whether all that a card does at this trigger is to go. */
static bool only_goes(const struct box *box, const struct card_def *def, unsigned when)
{
    const struct row *rows = box_rows(box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        const struct row *row = &rows[i];
        bool at_once = row->op == EFFECT_DISCARD_SELF && row->cost == 0 &&
                       row->limit == SCOPE_NONE && (row->flags & ROW_MAY) == 0;
        if (row->when == when && !at_once) {
            return false;
        }
    }
    return true;
}

/** Whether a row of the card acts at this trigger, as things stand. */
static bool row_acts(const struct engine *engine, unsigned seat, unsigned when, uint16_t about,
                     uint16_t card, bool own)
{
    const struct game *game = engine->game;
    const struct card_def *def = box_def(engine->box, card);
    const struct row *rows = box_rows(engine->box, def);
    struct req_context ctx = req_context_for(game, engine->box, seat);
    ctx.card = card;
    ctx.ended = when == WHEN_FIGHT_END || when == WHEN_FIGHT_WON;
    for (unsigned i = 0; i < def->row_count; i++) {
        bool fits = about == NO_CARD || rows[i].filter == 0 ||
                    filter_fits_index(game, engine->box, rows[i].filter, about);
        bool heard = rows[i].whose == WHOSE_ANYONE || own == (rows[i].whose == WHOSE_SELF);
        if (rows[i].when == when && fits && heard &&
            requirements_hold(&ctx, rows[i].first_req, rows[i].req_count)) {
            return true;
        }
    }
    return false;
}

bool trigger_note(struct engine *engine, unsigned seat, unsigned what, uint16_t card)
{
    const struct game *game = engine->game;
    for (unsigned i = 0; i < game->waiting_count; i++) {
        if (game->waiting[i].card == card && game->waiting[i].what == what) {
            return true;
        }
    }
    if (game->waiting_count == MB_WAITING_MAX) {
        return false;
    }
    struct event event = {.type = EVENT_WAITING,
                          .why = WAITING_NOTED,
                          .seat = (uint8_t)seat,
                          .card = card,
                          .card2 = NO_CARD,
                          .m = (int)what};
    emit(engine, &event);
    return true;
}

static void happens_to(struct engine *engine, unsigned owner, unsigned when, uint16_t about,
                       bool own)
{
    const struct game *game = engine->game;
    uint16_t next = NO_CARD;
    for (uint16_t at = pile_first(game, pile_table(owner)); at != NO_CARD; at = next) {
        next = game->cards[at].next;
        if (!row_acts(engine, owner, when, about, at, own)) {
            continue;
        }
        if (only_goes(engine->box, box_def(engine->box, at), when)) {
            emit_discard(engine, at, owner, MOVE_SPENT);
        } else if (card_in_effect(game, engine->box, at)) {
            trigger_note(engine, owner, when, at);
        }
    }
}

void trigger_happens(struct engine *engine, unsigned seat, unsigned when, uint16_t about)
{
    const struct box *box = engine->box;
    if ((box->triggers_used >> when & 1u) == 0) {
        return;
    }
    happens_to(engine, seat, when, about, true);
    for (unsigned i = 1;
         (box->triggers_of_others >> when & 1u) != 0 && i < engine->game->seat_count; i++) {
        unsigned other = (seat + i) % engine->game->seat_count;
        if (engine->game->seats[other].alive != 0) {
            happens_to(engine, other, when, about, false);
        }
    }
}
