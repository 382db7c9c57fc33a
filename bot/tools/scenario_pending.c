// Expectations about open decisions: the core's questions, answer moments, asks and offers.
#include <string.h>

#include <jansson.h>

#include "bot/tools/scenario_impl.h"

static const char *const KINDS[DECIDE_TOTAL] = {
    [DECIDE_CHOOSE_CARD] = "choose_card",
    [DECIDE_CHOOSE_CARDS] = "choose_cards",
    [DECIDE_CHOOSE_PLAYER] = "choose_player",
    [DECIDE_CHOOSE_MONSTER] = "choose_monster",
    [DECIDE_YES_NO] = "yes_no",
    [DECIDE_ORDER] = "order",
    [DECIDE_NUMBER] = "number",
    [DECIDE_ASK_HELP] = "ask_help",
    [DECIDE_OFFER] = "offer",
    [DECIDE_PICK_TREASURE] = "pick_treasure",
    [DECIDE_LOOT_BODY] = "loot_body",
    [DECIDE_CHARITY] = "charity",
    [DECIDE_ANSWER] = "answer",
};

// An open decision of one player, its options in words.
struct pending {
    unsigned seat, kind;
    bool cards;
    struct scenario_cards card_options;
    unsigned count;
    char words[MB_OPTIONS_MAX][PERSON_NAME_SIZE];
};

static void add_word(struct pending *pending, const char *word)
{
    if (pending->count < MB_OPTIONS_MAX) {
        (void)snprintf(pending->words[pending->count++], PERSON_NAME_SIZE, "%s", word);
    }
}

static bool is_copy(const struct query_fight *fight, uint16_t card, uint16_t *face)
{
    for (unsigned i = 0; i < fight->monster_count; i++) {
        if (fight->monster[i] == card && fight->face[i] != card) {
            *face = fight->face[i];
            return true;
        }
    }
    *face = card;
    return false;
}

static void add_option(struct scenario *scenario, struct pending *pending,
                       const struct query_fight *fight, uint16_t option)
{
    char number[16];
    if (pending->cards) {
        uint16_t face = option;
        const bool copy = pending->kind == DECIDE_CHOOSE_MONSTER && is_copy(fight, option, &face);
        scenario_cards_add(&pending->card_options, face, copy);
    } else if (pending->kind == DECIDE_CHOOSE_PLAYER || pending->kind == DECIDE_ASK_HELP) {
        add_word(pending, option < scenario->seat_count ? scenario->names[option] : "?");
    } else if (pending->kind == DECIDE_YES_NO) {
        add_word(pending, option != 0 ? "yes" : "no");
    } else {
        (void)snprintf(number, sizeof number, "%u", (unsigned)option);
        add_word(pending, number);
    }
}

static bool decision_of(struct scenario *scenario, unsigned seat, struct pending *out)
{
    const struct game *const game = solo_game(scenario->solo);
    struct query_decision decision;
    struct query_fight fight;
    query_decision(game, scenario->box, seat, &decision);
    if (decision.kind >= DECIDE_TOTAL) {
        return false;
    }
    query_fight(game, scenario->box, &fight);
    *out = (struct pending){.seat = seat,
                            .kind = decision.kind,
                            .cards = decision.options_are_cards ||
                                     decision.kind == DECIDE_CHOOSE_MONSTER};
    for (unsigned i = 0; i < decision.option_count; i++) {
        add_option(scenario, out, &fight, decision.options[i]);
    }
    return true;
}

static bool has_number(const json_t *options, const char *word)
{
    char number[32];
    for (size_t i = 0; i < json_array_size(options); i++) {
        const json_t *const option = json_array_get(options, i);
        (void)snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(option));
        const char *const text = json_is_string(option) ? json_string_value(option) : number;
        if (strcmp(text, word) == 0) {
            return true;
        }
    }
    return false;
}

static bool same_options(struct scenario *scenario, const json_t *options,
                         const struct pending *pending)
{
    if (options == NULL) {
        return true;
    }
    if (pending->cards) {
        return scenario_cards_are(scenario, options, &pending->card_options, false);
    }
    bool same = json_array_size(options) == pending->count;
    for (unsigned i = 0; i < pending->count; i++) {
        same = same && has_number(options, pending->words[i]);
    }
    return same;
}

static bool matches(struct scenario *scenario, const json_t *expect, const struct pending *pending)
{
    const char *const player = json_string_value(json_object_get(expect, "player"));
    const char *const kind = json_string_value(json_object_get(expect, "kind"));
    return (player == NULL || strcmp(player, scenario->names[pending->seat]) == 0) &&
           (kind == NULL || strcmp(kind, KINDS[pending->kind]) == 0) &&
           same_options(scenario, json_object_get(expect, "options"), pending);
}

static void describe(struct scenario *scenario, const struct pending *pending, char *out,
                     size_t size)
{
    char options[SCENARIO_VALUE_SIZE] = "";
    const size_t used = strnlen(out, size);
    if (pending->cards) {
        (void)scenario_cards_text(scenario, &pending->card_options, options, sizeof options);
    }
    for (unsigned i = 0; i < pending->count; i++) {
        const size_t at = strlen(options);
        (void)snprintf(options + at, sizeof options - at, "%s%s", i > 0 ? ", " : "",
                       pending->words[i]);
    }
    (void)snprintf(out + used, size - used, "%s%s: %s %s", used > 0 ? "; " : "",
                   scenario->names[pending->seat], KINDS[pending->kind], options);
}

// Looks at one open decision: notes what it is, says whether it is the one wanted.
static bool visit(struct scenario *scenario, const json_t *expect, const struct pending *pending,
                  char *found)
{
    if (json_is_object(expect) && matches(scenario, expect, pending)) {
        return true;
    }
    describe(scenario, pending, found, SCENARIO_VALUE_SIZE);
    return false;
}

static bool visit_decisions(struct scenario *scenario, const json_t *expect, char *found)
{
    const struct pause moment = query_pause(solo_game(scenario->solo), PAUSE_ANSWER);
    struct pending pending;
    for (unsigned seat = 0; seat < scenario->seat_count; seat++) {
        if (decision_of(scenario, seat, &pending)) {
            if (visit(scenario, expect, &pending, found)) {
                return true;
            }
            // Who asked all picks a player among those who accept: both words name that question.
            pending.kind =
                pending.kind == DECIDE_ASK_HELP ? (unsigned)DECIDE_CHOOSE_PLAYER : pending.kind;
            if (json_is_object(expect) && matches(scenario, expect, &pending)) {
                return true;
            }
        }
        if (moment.kind != PAUSE_NONE && (moment.waited & ~moment.passed & seat_bit(seat)) != 0) {
            pending = (struct pending){.seat = seat, .kind = DECIDE_ANSWER};
            if (visit(scenario, expect, &pending, found)) {
                return true;
            }
        }
    }
    return false;
}

// Asks and offers block nobody: they are open decisions of the one asked, but never in the way of
// `null`.
static bool visit_deals(struct scenario *scenario, const json_t *expect, char *found)
{
    const struct game *const game = solo_game(scenario->solo);
    for (unsigned i = 0; i < query_deal_count(game); i++) {
        const struct deal *const deal = query_deal(game, i);
        for (unsigned seat = 0; seat < scenario->seat_count; seat++) {
            const bool asked = deal->to == seat || (deal->to == ALL_SEATS && deal->from != seat);
            if (!asked || ((deal->accepted | deal->refused) & seat_bit(seat)) != 0) {
                continue;
            }
            struct pending pending = {
                .seat = seat, .kind = deal->kind == DEAL_ASK ? DECIDE_ASK_HELP : DECIDE_OFFER};
            add_word(&pending, "yes");
            add_word(&pending, "no");
            if (visit(scenario, expect, &pending, found)) {
                return true;
            }
        }
    }
    return false;
}

bool scenario_expect_pending(struct scenario *scenario, struct json_t *expect)
{
    char found[SCENARIO_VALUE_SIZE] = "";
    char wanted[SCENARIO_VALUE_SIZE];
    if (expect == NULL) {
        return true;
    }
    if (json_is_null(expect)) {
        (void)visit_decisions(scenario, expect, found);
        return found[0] == '\0' || scenario_differs(scenario, "pending", "null", found);
    }
    if (visit_decisions(scenario, expect, found) || visit_deals(scenario, expect, found)) {
        return true;
    }
    return scenario_differs(scenario, "pending", scenario_dump(expect, wanted, sizeof wanted),
                            found[0] != '\0' ? found : "null");
}
