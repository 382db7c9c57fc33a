// The prompt's list of what can be said now. While a window is open it names the cards: nobody
// finds the right one among eight in five seconds.
#include <stdio.h>

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

// "play Magic Missile ...": the dots stand for what has still to be said.
static void add_plays(const struct scene *scene, struct verbs *verbs)
{
    const struct table_words *const words = &scene->words;
    unsigned named = 0;
    unsigned cards = 0;
    for (unsigned i = 0; i < scene->saying_count; i++) {
        const struct saying *const saying = &scene->sayings[i];
        const struct move *const move = scene_way(scene, saying, 0);
        const bool plays = move->command.verb == VERB_PLAY;
        cards += plays ? 1 : 0;
        if (!plays || named == NAMED_MAX) {
            continue;
        }
        if (saying->count == 1 && move->open == MOVE_CLOSED) {
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
static void add_verbs(const struct scene *scene, struct verbs *verbs)
{
    const struct move_list *const moves = &scene->moves;
    const bool plays = hurries(scene->words.view) && is_legal(moves, VERB_PLAY);
    if (plays) {
        add_plays(scene, verbs);
    }
    for (unsigned rank = 1; rank < VERB_TOTAL; rank++) {
        const enum verb verb = command_ranked(rank);
        if (is_legal(moves, verb) && !(plays && verb == VERB_PLAY)) {
            verbs->items[verbs->count++] = command_word(verb);
        }
    }
}

size_t render_verbs(const struct scene *scene, char *out, size_t size)
{
    struct text_out text;
    struct verbs verbs = {.count = 0};
    text_begin(&text, out, size);
    if (scene->moves.count > 0) {
        add_verbs(scene, &verbs);
    }
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
