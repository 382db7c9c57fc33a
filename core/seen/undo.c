#include "core/seen/undo.h"

#include <stddef.h>

#include "core/change/emit.h"
#include "core/state/pile_list.h"

bool undo_is_fair(const struct game *before, const struct game *now, unsigned author)
{
    if (now->rng.position != before->rng.position ||
        now->script_dice_used != before->script_dice_used ||
        now->script_pick_used != before->script_pick_used) {
        return false;
    }
    for (unsigned card = 0; card < now->card_count; card++) {
        const unsigned knew = before->cards[card].knowers;
        const unsigned learned = (unsigned)now->cards[card].knowers & ~knew;
        // One's own cards are one's own to show: that others have seen them harms their owner only.
        if (learned != 0 && (knew & seat_bit(author)) == 0) {
            return false;
        }
    }
    return true;
}

static bool same_deck(const struct game *a, const struct game *b, unsigned deck)
{
    uint16_t at = pile_first(a, deck);
    uint16_t other = pile_first(b, deck);
    while (at != NO_CARD && at == other) {
        at = a->cards[at].next;
        other = b->cards[other].next;
    }
    return at == other;
}

void undo_apply(struct game *game, const struct box *box, const struct game *before,
                struct event_list *out)
{
    const bool doors = !same_deck(game, before, PILE_DOOR_DECK);
    const bool treasures = !same_deck(game, before, PILE_TREASURE_DECK);
    const struct mb_rng rng = game->rng;
    const uint32_t version = game->version;
    const uint8_t dice_used = game->script_dice_used;
    const uint8_t pick_used = game->script_pick_used;
    game_copy(game, before);
    game->rng = rng;
    game->script_dice_used = dice_used;
    game->script_pick_used = pick_used;
    if (out != NULL) {
        out->count = 0;
        out->overflow = false;
    }
    struct engine engine = {.box = box, .game = game, .out = out, .author = NO_SEAT};
    emit_version(&engine, version + 1u);
    if (doors) {
        emit_shuffle(&engine, PILE_DOOR_DECK, PILE_DOOR_DECK);
    }
    if (treasures) {
        emit_shuffle(&engine, PILE_TREASURE_DECK, PILE_TREASURE_DECK);
    }
}
