// Why not: one sentence for every refusal.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/render/render_impl.h"
#include "bot/text/rules.h"

enum { SEATS_WORDS_SIZE = 512 };

static const enum text_id SENTENCES[REFUSAL_TOTAL] = {
    [REFUSAL_NONE] = TEXT_REFUSAL_NOT_USABLE,
#define REFUSAL(id, name) [REFUSAL_##id] = TEXT_REFUSAL_##id,
#include "core/state/refusal.def"
#undef REFUSAL
};

// Sentences for a code with its rule.
static const struct {
    const char *rule;
    enum refusal_code code;
    enum text_id text;
} REFUSED[] = {
#define REFUSED(code, key, rule) {rule, REFUSAL_##code, TEXT_REFUSED_##code##_##key},
#include "bot/text/refused.def"

#undef REFUSED
};

// Better sentences for codes that come with a card, a seat or an amount; TEXT_AND: there is none.
struct better {
    enum text_id card, seat, amount;
};

static const struct better BETTER[REFUSAL_TOTAL] = {
    [REFUSAL_BAD_ARGUMENTS] = {.card = TEXT_REFUSAL_BAD_ARGUMENTS_CARD},
    [REFUSAL_AMBIGUOUS_NAME] = {.amount = TEXT_REFUSAL_AMBIGUOUS_NAME_N},
    [REFUSAL_NO_OFFER] = {.seat = TEXT_REFUSAL_NO_OFFER_SEAT},
    [REFUSAL_IN_COMBAT] = {.card = TEXT_REFUSAL_IN_COMBAT_CARD,
                           .seat = TEXT_REFUSAL_IN_COMBAT_SEAT},
    [REFUSAL_NOT_IN_COMBAT] = {.card = TEXT_REFUSAL_NOT_IN_COMBAT_CARD},
    [REFUSAL_NOT_IN_HAND] = {.card = TEXT_REFUSAL_NOT_IN_HAND_CARD},
    [REFUSAL_NOT_IN_PLAY] = {.card = TEXT_REFUSAL_NOT_IN_PLAY_CARD},
    [REFUSAL_NOT_USABLE] = {.card = TEXT_REFUSAL_NOT_USABLE_CARD},
    [REFUSAL_RESTRICTED] = {.card = TEXT_REFUSAL_RESTRICTED_CARD},
    [REFUSAL_DUPLICATE_CARD] = {.card = TEXT_REFUSAL_DUPLICATE_CARD_CARD},
    [REFUSAL_SLOT_FULL] = {.card = TEXT_REFUSAL_SLOT_FULL_CARD},
    [REFUSAL_RANK_EXCEEDED] = {.amount = TEXT_REFUSAL_RANK_EXCEEDED_N},
    [REFUSAL_BIG_ITEM] = {.card = TEXT_REFUSAL_BIG_ITEM_CARD},
    [REFUSAL_LIMIT_REACHED] = {.amount = TEXT_REFUSAL_LIMIT_REACHED_N},
    [REFUSAL_ILLEGAL_TARGET] = {.card = TEXT_REFUSAL_ILLEGAL_TARGET_CARD,
                                .seat = TEXT_REFUSAL_ILLEGAL_TARGET_SEAT},
    [REFUSAL_HELPER_TAKEN] = {.seat = TEXT_REFUSAL_HELPER_TAKEN_SEAT},
    [REFUSAL_CANNOT_PAY] = {.card = TEXT_REFUSAL_CANNOT_PAY_CARD,
                            .amount = TEXT_REFUSAL_CANNOT_PAY_N},
    [REFUSAL_BELOW_THOUSAND] = {.amount = TEXT_REFUSAL_BELOW_THOUSAND_N},
};

// Everything a sentence about a refusal may name.
struct refusal_words {
    char card[RENDER_NAME_SIZE];
    char what[RENDER_TEXT_SIZE];
    char rivals[RENDER_LIST_SIZE];
    char rival[RENDER_NAME_SIZE];
    char monsters[RENDER_LIST_SIZE];
    char lowest[SEATS_WORDS_SIZE];
    char players[SEATS_WORDS_SIZE];
    char legal[RENDER_LIST_SIZE];
    char pending[SEATS_WORDS_SIZE * 2];
    char ways[RENDER_LIST_SIZE];
};

static bool has_card(const struct table_words *words, const struct refusal *why)
{
    return words->box != NULL && why->card < words->box->card_count &&
           render_knows(words, why->card);
}

static bool has_seat(const struct table_words *words, const struct refusal *why)
{
    return why->seat < MB_SEATS_MAX && words->players[why->seat] != NULL;
}

// What the reader has to decide first; DECIDE_TOTAL: nothing.
static unsigned reader_must_choose(const struct table_words *words)
{
    struct query_decision decision;
    if (words->view == NULL || words->seat >= MB_SEATS_MAX) {
        return DECIDE_TOTAL;
    }
    query_decision(words->view, words->box, words->seat, &decision);
    return decision.kind;
}

static bool wants(enum text_id sentence, const char *place)
{
    return strstr(text_sentence(sentence), place) != NULL;
}

// In front of whom else the card lies; NO_SEAT: nobody.
static unsigned owner_of(const struct table_words *words, const struct refusal *why)
{
    const unsigned pile = has_card(words, why) && words->view != NULL
                              ? query_where(words->view, why->card)
                              : (unsigned)PILE_TOTAL;
    return pile_is_table(pile) && pile != pile_table(words->seat) ? pile - PILE_TABLE
                                                                  : (unsigned)NO_SEAT;
}

static enum text_id sentence_of_code(const struct table_words *words, const struct refusal *why,
                                     unsigned code)
{
    const struct better *const better = &BETTER[code];
    const bool card = has_card(words, why);
    if (code == REFUSAL_NOT_IN_HAND && owner_of(words, why) != NO_SEAT) {
        return TEXT_REFUSAL_NOT_IN_HAND_THEIRS;
    }
    if (better->amount != TEXT_AND && why->amount > 0 &&
        (card || !wants(better->amount, "{card}"))) {
        return better->amount;
    }
    if (better->card != TEXT_AND && card) {
        return better->card;
    }
    if (better->seat != TEXT_AND && has_seat(words, why)) {
        return better->seat;
    }
    return SENTENCES[code];
}

// The sentence of the code and the rule, TEXT_AND if there is none.
static enum text_id sentence_of_rule(const struct refusal *why)
{
    for (size_t i = 0; why->rule != NULL && i < sizeof REFUSED / sizeof REFUSED[0]; i++) {
        if (REFUSED[i].code == why->code && strcmp(REFUSED[i].rule, why->rule) == 0) {
            return REFUSED[i].text;
        }
    }
    return TEXT_AND;
}

static bool in_the_way(const struct table_words *words, uint16_t card, const struct refusal *why)
{
    const struct card_def *const def = box_def(words->box, why->card);
    const struct card_def *const other = box_def(words->box, card);
    if (card == why->card) {
        return false;
    }
    if (why->code == REFUSAL_BIG_ITEM) {
        return kind_is_item(other->kind) && (other->flags & DEF_BIG) != 0;
    }
    if (!kind_is_item(def->kind)) {
        return other->kind == def->kind;
    }
    const bool hands = (def->slot == SLOT_HAND || def->slot == SLOT_TWO_HANDS) &&
                       (other->slot == SLOT_HAND || other->slot == SLOT_TWO_HANDS);
    return (query_flags(words->view, card) & CARD_EQUIPPED) != 0 &&
           query_host(words->view, card) == NO_CARD && (hands || other->slot == def->slot);
}

// The reader's own cards that are in the way; false if none is seen to be.
static bool put_rivals(const struct table_words *words, const struct refusal *why,
                       struct refusal_words *with)
{
    if (!has_card(words, why) || words->seat >= MB_SEATS_MAX) {
        return false;
    }
    struct card_list cards;
    struct card_group rivals = {0};
    query_pile(words->view, pile_table(words->seat), &cards);
    for (unsigned i = 0; i < cards.count; i++) {
        if (in_the_way(words, cards.cards[i], why)) {
            card_group_add(&rivals, cards.cards[i], PILE_TOTAL);
        }
    }
    if (rivals.count == 0) {
        return false;
    }
    render_group(words, &rivals, with->rivals, sizeof with->rivals);
    (void)render_card_name(words, rivals.known[0], with->rival);
    return true;
}

static bool put_monsters(const struct table_words *words, struct refusal_words *with)
{
    struct query_fight fight = {.on = false};
    if (words->view != NULL) {
        query_fight(words->view, words->box, &fight);
    }
    if (fight.on && fight.monster_count > 0) {
        char names[MB_MONSTERS_MAX][RENDER_NAME_SIZE];
        const char *items[MB_MONSTERS_MAX];
        for (unsigned i = 0; i < fight.monster_count; i++) {
            items[i] = render_card_name(words, fight.monster[i], names[i]);
        }
        struct text_out text;
        text_begin(&text, with->monsters, sizeof with->monsters);
        text_list(&text, items, fight.monster_count, TEXT_OR);
        return true;
    }
    return false;
}

// What the reader can say; the items are the caller's to free.
static struct move_list moves_of(const struct table_words *words)
{
    struct move_list moves = {.capacity = MB_MOVES_MAX,
                              .items = mb_new(MB_MOVES_MAX, sizeof *moves.items)};
    moves_list_own(words->view, words->box, words->seat, &moves);
    return moves;
}

// What can be said behind a card's name: "on Bob" or "on Cy"; what is seldom meant comes last.
// False: nothing.
static bool put_ways(const struct table_words *words, const struct refusal *why, char *out,
                     size_t size)
{
    enum { WAYS_MAX = 6, WAY_SIZE = 128, SELDOM = 2 };
    char ways[WAYS_MAX][WAY_SIZE];
    const char *items[WAYS_MAX];
    size_t count = 0;
    struct move_list moves = moves_of(words);
    struct text_out text;
    for (uint32_t i = 0; i < 2 * moves.count && count < WAYS_MAX; i++) {
        const struct command *const command = &moves.items[i % moves.count].command;
        const struct command stem = scene_stem(command);
        char line[CHAT_LINE_SIZE];
        const bool fits = command->card == why->card && command->target_kind != TARGET_NONE &&
                          (scene_rank(words, command) == SELDOM) == (i >= moves.count);
        const size_t length = fits ? parse_format(words, &stem, line, sizeof line) : 0;
        if (fits && parse_format(words, command, line, sizeof line) > length) {
            (void)snprintf(ways[count], WAY_SIZE, "\"%s\"", line + length + 1);
            items[count] = ways[count];
            count++;
        }
    }
    free(moves.items);
    text_begin(&text, out, size);
    text_list(&text, items, count, TEXT_OR);
    return count > 0;
}

// Whether all that the sentence is about is known; it is put into words on the way.
static bool can_say(const struct table_words *words, const struct refusal *why,
                    enum text_id sentence, struct refusal_words *with)
{
    if ((wants(sentence, "card}") || wants(sentence, "{what}")) && !has_card(words, why)) {
        return false;
    }
    if (wants(sentence, "{rival") && !put_rivals(words, why, with)) {
        return false;
    }
    if (wants(sentence, "{ways}") && !put_ways(words, why, with->ways, sizeof with->ways)) {
        return false;
    }
    return !wants(sentence, "{monsters}") || put_monsters(words, with);
}

static enum text_id sentence_of(const struct table_words *words, const struct refusal *why,
                                struct refusal_words *with)
{
    const unsigned code = why->code < REFUSAL_TOTAL ? why->code : (unsigned)REFUSAL_NONE;
    if (code == REFUSAL_CHOICE_PENDING && reader_must_choose(words) < DECIDE_TOTAL) {
        return reader_must_choose(words) == DECIDE_CHARITY ? TEXT_REFUSAL_CHOICE_PENDING_CHARITY
                                                           : TEXT_REFUSAL_CHOICE_PENDING_YOURS;
    }
    const unsigned asked = reader_must_choose(words);
    if (code == REFUSAL_BAD_ARGUMENTS && asked < DECIDE_TOTAL && asked != DECIDE_CHARITY) {
        return TEXT_REFUSAL_BAD_ARGUMENTS_CHOICE;
    }
    const enum text_id by_rule = sentence_of_rule(why);
    if (by_rule != TEXT_AND && can_say(words, why, by_rule, with)) {
        return by_rule;
    }
    return sentence_of_code(words, why, code);
}

static unsigned main_fighter(const struct table_words *words)
{
    struct query_fight fight = {.on = false};
    if (words->view != NULL) {
        query_fight(words->view, words->box, &fight);
    }
    return fight.on ? fight.main : (unsigned)NO_SEAT;
}

// What a fight asks of the reader.
static enum text_id legal_in_fight(const struct table_words *words)
{
    struct query_fight fight;
    query_fight(words->view, words->box, &fight);
    if (fight.main != words->seat && fight.helper != words->seat) {
        return TEXT_LEGAL_ONLOOKER;
    }
    return fight.players_win ? TEXT_LEGAL_WINNING : TEXT_LEGAL_LOSING;
}

// Trouble is looked for only where a Monster is at hand, and not after one has been met.
static enum text_id legal_behind_the_door(const struct table_words *words)
{
    const struct move_list moves = moves_of(words);
    enum text_id legal = TEXT_LEGAL_LOOT;
    for (uint32_t i = 0; i < moves.count; i++) {
        if (moves.items[i].command.verb == VERB_FIGHT) {
            legal = TEXT_LEGAL_OPENED;
        }
    }
    free(moves.items);
    return legal;
}

static enum text_id legal_now(const struct table_words *words)
{
    const unsigned phase = query_phase(words->view);
    const bool mine = query_turn(words->view) == words->seat;
    switch ((enum phase)phase) {
    case PHASE_SETUP:
        return TEXT_LEGAL_SETUP;
    case PHASE_COMBAT:
        return legal_in_fight(words);
    case PHASE_OVER:
        return TEXT_LEGAL_OVER;
    case PHASE_LOOTING_BODY:
        return TEXT_LEGAL_LOOTING;
    case PHASE_RUNNING:
        return mine ? TEXT_LEGAL_RUNNING : TEXT_LEGAL_WAIT;
    case PHASE_START:
        return mine ? TEXT_LEGAL_KICK : TEXT_LEGAL_WAIT;
    case PHASE_OPENED:
        if (mine && query_count(words->view, PILE_FACE_UP) > 0) {
            return TEXT_LEGAL_FACE_UP;
        }
        return mine ? legal_behind_the_door(words) : TEXT_LEGAL_WAIT;
    default:
        return mine ? TEXT_LEGAL_CHARITY : TEXT_LEGAL_WAIT;
    }
}

// What the point of the turn asks for instead.
static void put_legal(const struct table_words *words, char *out, size_t size)
{
    struct text_out text;
    struct card_list cards;
    char face_up[RENDER_LIST_SIZE];
    text_begin(&text, out, size);
    if (words->view == NULL) {
        return;
    }
    query_pile(words->view, PILE_FACE_UP, &cards);
    render_cards(words, cards.cards, cards.count, face_up, sizeof face_up);
    const unsigned fighter = main_fighter(words);
    const unsigned who = fighter != NO_SEAT ? fighter : query_turn(words->view);
    text_put(&text, legal_now(words),
             TEXT_ARGS(text_str("who", render_player(words, who)), text_str("face_up", face_up)));
}

static void put_pending(const struct table_words *words, char *out, size_t size)
{
    struct text_out text;
    text_begin(&text, out, size);
    const unsigned seats = words->view == NULL ? 0 : query_undecided(words->view);
    if (seats == 0) {
        text_put(&text, TEXT_PENDING_ANSWER, NULL);
        return;
    }
    char who[SEATS_WORDS_SIZE];
    render_players(words, seats, who, sizeof who);
    text_put(&text, TEXT_PENDING_WHO, TEXT_ARGS(text_str("who", who)));
}

// What the card says, or where to read it.
static void put_what(const struct table_words *words, const struct refusal *why,
                     struct refusal_words *with)
{
    render_card_text(words, words->box->card_def[why->card], with->what, sizeof with->what);
    if (with->what[0] == '\0') {
        struct text_out text;
        text_begin(&text, with->what, sizeof with->what);
        text_put(&text, TEXT_REFUSAL_SEE_CARD, TEXT_ARGS(text_str("card", with->card)));
    }
}

static void fill(const struct table_words *words, const struct refusal *why, enum text_id sentence,
                 struct refusal_words *with)
{
    if (has_card(words, why)) {
        render_card_name(words, why->card, with->card);
    }
    if (wants(sentence, "{what}")) {
        put_what(words, why, with);
    }
    if (wants(sentence, "{lowest}")) {
        render_players(words, render_lowest(words), with->lowest, sizeof with->lowest);
    }
    if (wants(sentence, "{players}")) {
        render_players(words, 0xFF, with->players, sizeof with->players);
    }
    if (wants(sentence, "{legal}")) {
        put_legal(words, with->legal, sizeof with->legal);
    }
    if (wants(sentence, "{pending}")) {
        put_pending(words, with->pending, sizeof with->pending);
    }
}

// Where to read more about it, quietly.
static void put_hint(const struct table_words *words, const struct refusal *why,
                     struct text_out *out)
{
    const bool rule = why->rule != NULL && why->code > REFUSAL_GAME_OVER &&
                      why->code != REFUSAL_NOT_YOUR_CHOICE && strncmp(why->rule, "CONF", 4) != 0;
    const enum rules_topic topic =
        rule ? rules_topic_of_id(why->rule,
                                 rules_holding(words->box != NULL ? &words->box->profile : NULL))
             : RULES_TOPIC_TOTAL;
    char word[RULES_WORD_SIZE];
    if (render_topic(words, topic, word)) {
        text_put(out, TEXT_REFUSAL_HINT, TEXT_ARGS(text_str("topic", word)));
    }
}

size_t render_refusal(const struct table_words *words, const struct refusal *why, char *out,
                      size_t size)
{
    struct refusal_words with;
    struct text_out text;
    with.card[0] = with.what[0] = with.rivals[0] = with.rival[0] = with.monsters[0] = '\0';
    with.lowest[0] = with.players[0] = with.legal[0] = with.pending[0] = with.ways[0] = '\0';
    text_begin(&text, out, size);
    const enum text_id sentence = sentence_of(words, why, &with);
    fill(words, why, sentence, &with);
    const bool game = words->view != NULL;
    const unsigned turn = game ? query_turn(words->view) : (unsigned)NO_SEAT;
    const long unit = game ? words->box->profile.constant[PROFILE_SELL_UNIT] : 0;
    render_mark(words, &text, MARK_REFUSAL);
    render_put(words, &text, sentence,
               TEXT_ARGS(text_str("card", with.card), text_str("what", with.what),
                         text_str("rivals", with.rivals), text_str("rival", with.rival),
                         text_str("monsters", with.monsters), text_str("lowest", with.lowest),
                         text_str("who", render_player(words, why->seat)),
                         text_str("owner", render_player(words, owner_of(words, why))),
                         text_num("n", sentence == TEXT_REFUSAL_NOT_IN_HAND_THEIRS
                                           ? render_number(words, why->card)
                                           : (long)why->amount),
                         text_str("players", with.players), text_str("pending", with.pending),
                         text_str("legal", with.legal), text_str("ways", with.ways),
                         text_str("turn", render_player(words, turn)), text_num("unit", unit),
                         text_str("fighter", render_player(words, main_fighter(words))),
                         text_str("phase", game ? render_phase(words) : "")));
    render_mark(words, &text, MARK_END);
    put_hint(words, why, &text);
    text_raw(&text, "\n");
    return text.length;
}
