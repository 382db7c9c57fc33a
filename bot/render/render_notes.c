// Notes, Levels and rolls in words.
#include "core/loop/prospect.h"

#include "bot/render/render_narrate.h"

static const enum text_id SENTENCES[NOTE_TOTAL] = {
#define NOTE(id, name) [NOTE_##id] = TEXT_NOTE_##id,
#include "core/state/note.def"
#undef NOTE
};

// Everything a sentence about a note may name.
struct note_words {
    char card[RENDER_NAME_SIZE];
    char card2[RENDER_NAME_SIZE];
    char target[2 * RENDER_NAME_SIZE];
    char paid[RENDER_LIST_SIZE];
    const char *who, *other, *ability, *deck, *its;
    long c, c2; /**< what the verbs of the cards agree with */
};

static void say(struct narrator *narrator, const struct event *note, const struct note_words *with,
                enum text_id sentence)
{
    if (text_sentence(sentence)[0] == '\0') {
        return;
    }
    const struct text_arg *const args = TEXT_ARGS(
        text_str("who", with->who), text_str("other", with->other), text_str("card", with->card),
        text_str("card2", with->card2), text_str("target", with->target),
        text_str("ability", with->ability), text_str("deck", with->deck), text_num("n", note->n),
        text_num("m", note->m), text_str("paid", with->paid), text_num("c", with->c),
        text_num("c2", with->c2), text_str("its", with->its),
        text_str("his", render_his(&narrator->words, note->seat)),
        text_str("him", render_him(&narrator->words, note->seat)));
    const size_t begin = narrator->out->length;
    text_line(narrator->out, sentence, args);
    narrate_join(narrator, sentence, begin);
}

static void say_flight(struct narrator *narrator, const struct event *note,
                       const struct note_words *with)
{
    const struct event *const roll = narrator->roll;
    const bool escapes = note->why == NOTE_ESCAPES;
    if (roll == NULL || roll->seat != note->seat) {
        say(narrator, note, with, SENTENCES[note->why]);
        return;
    }
    narrator->roll = NULL;
    const long bonus = note->n == 0 ? 0 : (long)(note->n - roll->n);
    enum text_id sentence = escapes ? TEXT_ROLL_ESCAPES : TEXT_ROLL_CAUGHT;
    if (bonus != 0) {
        sentence = escapes ? TEXT_ROLL_ESCAPES_BONUS : TEXT_ROLL_CAUGHT_BONUS;
    }
    const size_t begin = narrator->out->length;
    text_line(narrator->out, sentence,
              TEXT_ARGS(text_str("who", with->who), text_num("n", roll->n),
                        text_num("bonus", bonus), text_str("card", with->card),
                        text_num("c", with->c)));
    narrate_join(narrator, sentence, begin);
}

static const struct deal *deal_of(const struct narrator *narrator, int id)
{
    for (size_t i = 0; i < narrator->count; i++) {
        const struct event *const event = &narrator->events[i];
        if (event->type == EVENT_DEAL && event->u.deal.id == id &&
            event->u.deal.kind != DEAL_NONE) {
            return &event->u.deal;
        }
    }
    const unsigned count = query_deal_count(narrator->words.view);
    for (unsigned i = 0; i < count; i++) {
        const struct deal *const deal = query_deal(narrator->words.view, i);
        if (deal != NULL && deal->id == id) {
            return deal;
        }
    }
    return NULL;
}

// Haggling of bot players waits for nobody else: the table hears how it ends.
static bool is_among_bots(const struct narrator *narrator, const struct event *note)
{
    const unsigned bots = narrator->words.bots;
    return note->seat < MB_SEATS_MAX && note->seat2 < MB_SEATS_MAX &&
           (bots & seat_bit(note->seat)) != 0 && (bots & seat_bit(note->seat2)) != 0;
}

static void say_deal_open(struct narrator *narrator, const struct event *note,
                          const struct note_words *with)
{
    const struct deal *const deal = deal_of(narrator, note->n);
    if (is_among_bots(narrator, note) &&
        (deal == NULL || deal->kind == DEAL_ASK || deal->kind == DEAL_VOLUNTEER)) {
        return;
    }
    if (deal == NULL) {
        say(narrator, note, with, TEXT_NOTE_DEAL_OPEN);
        return;
    }
    render_deal(&narrator->words, deal, narrator->out);
    text_raw(narrator->out, "\n");
}

// The whole price is told: Treasures, who picks first, Items, how many cards of the hand.
static void say_helper_joins(struct narrator *narrator, const struct event *note,
                             const struct note_words *with)
{
    struct deal bargain;
    query_bargain(narrator->words.view, &bargain);
    const bool free =
        bargain.kind == DEAL_NONE || bargain.to != note->seat ||
        (bargain.treasures == 0 && bargain.gives_count == 0 && bargain.promises_count == 0);
    if (free) {
        say(narrator, note, with, TEXT_NOTE_HELPER_JOINS);
        return;
    }
    const size_t begin = narrator->out->length;
    text_put(narrator->out, TEXT_HELPER_JOINS_FOR,
             TEXT_ARGS(text_str("who", with->who), text_str("other", with->other)));
    render_price(&narrator->words, &bargain, narrator->out);
    text_raw(narrator->out, ".\n");
    narrate_join(narrator, TEXT_HELPER_JOINS_FOR, begin);
}

static void say_deal_off(struct narrator *narrator, const struct event *note,
                         const struct note_words *with)
{
    static const enum text_id WAYS[] = {TEXT_DEAL_REFUSED, TEXT_DEAL_WITHDRAWN, TEXT_DEAL_LAPSED};
    enum text_id sentence = TEXT_NOTE_DEAL_OFF;
    if (is_among_bots(narrator, note)) {
        if (note->m == 0) {
            say(narrator, note, with, TEXT_DEAL_NO_TERMS);
        }
        return;
    }
    if (note->m >= 0 && note->m < 3) {
        sentence = WAYS[note->m];
    }
    if (sentence == TEXT_DEAL_REFUSED && note->seat2 >= MB_SEATS_MAX) {
        sentence = TEXT_DEAL_REFUSED_BY_ALL;
    }
    say(narrator, note, with, sentence);
}

// What the use was paid with, told with it; false if nothing was.
static bool put_paid(const struct narrator *narrator, const struct event *note,
                     struct note_words *with)
{
    struct card_group paid = {.plain = true};
    for (size_t i = 0; i < narrator->count; i++) {
        const struct event *const event = &narrator->events[i];
        if (narrator_is_price(event, note)) {
            card_group_add(&paid, event->card, event->from);
        }
    }
    render_group(&narrator->words, &paid, with->paid, sizeof with->paid);
    return paid.count > 0;
}

bool narrator_is_price(const struct event *move, const struct event *use)
{
    return move->type == EVENT_MOVE && move->why == MOVE_PAID && move->seat == use->seat;
}

static void say_uses(struct narrator *narrator, const struct event *note, struct note_words *with)
{
    const struct table_words *const words = &narrator->words;
    const bool named = note->n >= 0 && (size_t)note->n < catalog_ability_count(words->catalog);
    const uint16_t target = narrator_card(narrator, note->card2);
    bool on = false;
    struct text_out text;
    text_begin(&text, with->target, sizeof with->target);
    if (target != NO_CARD) {
        const unsigned owner = pile_owner(query_where(words->view, target));
        char name[RENDER_NAME_SIZE];
        render_card_name(words, target, name);
        if (owner < MB_SEATS_MAX && owner != note->seat) {
            text_put(
                &text, TEXT_CARD_OF,
                TEXT_ARGS(text_str("card", name), text_str("who", render_player(words, owner))));
        } else {
            text_raw(&text, name);
        }
        on = true;
    } else if (note->seat2 < MB_SEATS_MAX) {
        text_value(&text, with->other);
        on = true;
    }
    const bool paid = put_paid(narrator, note, with);
    if (named) {
        with->ability = catalog_ability_name(words->catalog, (unsigned)note->n);
        const enum text_id free = on ? TEXT_NOTE_USES_ON : TEXT_NOTE_USES;
        const enum text_id dear = on ? TEXT_NOTE_USES_ON_PAYING : TEXT_NOTE_USES_PAYING;
        say(narrator, note, with, paid ? dear : free);
    } else {
        say(narrator, note, with, on ? TEXT_NOTE_USES_CARD_ON : TEXT_NOTE_USES_CARD);
    }
}

// Cards shown to all, which follow the note, are named; to one player only, just that it happened.
static void say_shows(struct narrator *narrator, const struct event *note,
                      const struct note_words *with)
{
    struct card_group shown = {0};
    const struct event *const end = narrator->events + narrator->count;
    for (const struct event *event = note + 1; event < end && event->type == EVENT_KNOW; event++) {
        if (event->card != NO_CARD) {
            card_group_add(&shown, event->card, PILE_TOTAL);
        }
    }
    if (shown.count == 0) {
        say(narrator, note, with, TEXT_NOTE_SHOWS);
        return;
    }
    char cards[RENDER_LIST_SIZE];
    render_group(&narrator->words, &shown, cards, sizeof cards);
    text_line(narrator->out, TEXT_SHOWN,
              TEXT_ARGS(text_str("who", with->who), text_str("other", with->other),
                        text_str("cards", cards)));
}

static bool counts_as_kill(const struct narrator *narrator, const struct event *note)
{
    for (const struct event *event = narrator->events; event < note; event++) {
        if (event->type == EVENT_OWED && event->u.owed.card == note->card &&
            event->u.owed.kill != 0) {
            return true;
        }
    }
    return false;
}

// The card whose effect the kill is; a Monster that leaves for what is in play has none.
static uint16_t killer(const struct narrator *narrator, const struct event *note)
{
    const uint16_t card = narrator_doer(narrator, EFFECT_REMOVE_MONSTER);
    return card != note->card ? card : NO_CARD;
}

enum strikes narrator_strikes(const struct narrator *narrator, uint16_t event_card)
{
    const uint16_t card = narrator_card(narrator, event_card);
    const struct card_def *const def = card != NO_CARD ? box_def(narrator->words.box, card) : NULL;
    const struct row *const rows = def != NULL ? box_rows(narrator->words.box, def) : NULL;
    for (unsigned i = 0; def != NULL && i < def->row_count; i++) {
        const unsigned who = rows[i].when == WHEN_STRIKE ? rows[i].who : (unsigned)WHO_SELF;
        if (who == WHO_EVERYONE || who == WHO_EVERYONE_WITH) {
            return STRIKES_ALL;
        }
        if (who == WHO_HIGHEST) {
            return STRIKES_HIGHEST;
        }
        if (who == WHO_OTHERS || who == WHO_OTHERS_RIGHT || who == WHO_OTHERS_WITH) {
            return STRIKES_OTHERS;
        }
    }
    return STRIKES_VICTIM;
}

static enum text_id cursed_by(const struct narrator *narrator, const struct event *note)
{
    static const enum text_id WHOM[] = {
        [STRIKES_VICTIM] = TEXT_NOTE_CURSED,
        [STRIKES_ALL] = TEXT_NOTE_CURSED_ALL,
        [STRIKES_OTHERS] = TEXT_NOTE_CURSED_OTHERS,
        [STRIKES_HIGHEST] = TEXT_NOTE_CURSED_HIGHEST,
    };
    static const enum text_id WHOM_BY[] = {
        [STRIKES_VICTIM] = TEXT_NOTE_CURSED_BY,
        [STRIKES_ALL] = TEXT_NOTE_CURSED_ALL_BY,
        [STRIKES_OTHERS] = TEXT_NOTE_CURSED_OTHERS_BY,
        [STRIKES_HIGHEST] = TEXT_NOTE_CURSED_HIGHEST_BY,
    };
    const enum strikes whom = narrator_strikes(narrator, note->card);
    if (note->seat2 >= MB_SEATS_MAX) { // from behind the door, which the kick has told
        return narrator_move(narrator, note->card, MOVE_KICKED) != NULL ? TEXT_MOVE_SILENT
                                                                        : WHOM[whom];
    }
    return note->seat2 == note->seat && whom == STRIKES_VICTIM ? TEXT_NOTE_CURSED_BY_SELF
                                                               : WHOM_BY[whom];
}

// A monster out of a hand is trouble looked for.
static enum text_id begins(const struct narrator *narrator, const struct event *note)
{
    for (size_t i = 0; i < narrator->count; i++) {
        const struct event *const event = &narrator->events[i];
        if (event->type == EVENT_MOVE && event->card == note->card && pile_is_hand(event->from)) {
            return TEXT_NOTE_FIGHT_LOOKED_FOR;
        }
    }
    return TEXT_NOTE_FIGHT_BEGINS;
}

// The sentence that fits what is known; TEXT_MOVE_SILENT: something else tells it already.
static enum text_id sentence_of(const struct narrator *narrator, const struct event *note)
{
    const bool two = note->seat2 < MB_SEATS_MAX;
    switch ((enum note)note->why) {
    case NOTE_FIGHT_BEGINS:
        return narrator_move(narrator, note->card, MOVE_KICKED) != NULL ? TEXT_MOVE_SILENT
                                                                        : begins(narrator, note);
    case NOTE_BAD_STUFF:
        return narrator_note(narrator, NOTE_CAUGHT, note->card) != NULL ? TEXT_MOVE_SILENT
                                                                        : TEXT_NOTE_BAD_STUFF;
    case NOTE_CURSED:
        return cursed_by(narrator, note);
    case NOTE_CURSE_CANCELLED:
        return narrator_card(narrator, note->card2) != NO_CARD ? TEXT_NOTE_CURSE_CANCELLED_WITH
                                                               : TEXT_NOTE_CURSE_CANCELLED;
    case NOTE_FIGHT_WON:
        if (note->n <= note->m) {
            return two ? TEXT_NOTE_FIGHT_WON_TIE_TOGETHER : TEXT_NOTE_FIGHT_WON_TIE;
        }
        return two ? TEXT_NOTE_FIGHT_WON_TOGETHER : TEXT_NOTE_FIGHT_WON;
    case NOTE_THEFT_FAILS:
        return two && narrator_card(narrator, note->card) != NO_CARD ? TEXT_NOTE_THEFT_FAILS_LOOK
                                                                     : TEXT_NOTE_THEFT_FAILS;
    case NOTE_MONSTER_LEAVES:
        if (counts_as_kill(narrator, note)) {
            return killer(narrator, note) != NO_CARD ? TEXT_NOTE_MONSTER_KILLED_BY
                                                     : TEXT_NOTE_MONSTER_LEAVES_KILLED;
        }
        return note->n > 0 ? TEXT_NOTE_MONSTER_LEAVES_PAYING : TEXT_NOTE_MONSTER_LEAVES;
    case NOTE_PROTECTED:
        return note->card == note->card2 ? TEXT_NOTE_PROTECTED_BY_ITSELF : TEXT_NOTE_PROTECTED;
    case NOTE_DEAL_MADE: // told by the helper's joining, or by what changes hands
        return narrator_note(narrator, NOTE_HELPER_JOINS, NO_CARD) != NULL ||
                       narrator_move(narrator, NO_CARD, MOVE_GIVEN) != NULL ||
                       narrator_move(narrator, NO_CARD, MOVE_TRADED) != NULL
                   ? TEXT_MOVE_SILENT
                   : TEXT_NOTE_DEAL_MADE;
    default:
        return note->why < NOTE_TOTAL ? SENTENCES[note->why] : TEXT_MOVE_SILENT;
    }
}

// Whether anything comes of the Bad Stuff, or somebody has still to decide what.
static bool hurts(const struct narrator *narrator, const struct event *note)
{
    for (const struct event *event = note + 1; event < narrator->events + narrator->count;
         event++) {
        switch ((enum event_type)event->type) {
        case EVENT_LEVEL:
        case EVENT_DEATH:
        case EVENT_DECIDE:
        case EVENT_LASTING:
        case EVENT_ROLL:
            return true;
        case EVENT_SEAT:
            if (event->why == SEAT_FIELD_FEMALE) {
                return true;
            }
            break;
        case EVENT_MOVE:
            if (pile_owner(event->from) == note->seat || pile_owner(event->to) == note->seat) {
                return true;
            }
            break;
        case EVENT_NOTE:
            return event->why != NOTE_TURN_BEGINS && event->why != NOTE_CHARITY_DUE &&
                   event->why != NOTE_CAUGHT && event->why != NOTE_ESCAPES;
        default:
            break;
        }
    }
    return false;
}

void narrate_note(struct narrator *narrator, const struct event *note)
{
    const struct table_words *const words = &narrator->words;
    struct note_words with = {
        .who = render_player(words, note->seat),
        .other = render_player(words, note->seat2),
        .ability = "",
        .deck = text_sentence(note->n == DECK_DOOR ? TEXT_DECK_DOOR : TEXT_DECK_TREASURE),
    };
    const uint16_t card = narrator_card(narrator, note->card);
    const uint16_t card2 = note->why == NOTE_MONSTER_LEAVES ? killer(narrator, note)
                                                            : narrator_card(narrator, note->card2);
    if (note->why == NOTE_COPIES) {
        render_plain_name(words, card, with.card);
    } else {
        render_card_name(words, card, with.card);
    }
    render_card_name(words, card2, with.card2);
    with.c = render_number(words, card);
    with.c2 = render_number(words, card2);
    with.its = render_its(words, card);
    switch ((enum note)note->why) {
    case NOTE_TURN_BEGINS:
        narrate_head(narrator, note->seat, (unsigned)note->n);
        break;
    case NOTE_ESCAPES:
    case NOTE_CAUGHT:
        say_flight(narrator, note, &with);
        break;
    case NOTE_DEAL_OPEN:
        say_deal_open(narrator, note, &with);
        break;
    case NOTE_DEAL_OFF:
        say_deal_off(narrator, note, &with);
        break;
    case NOTE_HELPER_JOINS:
        say_helper_joins(narrator, note, &with);
        break;
    case NOTE_USES:
        say_uses(narrator, note, &with);
        break;
    case NOTE_SHOWS:
        say_shows(narrator, note, &with);
        break;
    case NOTE_CURSED:
    case NOTE_FIGHT_BEGINS:
    case NOTE_MONSTER_JOINS:
        say(narrator, note, &with, sentence_of(narrator, note));
        narrate_card(narrator, note->card);
        break;
    case NOTE_BAD_STUFF:
        say(narrator, note, &with, sentence_of(narrator, note));
        if (!hurts(narrator, note)) {
            say(narrator, note, &with, TEXT_BAD_STUFF_NOTHING);
        }
        break;
    default:
        say(narrator, note, &with, sentence_of(narrator, note));
        break;
    }
}

void narrate_level(struct narrator *narrator, const struct event *event)
{
    static const enum text_id WAYS[] = {
        [LEVEL_CARD] = TEXT_LEVEL_CARD_UP,        [LEVEL_KILL] = TEXT_LEVEL_KILL,
        [LEVEL_SALE] = TEXT_LEVEL_SALE,           [LEVEL_HELP] = TEXT_LEVEL_HELP,
        [LEVEL_BAD_STUFF] = TEXT_LEVEL_BAD_STUFF, [LEVEL_CURSE] = TEXT_LEVEL_CURSE,
        [LEVEL_THEFT] = TEXT_LEVEL_THEFT,         [LEVEL_PAID] = TEXT_LEVEL_PAID,
    };
    const bool up = event->n > event->m;
    enum text_id sentence = up ? TEXT_LEVEL_CARD_UP : TEXT_LEVEL_CARD_DOWN;
    const bool for_gain =
        event->why == LEVEL_KILL || event->why == LEVEL_HELP || event->why == LEVEL_SALE;
    if (event->why <= LEVEL_PAID && event->why != LEVEL_CARD && (up == for_gain)) {
        sentence = WAYS[event->why];
    }
    const size_t begin = narrator->out->length;
    text_line(narrator->out, sentence,
              TEXT_ARGS(text_str("who", render_player(&narrator->words, event->seat)),
                        text_num("n", event->n), text_num("gain", (long)(event->n - event->m))));
    narrate_join(narrator, sentence, begin);
}

void narrate_bare_roll(struct narrator *narrator)
{
    const struct event *const roll = narrator->roll;
    narrator->roll = NULL;
    if (roll == NULL) {
        return;
    }
    const struct table_words *const words = &narrator->words;
    struct prospect_roll now;
    const bool waits = prospect_roll(words->view, words->box, &now) && now.what == ROLL_FLIGHT &&
                       now.seat == roll->seat && now.face == roll->n;
    const long bonus = waits ? now.total - now.face : 0;
    const enum text_id sentence = bonus == 0 ? TEXT_ROLLS_FLIGHT : TEXT_ROLLS_FLIGHT_BONUS;
    const size_t begin = narrator->out->length;
    text_line(narrator->out, sentence,
              TEXT_ARGS(text_str("who", render_player(words, roll->seat)), text_num("n", roll->n),
                        text_num("bonus", bonus)));
    narrate_join(narrator, sentence, begin);
}

// The dice for the first turn are told in one line, with the first of them.
static void narrate_first_rolls(struct narrator *narrator, const struct event *roll)
{
    enum text_id id = TEXT_ROLLS_FIRST;
    for (const struct event *event = narrator->events; event < roll; event++) {
        if (event->type == EVENT_ROLL && event->why == ROLL_FIRST) {
            return;
        }
    }
    for (const struct event *event = roll; event < narrator->events + narrator->count; event++) {
        if (event->type == EVENT_ROLL && event->why == ROLL_FIRST) {
            text_put(narrator->out, id,
                     TEXT_ARGS(text_str("who", render_player(&narrator->words, event->seat)),
                               text_num("n", event->n)));
            id = TEXT_ROLLS_FIRST_MORE;
        }
    }
    text_raw(narrator->out, ".\n");
}

void narrate_roll(struct narrator *narrator, const struct event *event)
{
    static const enum text_id WAYS[] = {
        [ROLL_FLIGHT] = TEXT_ROLLS_FLIGHT,
        [ROLL_THEFT] = TEXT_ROLLS_THEFT,
        [ROLL_IDENTITY] = TEXT_ROLLS_IDENTITY,
        [ROLL_LOOT] = TEXT_ROLLS_LOOT,
        [ROLL_EFFECT] = TEXT_ROLLS,
    };
    narrate_bare_roll(narrator);
    if (event->why == ROLL_FLIGHT) {
        narrator->roll = event;
        return;
    }
    if (event->why == ROLL_FIRST) {
        narrate_first_rolls(narrator, event);
        return;
    }
    const enum text_id sentence = event->why <= ROLL_EFFECT ? WAYS[event->why] : TEXT_ROLLS;
    text_line(narrator->out, sentence,
              TEXT_ARGS(text_str("who", render_player(&narrator->words, event->seat)),
                        text_num("n", event->n)));
}
