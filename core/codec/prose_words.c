// A card speaks the words of its own set: what the language calls a Curse is a Trap in Super.
#include <ctype.h>
#include <string.h>

#include "core/codec/prose.h"

struct own_word {
    const char *general, *own;
};

enum { OWN_WORDS_MAX = 5 };

static const struct own_word OWN_WORDS[EDITION_TOTAL][OWN_WORDS_MAX] = {
    [EDITION_SUPER] = {{"Curse", "Trap"},
                       {"Curses", "Traps"},
                       {"follower", "Sidekick"},
                       {"followers", "Sidekicks"},
                       {"copy", "Duplicate"}},
    [EDITION_CONAN] = {{"follower", "Comrade"}, {"followers", "Comrades"}},
};

static const struct own_word *own_word_at(const char *at, unsigned edition)
{
    for (unsigned i = 0; i < OWN_WORDS_MAX && OWN_WORDS[edition][i].general != NULL; i++) {
        const struct own_word *const word = &OWN_WORDS[edition][i];
        const size_t length = strlen(word->general);
        if (strncmp(at, word->general, length) == 0 && !isalnum((unsigned char)at[length])) {
            return word;
        }
    }
    return NULL;
}

size_t prose_own_words(char *text, size_t size, unsigned edition)
{
    size_t length = strlen(text);
    bool inside = false; // a word
    for (size_t at = 0; edition < EDITION_TOTAL && at < length; at++) {
        const struct own_word *const word = inside ? NULL : own_word_at(text + at, edition);
        inside = isalnum((unsigned char)text[at]) != 0;
        if (word == NULL) {
            continue;
        }
        const size_t from = strlen(word->general);
        const size_t to = strlen(word->own);
        if (length - from + to >= size) {
            break;
        }
        memmove(text + at + to, text + at + from, length - at - from + 1);
        memcpy(text + at, word->own, to);
        length = length - from + to;
        at += to - 1;
        inside = true;
    }
    return length;
}
