// What may be done now, as far as a line has said what it is about: words that are no full name
// mean one of these before anything else. Only the typist's own view is asked, as everywhere here.
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/parse/parse_impl.h"

void legal_begin(struct legal *legal, bool wanted)
{
    legal->listed = !wanted;
    legal->moves = (struct move_list){.items = NULL};
}

void legal_end(struct legal *legal)
{
    free(legal->moves.items);
    legal->moves = (struct move_list){.items = NULL};
}

// Few lines are abbreviated: the others never ask.
static const struct move_list *legal_moves(struct parser *p)
{
    struct legal *const legal = &p->legal;
    const struct table_words *const words = p->words;
    if (!legal->listed) {
        legal->listed = true;
        if (words->view != NULL && words->box != NULL && words->seat < MB_SEATS_MAX) {
            legal->moves.items = mb_new(MB_MOVES_MAX, sizeof *legal->moves.items);
            legal->moves.capacity = MB_MOVES_MAX;
            moves_list(words->view, words->box, words->seat, &legal->moves);
        }
    }
    return &legal->moves;
}

bool legal_verb(struct parser *p, unsigned verb)
{
    const struct move_list *const moves = legal_moves(p);
    for (uint32_t i = 0; i < moves->count; i++) {
        if (moves->items[i].command.verb == verb) {
            return true;
        }
    }
    return false;
}

static bool same_kind(const struct parser *p, uint16_t a, uint16_t b)
{
    const struct box *const box = p->words->box;
    return a < box->card_count && b < box->card_count && box->card_def[a] == box->card_def[b];
}

// Whether a move is one that the line may still become. Moves below their list's count are written
// by moves_list(), in another file: of them gcc's -fanalyzer says "uninitialized".
static bool may_become(const struct parser *p, const struct command *move)
{
    const struct command *const said = &p->request->command;
    return move->verb == said->verb && (said->verb != VERB_USE || said->ability == move->ability) &&
           (said->card == NO_CARD || same_kind(p, said->card, move->card));
}

// The cards that stand in a place of a move.
static void mark_cards(const struct move *move, enum field field, bool marked[MB_CARDS_MAX])
{
    const struct command *const command = &move->command;
    const bool list = field == FIELD_LIST;
    const uint16_t *const said = list ? command->list : command->more;
    const unsigned said_count = list ? command->list_count : command->more_count;
    const uint16_t *const open = list ? move->candidates : move->more;
    const unsigned open_count = list ? move->candidate_count : move->more_count;
    if (field == FIELD_CARD) {
        if (command->card < MB_CARDS_MAX) {
            marked[command->card] = true;
        }
        return;
    }
    for (unsigned i = 0; i < said_count; i++) {
        marked[said[i]] = true;
    }
    for (unsigned i = 0; move->open != MOVE_CLOSED && i < open_count; i++) {
        marked[open[i]] = true;
    }
}

bool legal_cards(struct parser *p, enum field field, uint8_t fits[MB_CARDS_MAX])
{
    bool marked[MB_CARDS_MAX] = {false};
    const struct box *const box = p->words->box;
    const struct move_list *const moves = legal_moves(p);
    bool any = false;
    for (uint32_t i = 0; field != FIELD_NONE && i < moves->count; i++) {
        if (may_become(p, &moves->items[i].command)) {
            mark_cards(&moves->items[i], field, marked);
        }
    }
    for (uint16_t card = 0; card < box->card_count; card++) {
        fits[card] = marked[card] ? fits[card] : (uint8_t)NAME_NONE;
        any = any || fits[card] != NAME_NONE;
    }
    return any;
}

unsigned legal_receivers(struct parser *p)
{
    const struct move_list *const moves = legal_moves(p);
    unsigned seats = 0;
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct command *const command = &moves->items[i].command;
        if (command->to < MB_SEATS_MAX && may_become(p, command)) {
            seats |= seat_bit(command->to);
        }
    }
    return seats;
}

bool legal_ability(struct parser *p, unsigned ability)
{
    const struct move_list *const moves = legal_moves(p);
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct command *const command = &moves->items[i].command;
        if (command->verb == VERB_USE && command->ability == ability) {
            return true;
        }
    }
    return false;
}

unsigned legal_targets(struct parser *p, struct target out[TARGETS_MAX])
{
    const struct move_list *const moves = legal_moves(p);
    unsigned count = 0;
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct command *const command = &moves->items[i].command;
        bool known = command->target_kind == TARGET_NONE || !may_become(p, command);
        for (unsigned j = 0; j < count && !known; j++) {
            known = out[j].kind == command->target_kind && out[j].value == command->target;
        }
        if (!known && count < TARGETS_MAX) {
            out[count++] = (struct target){command->target_kind, command->target};
        }
    }
    return count;
}

bool legal_plays_for(struct parser *p, unsigned side)
{
    const struct move_list *const moves = legal_moves(p);
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct command *const command = &moves->items[i].command;
        if (command->side == side && command->target_kind == TARGET_NONE &&
            may_become(p, command)) {
            return true;
        }
    }
    return false;
}
