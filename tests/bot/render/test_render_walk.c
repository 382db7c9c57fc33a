/*
 * Whole games of random legal moves: no text for a viewer names a card that the viewer cannot know,
 * all is proper UTF-8.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"

#include "bot/text/text.h"

#include "tests/support/fixture.h"
#include "tests/support/see.h"
#include "tests/support/test.h"

enum { GAMES = 12, STEPS_MAX = 1500, LOOK_EVERY = 7, OUT_SIZE = 32768 };

struct walk {
    struct fixture fixture;
    struct move_list moves;
    struct mb_rng rng;
    bool *told; /* by definition: the viewer may read the name */
    struct game *scratch;
    struct event_list events;
    unsigned foretold;
    char out[OUT_SIZE];
};

// Definitions that a viewer may be told: all that is in the view, and what the events name.
static void may_be_told(struct walk *walk, unsigned viewer)
{
    const struct fixture *const fixture = &walk->fixture;
    const struct game *const view =
        fixture->views[viewer < FIXTURE_SEATS ? viewer : (unsigned)MB_SEATS_MAX];
    memset(walk->told, 0, fixture->box.def_count * sizeof *walk->told);
    for (uint16_t card = 0; card < fixture->box.card_count; card++) {
        if (query_where(view, card) != PILE_TOTAL) {
            walk->told[fixture->box.card_def[card]] = true;
        }
    }
    for (uint32_t i = 0; i < fixture->events.count; i++) {
        struct event event;
        if (event_for_viewer(&fixture->events.items[i], viewer, &event) &&
            event.type == EVENT_MOVE && event.card != NO_CARD) {
            walk->told[fixture->box.card_def[event.card]] = true;
        }
    }
}

// Whether what stands there is what a card says ("Halfling only"), up to a bracket or a full stop.
static bool says(const char *said, const char *text, const char *at)
{
    char phrase[OUT_SIZE];
    const char *from = at;
    while (from > text && strchr("(.:\n", from[-1]) == NULL) {
        from--;
    }
    from += strspn(from, " ");
    (void)snprintf(phrase, sizeof phrase, "%.*s", (int)(at - from + (int)strcspn(at, ").\n")),
                   from);
    return strstr(said, phrase) != NULL;
}

// Whether `part` is in the text but not within a longer name that may be told, nor in what its card
// says.
static bool names(const struct walk *walk, const char *text, const char *part)
{
    const struct fixture *const fixture = &walk->fixture;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) {
        bool covered = false;
        for (uint16_t def = 0; !covered && def < fixture->box.def_count; def++) {
            const char *const name = catalog_name(fixture->catalog, def);
            const char *const inside = strstr(name, part);
            const size_t before = inside == NULL ? 0 : (size_t)(inside - name);
            covered = walk->told[def] && inside != NULL && (size_t)(at - text) >= before &&
                      strncmp(at - before, name, strlen(name)) == 0;
            covered =
                covered || (walk->told[def] && says(catalog_text(fixture->catalog, def), text, at));
        }
        if (!covered) {
            return true;
        }
    }
    return false;
}

static void check_text(struct walk *walk, unsigned viewer, const char *text)
{
    const struct fixture *const fixture = &walk->fixture;
    may_be_told(walk, viewer);
    for (const char *at = text; *at != '\0';) {
        const size_t character = *at == '\n' ? 1 : text_character(at);
        assert_true(character > 0);
        at += character;
    }
    for (uint16_t def = 0; def < fixture->box.def_count; def++) {
        const char *const name = catalog_name(fixture->catalog, def);
        if (!walk->told[def] && names(walk, text, name)) {
            fail_msg("viewer %u reads of \"%s\" in:\n%s", viewer, name, text);
        }
    }
}

// How much of a line is told before it quotes what a card in the open says: "Ann kicks in the door:
// Net Troll! Monster, Level 10."
static size_t before_quote(const char *line, size_t length)
{
    for (size_t i = 0; i + 1 < length; i++) {
        if ((line[i] == '!' || line[i] == '.') && line[i + 1] == ' ') {
            return i + 1;
        }
    }
    return length;
}

// Narration without what cards in the open say, behind their names or on indented lines: a printed
// text may name any card.
static void check_narration(struct walk *walk, unsigned viewer, const char *text)
{
    size_t length = 0;
    walk->out[0] = '\0';
    while (*text != '\0') {
        const size_t line = strcspn(text, "\n") + 1;
        if (strncmp(text, "  ", 2) != 0) {
            assert_true(length + line < sizeof walk->out);
            const size_t told = before_quote(text, line);
            memcpy(walk->out + length, text, told);
            length += told;
            walk->out[length] = '\0';
        }
        text += line;
    }
    check_text(walk, viewer, walk->out);
}

// The same text with marks and without: marks add nothing and take nothing away.
static void check_marks(struct walk *walk, const struct table_words *words,
                        size_t (*render)(const struct scene *, char *, size_t))
{
    static const char *const MARKED[MB_SEATS_MAX] = {"\x13"
                                                     "Ann\x17",
                                                     "\x13"
                                                     "Bob\x17",
                                                     "\x13"
                                                     "Cy\x17"};
    char *const marked = malloc(OUT_SIZE);
    struct table_words with = *words;
    assert_non_null(marked);
    with.marks = true;
    for (unsigned i = 0; i < FIXTURE_SEATS; i++) {
        with.marked[i] = MARKED[i];
    }
    (void)render(see(words, SAYS_OWN), walk->out, sizeof walk->out);
    (void)render(see(&with, SAYS_OWN), marked, OUT_SIZE);
    text_strip(marked);
    assert_string_equal(marked, walk->out);
    free(marked);
}

static void look(struct walk *walk)
{
    struct fixture *const fixture = &walk->fixture;
    for (unsigned i = 0; i <= FIXTURE_SEATS; i++) {
        const unsigned seat = i < FIXTURE_SEATS ? i : (unsigned)NO_SEAT;
        const struct table_words words = fixture_words(fixture, seat);
        (void)render_table(see(&words, SAYS_NOTHING), walk->out, sizeof walk->out);
        check_text(walk, seat, walk->out);
        check_marks(walk, &words, render_table);
        check_marks(walk, &words, render_hand);
        check_marks(walk, &words, render_question);
        (void)render_help(&words, NULL, walk->out, sizeof walk->out);
        (void)render_hand(see(&words, SAYS_OWN), walk->out, sizeof walk->out);
        (void)render_question(see(&words, SAYS_OWN), walk->out, sizeof walk->out);
        check_text(walk, seat, walk->out);
        (void)render_verbs(see(&words, SAYS_ALL), walk->out, sizeof walk->out);
        (void)render_brief(&words, walk->out, sizeof walk->out);
        check_text(walk, seat, walk->out);
    }
}

// What the command would do, or why not, as each seat may know it: only the typist's own view
// counts.
static void ask_why(struct walk *walk, const struct command *command)
{
    struct fixture *const fixture = &walk->fixture;
    for (unsigned seat = 0; seat < FIXTURE_SEATS; seat++) {
        const struct table_words words = fixture_words(fixture, seat);
        struct command asked = *command;
        asked.seat = (uint8_t)seat;
        const size_t length =
            render_why(&words, &asked, walk->scratch, &walk->events, walk->out, sizeof walk->out);
        assert_true(length > 0 && length < sizeof walk->out);
        if (seat == command->seat) {
            assert_null(strstr(walk->out, "Refused as"));
            char *const copy = strdup(walk->out);
            assert_non_null(copy);
            check_narration(walk, seat, copy);
            free(copy);
        }
    }
}

// What the typist's hand says the command makes of the fight; false: nothing.
static bool foretell(struct walk *walk, const struct command *command, int *players, int *monsters)
{
    const struct table_words words = fixture_words(&walk->fixture, command->seat);
    struct scene *const scene = see(&words, SAYS_NOTHING);
    struct text_out text;
    scene->trial->sums[0].tried = false;
    scene->moves.items[scene->moves.count++] =
        (struct move){.command = *command, .open = MOVE_CLOSED};
    text_begin(&text, walk->out, sizeof walk->out);
    scene_put_sums(scene, &scene->moves.items[0], &text);
    if (walk->out[0] == '\0') {
        return false;
    }
    char *end = NULL;
    *players = (int)strtol(walk->out + strlen(" ("), &end, 10);
    assert_true(strncmp(end, " to ", strlen(" to ")) == 0);
    *monsters = (int)strtol(end + strlen(" to "), NULL, 10);
    return true;
}

// What is foretold of a fight comes true, whatever the typist does not see.
static void check_foretold(struct walk *walk, bool told, int players, int monsters)
{
    struct query_fight fight;
    query_fight(walk->fixture.game, &walk->fixture.box, &fight);
    if (told) {
        assert_true(fight.on);
        assert_int_equal(fight.players, players);
        assert_int_equal(fight.monsters, monsters);
        walk->foretold++;
    }
}

static bool step(struct walk *walk)
{
    struct fixture *const fixture = &walk->fixture;
    struct command command;
    if (!fixture_random(fixture, &walk->moves, &walk->rng, &command)) {
        return false;
    }
    ask_why(walk, &command);
    int players = 0;
    int monsters = 0;
    const bool told = foretell(walk, &command, &players, &monsters);
    struct refusal why;
    if (!fixture_submit(fixture, &command, &why)) {
        fail_msg("a listed move is refused: %s (verb %u, list %u, more %u, to %u, card %u)",
                 refusal_name(why.code), (unsigned)command.verb, (unsigned)command.list_count,
                 (unsigned)command.more_count, (unsigned)command.to, (unsigned)command.card);
    }
    check_foretold(walk, told, players, monsters);
    return true;
}

static void no_text_tells_what_its_reader_may_not_know(void **state)
{
    struct walk *const walk = *state;
    for (uint64_t game = 1; game <= GAMES; game++) {
        struct fixture *const fixture = &walk->fixture;
        uint8_t seed[32];
        mb_rng_seed_u64(seed, game + 1000);
        mb_rng_init(&walk->rng, seed);
        fixture_deal(fixture, game);
        for (unsigned i = 0; i < STEPS_MAX && step(walk); i++) {
            for (size_t j = 0; j < fixture->said.count; j++) {
                const struct message *const message = &fixture->said.items[j];
                const bool table = message->to == MESSAGE_TABLE;
                check_narration(walk, table ? (unsigned)NO_SEAT : message->seat, message->text);
            }
            if (i % LOOK_EVERY == 0) {
                look(walk);
            }
            if (query_phase(fixture->game) == PHASE_OVER) {
                break;
            }
        }
    }
    print_message("%u sums were foretold\n", walk->foretold);
    assert_true(walk->foretold > 20);
}

static int open_walk(void **state)
{
    struct walk *const walk = calloc(1, sizeof *walk);
    fixture_open(&walk->fixture, NULL);
    walk->moves.items = calloc(MB_MOVES_MAX, sizeof *walk->moves.items);
    walk->moves.capacity = MB_MOVES_MAX;
    walk->scratch = malloc(game_size());
    walk->events.items = calloc(MB_EVENTS_MAX, sizeof *walk->events.items);
    walk->events.capacity = MB_EVENTS_MAX;
    walk->told = calloc(walk->fixture.box.def_count, sizeof *walk->told);
    *state = walk;
    return 0;
}

static int close_walk(void **state)
{
    struct walk *const walk = *state;
    free(walk->told);
    free(walk->scratch);
    free(walk->events.items);
    free(walk->moves.items);
    fixture_close(&walk->fixture);
    free(walk);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_text_tells_what_its_reader_may_not_know, open_walk,
                                        close_walk),
    };
    return cmocka_run_group_tests_name("render_walk", tests, NULL, NULL);
}
