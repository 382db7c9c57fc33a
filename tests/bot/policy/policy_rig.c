#include "tests/bot/policy/policy_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/parse/parse.h"

#include "tests/support/test.h"

enum { ACTS_MAX = 14, LINE_SIZE = 256, TEXT_SIZE = 4096, LIST_SIZE = 512 };

// Cards by name into a pile of a fixture.
static void deal_list(struct fixture *f, const char *list, unsigned pile, unsigned flags)
{
    char words[LIST_SIZE];
    if (list == NULL) {
        return;
    }
    assert_true(strlen(list) < sizeof words);
    memcpy(words, list, strlen(list) + 1);
    char *rest = NULL;
    for (char *word = strtok_r(words, ",", &rest); word != NULL;
         word = strtok_r(NULL, ",", &rest)) {
        const char *const name = word + strspn(word, " ");
        const uint16_t def = catalog_find_def(f->catalog, name, NO_SET);
        assert_int_not_equal(def, NO_DEF);
        const bool item = f->box.defs[def].kind == KIND_ITEM;
        (void)fixture_card(f, name, pile, item ? flags : 0);
    }
}

static void elapse(struct fixture *f)
{
    const struct command command = {.verb = VERB_ELAPSE,
                                    .seat = NO_SEAT,
                                    .card = NO_CARD,
                                    .to = NO_SEAT,
                                    .about = NO_SEAT,
                                    .n = (int16_t)query_clock(f->game).kind};
    struct refusal why = {0};
    assert_true(fixture_submit(f, &command, &why));
}

// Who types, and what: "Ann: kick".
static unsigned typist(const char *words, const char **line)
{
    static const char INITIALS[FIXTURE_SEATS + 1] = "ABC";
    const char *const initial = strchr(INITIALS, words[0]);
    const char *const colon = strstr(words, ": ");
    assert_non_null(initial);
    assert_non_null(colon);
    *line = colon + 2;
    return (unsigned)(initial - INITIALS);
}

static void play(struct fixture *f, const char *lines)
{
    char words[LIST_SIZE];
    if (lines == NULL) {
        return;
    }
    assert_true(strlen(lines) < sizeof words);
    memcpy(words, lines, strlen(lines) + 1);
    char *rest = NULL;
    for (char *word = strtok_r(words, ";", &rest); word != NULL;
         word = strtok_r(NULL, ";", &rest)) {
        word += strspn(word, " ");
        if (strcmp(word, "wait") == 0) {
            elapse(f);
            continue;
        }
        struct refusal why = {0};
        const char *line = NULL;
        const unsigned seat = typist(word, &line);
        if (!fixture_do(f, seat, line, &why)) {
            fail_msg("%s: %s", word, refusal_name(why.code));
        }
    }
}

void situation_arrange(struct fixture *f, const struct situation *situation)
{
    fixture_open(f, situation->cards);
    for (unsigned seat = 0; seat < FIXTURE_SEATS; seat++) {
        const struct has *const has = &situation->seats[seat];
        arrange_seat(f->game, seat, has->level, seat != FIXTURE_BOB, false, true);
        deal_list(f, has->worn, PILE_TABLE + seat, CARD_EQUIPPED);
        deal_list(f, has->carried, PILE_TABLE + seat, 0);
        deal_list(f, has->hand, PILE_HAND + seat, 0);
    }
    if (situation->doors != NULL) {
        fixture_next(f, PILE_DOOR_DECK, situation->doors);
    }
    unsigned dice = 0;
    while (dice < sizeof situation->dice && situation->dice[dice] != 0) {
        dice++;
    }
    arrange_dice(f->game, situation->dice, dice);
    const bool start = situation->phase == PHASE_SETUP && !situation->setup;
    const enum phase phase = start ? PHASE_START : situation->phase;
    assert_true(arrange_finish(f->game, &f->box, FIXTURE_ANN, phase, NULL));
    for (unsigned seat = 0; seat < FIXTURE_SEATS; seat++) {
        game_redact(f->game, &f->box, seat, f->views[seat]);
    }
    game_redact(f->game, &f->box, NO_SEAT, f->views[MB_SEATS_MAX]);
    play(f, situation->played);
}

void situation_seed(struct mb_rng *rng, uint64_t number)
{
    uint8_t seed[32];
    mb_rng_seed_u64(seed, number);
    mb_rng_init(rng, seed);
}

bool situation_decide(struct fixture *f, const struct policy *policy, unsigned seat,
                      struct mb_rng *rng, struct command *out)
{
    static struct move items[MB_MOVES_MAX];
    struct move_list moves = {.items = items, .capacity = MB_MOVES_MAX};
    moves_list(f->views[seat], &f->box, seat, &moves);
    const struct policy_input input = {.view = f->views[seat],
                                       .box = &f->box,
                                       .moves = &moves,
                                       .seat = seat,
                                       .rng = rng,
                                       .scratch = f->after};
    return moves.count > 0 && policy->choose(&input, out);
}

// What only chance goes on with: here the story of a situation ends.
static bool ends_it(const struct command *command)
{
    static const enum verb VERBS[] = {VERB_KICK, VERB_LOOT, VERB_DONE,
                                      VERB_RUN,  VERB_PASS, VERB_FIGHT};
    bool found = false;
    for (size_t i = 0; i < sizeof VERBS / sizeof VERBS[0]; i++) {
        found = found || command->verb == VERBS[i];
    }
    return found;
}

// All that a seat does until others must act, as typed, separated by "; ".
static void story(struct fixture *f, const struct situation *situation, uint64_t number, char *out)
{
    struct mb_rng rng;
    size_t used = 0;
    situation_seed(&rng, number);
    out[0] = '\0';
    for (unsigned act = 0; act < ACTS_MAX; act++) {
        struct command command;
        char line[LINE_SIZE];
        struct refusal why = {0};
        if (!situation_decide(f, situation->level, situation->seat, &rng, &command)) {
            return;
        }
        const struct table_words words = fixture_words(f, situation->seat);
        assert_true(parse_format(&words, &command, line, sizeof line) < sizeof line);
        used += (size_t)snprintf(out + used, TEXT_SIZE - used, "%s%s", used > 0 ? "; " : "", line);
        assert_true(used < TEXT_SIZE);
        if (ends_it(&command)) {
            return;
        }
        if (!fixture_submit(f, &command, &why)) {
            fail_msg("%s is refused: %s", line, refusal_name(why.code));
        }
        if (query_phase(f->game) == PHASE_OVER) {
            return;
        }
    }
    fail_msg("%s acts for ever: %s", situation->level->name, out);
}

static void acts_as_it_should(void **state)
{
    const struct situation *const situation = *state;
    const bool never = situation->wanted[0] == '!';
    const char *const wanted = situation->wanted + (never ? 1 : 0);
    unsigned seen = 0;
    static char text[TEXT_SIZE];
    static char last[TEXT_SIZE];
    for (unsigned i = 0; i < TRIES; i++) {
        struct fixture f;
        situation_arrange(&f, situation);
        story(&f, situation, i, text);
        fixture_close(&f);
        const bool found = strstr(text, wanted) != NULL;
        seen += found;
        if (found == never) {
            memcpy(last, text, sizeof last);
        }
    }
    const unsigned bound =
        situation->most_tries != 0 ? situation->most_tries : (never ? 0 : (unsigned)TRIES);
    if (never ? seen > bound : seen < bound) {
        fail_msg("\"%s\" in %u of %d tries, for example: %s", wanted, seen, TRIES, last);
    }
}

int situations_run(const char *group, const struct situation *situations, size_t count)
{
    struct CMUnitTest *const tests = calloc(count, sizeof *tests);
    assert_non_null(tests);
    for (size_t i = 0; i < count; i++) {
        tests[i] = (struct CMUnitTest){.name = situations[i].name,
                                       .test_func = acts_as_it_should,
                                       .initial_state = (void *)(uintptr_t)&situations[i]};
    }
    const int failed = _cmocka_run_group_tests(group, tests, count, NULL, NULL);
    free(tests);
    return failed;
}
