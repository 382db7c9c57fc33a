#include "core/state/layout.h"

#include <stddef.h>
#include <string.h>

#include "core/curse/curse.h"
#include "core/fight/fight.h"
#include "core/loop/engine.h"
#include "core/state/command.h"
#include "core/turn/turn.h"
#include "core/work/draw.h"
#include "core/work/program.h"
#include "core/work/roll.h"
#include "core/work/waiting.h"
#include "core/work/would.h"

// In all of these: the record's type, the member, and what it is.
#define SIZE(type, member) ((uint8_t)sizeof(((type *)0)->member))
#define AT(type, member)   ((uint16_t)offsetof(type, member))
#define FIELD(type, member, what, low, high, signed_)                                              \
    {.name = #member,                                                                              \
     .min = (low),                                                                                 \
     .max = (high),                                                                                \
     .offset = AT(type, member),                                                                   \
     .times = 1,                                                                                   \
     .used = NOT_COUNTED,                                                                          \
     .size = SIZE(type, member),                                                                   \
     .sign = (signed_),                                                                            \
     .kind = (what)}
#define NUMBER(type, member, low, high) FIELD(type, member, IS_NUMBER, low, high, false)
#define BYTE(type, member)              FIELD(type, member, IS_NUMBER, 0, UINT8_MAX, false)
#define WORD16(type, member)            FIELD(type, member, IS_NUMBER, 0, UINT16_MAX, false)
#define WORD32(type, member)            FIELD(type, member, IS_NUMBER, 0, UINT32_MAX, false)
#define SIGNED(type, member)            FIELD(type, member, IS_NUMBER, INT16_MIN, INT16_MAX, true)
#define A(type, member, what)           FIELD(type, member, what, 0, 0, false)
#define ARRAY(type, member, what, low, high, counter)                                              \
    {.name = #member,                                                                              \
     .min = (low),                                                                                 \
     .max = (high),                                                                                \
     .offset = AT(type, member),                                                                   \
     .times = sizeof(((type *)0)->member) / sizeof(((type *)0)->member[0]),                        \
     .used = (counter),                                                                            \
     .size = (uint8_t)sizeof(((type *)0)->member[0]),                                              \
     .kind = (what)}
#define LAYOUT(fields) {(fields), sizeof(fields) / sizeof((fields)[0])}

#define G struct game
static const struct field GAME[] = {
    WORD16(G, decision_id),
    WORD32(G, version),
    NUMBER(G, seat_count, MB_SEATS_MIN, MB_SEATS_MAX),
    NUMBER(G, phase, 0, PHASE_TOTAL - 1),
    A(G, turn, IS_SEAT),
    A(G, winners, IS_SEATS),
    WORD16(G, round),
    NUMBER(G, frame_count, 1, MB_FRAMES_MAX),
    BYTE(G, deal_next),
    A(G, bribed, IS_SEATS),
    NUMBER(G, after_fight, 0, 1),
    NUMBER(G, met_monster, 0, 2),
    A(G, dying, IS_SEATS),
    NUMBER(G, doomed, 0, 1),
    A(G, looted, IS_SEATS),
    ARRAY(G, death_order, IS_SEAT, 0, 0, AT(G, death_count)),
    NUMBER(G, death_count, 0, MB_SEATS_MAX),
    NUMBER(G, charity_open, 0, 1),
    NUMBER(G, waiting_count, 0, MB_WAITING_MAX),
    NUMBER(G, waiting_next, 0, MB_WAITING_MAX),
    NUMBER(G, lasting_top, 0, MB_LASTING_MAX),
};
static const struct layout LAYOUT_GAME = LAYOUT(GAME);

static const struct field SCRIPT[] = {
    NUMBER(G, script_dice_count, 0, sizeof(((G *)0)->script_dice)),
    NUMBER(G, script_dice_used, 0, sizeof(((G *)0)->script_dice)),
    NUMBER(G, script_pick_count, 0, sizeof(((G *)0)->script_picks) / sizeof(uint16_t)),
    NUMBER(G, script_pick_used, 0, sizeof(((G *)0)->script_picks) / sizeof(uint16_t)),
    ARRAY(G, script_dice, IS_NUMBER, 1, 6, AT(G, script_dice_count)),
    ARRAY(G, script_picks, IS_MAYBE_CARD, 0, 0, AT(G, script_pick_count)),
};
static const struct layout LAYOUT_SCRIPT = LAYOUT(SCRIPT);
#undef G

#define S struct seat_state
static const struct field SEAT[] = {
    NUMBER(S, level, 1, UINT8_MAX),
    NUMBER(S, female, 0, 1),
    NUMBER(S, alive, 0, 1),
    BYTE(S, flags),
    BYTE(S, holds),
    BYTE(S, unused),
};
static const struct layout LAYOUT_SEAT = LAYOUT(SEAT);
#undef S

#define F struct fight
static const struct field FIGHT[] = {
    NUMBER(F, on, 0, 1),
    A(F, main, IS_MAYBE_SEAT),
    A(F, helper, IS_MAYBE_SEAT),
    BYTE(F, flags),
    NUMBER(F, monster_count, 0, MB_MONSTERS_MAX),
    NUMBER(F, owed_count, 0, MB_OWED_MAX),
    BYTE(F, helper_treasures),
    A(F, refused, IS_SEATS),
    NUMBER(F, promise_count, 0, (int64_t)MB_DEAL_CARDS * 2),
    NUMBER(F, entering, 0, MB_MONSTERS_MAX),
    ARRAY(F, promised, IS_CARD, 0, 0, AT(F, promise_count)),
};
static const struct layout LAYOUT_FIGHT = LAYOUT(FIGHT);
#undef F

#define M struct monster
static const struct field MONSTER[] = {
    A(M, card, IS_CARD), A(M, face, IS_CARD),     A(M, group, IS_CARD),   SIGNED(M, fixed),
    BYTE(M, flags),      A(M, escaped, IS_SEATS), A(M, caught, IS_SEATS), A(M, seat, IS_SEAT),
};
static const struct layout LAYOUT_MONSTER = LAYOUT(MONSTER);
#undef M

#define O struct owed
static const struct field OWED[] = {
    A(O, seat, IS_SEAT), BYTE(O, levels),       SIGNED(O, treasures),
    A(O, card, IS_CARD), NUMBER(O, kill, 0, 1), BYTE(O, unused),
};
static const struct layout LAYOUT_OWED = LAYOUT(OWED);
#undef O

#define P struct pause
static const struct field PAUSE[] = {
    NUMBER(P, kind, PAUSE_NONE, PAUSE_ANSWER),
    A(P, waited, IS_SEATS),
    A(P, passed, IS_SEATS),
    BYTE(P, restarts),
    BYTE(P, holds),
    A(P, shown, IS_SEATS),
    ARRAY(P, unused, IS_NUMBER, 0, UINT8_MAX, NOT_COUNTED),
};
static const struct layout LAYOUT_PAUSE = LAYOUT(PAUSE);
#undef P

#define D struct decision
static const struct field DECISION[] = {
    NUMBER(D, open, 0, 1), // answered ones are carried out before a command ends
    NUMBER(D, kind, 0, DECIDE_TOTAL - 1),
    A(D, seats, IS_SEATS),
    A(D, answered, IS_SEATS),
    NUMBER(D, min, 0, EVENT_LIST_MAX),
    NUMBER(D, max, 0, EVENT_LIST_MAX),
    NUMBER(D, own_only, 0, 1),
    NUMBER(D, option_count, 0, MB_OPTIONS_MAX),
    A(D, subject, IS_MAYBE_CARD),
    A(D, source, IS_MAYBE_CARD),
    WORD16(D, id),
    NUMBER(D, answer_count, 0, MB_OPTIONS_MAX),
    NUMBER(D, may_pass, 0, 1),
    SIGNED(D, value_min),
    ARRAY(D, options, IS_NUMBER, 0, UINT16_MAX, AT(D, option_count)),
    ARRAY(D, answers, IS_NUMBER, 0, UINT16_MAX, AT(D, answer_count)),
    ARRAY(D, answer_seats, IS_SEAT, 0, 0, AT(D, answer_count)),
    ARRAY(D, cards, IS_CARDS, 0, 0, NOT_COUNTED),
};
static const struct layout LAYOUT_DECISION = LAYOUT(DECISION);
#undef D

#define D struct deal
static const struct field DEAL[] = {
    NUMBER(D, kind, DEAL_NONE, DEAL_BRIBE),
    BYTE(D, id),
    A(D, from, IS_SEAT),
    A(D, to, IS_RECEIVER),
    BYTE(D, treasures),
    NUMBER(D, picking, 0, 2),
    A(D, accepted, IS_SEATS),
    A(D, refused, IS_SEATS),
    A(D, about, IS_MAYBE_SEAT),
    NUMBER(D, gives_count, 0, MB_DEAL_CARDS),
    NUMBER(D, wants_count, 0, MB_DEAL_CARDS),
    NUMBER(D, promises_count, 0, MB_DEAL_CARDS),
    ARRAY(D, gives, IS_CARD, 0, 0, AT(D, gives_count)),
    ARRAY(D, wants, IS_CARD, 0, 0, AT(D, wants_count)),
    ARRAY(D, promises, IS_CARD, 0, 0, AT(D, promises_count)),
};
static const struct layout LAYOUT_DEAL = LAYOUT(DEAL);
#undef D

#define L struct lasting
static const struct field LASTING[] = {
    A(L, op, IS_LASTING),
    A(L, seat, IS_SEAT),
    NUMBER(L, until, 0, DURATION_TOTAL - 1),
    BYTE(L, arg),
    SIGNED(L, n),
    A(L, source, IS_MAYBE_CARD),
    WORD16(L, about),
    NUMBER(L, fought, 0, 1),
    A(L, by, IS_MAYBE_SEAT),
};
static const struct layout LAYOUT_LASTING = LAYOUT(LASTING);
#undef L

static const struct field WAITING[] = {
    A(struct waiting, card, IS_CARD),
    NUMBER(struct waiting, what, 0, TRIGGER_TOTAL - 1),
    A(struct waiting, seat, IS_SEAT),
};
static const struct layout LAYOUT_WAITING = LAYOUT(WAITING);

#define C struct card_state
static const struct field CARD[] = {
    A(C, host, IS_MAYBE_CARD), A(C, seat, IS_MAYBE_SEAT), A(C, knowers, IS_KNOWERS),
    NUMBER(C, flags, 0, CARD_BLANK - 1), // blanks are in what viewers see only
};
static const struct layout LAYOUT_CARD = LAYOUT(CARD);
#undef C

#define F struct frame
static const struct field FRAME[] = {
    NUMBER(F, kind, FRAME_NONE + 1, FRAME_TOTAL - 1),
    BYTE(F, step), // see layout_step
    A(F, seat, IS_MAYBE_SEAT),
    NUMBER(F, result, 0, ROLL_SAVED),
};
static const struct layout LAYOUT_FRAME = LAYOUT(FRAME);

static const struct field FRAME_OF_SETUP[] = {
    NUMBER(F, setup.dealt, 0, MB_SEATS_MAX),
    NUMBER(F, setup.first_known, 0, 1),
};
static const struct field FRAME_OF_TURN[] = {
    A(F, turn.card, IS_MAYBE_CARD),
    WORD16(F, turn.turns),
};
static const struct field FRAME_OF_FIGHT[] = {
    WORD32(F, fight.digest),
};
static const struct field FRAME_OF_ENTER[] = {
    A(F, enter.monster, IS_MONSTER),
};
static const struct field FRAME_OF_FLEE[] = {
    A(F, flee.card, IS_MAYBE_CARD),
    SIGNED(F, flee.total),
    SIGNED(F, flee.missing),
    A(F, flee.helper, IS_MAYBE_SEAT),
    A(F, flee.monster, IS_MAYBE_MONSTER),
};
static const struct field FRAME_OF_ROLL[] = {
    A(F, roll.card, IS_CARD),
    SIGNED(F, roll.need),
    NUMBER(F, roll.what, 0, ROLL_EFFECT),
    NUMBER(F, roll.face, 0, 6),
    NUMBER(F, roll.fixed, ROLL_OPEN, ROLL_FAILS),
};
static const struct field FRAME_OF_PROGRAM[] = {
    A(F, program.card, IS_CARD),
    A(F, program.about, IS_MAYBE_CARD),
    A(F, program.with, IS_MAYBE_CARD),
    A(F, program.row, IS_ROW),
    SIGNED(F, program.paid),
    SIGNED(F, program.amount),
    NUMBER(F, program.trigger, 0, TRIGGER_TOTAL - 1),
    A(F, program.ability, IS_ABILITY),
    A(F, program.target, IS_MAYBE_SEAT),
    A(F, program.seats, IS_SEATS),
    A(F, program.served, IS_SEAT),
    BYTE(F, program.left),
    A(F, program.monster, IS_MAYBE_MONSTER),
    NUMBER(F, program.did, 0, (2 * DID_OPENED) - 1),
};
static const struct field FRAME_OF_CURSE[] = {
    A(F, curse.card, IS_CARD),
    A(F, curse.player, IS_MAYBE_SEAT),
    NUMBER(F, curse.tried, 0, 1),
};
static const struct field FRAME_OF_BODIES[] = {
    NUMBER(F, bodies.next, 0, MB_SEATS_MAX),
    NUMBER(F, bodies.phase, 0, PHASE_TOTAL - 1),
    NUMBER(F, bodies.at, 0, MB_SEATS_MAX),
    NUMBER(F, bodies.count, 0, MB_SEATS_MAX),
    ARRAY(F, bodies.order, IS_SEAT, 0, 0, NOT_COUNTED),
};
static const struct field FRAME_OF_REWARD[] = {
    SIGNED(F, reward.treasures),
    SIGNED(F, reward.levels),
    SIGNED(F, reward.kills),
    A(F, reward.helper, IS_MAYBE_SEAT),
    NUMBER(F, reward.next, 0, MB_MONSTERS_MAX),
};
static const struct field FRAME_OF_SHARE[] = {
    SIGNED(F, share.own),
    SIGNED(F, share.helpers),
    A(F, share.helper, IS_SEAT),
    NUMBER(F, share.helper_picks, 0, 1),
};
static const struct field FRAME_OF_DRAW[] = {
    A(F, draw.card, IS_MAYBE_CARD),
    SIGNED(F, draw.left),
    NUMBER(F, draw.deck, DECK_DOOR, DECK_TREASURE),
    NUMBER(F, draw.to, DRAW_TO_HAND, DRAW_LOOT),
};
static const struct field FRAME_OF_REPAIR[] = {
    A(F, repair.card, IS_MAYBE_CARD),
    NUMBER(F, repair.what, 0, REPAIR_TOTAL - 1),
};
static const struct field FRAME_OF_WOULD[] = {
    A(F, would.card, IS_CARD),
    A(F, would.saver, IS_CARD),
    NUMBER(F, would.trigger, 0, TRIGGER_TOTAL - 1),
};
static const struct field FRAME_OF_THEFT[] = {
    A(F, theft.card, IS_CARD),
    A(F, theft.victim, IS_SEAT),
};
static const struct field FRAME_OF_IDENTITY[] = {
    A(F, identity.card, IS_CARD),
    A(F, identity.identity, IS_CARD),
    SIGNED(F, identity.total),
};
static const struct field FRAME_OF_WAITING[] = {
    A(F, waiting.card, IS_MAYBE_CARD),
};
static const struct field FRAME_OF_PLAYED[] = {
    A(F, played.card, IS_CARD),
};
#undef F

static const struct layout FRAMES[FRAME_TOTAL] = {
    [FRAME_SETUP] = LAYOUT(FRAME_OF_SETUP),     [FRAME_TURN] = LAYOUT(FRAME_OF_TURN),
    [FRAME_FIGHT] = LAYOUT(FRAME_OF_FIGHT),     [FRAME_ENTER] = LAYOUT(FRAME_OF_ENTER),
    [FRAME_FLEE] = LAYOUT(FRAME_OF_FLEE),       [FRAME_ROLL] = LAYOUT(FRAME_OF_ROLL),
    [FRAME_PROGRAM] = LAYOUT(FRAME_OF_PROGRAM), [FRAME_CURSE] = LAYOUT(FRAME_OF_CURSE),
    [FRAME_BODIES] = LAYOUT(FRAME_OF_BODIES),   [FRAME_REWARD] = LAYOUT(FRAME_OF_REWARD),
    [FRAME_SHARE] = LAYOUT(FRAME_OF_SHARE),     [FRAME_DRAW] = LAYOUT(FRAME_OF_DRAW),
    [FRAME_REPAIR] = LAYOUT(FRAME_OF_REPAIR),   [FRAME_WOULD] = LAYOUT(FRAME_OF_WOULD),
    [FRAME_THEFT] = LAYOUT(FRAME_OF_THEFT),     [FRAME_IDENTITY] = LAYOUT(FRAME_OF_IDENTITY),
    [FRAME_WAITING] = LAYOUT(FRAME_OF_WAITING), [FRAME_PLAYED] = LAYOUT(FRAME_OF_PLAYED),
};

struct layout layout_of_frame(unsigned kind)
{
    return kind < FRAME_TOTAL ? FRAMES[kind] : FRAMES[FRAME_NONE];
}

size_t layout_frame_size(unsigned kind)
{
    const struct layout own = layout_of_frame(kind);
    const struct field *const last = own.count > 0 ? &own.fields[own.count - 1] : NULL;
    return last != NULL ? last->offset + (size_t)last->size * last->times : sizeof(struct frame);
}

int64_t field_get(const void *record, const struct field *field, unsigned i)
{
    const unsigned char *const at = (const unsigned char *)record + field->offset;
    uint32_t word = 0;
    uint16_t half = 0;
    switch (field->size) {
    case 1:
        return at[i];
    case 2:
        memcpy(&half, at + (size_t)2 * i, sizeof half);
        return field->sign && half >= 0x8000u ? (int64_t)half - 0x10000 : half;
    default:
        memcpy(&word, at + (size_t)4 * i, sizeof word);
        return word;
    }
}

void field_set(void *record, const struct field *field, unsigned i, int64_t value)
{
    unsigned char *const at = (unsigned char *)record + field->offset;
    const uint32_t word = (uint32_t)(uint64_t)value;
    const uint16_t half = (uint16_t)word;
    switch (field->size) {
    case 1:
        at[i] = (unsigned char)word;
        break;
    case 2:
        memcpy(at + (size_t)2 * i, &half, sizeof half);
        break;
    default:
        memcpy(at + (size_t)4 * i, &word, sizeof word);
        break;
    }
}

unsigned field_used(const void *record, const struct field *field)
{
    if (field->used == NOT_COUNTED) {
        return field->times;
    }
    const unsigned used = ((const unsigned char *)record)[field->used];
    return used < field->times ? used : field->times;
}

/** Whether the i-th byte of a set has only cards of the box. */
static bool cards_fit(const struct box *box, unsigned i, unsigned byte)
{
    const unsigned before = 8 * i;
    const unsigned left = box->card_count > before ? box->card_count - before : 0u;
    return left >= 8 || byte >> left == 0;
}

/** Whether only seats of the table are in a set: none are, where their number is wrong itself. */
static bool seats_fit(const struct game *game, uint64_t seats)
{
    return game->seat_count <= MB_SEATS_MAX && seats >> game->seat_count == 0;
}

bool field_may_be(const struct game *game, const struct box *box, const struct field *field,
                  unsigned i, int64_t value)
{
    const bool seat = value < game->seat_count;
    const bool card = value < box->card_count;
    switch ((enum field_kind)field->kind) {
    case IS_NUMBER:
        return value >= field->min && value <= field->max;
    case IS_SEAT:
        return seat;
    case IS_MAYBE_SEAT:
        return seat || value == NO_SEAT;
    case IS_RECEIVER:
        return seat || value == NO_SEAT || value == ALL_SEATS;
    case IS_SEATS:
        return seats_fit(game, (uint64_t)value);
    case IS_KNOWERS:
        return seats_fit(game, (uint64_t)value) || value == UINT8_MAX;
    case IS_CARD:
        return card;
    case IS_MAYBE_CARD:
        return card || value == NO_CARD;
    case IS_CARDS:
        return cards_fit(box, i, (unsigned)value);
    case IS_MONSTER:
        return value > 0 && value <= game->fight.monster_count;
    case IS_MAYBE_MONSTER:
        return value <= game->fight.monster_count;
    case IS_ABILITY:
        return value <= box->ability_count;
    case IS_ROW:
        return value <= box->row_count;
    case IS_LASTING:
        return value < EFFECT_TOTAL || value == LASTING_USED || value == LASTING_FREE;
    }
    return false;
}

// One of the state; several, of which as many count as the number says there.
#define ONE(title, what, member)                                                                   \
    {.name = (title),                                                                              \
     .layout = &LAYOUT_##what,                                                                     \
     .offset = AT(struct game, member),                                                            \
     .size = sizeof(((struct game *)0)->member),                                                   \
     .most = 1,                                                                                    \
     .used = NOT_COUNTED}
#define MANY(title, what, member, counter, whole)                                                  \
    {.name = (title),                                                                              \
     .layout = &LAYOUT_##what,                                                                     \
     .offset = AT(struct game, member),                                                            \
     .size = sizeof(((struct game *)0)->member[0]),                                                \
     .most = sizeof(((struct game *)0)->member) / sizeof(((struct game *)0)->member[0]),           \
     .used = (counter),                                                                            \
     .all = (whole)}
#define COUNTED(title, what, member, counter)                                                      \
    MANY(title, what, member, AT(struct game, counter), false)
#define GAME_ITSELF(title, what)                                                                   \
    {.name = (title),                                                                              \
     .layout = &LAYOUT_##what,                                                                     \
     .size = sizeof(struct game),                                                                  \
     .most = 1,                                                                                    \
     .used = NOT_COUNTED}

const struct records RECORDS[RECORDS_TOTAL] = {
    [RECORDS_HEAD] = GAME_ITSELF("the head", GAME),
    [RECORDS_SEATS] = MANY("the seats", SEAT, seats, AT(struct game, seat_count), true),
    [RECORDS_FIGHT] = ONE("the fight", FIGHT, fight),
    [RECORDS_MONSTERS] = COUNTED("the monsters", MONSTER, fight.monsters, fight.monster_count),
    [RECORDS_OWED] = COUNTED("what is owed", OWED, fight.owed, fight.owed_count),
    [RECORDS_WINDOW] = ONE("the win window", PAUSE, window),
    [RECORDS_MOMENT] = ONE("the answer moment", PAUSE, moment),
    [RECORDS_DECISION] = ONE("the decision", DECISION, decision),
    [RECORDS_DEALS] = MANY("a deal", DEAL, deals, NOT_COUNTED, true),
    [RECORDS_FRAMES] = COUNTED("a frame", FRAME, frames, frame_count),
    [RECORDS_WAITING] = COUNTED("what waits", WAITING, waiting, waiting_count),
    [RECORDS_LASTING] = COUNTED("a lasting effect", LASTING, lasting, lasting_top),
    [RECORDS_SCRIPT] = GAME_ITSELF("the script", SCRIPT),
    [RECORDS_CARDS] = COUNTED("the cards", CARD, cards, card_count),
};

unsigned records_used(const struct game *game, const struct records *records)
{
    const unsigned char *const at = (const unsigned char *)game + records->used;
    uint16_t used = records->most;
    if (records->used != NOT_COUNTED && records->most > UINT8_MAX) {
        memcpy(&used, at, sizeof used);
    } else if (records->used != NOT_COUNTED) {
        used = *at;
    }
    return used < records->most ? used : records->most;
}

static bool fields_hold(const struct game *game, const struct box *box, const struct layout *layout,
                        const void *record)
{
    for (unsigned f = 0; f < layout->count; f++) {
        const struct field *const field = &layout->fields[f];
        const unsigned used = field_used(record, field);
        for (unsigned i = 0; i < used; i++) {
            if (!field_may_be(game, box, field, i, field_get(record, field, i))) {
                return false;
            }
        }
    }
    return true;
}

const char *records_wrong(const struct game *game, const struct box *box)
{
    for (unsigned r = 0; r < RECORDS_TOTAL; r++) {
        const struct records *const records = &RECORDS[r];
        const unsigned char *const first = (const unsigned char *)game + records->offset;
        const unsigned used = records_used(game, records);
        for (unsigned i = 0; i < used; i++) {
            const void *const record = first + (size_t)i * records->size;
            const struct layout own =
                layout_of_frame(r == RECORDS_FRAMES ? ((const struct frame *)record)->kind : 0u);
            if (!fields_hold(game, box, records->layout, record) ||
                !fields_hold(game, box, &own, record)) {
                return records->name;
            }
        }
    }
    return NULL;
}

unsigned frame_cards(const struct frame *frame, uint16_t out[FRAME_CARDS_MAX])
{
    const struct layout layout = layout_of_frame(frame->kind);
    unsigned count = 0;
    for (unsigned f = 0; f < layout.count && count < FRAME_CARDS_MAX; f++) {
        if (field_is_card(&layout.fields[f])) {
            out[count++] = (uint16_t)field_get(frame, &layout.fields[f], 0);
        }
    }
    return count;
}

bool frame_mentions(const struct frame *frame, uint16_t card)
{
    uint16_t cards[FRAME_CARDS_MAX];
    const unsigned count = frame_cards(frame, cards);
    for (unsigned i = 0; i < count; i++) {
        if (cards[i] == card) {
            return true;
        }
    }
    return false;
}
