// Why not: one sentence for every refusal, and for words that were not understood.
#include <string.h>

#include "bot/render_impl.h"

enum { SEATS_WORDS_SIZE = 512, CANDIDATES_SIZE = 2048 };

static const enum text_id SENTENCES[REFUSAL_TOTAL] = {
    [REFUSAL_NONE] = TEXT_REFUSAL_NOT_USABLE,
#define REFUSAL(id, name) [REFUSAL_##id] = TEXT_REFUSAL_##id,
#include "core/refusal.def"
#undef REFUSAL
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

static enum text_id sentence_of(const struct table_words *words, const struct refusal *why)
{
    const unsigned code = why->code < REFUSAL_TOTAL ? why->code : (unsigned)REFUSAL_NONE;
    const struct better *const better = &BETTER[code];
    if (code == REFUSAL_CHOICE_PENDING && reader_must_choose(words) < DECIDE_TOTAL) {
        return reader_must_choose(words) == DECIDE_CHARITY ? TEXT_REFUSAL_CHOICE_PENDING_CHARITY
                                                           : TEXT_REFUSAL_CHOICE_PENDING_YOURS;
    }
    if (better->card != TEXT_AND && has_card(words, why)) {
        return better->card;
    }
    if (better->seat != TEXT_AND && has_seat(words, why)) {
        return better->seat;
    }
    if (better->amount != TEXT_AND && why->amount > 0) {
        return better->amount;
    }
    return SENTENCES[code];
}

// What the point of the turn asks for instead.
static void put_legal(const struct table_words *words, char *out, size_t size)
{
    static const enum text_id LEGAL[PHASE_TOTAL] = {
        [PHASE_SETUP] = TEXT_LEGAL_SETUP,     [PHASE_START] = TEXT_LEGAL_KICK,
        [PHASE_OPENED] = TEXT_LEGAL_OPENED,   [PHASE_COMBAT] = TEXT_LEGAL_COMBAT,
        [PHASE_RUNNING] = TEXT_LEGAL_RUNNING, [PHASE_LOOTING_BODY] = TEXT_LEGAL_LOOTING,
        [PHASE_CHARITY] = TEXT_LEGAL_CHARITY, [PHASE_OVER] = TEXT_LEGAL_WAIT,
    };
    struct text_out text;
    text_begin(&text, out, size);
    if (words->view == NULL) {
        return;
    }
    const unsigned phase = query_phase(words->view);
    const unsigned turn = query_turn(words->view);
    const bool mine = turn == words->seat || phase == PHASE_SETUP || phase == PHASE_COMBAT;
    text_put(&text, mine && phase < PHASE_TOTAL ? LEGAL[phase] : TEXT_LEGAL_WAIT,
             TEXT_ARGS(text_str("who", render_player(words, turn))));
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

size_t render_refusal(const struct table_words *words, const struct refusal *why, char *out,
                      size_t size)
{
    char card[RENDER_NAME_SIZE] = "";
    char players[SEATS_WORDS_SIZE];
    char legal[SEATS_WORDS_SIZE];
    char pending[SEATS_WORDS_SIZE * 2];
    struct text_out text;
    text_begin(&text, out, size);
    render_players(words, 0xFF, players, sizeof players);
    put_legal(words, legal, sizeof legal);
    put_pending(words, pending, sizeof pending);
    if (has_card(words, why)) {
        render_card_name(words, why->card, card);
    }
    const bool game = words->view != NULL;
    const unsigned turn = game ? query_turn(words->view) : (unsigned)NO_SEAT;
    render_mark(words, &text, MARK_REFUSAL);
    const long unit = game ? words->box->profile.constant[PROFILE_SELL_UNIT] : 0;
    text_put(&text, sentence_of(words, why),
             TEXT_ARGS(text_str("card", card), text_str("who", render_player(words, why->seat)),
                       text_num("n", why->amount), text_str("players", players),
                       text_str("pending", pending), text_str("legal", legal),
                       text_str("turn", render_player(words, turn)), text_num("unit", unit),
                       text_str("phase", game ? render_phase(query_phase(words->view)) : "")));
    const bool rule = why->rule != NULL && why->rule[0] != '\0';
    render_mark(words, &text, MARK_END);
    text_line(&text, rule ? TEXT_REFUSAL_RULE : TEXT_REFUSAL_CODE,
              TEXT_ARGS(text_str("code", refusal_name(why->code)),
                        text_str("rule", rule ? why->rule : "")));
    return text.length;
}

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

static enum text_id parse_sentence(const struct parse_error *error)
{
    const bool said = error->words[0] != '\0';
    const bool expected = error->expected[0] != '\0';
    switch ((enum refusal_code)error->why.code) {
    case REFUSAL_UNKNOWN_COMMAND:
        return said ? TEXT_PARSE_UNKNOWN : TEXT_PARSE_EMPTY;
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
        return said ? TEXT_PARSE_EXPECTED : TEXT_PARSE_EXPECTED_MORE;
    default:
        return TEXT_AND; // a refusal like the core's
    }
}

size_t render_parse_error(const struct table_words *words, const struct parse_error *error,
                          char *out, size_t size)
{
    struct text_out text;
    const enum text_id id = parse_sentence(error);
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
        text_put(&text, id,
                 TEXT_ARGS(text_str("words", error->words), text_str("players", players),
                           text_str("expected", error->expected)));
    }
    render_mark(words, &text, MARK_END);
    text_line(&text, TEXT_REFUSAL_CODE, TEXT_ARGS(text_str("code", refusal_name(error->why.code))));
    return text.length;
}
