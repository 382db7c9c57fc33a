// Whether a card may be played: where it lies, what was said with it, and then by its kind.
#include <stddef.h>

#include "core/cards/play.h"
#include "core/cards/play_parts.h"
#include "core/change/frame.h"
#include "core/numbers/requirement.h"
#include "core/numbers/trait.h"
#include "core/work/harm.h"

static void check_place(const struct game *game, const struct box *box,
                        const struct command *command, struct refusal *why)
{
    unsigned pile = game->cards[command->card].pile;
    const struct card_def *def = box_def(box, command->card);
    bool table_use = pile == pile_table(command->seat) && def->kind == KIND_ONESHOT;
    bool face_up = pile == PILE_FACE_UP && game->turn == command->seat;
    bool own = pile == pile_hand(command->seat) || table_use || face_up;
    if (!own || !card_known(game, command->card)) {
        refuse_card(why, REFUSAL_NOT_IN_HAND, "ZONE-2", command->card, 0);
    }
}

/** Whether the play reads `with`: a price, a Monster that comes along, Cheat!'s Item, a tag. */
static bool reads_with(const struct box *box, const struct play *play)
{
    const struct row *row = play->row;
    bool paid = row != NULL && row->cost != 0 && !box->costs[row->cost - 1u].whole_hand;
    bool pair = play->def->kind == KIND_ENHANCER; // with the Monster that it makes fit to join
    return pair || paid || (row != NULL && row->op == EFFECT_ATTACH) ||
           (!play->answer && play_brings_monster(row));
}

/** Whether `on` names what the open moment is about: the Curse and its victim, the roll's. */
static bool names_moment(const struct game *game, const struct command *command)
{
    const struct frame *top = frame_top(game);
    if (game->moment.kind != PAUSE_ANSWER || top == NULL) {
        return false;
    }
    uint16_t card = top->kind == FRAME_CURSE    ? top->curse.card
                    : top->kind == FRAME_PLAYED ? top->played.card
                                                : top->roll.card;
    return command->target == (command->target_kind == TARGET_SEAT ? top->seat : card);
}

/** Whether `on` only repeats what is clear: oneself, what is answered, whom `for` means. */
static bool repeats_on(const struct game *game, const struct command *command,
                       const struct play *play)
{
    bool seat = command->target_kind == TARGET_SEAT;
    if (seat && command->target == command->seat) {
        return true;
    }
    if (play->answer) {
        return names_moment(game, command);
    }
    if (command->side == SIDE_NONE || game->fight.on == 0) {
        return false;
    }
    return command->side == SIDE_PLAYERS ? seat && seat_fights(game, command->target)
                                         : command->target_kind == TARGET_MONSTER;
}

/** Nothing may be said that the card does not ask for. */
static void check_stray(const struct game *game, const struct box *box,
                        const struct command *command, const struct play *play, struct refusal *why)
{
    unsigned kind = play->def->kind;
    bool reads_on = kind == KIND_ENHANCER || kind == KIND_CURSE ||
                    (play->row != NULL && !kind_is_identity(kind) && kind != KIND_ITEM &&
                     (play->row->target != ON_NOTHING || play->row->op == EFFECT_ATTACH));
    bool brings = play->row != NULL && !play->answer &&
                  (play->row->op == EFFECT_MATE || play->row->op == EFFECT_ADD_MONSTER);
    bool for_monsters = // the only side that they can be for
        command->side == SIDE_MONSTERS && (kind == KIND_ENHANCER || kind == KIND_MONSTER || brings);
    bool reads_side = for_monsters || (kind == KIND_ONESHOT &&
                                       play_counts_in_fight(box, play->def) && !play->answer);
    bool stray_on =
        command->target_kind != TARGET_NONE && !reads_on && !repeats_on(game, command, play);
    bool stray_with = command->list_count > 0 && !reads_with(box, play);
    if (command->more_count > 0 && !kind_is_identity(kind)) { // that is for Classes and their like
        refuse(why, REFUSAL_BAD_ARGUMENTS, "RUL-44");
    } else if (stray_on || stray_with || (command->side != SIDE_NONE && !reads_side)) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "CONF-6");
    }
}

/** What is wrong with the time, whoever holds such a card: that comes before its place. */
static void check_time(const struct game *game, const struct box *box,
                       const struct command *command, const struct play *play, struct refusal *why)
{
    unsigned seat = command->seat;
    unsigned kind = play->def->kind;
    // It asks only what kind of card was named, which whoever names it knows, never where it is.
    if (game->moment.kind == PAUSE_ANSWER && !play->answer) {
        refuse(why, REFUSAL_CHOICE_PENDING, "CANCEL-1");
    } else if (play->answer || kind == KIND_FOLLOWER) {
        return;
    } else if (kind == KIND_ITEM || kind_is_identity(kind)) {
        bool always = kind == KIND_POWER && box->profile.flag[FLAG_POWER_ANY_TIME];
        if (game->phase != PHASE_SETUP && game->turn != seat && !always) {
            refuse_card(why, REFUSAL_NOT_YOUR_TURN, "ACT-3", command->card, 0);
        }
        if (kind == KIND_ITEM && seat_fights(game, seat)) {
            refuse_card(why, REFUSAL_IN_COMBAT, "ACT-6", command->card, 0);
        }
    } else if (game->phase == PHASE_SETUP) {
        refuse(why, REFUSAL_WRONG_PHASE, "SETUP-6");
    } else if (kind == KIND_MONSTER && game->fight.on == 0) {
        refuse_card(why, REFUSAL_NOT_IN_COMBAT, "TAG-1", command->card, 0);
    } else if (kind != KIND_MONSTER && !play_in_time(game, box, seat, play->def)) {
        play_refuse_time(game, box, seat, command->card, why);
    }
}

/** Whether the fight is barred to the seat's cards, all of them or all but those for flight. */
static bool play_barred(const struct game *game, const struct box *box, unsigned seat,
                        const struct card_def *def)
{
    const bool flees = (game->fight.flags & FIGHT_GAVE_UP) != 0 || play_at(def, AT_BEFORE_ROLL);
    return seat_fights(game, seat) && (seat_barred(game, box, seat, BAR_PLAY) ||
                                       (!flees && seat_barred(game, box, seat, BAR_CARDS)));
}

void check_play(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why)
{
    if (command->card >= box->card_count) {
        refuse(why, REFUSAL_BAD_ARGUMENTS, "ZONE-2");
        return;
    }
    check_place(game, box, command, why);
    struct play play = play_of(game, box, command);
    if (why->code == REFUSAL_NOT_IN_HAND) {
        check_time(game, box, command, &play, why);
        return; // a private thing never shapes a refusal given to anyone but its owner
    }
    check_stray(game, box, command, &play, why);
    if (play_barred(game, box, command->seat, play.def)) {
        refuse_card(why, REFUSAL_NOT_USABLE, "MON-2", command->card, 0);
    }
    if (game->moment.kind == PAUSE_ANSWER && !play.answer) {
        refuse(why, REFUSAL_CHOICE_PENDING, "CANCEL-1");
        return;
    }
    if (lasting_free(game) < MB_LASTING_SPARE ||
        game->frame_count + MB_FRAMES_SPARE > MB_FRAMES_MAX) {
        refuse(why, REFUSAL_LIMIT_REACHED, "CONF-6");
    }
    if (kind_is_identity(play.def->kind)) {
        play_check_identity(game, box, command, why);
    } else if (play.def->kind == KIND_ITEM) {
        play_check_item(game, box, command, why);
    } else if (play.def->kind == KIND_MONSTER) {
        play_check_monster(game, box, command, why);
    } else if (play.def->kind == KIND_FOLLOWER) {
        play_check_follower(game, box, command, why);
    } else {
        play_check_effect(game, box, command, &play, why);
    }
}

bool play_on_would_do(const struct game *game, const struct box *box, uint16_t card, unsigned on)
{
    struct command command = {.verb = VERB_PLAY,
                              .seat = game->cards[card].seat,
                              .card = card,
                              .target_kind = TARGET_SEAT,
                              .target = (uint16_t)on,
                              .to = NO_SEAT,
                              .about = NO_SEAT};
    struct refusal why = {.code = REFUSAL_NONE};
    if (play_at(box_def(box, card), AT_AFTER_FIGHT)) { // in time when it is due (RUL-152)
        play_check_due(game, box, &command, &why);
    } else {
        check_play(game, box, &command, &why);
    }
    return why.code == REFUSAL_NONE;
}
