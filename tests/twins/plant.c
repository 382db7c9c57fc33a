// Every fault lets one secret slip in one way. The names of the functions are the linker's.
#include "tests/twins/plant.h"

#include <string.h>

#include "core/game.h"
#include "core/loop/query.h"
#include "core/state/event.h"
#include "core/state/pile_list.h"

// NOLINTBEGIN(readability-identifier-naming): ld --wrap makes the names
bool __real_event_for_viewer(const struct event *event, unsigned viewer, struct event *out);
bool __wrap_event_for_viewer(const struct event *event, unsigned viewer, struct event *out);
void __real_game_redact(const struct game *game, const struct box *box, unsigned viewer,
                        struct game *out);
void __wrap_game_redact(const struct game *game, const struct box *box, unsigned viewer,
                        struct game *out);
unsigned __real_query_win_level(const struct game *game, const struct box *box);
unsigned __wrap_query_win_level(const struct game *game, const struct box *box);
struct query_clock __real_query_clock(const struct game *game);
struct query_clock __wrap_query_clock(const struct game *game);
bool __real_game_check(const struct game *game, const struct box *box,
                       const struct command *command, struct refusal *why);
bool __wrap_game_check(const struct game *game, const struct box *box,
                       const struct command *command, struct refusal *why);
void __real_moves_list(const struct game *game, const struct box *box, unsigned seat,
                       struct move_list *out);
void __wrap_moves_list(const struct game *game, const struct box *box, unsigned seat,
                       struct move_list *out);

// NOLINTEND(readability-identifier-naming)

enum fault {
    FAULT_NONE,
    FAULT_EVENT,   // an event is told to everybody as it is
    FAULT_HAND,    // one card of each hand is in everybody's view
    FAULT_DECK,    // the last card of each deck is
    FAULT_COUNT,   // a view says how many Items a hand holds, by the unused byte of a seat
    FAULT_STAKES,  // a window is longer by what somebody holds
    FAULT_CLOCK,   // who is waited for in a window depends on a hand
    FAULT_REFUSAL, // a refusal names a card of a hand
    FAULT_MOVES,   // a legal list is shorter by what another holds
    FAULT_TOTAL
};

static const char *const FAULTS[FAULT_TOTAL] = {
    [FAULT_HAND] = "hand",     [FAULT_DECK] = "deck",   [FAULT_COUNT] = "count",
    [FAULT_STAKES] = "stakes", [FAULT_CLOCK] = "clock", [FAULT_REFUSAL] = "refusal",
    [FAULT_MOVES] = "moves",
};

static enum fault planted;
static unsigned planted_event;

bool plant(const char *name)
{
    static const char EVENT_PREFIX[] = "event:";
    if (strncmp(name, EVENT_PREFIX, strlen(EVENT_PREFIX)) == 0) {
        for (unsigned i = 0; i < EVENT_TOTAL; i++) {
            if (strcmp(event_name(i), name + strlen(EVENT_PREFIX)) == 0) {
                planted = FAULT_EVENT;
                planted_event = i;
                return true;
            }
        }
        return false;
    }
    for (unsigned i = 0; i < FAULT_TOTAL; i++) {
        if (FAULTS[i] != NULL && strcmp(FAULTS[i], name) == 0) {
            planted = (enum fault)i;
            return true;
        }
    }
    return false;
}

// Something that only the hands' owners may know: are there more odd cards in all hands than even?
static bool secret_bit(const struct game *game)
{
    unsigned odd = 0;
    for (unsigned seat = 0; seat < game->seat_count; seat++) {
        for (uint16_t card = pile_first(game, pile_hand(seat)); card != NO_CARD;
             card = game->cards[card].next) {
            odd += (game->cards[card].flags & CARD_BLANK) == 0 ? card & 1u : 0;
        }
    }
    return odd % 2 != 0;
}

bool __wrap_event_for_viewer(const struct event *event, unsigned viewer, struct event *out)
{
    if (planted == FAULT_EVENT && event->type == planted_event) {
        *out = *event;
        return true;
    }
    return __real_event_for_viewer(event, viewer, out);
}

void __wrap_game_redact(const struct game *game, const struct box *box, unsigned viewer,
                        struct game *out)
{
    struct game open = *game;
    for (unsigned seat = 0; seat < game->seat_count && planted == FAULT_HAND; seat++) {
        const uint16_t card = pile_first(game, pile_hand(seat));
        if (card != NO_CARD) {
            open.cards[card].knowers = 0xFF;
        }
    }
    for (unsigned pile = PILE_DOOR_DECK; pile <= PILE_TREASURE_DECK && planted == FAULT_DECK;
         pile++) {
        if (game->piles[pile].last != NO_CARD) {
            open.cards[game->piles[pile].last].knowers = 0xFF;
        }
    }
    if (planted == FAULT_COUNT) {
        open.seats[0].unused = secret_bit(game);
    }
    __real_game_redact(&open, box, viewer, out);
}

unsigned __wrap_query_win_level(const struct game *game, const struct box *box)
{
    const unsigned level = __real_query_win_level(game, box);
    return planted == FAULT_STAKES && secret_bit(game) ? level + 8 : level;
}

struct query_clock __wrap_query_clock(const struct game *game)
{
    struct query_clock clock = __real_query_clock(game);
    if (planted == FAULT_CLOCK && clock.kind == CLOCK_WINDOW && secret_bit(game)) {
        clock.seats &= ~1u;
    }
    return clock;
}

bool __wrap_game_check(const struct game *game, const struct box *box,
                       const struct command *command, struct refusal *why)
{
    const bool legal = __real_game_check(game, box, command, why);
    if (planted == FAULT_REFUSAL && !legal && why->card == NO_CARD) {
        const unsigned next = (command->seat + 1u) % game->seat_count;
        why->card = pile_first(game, pile_hand(next));
    }
    return legal;
}

void __wrap_moves_list(const struct game *game, const struct box *box, unsigned seat,
                       struct move_list *out)
{
    __real_moves_list(game, box, seat, out);
    if (planted == FAULT_MOVES && out->count > 0 && secret_bit(game)) {
        out->count--;
    }
}
