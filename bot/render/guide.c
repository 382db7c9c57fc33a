#include "bot/render/guide.h"

#include "bot/render/render_impl.h"

static bool is_fighter(const struct query_fight *fight, unsigned seat)
{
    return fight->on && (fight->main == seat || fight->helper == seat);
}

static bool waited_in(const struct game *view, unsigned kind, unsigned seat)
{
    const struct pause pause = query_pause(view, kind);
    const struct query_clock clock = query_clock(view);
    return pause.kind != PAUSE_NONE && (pause.passed & seat_bit(seat)) == 0 &&
           (clock.seats & seat_bit(seat)) != 0;
}

static bool is_asked(const struct table_words *words)
{
    struct query_decision decision;
    query_decision(words->view, words->box, words->seat, &decision);
    return decision.kind < DECIDE_TOTAL && decision.kind != DECIDE_CHARITY;
}

// Something was played or rolled, or a question is open: what the turn says next must wait.
static bool is_held_up(const struct table_words *words)
{
    return query_pause(words->view, PAUSE_ANSWER).kind != PAUSE_NONE ||
           query_undecided(words->view) != 0;
}

static bool holds_too_many(const struct table_words *words)
{
    struct query_decision decision;
    query_decision(words->view, words->box, words->seat, &decision);
    return decision.kind == DECIDE_CHARITY;
}

static bool in_fight(const struct table_words *words, const struct query_fight *fight,
                     enum guide_hint hint)
{
    const bool open = fight->on && !fight->gave_up && query_phase(words->view) == PHASE_COMBAT;
    const bool mine = is_fighter(fight, words->seat);
    switch (hint) {
    case GUIDE_LOSING:
        return open && fight->main == words->seat && !fight->players_win && !is_held_up(words);
    case GUIDE_WINNING:
        return open && mine && fight->players_win &&
               query_pause(words->view, PAUSE_WIN).kind != PAUSE_NONE;
    default:
        return open && !mine && waited_in(words->view, PAUSE_WIN, words->seat);
    }
}

// Whether this is the moment of a hint.
static bool is_now(const struct guide *guide, const struct table_words *words, enum guide_hint hint)
{
    const struct game *const view = words->view;
    const unsigned phase = query_phase(view);
    const bool turn = query_turn(view) == words->seat && phase != PHASE_SETUP;
    struct query_fight fight;
    query_fight(view, words->box, &fight);
    switch (hint) {
    case GUIDE_PROMPT:
        return true;
    case GUIDE_SETUP:
        return phase == PHASE_SETUP;
    case GUIDE_KICK:
        return turn && phase == PHASE_START;
    case GUIDE_LOSING:
    case GUIDE_WINNING:
    case GUIDE_WINDOW:
        return in_fight(words, &fight, hint);
    case GUIDE_RUN:
        return phase == PHASE_RUNNING && is_fighter(&fight, words->seat);
    case GUIDE_ANSWER:
        return waited_in(view, PAUSE_ANSWER, words->seat);
    case GUIDE_CHOICE:
        return is_asked(words);
    case GUIDE_OFFER:
        return query_offered(view, words->seat);
    case GUIDE_OPENED:
        return turn && phase == PHASE_OPENED && !is_held_up(words);
    case GUIDE_CHARITY:
        return turn && phase == PHASE_CHARITY && !is_held_up(words);
    case GUIDE_EXCESS:
        return turn && holds_too_many(words);
    case GUIDE_BYE:
        return guide->in_turn && !turn;
    case GUIDE_TOTAL:
        break;
    }
    return false;
}

static void tell(const struct table_words *words, enum guide_hint hint, struct text_out *out)
{
    static const enum text_id SENTENCES[GUIDE_TOTAL] = {
        [GUIDE_PROMPT] = TEXT_GUIDE_PROMPT,   [GUIDE_SETUP] = TEXT_GUIDE_SETUP,
        [GUIDE_KICK] = TEXT_GUIDE_KICK,       [GUIDE_LOSING] = TEXT_GUIDE_LOSING,
        [GUIDE_WINNING] = TEXT_GUIDE_WINNING, [GUIDE_WINDOW] = TEXT_GUIDE_WINDOW,
        [GUIDE_RUN] = TEXT_GUIDE_RUN,         [GUIDE_ANSWER] = TEXT_GUIDE_ANSWER,
        [GUIDE_CHOICE] = TEXT_GUIDE_CHOICE,   [GUIDE_OFFER] = TEXT_GUIDE_OFFER,
        [GUIDE_OPENED] = TEXT_GUIDE_OPENED,   [GUIDE_CHARITY] = TEXT_GUIDE_CHARITY,
        [GUIDE_EXCESS] = TEXT_GUIDE_EXCESS,   [GUIDE_BYE] = TEXT_GUIDE_BYE,
    };
    struct query_fight fight;
    char what[RENDER_TEXT_SIZE];
    struct text_out hint_words;
    query_fight(words->view, words->box, &fight);
    const long limit = query_hand_limit(words->view, words->box, words->seat);
    text_begin(&hint_words, what, sizeof what);
    render_put(words, &hint_words, SENTENCES[hint],
               TEXT_ARGS(text_str("who", fight.on ? render_player(words, fight.main)
                                                  : render_player(words, words->seat)),
                         text_num("n", fight.players), text_num("m", fight.monsters),
                         text_num("limit", limit),
                         text_num("goal", words->box->profile.constant[PROFILE_GOAL]),
                         text_num("unit", words->box->profile.constant[PROFILE_SELL_UNIT])));
    text_line(out, TEXT_GUIDE_HINT, TEXT_ARGS(text_str("what", what)));
}

size_t guide_next(struct guide *guide, const struct table_words *words, char *out, size_t size)
{
    struct text_out text;
    text_begin(&text, out, size);
    if (words->view == NULL || words->seat >= MB_SEATS_MAX) {
        return 0;
    }
    for (unsigned hint = 0; hint < GUIDE_TOTAL; hint++) {
        if ((guide->told & 1u << hint) == 0 && is_now(guide, words, (enum guide_hint)hint)) {
            guide->told |= 1u << hint;
            tell(words, (enum guide_hint)hint, &text);
        }
    }
    guide->in_turn = guide->in_turn || (query_turn(words->view) == words->seat &&
                                        query_phase(words->view) == PHASE_START);
    return text.length;
}
