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
static bool acts(const struct engine *engine, unsigned seat, unsigned when, uint16_t about,
                 uint16_t card)
{
    const struct game *game = engine->game;
    const struct card_def *def = box_def(engine->box, card);
    const struct row *rows = box_rows(engine->box, def);
    struct req_context ctx = req_context_for(game, engine->box, seat);
    ctx.card = card;
    ctx.ended = when == WHEN_FIGHT_END;
    for (unsigned i = 0; i < def->row_count; i++) {
        bool fits = about == NO_CARD || rows[i].filter == 0 ||
                    filter_fits_index(game, engine->box, rows[i].filter, about);
        if (rows[i].when == when && fits &&
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

void trigger_happens(struct engine *engine, unsigned seat, unsigned when, uint16_t about)
{
    const struct game *game = engine->game;
    if ((engine->box->triggers_used >> when & 1u) == 0) {
        return;
    }
    uint16_t next = NO_CARD;
    for (uint16_t at = pile_first(game, pile_table(seat)); at != NO_CARD; at = next) {
        next = game->cards[at].next;
        if (!acts(engine, seat, when, about, at)) {
            continue;
        }
        if (only_goes(engine->box, box_def(engine->box, at), when)) {
            emit_discard(engine, at, seat, MOVE_SPENT);
        } else if (card_in_effect(game, engine->box, at)) {
            trigger_note(engine, seat, when, at);
        }
    }
}
