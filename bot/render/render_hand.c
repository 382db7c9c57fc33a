// A seat's own hand: what can be played now, with the words to type, and what is for later.
#include <stdio.h>
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
enum use { USE_NOW, USE_PLAIN, USE_CARRY, USE_LATER, USE_TOTAL };

struct hand {
    const struct scene *scene;
    const struct table_words *words; /**< the scene's */
    struct card_list cards;
    uint8_t uses[MB_CARDS_MAX]; /**< enum use, of each card */
    enum brevity brevity;
    unsigned number; /**< of the next card */
};

// Fighting that card; NULL: nobody can.
static const struct saying *fights(const struct scene *scene, uint16_t card)
{
    struct command stem = command_plain(scene->words.seat, VERB_FIGHT);
    stem.card = card;
    return scene_saying(scene, &stem);
}

// Whether more is said of playing the card than its name.
static bool has_ways(const struct scene *scene, const struct saying *play)
{
    char how[WAY_SIZE];
    struct text_out text;
    text_begin(&text, how, sizeof how);
    if (play != NULL) {
        scene_put_ways(scene, play, true, &text);
    }
    return text.length > 0;
}

static enum use use_of(const struct scene *scene, uint16_t card)
{
    const struct table_words *const words = &scene->words;
    const struct saying *const play = scene_play(scene, card);
    char why[RENDER_NAME_SIZE];
    if (play == NULL && fights(scene, card) == NULL) {
        return USE_LATER;
    }
    const bool idle = render_idle(words, words->seat, card, why, sizeof why);
    if (scene->numbered && !(words->terse && !has_ways(scene, play))) {
        return USE_NOW;
    }
    return idle ? USE_CARRY : scene->numbered ? USE_PLAIN : USE_NOW;
}

static void put_way(const struct hand *hand, const struct move *move, bool last, unsigned more,
                    struct text_out *out)
{
    char what[WAY_SIZE];
    render_move(hand->words, move, what, sizeof what);
    text_line(out, last ? TEXT_HAND_WAYS : TEXT_HAND_WAY,
              TEXT_ARGS(text_str("what", what), text_num("n", (long)more),
                        text_str("verb", move->command.verb == VERB_FIGHT ? "fight" : "play")));
}

static void put_carry(const struct hand *hand, const struct move *move, struct text_out *out)
{
    char why[RENDER_NAME_SIZE];
    char what[WAY_SIZE];
    render_move(hand->words, move, what, sizeof what);
    (void)render_idle(hand->words, hand->words->seat, move->command.card, why, sizeof why);
    text_line(out, TEXT_HAND_WAY_IDLE, TEXT_ARGS(text_str("what", what), text_str("why", why)));
}

// The words to type, of some of the ways.
static void put_ways(const struct hand *hand, uint16_t card, enum use use, struct text_out *out)
{
    const struct saying *const said[] = {scene_play(hand->scene, card), fights(hand->scene, card)};
    const unsigned most = hand->brevity >= ONE_WAY ? 1 : WAYS_SHOWN;
    const unsigned all =
        (said[0] != NULL ? said[0]->count : 0u) + (said[1] != NULL ? said[1]->count : 0u);
    unsigned shown = 0;
    for (unsigned i = 0; i < sizeof said / sizeof said[0]; i++) {
        for (unsigned way = 0; said[i] != NULL && way < said[i]->count && shown < most; way++) {
            const struct move *const move = scene_way(hand->scene, said[i], way);
            if (use == USE_CARRY) {
                put_carry(hand, move, out);
                return;
            }
            shown++;
            put_way(hand, move, shown == most && all > shown, all - shown, out);
        }
    }
}

// A line has room for what the card says, if that is short.
static bool fits_line(const char *title, const char *what)
{
    return what[0] != '\0' && strlen(title) + strlen(". ") + strlen(what) <= LINE_CHARACTERS;
}

// Counted, or by the number that plays it; 0: it has none.
static unsigned number_of(const struct hand *hand, uint16_t card)
{
    if (hand->scene->numbered) {
        return hand->scene->plays[card];
    }
    return hand->words->numbers ? 0 : hand->number;
}

static void word_card(const struct hand *hand, uint16_t card, struct text_out *out)
{
    const struct table_words *const words = hand->words;
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
    text_put(&number, number_of(hand, card) == 0 ? TEXT_HAND_LEAD_PLAIN : TEXT_HAND_LEAD,
             TEXT_ARGS(text_num("n", (long)number_of(hand, card))));
    text_line(out, sentence,
              TEXT_ARGS(text_str("lead", lead), text_str("title", title), text_str("what", what)));
}

// A card that a number plays, with what is said behind it, or why it would only be carried; without
// numbers one that moves the fight, with what it makes of it. False: it is neither.
static bool put_numbered(const struct hand *hand, uint16_t card, struct text_out *out)
{
    const struct table_words *const words = hand->words;
    const struct saying *const play = scene_play(hand->scene, card);
    char name[RENDER_NAME_SIZE];
    char title[RENDER_TITLE_SIZE];
    char how[WAY_SIZE] = "";
    char why[RENDER_NAME_SIZE];
    struct text_out text;
    render_card_name(words, card, name);
    (void)render_title_brief(words, words->box->card_def[card], name, title);
    enum text_id id = TEXT_HAND_NUMBER_SUMS;
    text_begin(&text, how, sizeof how);
    if (play != NULL) {
        scene_put_ways(hand->scene, play, true, &text);
    }
    if (play != NULL && play->count > 1) {
        id = TEXT_HAND_NUMBER_HOW;
    } else if (render_idle(words, words->seat, card, why, sizeof why)) {
        (void)snprintf(how, sizeof how, "%s", why);
        id = TEXT_HAND_NUMBER_CARRY;
    }
    if (!hand->scene->numbered && strchr(how, '(') == NULL) {
        return false;
    }
    text_line(out, id,
              TEXT_ARGS(text_num("n", (long)number_of(hand, card)),
                        text_str("what", words->terse ? name : title), text_str("how", how)));
    return true;
}

// A card that a number plays, or on a phone one that could turn the fight.
static bool shows_ways(const struct hand *hand, uint16_t card)
{
    const struct scene *const scene = hand->scene;
    return scene->numbered
               ? scene->plays[card] != 0
               : hand->words->small && scene->fight.on && scene_play(scene, card) != NULL;
}

static void put_card(struct hand *hand, uint16_t card, struct text_out *out)
{
    if (shows_ways(hand, card) && put_numbered(hand, card, out)) {
        hand->number++;
        return;
    }
    const struct table_words *const words = hand->words;
    const size_t from = out->length;
    struct row_key key;
    render_key_begin(words, ROW_HAND_CARD, hand->brevity, &key);
    row_key_number(&key, (int32_t)number_of(hand, card));
    render_key_card(words, card, &key);
    if (!row_memo_put(words->rows, &key, out)) {
        word_card(hand, card, out);
        row_memo_keep(words->rows, &key, out, from);
    }
    hand->number++;
}

static void put_group(struct hand *hand, enum use use, struct text_out *out)
{
    static const enum text_id HEADS[] = {
        [USE_NOW] = TEXT_HAND_NOW, [USE_CARRY] = TEXT_HAND_CARRY, [USE_LATER] = TEXT_HAND_LATER};
    const struct table_words *const words = hand->words;
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
        put_card(hand, card, out);
        // Else they have numbers, or pick the card.
        if (!words->small && (use == USE_CARRY || (use == USE_NOW && !words->numbers))) {
            put_ways(hand, card, use, out);
        }
    }
}

// How many later cards are another copy of this one; `before`: how many above it.
static unsigned copies(const struct hand *hand, unsigned index, unsigned *before)
{
    const uint16_t *const defs = hand->words->box->card_def;
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

// Cards of one use, or of all (USE_TOTAL), in one line: those for later counted, the others with
// their numbers.
static void put_list(const struct hand *hand, enum use use, enum text_id sentence,
                     struct text_out *out)
{
    const struct table_words *const words = hand->words;
    char list[RENDER_TEXT_SIZE];
    struct text_out text;
    text_begin(&text, list, sizeof list);
    for (unsigned i = 0; i < hand->cards.count; i++) {
        char name[RENDER_NAME_SIZE];
        char title[RENDER_TITLE_SIZE];
        const uint16_t card = hand->cards.cards[i];
        unsigned before = 0;
        const unsigned count = use == USE_LATER ? copies(hand, i, &before) : 1;
        // What is fought has its number below.
        const bool bare = use != USE_LATER && hand->scene->plays[card] == 0;
        if ((use != USE_TOTAL && hand->uses[i] != use) || before > 0 || bare) {
            continue;
        }
        render_card_name(words, card, name);
        (void)render_title_brief(words, words->box->card_def[card], name, title);
        text_raw(&text, text.length > 0 ? "; " : "");
        if (use != USE_LATER) {
            text_put(
                &text, TEXT_HAND_NUMBER,
                TEXT_ARGS(text_num("n", (long)hand->scene->plays[card]), text_str("what", name)));
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

static void put_hand(struct hand *hand, struct text_out *out)
{
    const struct table_words *const words = hand->words;
    const bool numbered = hand->scene->numbered;
    const long limit = query_hand_limit(words->view, words->box, words->seat);
    const long over = (long)hand->cards.count - limit;
    if (hand->scene->gives != 0) { // each card stands above, by the number that gives it away
        put_list(hand, USE_TOTAL, TEXT_HAND_OR_PLAY, out);
        return;
    }
    text_line(out, over > 0 ? TEXT_HAND_HEAD_OVER : TEXT_HAND_HEAD,
              TEXT_ARGS(text_num("n", hand->cards.count), text_num("m", over)));
    hand->number = 1;
    put_group(hand, USE_NOW, out);
    if (words->terse && numbered) {
        put_list(hand, USE_PLAIN, TEXT_HAND_PLAIN_LIST, out);
        put_list(hand, USE_CARRY, TEXT_HAND_CARRY_LIST, out);
    } else {
        put_group(hand, USE_CARRY, out);
    }
    if (numbered || (words->small && hand->number > 1)) {
        put_list(hand, USE_LATER, TEXT_HAND_LATER_LIST, out);
    } else {
        put_group(hand, USE_LATER, out);
    }
    if (hand->brevity >= FIRST_SENTENCE && !words->small) {
        text_line(out, TEXT_HAND_SHORT, NULL);
    }
}

size_t render_hand(const struct scene *scene, char *out, size_t size)
{
    const struct table_words *const words = &scene->words;
    struct text_out text;
    struct hand hand = {.scene = scene, .words = words};
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
    for (unsigned i = 0; i < hand.cards.count; i++) {
        hand.uses[i] = (uint8_t)use_of(scene, hand.cards.cards[i]);
    }
    for (hand.brevity = words->small ? ONE_LINE : TELL_ALL; hand.brevity < BREVITY_TOTAL;
         hand.brevity++) {
        text_begin(&text, out, size);
        put_hand(&hand, &text);
        if (words->budget == 0 || text.length <= words->budget) {
            break;
        }
    }
    if (hand.brevity == BREVITY_TOTAL) {
        return render_cut(out, words->budget, TEXT_HAND_CUT);
    }
    return text.length;
}

size_t render_hand_small(const struct scene *scene, char *out, size_t size)
{
    const bool options = scene->lists_options;
    size_t at = options ? render_question(scene, out, size) : render_hand(scene, out, size);
    at = at < size ? at : size - 1;
    if (options) {
        return at + render_brief(&scene->words, out + at, size - at);
    }
    return scene->gives != 0 ? at : at + render_question(scene, out + at, size - at);
}
