// Moves of cards in words, several of one kind in one line.
#include <string.h>

#include "bot/render/render_narrate.h"

static const enum text_id SENTENCES[MOVE_TOTAL] = {
#define MOVE_WHY(id, name) [MOVE_##id] = TEXT_MOVE_##id,
#include "core/state/move_why.def"
#undef MOVE_WHY
};

unsigned pile_owner(unsigned pile)
{
    if (pile_is_hand(pile)) {
        return pile - PILE_HAND;
    }
    return pile_is_table(pile) ? pile - PILE_TABLE : (unsigned)NO_SEAT;
}

struct move_words {
    const char *who, *giver, *taker;
    const char *cards;
    char target[RENDER_NAME_SIZE];
    char idle[RENDER_NAME_SIZE]; /**< why an Item is only carried */
    long number;                 /**< what the verb of the cards agrees with */
};

static unsigned first_seat(unsigned a, unsigned b, unsigned c)
{
    if (a < MB_SEATS_MAX) {
        return a;
    }
    return b < MB_SEATS_MAX ? b : c;
}

static const struct event *sale_of(const struct narrator *narrator, unsigned seat)
{
    for (size_t i = 0; i < narrator->count; i++) {
        const struct event *const event = &narrator->events[i];
        if (event->type == EVENT_LEVEL && event->why == LEVEL_SALE && event->seat == seat) {
            return event;
        }
    }
    return NULL;
}

// A card played into the fight: for whom, or on which monster.
static enum text_id played_to_fight(const struct narrator *narrator, const struct event *move,
                                    struct move_words *with)
{
    const uint16_t card = move->card;
    if (card == NO_CARD) {
        return TEXT_MOVE_PLAYED;
    }
    const unsigned kind = box_def(narrator->words.box, card)->kind;
    const uint16_t host = narrator_card(narrator, move->card2);
    if (kind == KIND_MONSTER) {
        return TEXT_MOVE_PLAYED;
    }
    if (kind == KIND_ENHANCER && host != NO_CARD) {
        render_card_name(&narrator->words, host, with->target);
        return TEXT_PLAYS_ON;
    }
    if (kind != KIND_ONESHOT) {
        return TEXT_MOVE_PLAYED;
    }
    return (move->m & CARD_FOR_MONSTERS) != 0 ? TEXT_PLAYS_FOR_MONSTERS : TEXT_PLAYS_FOR_PLAYERS;
}

static void target_player(const struct narrator *narrator, unsigned seat, struct move_words *with)
{
    struct text_out target;
    text_begin(&target, with->target, sizeof with->target);
    text_value(&target, render_player(&narrator->words, seat));
}

static enum text_id played_to_table(const struct narrator *narrator, const struct event *move,
                                    struct move_words *with)
{
    const uint16_t card = move->card;
    const unsigned owner = pile_owner(move->to);
    if (card == NO_CARD) {
        return TEXT_MOVE_PLAYED;
    }
    if (owner != move->seat && move->seat < MB_SEATS_MAX) {
        target_player(narrator, owner, with);
        return TEXT_PLAYS_ON;
    }
    const uint16_t host = narrator_card(narrator, move->card2);
    if (host != NO_CARD) {
        render_card_name(&narrator->words, host, with->target);
        return TEXT_PLAYS_ON;
    }
    if (kind_is_item(box_def(narrator->words.box, card)->kind)) {
        if ((move->m & CARD_EQUIPPED) != 0) {
            return TEXT_EQUIPS;
        }
        return render_idle(&narrator->words, owner, card, with->idle, sizeof with->idle)
                   ? TEXT_CARRIES_IDLE
                   : TEXT_CARRIES;
    }
    return TEXT_MOVE_PLAYED;
}

// What happens to everybody because of a card that was just drawn must be told with its text.
static bool acts_when_drawn(const struct narrator *narrator, uint16_t event_card)
{
    const uint16_t card = narrator_card(narrator, event_card);
    if (card == NO_CARD) {
        return false;
    }
    const struct card_def *const def = box_def(narrator->words.box, card);
    const struct row *const rows = box_rows(narrator->words.box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when == WHEN_DRAWN) {
            return true;
        }
    }
    return false;
}

static enum text_id played(const struct narrator *narrator, const struct event *move,
                           struct move_words *with)
{
    if (move->to == PILE_FIGHT) {
        return played_to_fight(narrator, move, with);
    }
    if (pile_is_table(move->to)) {
        return played_to_table(narrator, move, with);
    }
    if (move->to == PILE_RESOLVING && move->seat2 < MB_SEATS_MAX && move->seat2 != move->seat) {
        target_player(narrator, move->seat2, with);
        return TEXT_PLAYS_ON;
    }
    return acts_when_drawn(narrator, move->card) ? TEXT_TURNS_UP : TEXT_MOVE_PLAYED;
}

// A card that is put down at once is told by where it lies then.
static bool is_on_its_way(const struct narrator *narrator, const struct event *move)
{
    for (size_t i = 0; move->to == PILE_RESOLVING && i < narrator->count; i++) {
        const struct event *const event = &narrator->events[i];
        if (event->type == EVENT_MOVE && event->why == MOVE_PLAYED && event->card == move->card &&
            event->from == PILE_RESOLVING && pile_is_table(event->to)) {
            return true;
        }
    }
    return false;
}

// Whether something else of the same command tells the story of this move better.
static bool told_elsewhere(const struct narrator *narrator, const struct event *move)
{
    switch ((enum move_why)move->why) {
    case MOVE_PLAYED:
        return narrator_note(narrator, NOTE_CURSED, move->card) != NULL ||
               is_on_its_way(narrator, move);
    case MOVE_PAID: {
        const struct event *const use = narrator_note(narrator, NOTE_USES, NO_CARD);
        return use != NULL && narrator_is_price(move, use);
    }
    case MOVE_STOLEN:
        return narrator_note(narrator, NOTE_THEFT_SUCCEEDS, NO_CARD) != NULL;
    default:
        return false;
    }
}

// A draw that ends phase 2 without a fight is the looting of the room.
static bool loots_room(const struct narrator *narrator)
{
    bool charity = false;
    for (size_t i = 0; i < narrator->count; i++) {
        const struct event *const event = &narrator->events[i];
        if (event->type == EVENT_FIGHT || (event->type == EVENT_NOTE && event->why == NOTE_USES)) {
            return false;
        }
        charity = charity || (event->type == EVENT_GAME && event->why == GAME_PHASE &&
                              event->n == PHASE_CHARITY);
    }
    return charity;
}

// What was played for a fight goes without a word; what lay before somebody, or never got there,
// not.
static enum text_id spent(const struct narrator *narrator, const struct event *move)
{
    if (move->from == PILE_DOOR_DECK || move->from == PILE_TREASURE_DECK) {
        return TEXT_TURNED_UP;
    }
    const uint16_t card = narrator_card(narrator, move->card);
    if (card == NO_CARD || !pile_is_table(move->from) ||
        narrator_note(narrator, NOTE_BECOMES, card) != NULL) {
        return TEXT_MOVE_SPENT;
    }
    const bool curse = box_def(narrator->words.box, card)->kind == KIND_CURSE;
    return curse ? TEXT_CURSE_GONE : TEXT_MOVE_DISCARDED;
}

static enum text_id sentence_of(const struct narrator *narrator, const struct event *move,
                                struct move_words *with)
{
    switch ((enum move_why)move->why) {
    case MOVE_PLAYED:
        return played(narrator, move, with);
    case MOVE_KICKED:
        if (narrator_note(narrator, NOTE_CURSED, move->card) != NULL) {
            static const enum text_id WHOM[] = {
                [STRIKES_VICTIM] = TEXT_KICKED_CURSE,
                [STRIKES_ALL] = TEXT_KICKED_CURSE_ALL,
                [STRIKES_OTHERS] = TEXT_KICKED_CURSE_OTHERS,
                [STRIKES_HIGHEST] = TEXT_KICKED_CURSE_HIGHEST,
            };
            return WHOM[narrator_strikes(narrator, move->card)];
        }
        return move->from == PILE_DOOR_DISCARD ? TEXT_KICKED_DISCARDED : TEXT_MOVE_KICKED;
    case MOVE_DEALT:
        return move->knowers == 0xFF ? TEXT_DRAWS_FACE_UP : TEXT_MOVE_DEALT;
    case MOVE_DRAWN:
    case MOVE_TREASURE:
        if (move->to == PILE_AWARD) {
            return TEXT_TREASURES_LIE_OPEN;
        }
        if (move->knowers != 0xFF && loots_room(narrator)) {
            return TEXT_MOVE_LOOTED_ROOM;
        }
        return move->knowers == 0xFF ? TEXT_DRAWS_FACE_UP : SENTENCES[move->why];
    case MOVE_DIED:
        return move->to == PILE_BODY ? TEXT_MOVE_DIED : TEXT_MOVE_LOST;
    case MOVE_SETTLED:
        return move->from == PILE_BODY ? TEXT_BODY_REST : TEXT_MOVE_SETTLED;
    case MOVE_LOST:
        return pile_owner(move->to) != NO_SEAT ? TEXT_LOSES_TO : TEXT_MOVE_LOST;
    case MOVE_SPENT:
        return spent(narrator, move);
    case MOVE_STRUCK:
        return pile_is_table(move->to) ? TEXT_CURSE_STAYS : TEXT_MOVE_STRUCK;
    default:
        return move->why < MOVE_TOTAL ? SENTENCES[move->why] : TEXT_MOVE_SILENT;
    }
}

static bool tell_sale(struct narrator *narrator, const struct move_words *with, unsigned seat)
{
    const struct event *const level = sale_of(narrator, seat);
    if (level == NULL) {
        return false;
    }
    const size_t begin = narrator->out->length;
    text_line(narrator->out, TEXT_SELLS_FOR,
              TEXT_ARGS(text_str("giver", with->giver), text_str("cards", with->cards),
                        text_num("n", (long)(level->n - level->m)), text_num("m", level->n)));
    narrate_join(narrator, TEXT_SELLS_FOR, begin);
    return true;
}

// Cards dealt to all are told once; false if they are dealt to one player only, or face up.
static bool tell_deal(struct narrator *narrator, const struct event *move)
{
    bool others = false;
    for (size_t i = 0; i < narrator->count; i++) {
        const struct event *const event = &narrator->events[i];
        if (event->type == EVENT_MOVE && event->why == MOVE_DEALT) {
            others = others || event->to != move->to;
        }
    }
    if (!others || move->knowers == 0xFF) {
        return false;
    }
    if (narrator_move(narrator, NO_CARD, MOVE_DEALT) == move) {
        text_line(
            narrator->out, TEXT_ALL_DEALT,
            TEXT_ARGS(text_num("n", 2L * narrator->words.box->profile.constant[PROFILE_DEAL])));
    }
    return true;
}

// A Monster's text comes with its fight, a Curse's as it strikes.
static bool told_by_itself(const struct narrator *narrator, uint16_t card)
{
    const unsigned kind = box_def(narrator->words.box, card)->kind;
    return kind == KIND_MONSTER || kind == KIND_CURSE;
}

// Whether what it does cannot be read off the fight's sums or a new Level.
static bool does_more(const struct narrator *narrator, uint16_t card)
{
    const struct card_def *const def = box_def(narrator->words.box, card);
    const struct row *const rows = box_rows(narrator->words.box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].when != WHEN_STATIC && rows[i].op != EFFECT_LEVEL) {
            return true;
        }
    }
    return false;
}

// What is played once and gone was seen by nobody before, and is by nobody afterwards.
static bool acts_when_played(const struct narrator *narrator, const struct event *move,
                             uint16_t event_card)
{
    const uint16_t card = narrator_card(narrator, event_card);
    if (move->why != MOVE_PLAYED || pile_is_table(move->to) || card == NO_CARD) {
        return false;
    }
    const unsigned kind = box_def(narrator->words.box, card)->kind;
    return (kind == KIND_ONESHOT || kind == KIND_DOOR || kind == KIND_TREASURE) &&
           does_more(narrator, card);
}

static void tell_what_acts(struct narrator *narrator, const struct event *move)
{
    const bool drawn = move->why == MOVE_KICKED || move->why == MOVE_DEALT ||
                       move->why == MOVE_DRAWN || move->why == MOVE_TREASURE ||
                       move->why == MOVE_LOOTED_ROOM || move->why == MOVE_PLAYED;
    const struct card_group *const cards = &narrator->group.cards;
    for (unsigned i = 0; drawn && i < cards->known_count; i++) {
        if (acts_when_drawn(narrator, cards->known[i]) ||
            acts_when_played(narrator, move, cards->known[i]) ||
            (move->why == MOVE_KICKED && !told_by_itself(narrator, cards->known[i]))) {
            narrate_card(narrator, cards->known[i]);
        }
    }
}

// One card whose name is a plural takes the verb of many.
static long number_of(const struct narrator *narrator)
{
    const struct card_group *const cards = &narrator->group.cards;
    return cards->count == 1 && cards->known_count == 1
               ? render_number(&narrator->words, cards->known[0])
               : (long)cards->count;
}

// Whether a note of the same command tells what the card says: its joke comes after that.
static bool is_text_to_come(const struct narrator *narrator, uint16_t card)
{
    return narrator_note(narrator, NOTE_CURSED, card) != NULL ||
           narrator_note(narrator, NOTE_FIGHT_BEGINS, card) != NULL ||
           narrator_note(narrator, NOTE_MONSTER_JOINS, card) != NULL;
}

void narrate_group(struct narrator *narrator)
{
    const struct event *const move = narrator->group.first;
    narrator->group.first = NULL;
    if (move == NULL || told_elsewhere(narrator, move)) {
        return;
    }
    if (move->why == MOVE_DEALT && tell_deal(narrator, move)) {
        return;
    }
    const unsigned from = pile_owner(move->from);
    const unsigned to = pile_owner(move->to);
    char cards[RENDER_LIST_SIZE];
    render_group(&narrator->words, &narrator->group.cards, cards, sizeof cards);
    struct move_words with = {.cards = cards, .number = number_of(narrator)};
    const unsigned actor = first_seat(move->seat, from, to);
    with.who = render_player(&narrator->words, actor);
    with.giver = render_player(&narrator->words, first_seat(from, move->seat, move->seat2));
    with.taker = render_player(&narrator->words, first_seat(to, move->seat2, move->seat));
    if (move->why == MOVE_SOLD && tell_sale(narrator, &with, first_seat(from, move->seat, 0))) {
        return;
    }
    const enum text_id sentence = sentence_of(narrator, move, &with);
    if (text_sentence(sentence)[0] != '\0') {
        const size_t begin = narrator->out->length;
        text_line(narrator->out, sentence,
                  TEXT_ARGS(text_str("who", with.who), text_str("giver", with.giver),
                            text_str("taker", with.taker), text_str("cards", with.cards),
                            text_str("target", with.target), text_str("why", with.idle),
                            text_num("n", with.number),
                            text_str("his", render_his(&narrator->words, actor)),
                            text_str("him", render_him(&narrator->words, actor))));
        narrate_join(narrator, sentence, begin);
        tell_what_acts(narrator, move);
        // A list is long enough without jokes, and so is what bot players do.
        const uint16_t card = narrator->group.cards.known[0];
        const bool single =
            narrator->group.cards.count == 1 && narrator->group.cards.known_count == 1;
        const bool bot = actor < MB_SEATS_MAX && (narrator->words.bots & seat_bit(actor)) != 0;
        if (single && !bot && !is_text_to_come(narrator, card)) {
            narrate_joke(narrator, card);
        }
    }
}

// The bit of a card's kind among those the table was told of: that of its first copy.
static unsigned told_bit(const struct table_words *words, uint16_t card)
{
    const uint16_t def = words->box->card_def[card];
    unsigned first = 0;
    while (words->box->card_def[first] != def) {
        first++;
    }
    return first;
}

static bool is_told(const struct table_words *words, uint16_t card)
{
    const unsigned bit = told_bit(words, card);
    return words->told != NULL && words->seat == NO_SEAT &&
           ((unsigned)words->told->cards[bit / 8] >> bit % 8 & 1u) != 0;
}

// Whether the last line names the card.
static bool was_named(const struct text_out *out, const char *name)
{
    size_t begin = out->length;
    while (!out->full && begin > 0 && (begin == out->length || out->at[begin - 1] != '\n')) {
        begin--;
    }
    return !out->full && begin < out->length && strstr(out->at + begin, name) != NULL;
}

void narrate_card(struct narrator *narrator, uint16_t card)
{
    const struct table_words *const words = &narrator->words;
    if (narrator_card(narrator, card) == NO_CARD || is_told(words, card)) {
        return;
    }
    const uint16_t def = words->box->card_def[card];
    char title[RENDER_TITLE_SIZE];
    char figures[RENDER_FIGURES_SIZE];
    char name[RENDER_NAME_SIZE];
    char what[RENDER_TEXT_SIZE];
    const char *const plain = render_plain_name(words, card, name);
    const bool named = was_named(narrator->out, plain);
    render_card_text(words, def, what, sizeof what);
    render_figures_beside(words, def, figures, sizeof figures);
    if (named) {
        narrator->out->at[--narrator->out->length] = '\0';
    }
    enum text_id id = named ? TEXT_CARD_ADDS : TEXT_CARD_SAYS;
    if (what[0] == '\0') {
        id = named ? TEXT_CARD_ADDS_FIGURES : TEXT_QUESTION_CARD;
    }
    text_line(narrator->out, id,
              TEXT_ARGS(text_str("title", render_title_beside(words, def, plain, title)),
                        text_str("figures", figures), text_str("what", what)));
    narrate_joke(narrator, card);
    if (words->told != NULL && words->seat == NO_SEAT) {
        const unsigned bit = told_bit(words, card);
        words->told->cards[bit / 8] |= (uint8_t)(1u << bit % 8);
    }
}

void narrate_joke(struct narrator *narrator, uint16_t card)
{
    const struct table_words *const words = &narrator->words;
    if (words->told == NULL || words->seat != NO_SEAT || narrator_card(narrator, card) == NO_CARD ||
        is_told(words, card)) {
        return;
    }
    const char *const joke = catalog_joke(words->catalog, words->box->card_def[card]);
    const unsigned bit = told_bit(words, card);
    if (joke[0] == '\0') {
        return;
    }
    words->told->cards[bit / 8] |= (uint8_t)(1u << bit % 8);
    const bool behind = words->telling->length == narrator->out->length;
    text_line(narrator->out, TEXT_JOKE, TEXT_ARGS(text_str("what", joke)));
    if (behind) {
        words->telling->length = narrator->out->length;
        words->telling->joke = bit;
    }
}

// An Item that a follower takes is used from then on; the handing over says so.
static bool is_handed_over(const struct narrator *narrator, uint16_t card)
{
    for (size_t i = 0; i < narrator->count; i++) {
        const struct event *const event = &narrator->events[i];
        if (event->type == EVENT_HOST && event->card == card && event->card2 != NO_CARD &&
            box_def(narrator->words.box, event->card2)->kind == KIND_FOLLOWER) {
            return true;
        }
    }
    return false;
}

void narrate_flags(struct narrator *narrator, const struct event *event)
{
    const unsigned equipped = CARD_EQUIPPED;
    const bool on = ((unsigned)event->n & equipped) != 0;
    const bool off = ((unsigned)event->m & equipped) != 0;
    const uint16_t card = narrator_card(narrator, event->card);
    const bool turns = ((unsigned)event->n & CARD_TURNED) != 0;
    if (card == NO_CARD || (!on && !off && !turns) ||
        (on && is_handed_over(narrator, event->card))) {
        return;
    }
    const unsigned owner = pile_owner(query_where(narrator->words.view, card));
    if (owner == NO_SEAT) {
        return;
    }
    char name[RENDER_NAME_SIZE];
    narrate_group(narrator);
    const size_t begin = narrator->out->length;
    enum text_id id = on ? TEXT_EQUIPS : TEXT_TAKES_OFF;
    const uint16_t cause = turns ? narrator_doer(narrator, EFFECT_TURN_FOLLOWER) : NO_CARD;
    if (turns) {
        id = cause != NO_CARD ? TEXT_TURNS_COAT_FOR : TEXT_TURNS_COAT;
    }
    char curse[RENDER_NAME_SIZE];
    text_line(narrator->out, id,
              TEXT_ARGS(text_str("who", render_player(&narrator->words, owner)),
                        text_str("cards", render_card_name(&narrator->words, card, name)),
                        text_num("n", render_number(&narrator->words, card)),
                        text_str("card", render_card_name(&narrator->words, cause, curse)),
                        text_num("c", render_number(&narrator->words, cause))));
    narrate_join(narrator, id, begin);
}

void narrate_host(struct narrator *narrator, const struct event *event)
{
    const uint16_t card = narrator_card(narrator, event->card);
    const uint16_t host = narrator_card(narrator, event->card2);
    if (card == NO_CARD || host == NO_CARD ||
        box_def(narrator->words.box, host)->kind != KIND_FOLLOWER) {
        return;
    }
    char name[RENDER_NAME_SIZE];
    char follower[RENDER_NAME_SIZE];
    const unsigned owner = pile_owner(query_where(narrator->words.view, card));
    narrate_group(narrator);
    const size_t begin = narrator->out->length;
    text_line(narrator->out, TEXT_HANDS_OVER,
              TEXT_ARGS(text_str("who", render_player(&narrator->words, owner)),
                        text_str("cards", render_card_name(&narrator->words, card, name)),
                        text_str("target", render_card_name(&narrator->words, host, follower))));
    narrate_join(narrator, TEXT_HANDS_OVER, begin);
}
