// A seat's own hand: what can be played now, with the words to type, and what is for later.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/render/render_impl.h"

enum {
    WAY_SIZE = 512,
    WAYS_SHOWN = 2,
    LEAD_SIZE = 8,
    LINE_CHARACTERS = 36 /**< of a phone, beside the number */
};

/** How much is told when room is short. */
enum brevity {
    TELL_ALL,
    FIRST_SENTENCE, /**< of each card's text */
    FIGURES_ONLY,
    ONE_WAY,  /**< of typing each */
    ONE_LINE, /**< for a phone, where cards are picked to be read and played */
    BREVITY_TOTAL
};

// What can be done with a card now; an Item that would only be carried is worth less. PLAIN is said
// by its number alone, where that is told in a list.
enum use { USE_NOW, USE_PLAIN, USE_CARRY, USE_LATER };

struct hand {
    struct card_list cards;
    uint16_t ways[MB_CARDS_MAX]; /**< of each card */
    uint8_t uses[MB_CARDS_MAX];  /**< enum use */
    const struct move_list *moves;
    enum brevity brevity;
    unsigned number; /**< of the next card */
};

static bool plays(const struct move *move, uint16_t card)
{
    const unsigned verb = move->command.verb;
    return (verb == VERB_PLAY || verb == VERB_FIGHT) && move->command.card == card;
}

static bool has_ways(const struct table_words *words, const struct move_list *moves, uint16_t card)
{
    char how[WAY_SIZE];
    struct command stem = command_plain(words->seat, VERB_PLAY);
    stem.card = card;
    return render_ways(words, moves, &stem, how, sizeof how) > 1 || how[0] != '\0';
}

static void sort_cards(const struct table_words *words, struct hand *hand)
{
    char why[RENDER_NAME_SIZE];
    for (unsigned i = 0; i < hand->cards.count; i++) {
        const uint16_t card = hand->cards.cards[i];
        unsigned ways = 0;
        for (uint32_t j = 0; hand->moves->items != NULL && j < hand->moves->count; j++) {
            ways += plays(&hand->moves->items[j], card) ? 1 : 0;
        }
        hand->ways[i] = (uint16_t)ways;
        hand->uses[i] = USE_LATER;
        if (ways > 0) {
            const bool idle = render_idle(words, words->seat, card, why, sizeof why);
            const bool listed = words->terse && !has_ways(words, hand->moves, card);
            hand->uses[i] = words->plays == NULL ? (idle ? USE_CARRY : USE_NOW)
                            : !listed            ? USE_NOW
                            : idle               ? USE_CARRY
                                                 : USE_PLAIN;
        }
    }
}

static void put_carry(const struct table_words *words, const char *way, uint16_t card,
                      struct text_out *out)
{
    char why[RENDER_NAME_SIZE];
    (void)render_idle(words, words->seat, card, why, sizeof why);
    text_line(out, TEXT_HAND_WAY_IDLE, TEXT_ARGS(text_str("what", way), text_str("why", why)));
}

static void put_ways(const struct table_words *words, const struct hand *hand, unsigned index,
                     struct text_out *out)
{
    const unsigned shown_max = hand->brevity >= ONE_WAY ? 1 : WAYS_SHOWN;
    const uint16_t card = hand->cards.cards[index];
    const unsigned ways = hand->ways[index];
    unsigned shown = 0;
    for (uint32_t i = 0; i < hand->moves->count && shown < shown_max; i++) {
        const struct move *const move = &hand->moves->items[i];
        if (!plays(move, card)) {
            continue;
        }
        char what[WAY_SIZE];
        render_move(words, move, what, sizeof what);
        if (hand->uses[index] == USE_CARRY) {
            put_carry(words, what, card, out);
            return;
        }
        shown++;
        const bool last = shown == shown_max && ways > shown;
        const char *const verb = move->command.verb == VERB_FIGHT ? "fight" : "play";
        text_line(out, last ? TEXT_HAND_WAYS : TEXT_HAND_WAY,
                  TEXT_ARGS(text_str("what", what), text_num("n", (long)(ways - shown)),
                            text_str("verb", verb)));
    }
}

// A line has room for what the card says, if that is short.
static bool fits_line(const char *title, const char *what)
{
    return what[0] != '\0' && strlen(title) + strlen(". ") + strlen(what) <= LINE_CHARACTERS;
}

// Counted, or by the number that plays it; 0: it has none.
static unsigned number_of(const struct table_words *words, const struct hand *hand, uint16_t card)
{
    if (words->plays != NULL) {
        return words->plays[card];
    }
    return words->numbers ? 0 : hand->number;
}

static void word_card(const struct table_words *words, const struct hand *hand, uint16_t card,
                      struct text_out *out)
{
    const uint16_t def = words->box->card_def[card];
    char title[RENDER_TITLE_SIZE];
    char name[RENDER_NAME_SIZE];
    char what[RENDER_TEXT_SIZE];
    render_card_name(words, card, name);
    render_card_text(words, def, what, sizeof what);
    if (hand->brevity == ONE_LINE) {
        (void)render_title_brief(words, def, name, title);
    } else if (hand->brevity >= FIGURES_ONLY) {
        (void)render_title(words, def, name, title);
    } else {
        (void)render_title_beside(words, def, name, title);
    }
    if (hand->brevity >= FIRST_SENTENCE && hand->brevity < ONE_LINE) {
        char *const end = strstr(what, ". ");
        if (end != NULL) {
            end[1] = '\0';
        }
    }
    enum text_id sentence = what[0] == '\0' ? TEXT_HAND_CARD_PLAIN : TEXT_HAND_CARD;
    if (hand->brevity >= FIGURES_ONLY && !(hand->brevity == ONE_LINE && fits_line(title, what))) {
        sentence = TEXT_HAND_CARD_SHORT;
    }
    char lead[LEAD_SIZE];
    struct text_out number;
    text_begin(&number, lead, sizeof lead);
    text_put(&number, number_of(words, hand, card) == 0 ? TEXT_HAND_LEAD_PLAIN : TEXT_HAND_LEAD,
             TEXT_ARGS(text_num("n", (long)number_of(words, hand, card))));
    text_line(out, sentence,
              TEXT_ARGS(text_str("lead", lead), text_str("title", title), text_str("what", what)));
}

// A card that a number plays, with what is said behind it, or why it would only be carried; without
// numbers one that moves the fight, with what it makes of it. False: it is neither.
static bool put_numbered(const struct table_words *words, const struct hand *hand, uint16_t card,
                         struct text_out *out)
{
    char name[RENDER_NAME_SIZE];
    char title[RENDER_TITLE_SIZE];
    char how[WAY_SIZE];
    char why[RENDER_NAME_SIZE];
    struct command stem = command_plain(words->seat, VERB_PLAY);
    stem.card = card;
    render_card_name(words, card, name);
    (void)render_title_brief(words, words->box->card_def[card], name, title);
    enum text_id id = TEXT_HAND_NUMBER_SUMS;
    if (render_ways(words, hand->moves, &stem, how, sizeof how) > 1) {
        id = TEXT_HAND_NUMBER_HOW;
    } else if (render_idle(words, words->seat, card, why, sizeof why)) {
        (void)snprintf(how, sizeof how, "%s", why);
        id = TEXT_HAND_NUMBER_CARRY;
    }
    if (words->plays == NULL && strchr(how, '(') == NULL) {
        return false;
    }
    text_line(out, id,
              TEXT_ARGS(text_num("n", (long)number_of(words, hand, card)),
                        text_str("what", words->terse ? name : title), text_str("how", how)));
    return true;
}

// A card that a number plays, or one that could turn the fight.
static bool shows_ways(const struct table_words *words, const struct hand *hand, uint16_t card)
{
    if (words->plays != NULL) {
        return words->plays[card] != 0;
    }
    bool ways = false;
    for (unsigned i = 0; words->trial != NULL && !ways && i < hand->cards.count; i++) {
        ways = hand->cards.cards[i] == card && hand->ways[i] > 0;
    }
    return ways && query_main(words->view) < MB_SEATS_MAX;
}

static void put_card(const struct table_words *words, struct hand *hand, uint16_t card,
                     struct text_out *out)
{
    if (shows_ways(words, hand, card) && put_numbered(words, hand, card, out)) {
        hand->number++;
        return;
    }
    const size_t from = out->length;
    struct row_key key;
    render_key_begin(words, ROW_HAND_CARD, hand->brevity, &key);
    row_key_number(&key, (int32_t)number_of(words, hand, card));
    render_key_card(words, card, &key);
    if (!row_memo_put(words->rows, &key, out)) {
        word_card(words, hand, card, out);
        row_memo_keep(words->rows, &key, out, from);
    }
    hand->number++;
}

static void put_group(const struct table_words *words, struct hand *hand, enum use use,
                      struct text_out *out)
{
    static const enum text_id HEADS[] = {
        [USE_NOW] = TEXT_HAND_NOW, [USE_CARRY] = TEXT_HAND_CARRY, [USE_LATER] = TEXT_HAND_LATER};
    bool first = true;
    for (unsigned i = 0; i < hand->cards.count; i++) {
        const uint16_t card = hand->cards.cards[i];
        if (hand->uses[i] != use) {
            continue;
        }
        if (first && (!words->terse || use == USE_CARRY)) {
            const bool none = use == USE_LATER && hand->number == 1;
            text_line(out, none ? TEXT_HAND_ALL_LATER : HEADS[use], NULL);
        }
        first = false;
        put_card(words, hand, card, out);
        // Else they have numbers, or pick the card.
        if (!words->small && (use == USE_CARRY || (use == USE_NOW && !words->numbers))) {
            put_ways(words, hand, i, out);
        }
    }
}

// How many later cards are another copy of this one; `before`: how many above it.
static unsigned copies(const struct table_words *words, const struct hand *hand, unsigned index,
                       unsigned *before)
{
    const uint16_t *const defs = words->box->card_def;
    unsigned count = 0;
    *before = 0;
    for (unsigned i = 0; i < hand->cards.count; i++) {
        const bool like = hand->uses[i] == USE_LATER &&
                          defs[hand->cards.cards[i]] == defs[hand->cards.cards[index]];
        *before += like && i < index ? 1 : 0;
        count += like ? 1 : 0;
    }
    return count;
}

// Cards of one use in one line: those for later counted, the others with their numbers.
static void put_list(const struct table_words *words, const struct hand *hand, enum use use,
                     enum text_id sentence, struct text_out *out)
{
    char list[RENDER_TEXT_SIZE];
    struct text_out text;
    text_begin(&text, list, sizeof list);
    for (unsigned i = 0; i < hand->cards.count; i++) {
        char name[RENDER_NAME_SIZE];
        char title[RENDER_TITLE_SIZE];
        const uint16_t card = hand->cards.cards[i];
        unsigned before = 0;
        const unsigned count = use == USE_LATER ? copies(words, hand, i, &before) : 1;
        if (hand->uses[i] != use || before > 0) {
            continue;
        }
        render_card_name(words, card, name);
        (void)render_title_brief(words, words->box->card_def[card], name, title);
        text_raw(&text, text.length > 0 ? "; " : "");
        if (use != USE_LATER) {
            text_put(&text, TEXT_HAND_NUMBER,
                     TEXT_ARGS(text_num("n", (long)words->plays[card]), text_str("what", name)));
        } else if (count > 1) {
            text_put(&text, TEXT_CARD_TIMES,
                     TEXT_ARGS(text_str("card", words->terse ? name : title),
                               text_num("n", (long)count)));
        } else {
            text_raw(&text, words->terse ? name : title);
        }
    }
    if (text.length > 0) {
        text_line(out, sentence, TEXT_ARGS(text_str("cards", list)));
    }
}

static void put_hand(const struct table_words *words, struct hand *hand, struct text_out *out)
{
    const long limit = query_hand_limit(words->view, words->box, words->seat);
    const long over = (long)hand->cards.count - limit;
    text_line(out, over > 0 ? TEXT_HAND_HEAD_OVER : TEXT_HAND_HEAD,
              TEXT_ARGS(text_num("n", hand->cards.count), text_num("m", over)));
    hand->number = 1;
    put_group(words, hand, USE_NOW, out);
    if (words->terse && words->plays != NULL) {
        put_list(words, hand, USE_PLAIN, TEXT_HAND_PLAIN_LIST, out);
        put_list(words, hand, USE_CARRY, TEXT_HAND_CARRY_LIST, out);
    } else {
        put_group(words, hand, USE_CARRY, out);
    }
    if (words->plays != NULL || (words->small && hand->number > 1)) {
        put_list(words, hand, USE_LATER, TEXT_HAND_LATER_LIST, out);
    } else {
        put_group(words, hand, USE_LATER, out);
    }
    if (hand->brevity >= FIRST_SENTENCE && !words->small) {
        text_line(out, TEXT_HAND_SHORT, NULL);
    }
}

size_t render_hand_with(const struct table_words *words, const struct move_list *moves, char *out,
                        size_t size)
{
    struct text_out text;
    struct hand hand;
    hand.moves = moves;
    text_begin(&text, out, size);
    if (words->seat >= MB_SEATS_MAX) {
        text_line(&text, TEXT_HAND_ONLOOKER, NULL);
        return text.length;
    }
    query_pile(words->view, pile_hand(words->seat), &hand.cards);
    if (hand.cards.count == 0) {
        text_line(&text, TEXT_HAND_EMPTY, NULL);
        return text.length;
    }
    sort_cards(words, &hand);
    for (hand.brevity = words->small ? ONE_LINE : TELL_ALL; hand.brevity < BREVITY_TOTAL;
         hand.brevity++) {
        text_begin(&text, out, size);
        put_hand(words, &hand, &text);
        if (words->budget == 0 || text.length <= words->budget) {
            break;
        }
    }
    if (hand.brevity == BREVITY_TOTAL) {
        return render_cut(out, words->budget, TEXT_HAND_CUT);
    }
    return text.length;
}

size_t render_hand_small(const struct table_words *words, const struct move_list *moves, char *out,
                         size_t size)
{
    struct query_decision decision;
    query_decision(words->view, words->box, words->seat, &decision);
    const bool options = render_lists_options(&decision);
    size_t at =
        options ? render_question(words, out, size) : render_hand_with(words, moves, out, size);
    at = at < size ? at : size - 1;
    return at + (options ? render_brief : render_question)(words, out + at, size - at);
}

size_t render_hand(const struct table_words *words, char *out, size_t size)
{
    struct move_list moves = {.capacity = MB_MOVES_MAX,
                              .items = malloc(MB_MOVES_MAX * sizeof *moves.items)};
    if (moves.items != NULL) { // a hand without what can be played now is still a hand
        moves_list_own(words->view, words->box, words->seat, &moves);
    }
    const size_t length = render_hand_with(words, &moves, out, size);
    free(moves.items);
    return length;
}
