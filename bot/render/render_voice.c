// What a table's house calls things, in sentences; what a card's own set calls its kind.
#include <string.h>

#include "bot/render/render_impl.h"

enum { ARGS_MAX = 40 };

/** A place that any sentence may hold. TEXT_AND in an edition's stead: as classic has it. */
struct voice {
    const char *name;
    enum text_id classic;
    enum text_id other[EDITION_TOTAL];
};

enum { VOICE_CURSE, VOICE_CURSES, VOICE_MATE, VOICE_FOLLOWER };
static const struct voice VOICES[] = {
    [VOICE_CURSE] = {"curse", TEXT_KIND_CURSE, {[EDITION_SUPER] = TEXT_KIND_TRAP}},
    [VOICE_CURSES] = {"curses", TEXT_VOICE_CURSES, {[EDITION_SUPER] = TEXT_VOICE_TRAPS}},
    [VOICE_MATE] = {"mate", TEXT_VOICE_MATE, {[EDITION_SUPER] = TEXT_VOICE_DUPLICATE}},
    [VOICE_FOLLOWER] =
        {"follower",
         TEXT_VOICE_HIRELING,
         {[EDITION_SUPER] = TEXT_KIND_SIDEKICK, [EDITION_CONAN] = TEXT_KIND_COMRADE}},
    {"followers",
     TEXT_VOICE_HIRELINGS,
     {[EDITION_SUPER] = TEXT_VOICE_SIDEKICKS, [EDITION_CONAN] = TEXT_VOICE_COMRADES}},
    {"kin",
     TEXT_KIND_RACE,
     {[EDITION_PATHFINDER] = TEXT_KIND_FACTION,
      [EDITION_SUPER] = TEXT_KIND_POWER,
      [EDITION_CONAN] = TEXT_VOICE_KIN_CONAN}},
    {"laid",
     TEXT_VOICE_LAID,
     {[EDITION_PATHFINDER] = TEXT_VOICE_LAID_PATHFINDER,
      [EDITION_SUPER] = TEXT_VOICE_LAID_SUPER,
      [EDITION_CONAN] = TEXT_VOICE_LAID_CONAN}},
    {"identities",
     TEXT_VOICE_IDENTITIES,
     {[EDITION_PATHFINDER] = TEXT_VOICE_IDENTITIES_PATHFINDER,
      [EDITION_SUPER] = TEXT_VOICE_IDENTITIES_SUPER,
      [EDITION_CONAN] = TEXT_VOICE_IDENTITIES_CONAN}},
    {"skill",
     TEXT_VOICE_ABILITY,
     {[EDITION_PATHFINDER] = TEXT_VOICE_ABILITY_PATHFINDER,
      [EDITION_SUPER] = TEXT_VOICE_ABILITY_SUPER}},
    {"class",
     TEXT_VOICE_CLASS,
     {[EDITION_PATHFINDER] = TEXT_VOICE_CLASS_PATHFINDER,
      [EDITION_SUPER] = TEXT_VOICE_CLASS_SUPER}},
};
enum { VOICE_COUNT = sizeof VOICES / sizeof VOICES[0] };

static enum text_id voice_word(const struct voice *voice, unsigned edition)
{
    const enum text_id own = edition < EDITION_TOTAL ? voice->other[edition] : TEXT_AND;
    return own != TEXT_AND ? own : voice->classic;
}

void render_put(const struct table_words *words, struct text_out *out, enum text_id id,
                const struct text_arg *args)
{
    const unsigned house = words->box != NULL ? words->box->profile.house : EDITION_CLASSIC;
    struct text_arg all[ARGS_MAX];
    size_t count = 0;
    for (; args != NULL && args->name != NULL && count < ARGS_MAX - VOICE_COUNT - 1; args++) {
        all[count++] = *args;
    }
    for (size_t i = 0; i < VOICE_COUNT; i++) {
        all[count++] = text_str(VOICES[i].name, text_sentence(voice_word(&VOICES[i], house)));
    }
    all[count] = (struct text_arg){NULL, NULL, 0};
    text_put(out, id, all);
}

static unsigned edition_of(const struct catalog *catalog, const struct card_def *def)
{
    const struct catalog_set *const set = catalog_set(catalog, def->set);
    return set != NULL ? set->edition : (unsigned)EDITION_TOTAL;
}

#define WORD(id, ...) [id] = TEXT_##id,
enum text_id render_kind(const struct catalog *catalog, const struct card_def *def)
{
    static const enum text_id KINDS[KIND_TOTAL] = {
#include "core/words/kind.def"
    };
    const unsigned edition = edition_of(catalog, def);
    if (edition < EDITION_TOTAL && def->kind == KIND_CURSE) {
        return voice_word(&VOICES[VOICE_CURSE], edition);
    }
    if (edition < EDITION_TOTAL && def->kind == KIND_FOLLOWER) {
        return voice_word(&VOICES[VOICE_FOLLOWER], edition);
    }
    return KINDS[def->kind];
}
#undef WORD

bool render_topic(const struct table_words *words, enum rules_topic topic,
                  char out[RULES_WORD_SIZE])
{
    const unsigned house = words->box != NULL ? words->box->profile.house : EDITION_CLASSIC;
    enum text_id own = TEXT_AND;
    if (house == EDITION_SUPER && topic == RULES_TOPIC_CURSE) {
        own = TEXT_TOPIC_NAME_TRAPS;
    } else if (house == EDITION_SUPER && topic == RULES_TOPIC_MATE) {
        own = TEXT_TOPIC_NAME_DUPLICATE;
    } else if (house == EDITION_PATHFINDER && topic == RULES_TOPIC_HALF) {
        own = TEXT_TOPIC_NAME_DOUBLE_LIFE;
    }
    if (own == TEXT_AND) {
        return rules_topic_word(topic, 0, out);
    }
    struct text_out text;
    text_begin(&text, out, RULES_WORD_SIZE);
    text_put(&text, own, NULL);
    return true;
}

static const char *titled(const struct table_words *words, uint16_t def, const char *name,
                          const char *figures, char out[RENDER_TITLE_SIZE])
{
    const struct card_def *const card = catalog_def(words->catalog, def);
    struct text_out text;
    text_begin(&text, out, RENDER_TITLE_SIZE);
    if (card->kind != KIND_CURSE) {
        text_put(&text, TEXT_CARD_TITLE,
                 TEXT_ARGS(text_str("card", name), text_str("figures", figures)));
        return out;
    }
    // The prefix says the kind, so that it need not stand among the figures.
    const char *const kind = text_sentence(render_kind(words->catalog, card));
    const size_t said = strncmp(figures, kind, strlen(kind)) == 0 ? strlen(kind) : 0;
    const char *const rest = figures + said + strspn(figures + said, ", ");
    text_put(&text, rest[0] == '\0' ? TEXT_CARD_PREFIXED : TEXT_CARD_TITLE_PREFIXED,
             TEXT_ARGS(text_str("kind", kind), text_str("card", name), text_str("figures", rest)));
    return out;
}

const char *render_title(const struct table_words *words, uint16_t def, const char *name,
                         char out[RENDER_TITLE_SIZE])
{
    char figures[RENDER_FIGURES_SIZE];
    render_figures(words, def, figures, sizeof figures);
    return titled(words, def, name, figures, out);
}

const char *render_title_beside(const struct table_words *words, uint16_t def, const char *name,
                                char out[RENDER_TITLE_SIZE])
{
    char figures[RENDER_FIGURES_SIZE];
    render_figures_beside(words, def, figures, sizeof figures);
    return titled(words, def, name, figures, out);
}

const char *render_title_brief(const struct table_words *words, uint16_t def, const char *name,
                               char out[RENDER_TITLE_SIZE])
{
    char figures[RENDER_FIGURES_SIZE];
    render_figures_brief(words, def, figures, sizeof figures);
    return titled(words, def, name, figures, out);
}
