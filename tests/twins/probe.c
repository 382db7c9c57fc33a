// Looks, questions and wrong commands of those who must not notice: equal answers, nothing changed.
#include <stdio.h>
#include <string.h>

#include "core/loop/query.h"

#include "bot/parse/complete.h"
#include "bot/parse/parse.h"

#include "tests/twins/twins.h"

enum { LINE_SIZE = 512, BAD_COMMANDS = 4 };

static const char *const LOOKS[] = {"status", "help",  "hand", "score",     "log 5",
                                    "orders", "rules", "what", "help play", "help choose"};
// %s becomes a card's name, often one that differs; %p a player's.
static const char *const LINES[] = {
    "play %s",
    "play %s on %p",
    "why play %s",
    "why discard %s",
    "discard %s",
    "equip %s",
    "why equip %s",
    "sell %s",
    "fight %s",
    "why fight %s",
    "card %s",
    "give %s to %p",
    "why give %s to %p",
    "offer %s to %p",
    "ask %p promising %s",
    "use Theft on %s of %p",
    "why use Theft on %s of %p",
    "choose %s",
    "why choose %s",
    "show %s to %p",
    "lay %s",
    "charity %s to %p",
    "ask %p offering %s",
    "why charity %s to %p",
    "why kick",
    "why loot",
    "why done",
    "why run",
    "why ask %p",
    "why pass",
    "run",
    "loot",
    "kick",
    "done",
    "accept",
    "why accept",
    "play %s of %p",
    "card %s of %p",
    "why play %s with %s",
    "use Theft on %s",
};

static uint16_t some_card(struct twins *twins)
{
    if (twins->differ_count > 0 && twins_below(twins, 2) == 0) {
        return twins->differ[twins_below(twins, twins->differ_count)];
    }
    return (uint16_t)twins_below(twins, twins->box.card_count);
}

static void make_line(struct twins *twins, const char *form, const struct table_words *words,
                      char out[LINE_SIZE])
{
    size_t at = 0;
    for (const char *p = form; *p != '\0' && at + 1 < LINE_SIZE; p++) {
        const char *word = NULL;
        if (*p == '%') {
            p++;
            word = *p == 's'
                       ? names_card(words, some_card(twins))
                       : solo_seat_name(twins->twin[0].session, twins_below(twins, twins->seats));
        }
        const int length = word != NULL ? snprintf(out + at, LINE_SIZE - at, "%s", word)
                                        : snprintf(out + at, LINE_SIZE - at, "%c", *p);
        at += length > 0 && at + (size_t)length < LINE_SIZE ? (size_t)length : 0;
    }
    out[at] = '\0';
}

// One of those who must not notice; NO_SEAT: an onlooker.
static unsigned some_viewer(struct twins *twins)
{
    const unsigned viewer = twins_below(twins, twins->seats + 1);
    if (viewer == twins->secret || viewer == twins->seats) {
        return NO_SEAT;
    }
    return viewer;
}

static bool same_refusal(const struct refusal *a, const struct refusal *b)
{
    const bool rules =
        a->rule == b->rule || (a->rule != NULL && b->rule != NULL && strcmp(a->rule, b->rule) == 0);
    return a->code == b->code && rules && a->card == b->card && a->seat == b->seat &&
           a->amount == b->amount;
}

static void say(struct twins *twins, unsigned viewer, const char *line)
{
    struct refusal why[2] = {{0}, {0}};
    bool accepted[2];
    for (unsigned i = 0; i < 2; i++) {
        struct solo *const session = twins->twin[i].session;
        accepted[i] = viewer < twins->seats ? solo_line(session, viewer, line, &why[i])
                                            : solo_person_line(session, "Zed", line, &why[i]);
    }
    twins->result->probes++;
    if (accepted[0] != accepted[1] || !same_refusal(&why[0], &why[1])) {
        twins_break(twins, "\"%.100s\" of seat %u is answered with %s, in the twin with %s", line,
                    viewer, refusal_name(why[0].code), refusal_name(why[1].code));
    }
}

// What one seat hears in answer to a line is compared with all messages of this step.
static void probe_line(struct twins *twins, unsigned viewer, const char *form)
{
    struct table_words words;
    char line[LINE_SIZE];
    solo_words(twins->twin[0].session, viewer, &words);
    make_line(twins, form, &words, line);
    say(twins, viewer, line);
    twins_compare(twins, false);
    if (twins->end == TWINS_BROKEN && strstr(twins->result->what, form) == NULL) {
        const size_t length = strlen(twins->result->what);
        (void)snprintf(twins->result->what + length, sizeof twins->result->what - length,
                       " (after \"%.80s\" of seat %u)", line, viewer);
    }
}

// A command that no grammar would make: the core refuses it alike on both states.
static void probe_command(struct twins *twins, unsigned seat)
{
    struct command command = {.verb = (uint8_t)(1 + twins_below(twins, VERB_ELAPSE - 1)),
                              .seat = (uint8_t)seat,
                              .card = NO_CARD,
                              .target = NO_CARD,
                              .to = (uint8_t)twins_below(twins, twins->seats),
                              .about = NO_SEAT};
    struct refusal why[2] = {{0}, {0}};
    bool legal[2];
    if (twins_below(twins, 4) != 0) {
        command.card = some_card(twins);
    }
    command.target_kind = (uint8_t)twins_below(twins, 4);
    command.target = command.target_kind == TARGET_SEAT ? command.to : some_card(twins);
    command.ability = (uint8_t)twins_below(twins, twins->box.ability_count + 1u);
    command.side = (uint8_t)twins_below(twins, 3);
    command.list_count = (uint8_t)twins_below(twins, 3);
    command.more_count = (uint8_t)twins_below(twins, 2);
    for (unsigned i = 0; i < command.list_count; i++) {
        command.list[i] = some_card(twins);
    }
    for (unsigned i = 0; i < command.more_count; i++) {
        command.more[i] = some_card(twins);
    }
    for (unsigned i = 0; i < 2; i++) {
        legal[i] = game_check(solo_game(twins->twin[i].session), &twins->box, &command, &why[i]);
    }
    twins->result->probes++;
    if (legal[0] != legal[1] || !same_refusal(&why[0], &why[1])) {
        twins_break(twins,
                    "verb %u of seat %u on card %u is refused as %s (card %u), in the twin %s "
                    "(card %u)",
                    command.verb, seat, command.card, refusal_name(why[0].code), why[0].card,
                    refusal_name(why[1].code), why[1].card);
    }
}

// What Tab would offer to somebody else.
static void probe_completion(struct twins *twins, unsigned viewer)
{
    static const char *const BEGUN[] = {"",       "p",    "play ",         "why play ",
                                        "offer ", "use ", "use Theft on ", "choose ",
                                        "ask ",   "card "};
    static struct complete_list lists[2];
    const char *const line = BEGUN[twins_below(twins, sizeof BEGUN / sizeof BEGUN[0])];
    for (unsigned i = 0; i < 2; i++) {
        struct table_words words;
        solo_words(twins->twin[i].session, viewer, &words);
        complete_line(&words, line, strlen(line), &lists[i]);
    }
    twins->result->probes++;
    bool same = lists[0].count == lists[1].count && lists[0].from == lists[1].from;
    for (unsigned i = 0; same && i < lists[0].count; i++) {
        same = strcmp(lists[0].items[i].text, lists[1].items[i].text) == 0;
    }
    if (!same) {
        twins_break(twins, "\"%s\" of seat %u is completed otherwise", line, viewer);
    }
}

void twins_probe(struct twins *twins)
{
    const unsigned viewer = some_viewer(twins);
    probe_line(twins, viewer, LOOKS[twins_below(twins, sizeof LOOKS / sizeof LOOKS[0])]);
    if (twins->end == TWINS_GOES_ON) {
        probe_line(twins, some_viewer(twins),
                   LINES[twins_below(twins, sizeof LINES / sizeof LINES[0])]);
    }
    if (twins->end == TWINS_GOES_ON) {
        probe_completion(twins, some_viewer(twins));
    }
    for (unsigned i = 0; i < BAD_COMMANDS && twins->end == TWINS_GOES_ON; i++) {
        const unsigned seat = twins_below(twins, twins->seats);
        if (seat != twins->secret) {
            probe_command(twins, seat);
        }
    }
}
