// Expectations about what a player may do.
#include <string.h>

#include <jansson.h>

#include "core/game.h"

#include "bot/parse/parse.h"
#include "bot/tools/scenario_impl.h"

static bool lists_verb(const struct scenario *scenario, unsigned verb)
{
    for (uint32_t i = 0; i < scenario->moves.count; i++) {
        if (scenario->moves.items[i].command.verb == verb) {
            return true;
        }
    }
    return false;
}

enum legal { LEGAL_NO, LEGAL_YES, LEGAL_NONSENSE };

// Words that mean nothing in this game are a mistake of the file, not an illegal command.
static enum legal judge_error(const struct parse_error *error)
{
    const unsigned code = error->why.code;
    return code == REFUSAL_UNKNOWN_COMMAND || code == REFUSAL_NO_SUCH_CARD ||
                   code == REFUSAL_NO_SUCH_PLAYER
               ? LEGAL_NONSENSE
               : LEGAL_NO;
}

static enum legal judge(struct scenario *scenario, unsigned seat, const char *words)
{
    const unsigned verb = command_find(words);
    if (verb != VERB_NONE) {
        return lists_verb(scenario, verb) ? LEGAL_YES : LEGAL_NO;
    }
    struct table_words table;
    struct request request = {0};
    struct parse_error error = {0};
    solo_words(scenario->solo, seat, &table);
    if (!parse_request(&table, words, &request, &error)) {
        return judge_error(&error);
    }
    if (request.kind != REQUEST_GAME) {
        return LEGAL_YES; // looking is always allowed
    }
    struct command command = request.command;
    struct refusal why = {0};
    command.seat = (uint8_t)seat;
    // A completion of a template must be valid too, so the core is asked in any case.
    const struct game *const game = solo_game(scenario->solo);
    if (!game_check(game, scenario->box, &command, &why)) {
        return LEGAL_NO;
    }
    for (uint32_t i = 0; i < scenario->moves.count; i++) {
        if (move_matches(&scenario->moves.items[i], &command)) {
            return LEGAL_YES;
        }
    }
    // Parts that may be left out: a listed move fills them in.
    return invariants_listed(game, scenario->box, &scenario->moves, &command) ? LEGAL_YES
                                                                              : LEGAL_NO;
}

static bool expect_list(struct scenario *scenario, unsigned seat, const json_t *list,
                        enum legal wanted)
{
    static const char *const FOUND[] = {
        [LEGAL_NO] = "not legal",
        [LEGAL_YES] = "legal",
        [LEGAL_NONSENSE] = "no command of this game",
    };
    char at[SCENARIO_PLACE_SIZE];
    bool same = true;
    (void)snprintf(at, sizeof at, "legal.%s.%s", scenario->names[seat],
                   wanted == LEGAL_YES ? "includes" : "excludes");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *const words = json_string_value(json_array_get(list, i));
        const enum legal found = judge(scenario, seat, words);
        if (found != wanted) {
            same = scenario_differs(scenario, at, words, FOUND[found]);
        }
    }
    return same;
}

bool scenario_expect_legal(struct scenario *scenario, unsigned seat, struct json_t *expect)
{
    scenario->moves.count = 0;
    scenario->moves.overflow = false;
    moves_list(solo_game(scenario->solo), scenario->box, seat, &scenario->moves);
    const bool includes =
        expect_list(scenario, seat, json_object_get(expect, "includes"), LEGAL_YES);
    return expect_list(scenario, seat, json_object_get(expect, "excludes"), LEGAL_NO) && includes;
}
