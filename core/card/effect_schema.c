#include "core/card/effect_schema.h"

#include <string.h>

#define WORDS_ARG(title, table, must, other)                                                       \
    {.name = (title), .type = ARG_WORD, .words = (table), .required = (must), .fallback = (other)}
#define NUMBER_ARG(title, must, other, least, most)                                                \
    {.name = (title),                                                                              \
     .type = ARG_NUMBER,                                                                           \
     .required = (must),                                                                           \
     .fallback = (other),                                                                          \
     .min = (least),                                                                               \
     .max = (most)}

enum { NUMBER = USES_AMOUNT | NEEDS_AMOUNT, CHOSEN = USES_AMOUNT | USES_CARDS | USES_CHOOSER };

#define TAKES(...) __VA_ARGS__
#define COUNTED(id, word, text, sentence, takes, applies)                                          \
    [EFFECT_##id] = {.name = #word, .help = (text), .counted = true, takes},
#define DONE(id, word, text, sentence, takes, ...)                                                 \
    [EFFECT_##id] = {.name = #word, .help = (text), takes},
static const struct effect_schema SCHEMAS[EFFECT_TOTAL] = {
#include "core/card/effects.def"
};

const struct effect_schema *effect_schema(unsigned op)
{
    return &SCHEMAS[op];
}

const char *effect_name(unsigned op)
{
    return op < EFFECT_TOTAL ? SCHEMAS[op].name : "?";
}

unsigned effect_find(const char *name)
{
    unsigned i = 0;
    while (i < EFFECT_TOTAL && strcmp(SCHEMAS[i].name, name) != 0) {
        i++;
    }
    return i;
}
