// What happens next in both games: somebody's command, somebody's line, or time.
#include <stdio.h>
#include <string.h>

#include "core/loop/query.h"

#include "bot/parse/parse.h"
#include "bot/policy/policy.h"

#include "tests/twins/twins.h"

enum { LINE_SIZE = 1024, CHOICES = 12 };

static bool is_person(const struct twins *twins, unsigned seat)
{
    return !solo_seat_is_bot(twins->twin[0].session, seat);
}

// The moves of a seat on the original that it may name here: no waiting, no showing of what
// differs.
static void list_moves(struct twins *twins, unsigned seat)
{
    struct move_list *const moves = &twins->twin[0].moves;
    const struct game *const game = solo_game(twins->twin[0].session);
    const struct pause moment = query_pause(game, PAUSE_ANSWER);
    const struct pause window = query_pause(game, PAUSE_WIN);
    const unsigned passed = moment.kind != PAUSE_NONE ? moment.passed : window.passed;
    const bool rarely = twins_below(twins, 32) == 0;
    moves->count = 0;
    moves->overflow = false;
    moves_list(game, &twins->box, seat, moves);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < moves->count; i++) {
        const unsigned verb = moves->items[i].command.verb;
        const bool again = verb == VERB_PASS && (passed & seat_bit(seat)) != 0;
        if (!again && (rarely || (verb != VERB_HOLD && verb != VERB_SHOW))) {
            moves->items[kept++] = moves->items[i];
        }
    }
    moves->count = kept;
}

// A command of a seat; for the secret one such that says nothing of what differs and is legal in
// both. False if luck finds none.
static bool choose(struct twins *twins, unsigned seat, struct command *out)
{
    const struct game *const twin = solo_game(twins->twin[1].session);
    list_moves(twins, seat);
    const struct policy_input input = {.view = solo_game(twins->twin[0].session),
                                       .box = &twins->box,
                                       .moves = &twins->twin[0].moves,
                                       .seat = seat,
                                       .rng = &twins->rng};
    for (unsigned i = 0; i < CHOICES && input.moves->count > 0; i++) {
        struct refusal why = {0};
        if (POLICY_RANDOM.choose(&input, out) && !twins_names(twins, out) &&
            (seat != twins->secret || game_check(twin, &twins->box, out, &why))) {
            return true;
        }
    }
    return false;
}

static void talk(const struct twins *twins, const char *what)
{
    if (twins->setup->talk) {
        (void)printf("%lu: %s\n", twins->result->commands, what);
    }
}

// As a typed line or as a button's command. The secret seat only presses buttons: what its cards
// are called may depend on which others it holds.
static void give(struct twins *twins, const struct command *command)
{
    char line[LINE_SIZE];
    const unsigned seat = command->seat;
    struct table_words words;
    solo_words(twins->twin[0].session, seat, &words);
    const size_t length = parse_format(&words, command, line, sizeof line);
    const bool typed = length < sizeof line && seat != twins->secret && twins_below(twins, 2) == 0;
    struct refusal why[2] = {{0}, {0}};
    bool accepted[2];
    talk(twins, line);
    for (unsigned i = 0; i < 2; i++) {
        struct solo *const session = twins->twin[i].session;
        accepted[i] = typed ? solo_line(session, seat, line, &why[i])
                            : solo_submit(session, command, &why[i]);
    }
    if (accepted[0] != accepted[1]) {
        twins_break(twins, "\"%.100s\" of seat %u is accepted in one game only: %s, %s", line, seat,
                    refusal_name(why[0].code), refusal_name(why[1].code));
    } else if (!accepted[0] && !typed) {
        twins_break(twins, "a listed move of seat %u is refused: \"%.100s\", %s", seat, line,
                    refusal_name(why[0].code));
    }
}

static bool waits_for_secret(const struct twins *twins, const struct table_due *due)
{
    const bool answer = due->clock == CLOCK_TURN || due->clock == CLOCK_DECISION;
    return due->kind == TABLE_DUE_CLOCK && answer && (due->seats & seat_bit(twins->secret)) != 0;
}

static void pass_time(struct twins *twins, const struct table_due *due)
{
    // Not always to the instant: what shows half-way must be equal too.
    const bool whole = twins_below(twins, 4) != 0 || due->ms < 2;
    const int64_t ms = whole ? due->ms : (int64_t)(due->ms * (1 + twins_below(twins, 7)) / 8);
    char text[64];
    (void)snprintf(text, sizeof text, "%lld ms pass", (long long)ms);
    talk(twins, text);
    solo_advance(twins->twin[0].session, ms);
    solo_advance(twins->twin[1].session, ms);
}

void twins_act(struct twins *twins)
{
    const struct table_due due = solo_due(twins->twin[0].session);
    const bool secret_must = waits_for_secret(twins, &due);
    // Mostly those who are waited for; the others now and then, as cards may be played at any time.
    unsigned among[MB_SEATS_MAX];
    unsigned count = 0;
    const bool anybody = twins_below(twins, 3) == 0;
    for (unsigned seat = 0; seat < twins->seats; seat++) {
        if (is_person(twins, seat) && (anybody || (due.seats & seat_bit(seat)) != 0)) {
            among[count++] = seat;
        }
    }
    struct command command;
    const bool may_wait = due.kind != TABLE_DUE_NEVER && !secret_must;
    const bool waits = may_wait && (count == 0 || twins_below(twins, 4) == 0);
    const bool acts =
        (!waits && count > 0 && choose(twins, among[twins_below(twins, count)], &command)) ||
        (secret_must && choose(twins, twins->secret, &command));
    if (acts) {
        give(twins, &command);
    } else if (may_wait) {
        pass_time(twins, &due);
    } else {
        twins->end = TWINS_CORNERED;
    }
}
