// The question that is open to a player, with its options numbered as `choose` takes them.
#include <stdio.h>
#include <string.h>

#include "bot/render/render_narrate.h"

enum {
    ABOUT_SIZE = 2 * RENDER_NAME_SIZE + 16,
    SEATS_WORDS_SIZE = 512,
    OPTIONS_TOLD_MAX = 8, /**< of more of them the figures must do: chats show some 2,000 letters */
    OPTIONS_SMALL_MAX = 3 /**< on a phone */
};

static const enum text_id SENTENCES[DECIDE_TOTAL] = {
    [DECIDE_CHOOSE_CARD] = TEXT_QUESTION_CHOOSE_CARD,
    [DECIDE_CHOOSE_CARDS] = TEXT_QUESTION_CHOOSE_CARDS,
    [DECIDE_CHOOSE_PLAYER] = TEXT_QUESTION_CHOOSE_PLAYER,
    [DECIDE_CHOOSE_MONSTER] = TEXT_QUESTION_CHOOSE_MONSTER,
    [DECIDE_YES_NO] = TEXT_QUESTION_YES_NO,
    [DECIDE_ORDER] = TEXT_QUESTION_ORDER,
    [DECIDE_NUMBER] = TEXT_QUESTION_NUMBER,
    [DECIDE_ASK_HELP] = TEXT_QUESTION_ASK_HELP,
    [DECIDE_OFFER] = TEXT_QUESTION_OFFER,
    [DECIDE_PICK_TREASURE] = TEXT_QUESTION_PICK_TREASURE,
    [DECIDE_LOOT_BODY] = TEXT_QUESTION_LOOT_BODY,
    [DECIDE_CHARITY] = TEXT_QUESTION_CHARITY,
    [DECIDE_ANSWER] = TEXT_QUESTION_ANSWER,
};

// Whether a card that asks its victim for cards takes them away.
static bool asks_for_a_loss(const struct table_words *words, uint16_t card)
{
    const struct card_def *const def = box_def(words->box, card);
    const struct row *const rows = box_rows(words->box, def);
    bool loses = false;
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].op == EFFECT_TAKE || rows[i].op == EFFECT_GIVE || rows[i].op == EFFECT_ROB) {
            return false;
        }
        loses = loses || rows[i].op == EFFECT_LOSE || rows[i].op == EFFECT_TAX;
    }
    return loses && (def->kind == KIND_CURSE || def->kind == KIND_MONSTER);
}

// Whose cards the options are, if all are one player's.
static unsigned owner_of_all(const struct table_words *words, const struct query_decision *decision)
{
    unsigned owner = NO_SEAT;
    for (unsigned i = 0; decision->options_are_cards && i < decision->option_count; i++) {
        const unsigned one = pile_owner(query_where(words->view, decision->options[i]));
        if (i > 0 && one != owner) {
            return NO_SEAT;
        }
        owner = one;
    }
    return owner;
}

// " for Curse of Something (Some Item)": what asks, and about what.
static void put_about(const struct table_words *words, const struct query_decision *decision,
                      char *out, size_t size)
{
    char card[RENDER_NAME_SIZE];
    char card2[RENDER_NAME_SIZE];
    struct text_out text;
    text_begin(&text, out, size);
    const uint16_t source = render_knows(words, decision->source) ? decision->source : NO_CARD;
    const uint16_t subject = render_knows(words, decision->subject) ? decision->subject : NO_CARD;
    const uint16_t first = source != NO_CARD ? source : subject;
    if (first == NO_CARD) {
        return;
    }
    const bool both = subject != NO_CARD && subject != first;
    enum text_id about = both ? TEXT_QUESTION_ABOUT_OF : TEXT_QUESTION_ABOUT;
    const bool cards =
        decision->kind == DECIDE_CHOOSE_CARD || decision->kind == DECIDE_CHOOSE_CARDS;
    const unsigned loser = owner_of_all(words, decision);
    if (!both && cards && asks_for_a_loss(words, first)) {
        about = loser == NO_SEAT || loser == words->seat ? TEXT_QUESTION_ABOUT_LOSS
                                                         : TEXT_QUESTION_ABOUT_LOSS_OF;
    }
    text_put(&text, about,
             TEXT_ARGS(text_str("card", render_card_name(words, first, card)),
                       text_str("who", render_player(words, loser)),
                       text_str("card2", render_card_name(words, subject, card2))));
}

// What yes and no would mean, as far as the rows of the card that asks tell it apart.
static enum text_id yes_no_sentence(const struct table_words *words,
                                    const struct query_decision *decision)
{
    if (!render_knows(words, decision->source)) {
        return TEXT_QUESTION_YES_NO;
    }
    const struct card_def *const def = box_def(words->box, words->box->card_def[decision->source]);
    const struct row *const rows = box_rows(words->box, def);
    for (unsigned i = 0; i < def->row_count; i++) {
        if (rows[i].op == EFFECT_OPTIONAL_FIGHT) {
            return TEXT_QUESTION_FIGHT;
        }
        if (rows[i].op == EFFECT_HAND_OR_LEVELS) {
            return TEXT_QUESTION_HAND_OR_LEVELS;
        }
    }
    return TEXT_QUESTION_YES_NO_CARD;
}

static long excess_of(const struct table_words *words)
{
    return (long)query_count(words->view, pile_hand(words->seat)) -
           query_hand_limit(words->view, words->box, words->seat);
}

static void put_sentence(const struct table_words *words, const struct query_decision *decision,
                         struct text_out *out)
{
    char about[ABOUT_SIZE];
    char card[RENDER_NAME_SIZE] = "";
    put_about(words, decision, about, sizeof about);
    enum text_id id = SENTENCES[decision->kind];
    if (decision->kind == DECIDE_YES_NO) {
        id = yes_no_sentence(words, decision);
    }
    if (id != TEXT_QUESTION_YES_NO && render_knows(words, decision->source)) {
        (void)render_card_name(words, decision->source, card);
    }
    long n = (long)decision->min;
    if (decision->value_rule) {
        id = TEXT_QUESTION_CHOOSE_VALUE;
        n = decision->value_min;
    } else if (decision->kind == DECIDE_CHOOSE_CARDS && decision->min != decision->max) {
        id = TEXT_QUESTION_CHOOSE_SOME;
    } else if (decision->kind == DECIDE_CHARITY) {
        n = excess_of(words);
    }
    text_line(out, id,
              TEXT_ARGS(text_str("about", about), text_str("card", card), text_num("n", n),
                        text_num("m", (long)decision->max)));
}

// Yes or no to what, the card says.
static void put_card_text(const struct table_words *words, const struct query_decision *decision,
                          struct text_out *out)
{
    if (decision->kind != DECIDE_YES_NO || !render_knows(words, decision->source)) {
        return;
    }
    const uint16_t def = words->box->card_def[decision->source];
    char title[RENDER_TITLE_SIZE];
    char what[RENDER_TEXT_SIZE];
    char name[RENDER_NAME_SIZE];
    render_plain_name(words, decision->source, name);
    render_card_text(words, def, what, sizeof what);
    text_line(out, what[0] == '\0' ? TEXT_QUESTION_CARD : TEXT_CARD_SAYS,
              TEXT_ARGS(text_str("title", render_title(words, def, name, title)),
                        text_str("what", what)));
}

static bool is_seat(const struct query_decision *decision)
{
    return decision->kind == DECIDE_CHOOSE_PLAYER || decision->kind == DECIDE_ASK_HELP;
}

// An option as `choose` takes it by name.
static void option_words(const struct table_words *words, const struct query_decision *decision,
                         unsigned index, char out[RENDER_NAME_SIZE])
{
    const uint16_t option = decision->options[index];
    struct text_out text;
    text_begin(&text, out, RENDER_NAME_SIZE);
    if (decision->kind == DECIDE_YES_NO) {
        text_put(&text, option != 0 ? TEXT_YES : TEXT_NO, NULL);
    } else if (is_seat(decision)) {
        text_value(&text, render_player(words, option));
    } else if (decision->options_are_cards || decision->kind == DECIDE_CHOOSE_MONSTER ||
               decision->kind == DECIDE_ORDER) {
        render_card_name(words, option, out);
    } else {
        (void)snprintf(out, RENDER_NAME_SIZE, "%u", (unsigned)option);
    }
}

// Whose card it is, where that is not the reader: "Boots of Bob".
static void option_owned(const struct table_words *words, const struct query_decision *decision,
                         unsigned index, char out[2 * RENDER_NAME_SIZE])
{
    char name[RENDER_NAME_SIZE];
    struct text_out text;
    option_words(words, decision, index, name);
    text_begin(&text, out, (size_t)2 * RENDER_NAME_SIZE);
    const unsigned pile = decision->options_are_cards
                              ? query_where(words->view, decision->options[index])
                              : PILE_TOTAL;
    if (pile_is_table(pile) && pile != pile_table(words->seat)) {
        text_put(&text, TEXT_CARD_OF,
                 TEXT_ARGS(text_str("card", name),
                           text_str("who", render_player(words, pile - PILE_TABLE))));
    } else {
        text_raw(&text, name);
    }
}

// Whether an option above this one is another copy of its card: what it says has been said.
static bool said_above(const struct table_words *words, const struct query_decision *decision,
                       unsigned index)
{
    const uint16_t *const defs = words->box->card_def;
    for (unsigned i = 0; i < index; i++) {
        if (render_knows(words, decision->options[i]) &&
            defs[decision->options[i]] == defs[decision->options[index]]) {
            return true;
        }
    }
    return false;
}

// What decides between cards: figures; of what one gains also why it would lie idle, and its text.
static void option_card(const struct table_words *words, const struct query_decision *decision,
                        unsigned index, const char *what, struct text_out *out)
{
    char figures[RENDER_TEXT_SIZE];
    char says[RENDER_TEXT_SIZE];
    char idle[RENDER_NAME_SIZE] = "";
    const uint16_t def = words->box->card_def[decision->options[index]];
    const bool gain = decision->kind == DECIDE_PICK_TREASURE || decision->kind == DECIDE_LOOT_BODY;
    const unsigned most = words->small ? OPTIONS_SMALL_MAX : OPTIONS_TOLD_MAX;
    const bool told = gain && decision->option_count <= most;
    render_card_text(words, def, says, sizeof says);
    if (words->small && !told) {
        render_card_beside(words, decision->options[index], figures, sizeof figures);
    } else if (told) {
        render_figures_beside(words, def, figures, sizeof figures);
    } else {
        render_figures(words, def, figures, sizeof figures);
    }
    text_put(out, words->small && !told ? TEXT_QUESTION_OPTION_BESIDE : TEXT_QUESTION_OPTION_CARD,
             TEXT_ARGS(text_num("n", (long)index + 1), text_str("what", what),
                       text_str("figures", figures)));
    if (gain && render_idle(words, words->seat, decision->options[index], idle, sizeof idle)) {
        text_put(out, TEXT_QUESTION_OPTION_IDLE, TEXT_ARGS(text_str("why", idle)));
    }
    // Whom it is for has been said.
    const char *const rest = says + (idle[0] != '\0' && strncmp(says, idle, strlen(idle)) == 0
                                         ? strlen(idle) + strspn(says + strlen(idle), ". ")
                                         : 0);
    if (rest[0] != '\0' && told && !said_above(words, decision, index)) {
        text_put(out, TEXT_QUESTION_OPTION_SAYS, TEXT_ARGS(text_str("what", rest)));
    }
    text_raw(out, "\n");
}

static void option_line(const struct table_words *words, const struct query_decision *decision,
                        unsigned index, struct text_out *out)
{
    char what[2 * RENDER_NAME_SIZE];
    option_owned(words, decision, index, what);
    if (decision->kind == DECIDE_NUMBER) {
        text_line(out, TEXT_QUESTION_OPTION_PLAIN, TEXT_ARGS(text_str("what", what)));
    } else if (decision->options_are_cards && render_knows(words, decision->options[index])) {
        option_card(words, decision, index, what, out);
    } else {
        text_line(out, TEXT_QUESTION_OPTION,
                  TEXT_ARGS(text_num("n", (long)index + 1), text_str("what", what)));
    }
}

unsigned render_lowest(const struct table_words *words)
{
    const unsigned seats = query_seat_count(words->view);
    unsigned lowest = MB_SEATS_MAX * MB_CARDS_MAX;
    unsigned poor = 0;
    for (unsigned seat = 0; seat < seats; seat++) {
        const unsigned level = query_level(words->view, seat);
        if (!query_alive(words->view, seat) || level > lowest) {
            continue;
        }
        poor = level < lowest ? 0 : poor;
        lowest = level;
        poor |= seat_bit(seat);
    }
    return poor;
}

// Those to whom a card may go next: shares stay even (CHARITY-2).
static unsigned next_receivers(const struct scene *scene)
{
    unsigned seats = 0;
    for (uint32_t i = 0; i < scene->moves.count; i++) {
        const struct command *const command = &scene->moves.items[i].command;
        seats |= command->verb == VERB_CHARITY ? seat_bit(command->to) : 0u;
    }
    return seats;
}

// Where numbers say lines: how several go at once.
static void put_several(const struct scene *scene, struct text_out *out)
{
    if (scene->gives != 0 && excess_of(&scene->words) > 1) {
        text_line(out, TEXT_QUESTION_NUMBERS,
                  TEXT_ARGS(text_num("n", scene->gives), text_num("m", scene->gives + 1L)));
    }
}

static void put_charity(const struct scene *scene, struct text_out *out)
{
    const struct table_words *const words = &scene->words;
    const unsigned poor = render_lowest(words);
    const bool typed = !words->pressed && scene->gives == 0;
    if ((poor & seat_bit(words->seat)) != 0 || poor == 0) {
        text_line(out, typed ? TEXT_QUESTION_HOW_CHARITY_DISCARD : TEXT_QUESTION_CHARITY_DISCARD,
                  NULL);
        put_several(scene, out);
        return;
    }
    const unsigned next = next_receivers(scene);
    const unsigned first = seat_first(next);
    const bool one = (next & (next - 1)) == 0;
    enum text_id id = TEXT_QUESTION_HOW_CHARITY;
    if (one) {
        id = poor == next ? TEXT_QUESTION_HOW_CHARITY_ONE : TEXT_QUESTION_HOW_CHARITY_NEXT;
    }
    if (!typed) {
        id = id == TEXT_QUESTION_HOW_CHARITY_NEXT ? TEXT_QUESTION_CHARITY_NEXT
                                                  : TEXT_QUESTION_CHARITY_LOWEST;
    }
    if (scene->gives != 0 && !one) {
        id = TEXT_QUESTION_CHARITY_NUMBER;
    }
    char who[SEATS_WORDS_SIZE];
    render_players(words, poor, who, sizeof who);
    text_line(out, id,
              TEXT_ARGS(text_str("who", who), text_str("first", render_player(words, first)),
                        text_num("n", scene->gives)));
    if (id == TEXT_QUESTION_CHARITY_LOWEST) {
        put_several(scene, out);
    }
}

static void put_how(const struct table_words *words, const struct query_decision *decision,
                    struct text_out *out)
{
    char what[RENDER_NAME_SIZE] = "1";
    if (decision->kind == DECIDE_NUMBER || decision->kind == DECIDE_YES_NO) {
        option_words(words, decision, 0, what);
    }
    const bool many = decision->max > 1;
    enum text_id id = TEXT_QUESTION_HOW_ONE;
    if (many) {
        id = words->terse ? TEXT_QUESTION_HOW_SOME : TEXT_QUESTION_HOW_MANY;
    }
    if (words->numbers && !many && decision->kind != DECIDE_NUMBER) {
        id = TEXT_QUESTION_HOW_NUMBER;
    }
    if (!words->pressed) {
        text_line(out, id, TEXT_ARGS(text_str("what", many ? "1, 2" : what)));
    }
    if (decision->may_pass) {
        text_line(out, words->pressed ? TEXT_QUESTION_OR_NONE : TEXT_QUESTION_MAY_PASS, NULL);
    }
}

size_t render_question(const struct scene *scene, char *out, size_t size)
{
    const struct table_words *const words = &scene->words;
    const struct query_decision *const decision = &scene->question;
    struct text_out text;
    text_begin(&text, out, size);
    if (decision->kind >= DECIDE_TOTAL) {
        return 0;
    }
    if (scene->gives == 0) { // else the line above says it
        put_sentence(words, decision, &text);
    }
    put_card_text(words, decision, &text);
    if (decision->kind == DECIDE_CHARITY) {
        put_charity(scene, &text);
        return text.length;
    }
    for (unsigned i = 0; i < decision->option_count; i++) {
        option_line(words, decision, i, &text);
    }
    if (decision->kind == DECIDE_ANSWER) {
        text_line(&text, TEXT_QUESTION_HOW_ANSWER, NULL);
    } else if (decision->option_count > 0) {
        put_how(words, decision, &text);
    }
    return text.length;
}
