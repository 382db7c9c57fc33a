// The prompt's list of what can be said now. While a window is open it names the cards: nobody
// finds the right one among eight in five seconds.
#include <stdio.h>
#include <stdlib.h>

#include "bot/render/render_impl.h"

enum { WAY_SIZE = 512, NAMED_MAX = 3, ITEMS_MAX = VERB_TOTAL + NAMED_MAX };

struct verbs {
    size_t count;
    const char *items[ITEMS_MAX];
    char named[NAMED_MAX][WAY_SIZE];
};

static bool hurries(const struct game *view)
{
    return query_pause(view, PAUSE_WIN).kind != PAUSE_NONE ||
           query_pause(view, PAUSE_ANSWER).kind != PAUSE_NONE;
}

// The number of plays of that card, counted from the first; 0 if an earlier move was its first.
static unsigned plays_from(const struct move_list *moves, uint32_t first)
{
    unsigned ways = 0;
    const uint16_t card = moves->items[first].command.card;
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct command *const command = &moves->items[i].command;
        const bool same = command->verb == VERB_PLAY && command->card == card;
        if (same && i < first) {
            return 0;
        }
        ways += same ? 1 : 0;
    }
    return ways;
}

// "play Magic Missile ...": the dots stand for what has still to be said.
static void add_plays(const struct table_words *words, const struct move_list *moves,
                      struct verbs *verbs)
{
    unsigned named = 0;
    unsigned cards = 0;
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct move *const move = &moves->items[i];
        const unsigned ways = move->command.verb == VERB_PLAY ? plays_from(moves, i) : 0;
        cards += ways > 0 ? 1 : 0;
        if (ways == 0 || named == NAMED_MAX) {
            continue;
        }
        if (ways == 1 && move->open == MOVE_CLOSED) {
            (void)parse_format(words, &move->command, verbs->named[named], WAY_SIZE);
        } else {
            struct text_out text;
            text_begin(&text, verbs->named[named], WAY_SIZE);
            text_put(&text, TEXT_BRIEF_PLAY,
                     TEXT_ARGS(text_str("card", names_card(words, move->command.card))));
        }
        verbs->items[verbs->count++] = verbs->named[named++];
    }
    if (cards > named) {
        verbs->items[verbs->count++] = text_sentence(TEXT_BRIEF_PLAY_OTHERS);
    }
}

static bool is_legal(const struct move_list *moves, unsigned verb)
{
    for (uint32_t i = 0; i < moves->count; i++) {
        if (moves->items[i].command.verb == verb) {
            return true;
        }
    }
    return false;
}

// What a question or a window asks for comes before what could be done besides.
static void add_verbs(const struct table_words *words, const struct move_list *moves,
                      struct verbs *verbs)
{
    static const uint8_t FIRST[] = {VERB_ACCEPT, VERB_REFUSE, VERB_CHOOSE, VERB_PASS, VERB_HOLD};
    bool said[VERB_TOTAL] = {false};
    if (hurries(words->view) && is_legal(moves, VERB_PLAY)) {
        add_plays(words, moves, verbs);
        said[VERB_PLAY] = true;
    }
    for (size_t i = 0; i < sizeof FIRST; i++) {
        if (is_legal(moves, FIRST[i])) {
            verbs->items[verbs->count++] = command_word(FIRST[i]);
        }
        said[FIRST[i]] = true;
    }
    for (unsigned verb = VERB_NONE + 1; verb < VERB_TOTAL; verb++) {
        if (!said[verb] && is_legal(moves, verb)) {
            verbs->items[verbs->count++] = command_word(verb);
        }
    }
}

size_t render_verbs(const struct table_words *words, char *out, size_t size)
{
    struct text_out text;
    struct verbs verbs = {.count = 0};
    text_begin(&text, out, size);
    if (words->view == NULL || words->seat >= MB_SEATS_MAX) {
        return 0;
    }
    struct move_list moves = {.capacity = MB_MOVES_MAX,
                              .items = malloc(MB_MOVES_MAX * sizeof *moves.items)};
    if (moves.items == NULL) {
        return 0;
    }
    moves_list(words->view, words->box, words->seat, &moves);
    add_verbs(words, &moves, &verbs);
    free(moves.items);
    // Where nothing but a question is open, that says how to answer it.
    const bool choice = verbs.count == 1 && verbs.items[0] == command_word(VERB_CHOOSE);
    if (verbs.count > 0 && !choice) {
        char what[RENDER_LIST_SIZE];
        struct text_out list;
        text_begin(&list, what, sizeof what);
        text_list(&list, verbs.items, verbs.count, TEXT_OR);
        text_line(&text, TEXT_BRIEF_CAN, TEXT_ARGS(text_str("what", what)));
    }
    return text.length;
}
