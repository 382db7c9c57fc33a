// Words that were not understood: which, and what would be.
#include <string.h>

#include <strings.h>

#include "bot/render/render_impl.h"

enum { SEATS_WORDS_SIZE = 512, CANDIDATES_SIZE = 2048 };

static void put_candidates(const struct table_words *words, const struct parse_error *error,
                           struct text_out *out)
{
    char names[REQUEST_CANDIDATES_MAX][2 * RENDER_NAME_SIZE];
    const char *items[REQUEST_CANDIDATES_MAX];
    size_t count = 0;
    for (unsigned i = 0; i < error->candidate_count && i < REQUEST_CANDIDATES_MAX; i++) {
        char name[RENDER_NAME_SIZE];
        const uint16_t card = error->candidates[i];
        const unsigned pile =
            render_knows(words, card) ? query_where(words->view, card) : (unsigned)PILE_TOTAL;
        struct text_out text;
        text_begin(&text, names[count], sizeof names[count]);
        render_card_name(words, card, name);
        const bool owned = pile_is_table(pile);
        if (owned) {
            text_put(&text, TEXT_CARD_OF,
                     TEXT_ARGS(text_str("card", name),
                               text_str("who", render_player(words, pile - PILE_TABLE))));
        } else {
            text_raw(&text, name);
        }
        bool fresh = true;
        for (size_t j = 0; j < count; j++) {
            fresh = fresh && strcmp(items[j], names[count]) != 0;
        }
        if (fresh) {
            items[count] = names[count];
            count++;
        }
    }
    char what[CANDIDATES_SIZE];
    struct text_out text;
    text_begin(&text, what, sizeof what);
    text_list(&text, items, count, TEXT_OR);
    text_put(out, TEXT_PARSE_AMBIGUOUS,
             TEXT_ARGS(text_str("words", error->words), text_str("what", what)));
}

// What newcomers say whom nobody has told the words.
static enum text_id unknown_sentence(const struct table_words *words, const char *said)
{
    if (said[strspn(said, "0123456789")] == '\0') {
        return words->numbers ? TEXT_PARSE_NUMBER : TEXT_PARSE_NUMBER_NONE;
    }
    if (said[strspn(said, "0123456789, ")] == '\0') {
        return words->numbers ? TEXT_PARSE_NUMBERS : TEXT_PARSE_NUMBER_NONE;
    }
    static const struct {
        const char *said;
        enum text_id sentence;
    } GUESSES[] = {{"open", TEXT_PARSE_SAID_OPEN},     {"door", TEXT_PARSE_SAID_OPEN},
                   {"curse", TEXT_PARSE_SAID_CURSE},   {"trap", TEXT_PARSE_SAID_CURSE},
                   {"attack", TEXT_PARSE_SAID_ATTACK}, {"battle", TEXT_PARSE_SAID_ATTACK},
                   {"yes", TEXT_PARSE_SAID_YES},       {"no", TEXT_PARSE_SAID_YES}};
    for (size_t i = 0; i < sizeof GUESSES / sizeof GUESSES[0]; i++) {
        if (strcasecmp(said, GUESSES[i].said) == 0) {
            return GUESSES[i].sentence;
        }
    }
    return TEXT_PARSE_UNKNOWN;
}

// The card that unknown words name, or NULL.
static const char *named_card(const struct table_words *words, const char *said)
{
    enum { LETTERS_MIN = 3 };
    bool ambiguous = false;
    const uint16_t def = words->box != NULL && strlen(said) >= LETTERS_MIN
                             ? names_find_def(words->catalog, words->box, said, &ambiguous)
                             : (uint16_t)NO_DEF;
    return def != NO_DEF ? catalog_name(words->catalog, def) : NULL;
}

static enum text_id parse_sentence(const struct table_words *words, const struct parse_error *error)
{
    const bool said = error->words[0] != '\0';
    const bool expected = error->expected[0] != '\0';
    switch ((enum refusal_code)error->why.code) {
    case REFUSAL_UNKNOWN_COMMAND:
        if (error->several_verbs) {
            return TEXT_PARSE_WHICH;
        }
        return said ? unknown_sentence(words, error->words) : TEXT_PARSE_EMPTY;
    case REFUSAL_NO_SUCH_CARD:
        return said ? TEXT_PARSE_CARD : TEXT_REFUSAL_NO_SUCH_CARD;
    case REFUSAL_NO_SUCH_PLAYER:
        return said ? TEXT_PARSE_PLAYER : TEXT_REFUSAL_NO_SUCH_PLAYER;
    case REFUSAL_AMBIGUOUS_NAME:
        return said ? TEXT_PARSE_AMBIGUOUS_PLAIN : TEXT_REFUSAL_AMBIGUOUS_NAME;
    case REFUSAL_BAD_ARGUMENTS:
        if (!expected) {
            return TEXT_REFUSAL_BAD_ARGUMENTS;
        }
        if (said) {
            return TEXT_PARSE_EXPECTED;
        }
        return error->verb != NULL ? TEXT_PARSE_EXPECTED_MORE_HELP : TEXT_PARSE_EXPECTED_MORE;
    default:
        return TEXT_AND; // a refusal like the core's
    }
}

size_t render_parse_error(const struct table_words *words, const struct parse_error *error,
                          char *out, size_t size)
{
    struct text_out text;
    const enum text_id id = parse_sentence(words, error);
    if (id == TEXT_AND) {
        return render_refusal(words, &error->why, out, size);
    }
    text_begin(&text, out, size);
    render_mark(words, &text, MARK_REFUSAL);
    if (error->why.code == REFUSAL_AMBIGUOUS_NAME && error->candidate_count > 1 &&
        words->box != NULL) {
        put_candidates(words, error, &text);
    } else {
        char players[SEATS_WORDS_SIZE];
        render_players(words, 0xFF, players, sizeof players);
        const char *const card = id == TEXT_PARSE_UNKNOWN ? named_card(words, error->words) : NULL;
        text_put(&text, card != NULL ? TEXT_PARSE_SAID_CARD : id,
                 TEXT_ARGS(text_str("words", error->words), text_str("players", players),
                           text_str("card", card != NULL ? card : ""),
                           text_str("expected", error->expected),
                           text_str("verb", error->verb != NULL ? error->verb : "")));
    }
    render_mark(words, &text, MARK_END);
    text_raw(&text, "\n");
    return text.length;
}
