// What moves are about, and the ways in which one thing can be said: "on Ann, on Bob".
#include <string.h>

#include "bot/parse/parse.h"
#include "bot/render/render_impl.h"
#include "bot/text/text.h"

enum {
    WAYS_TOLD = 4, // of more of them the first two must do
    WAYS_BEGUN = 2,
    WAY_SIZE = 512
};

struct command render_stem(const struct command *command)
{
    struct command stem = command_plain(command->seat, command->verb);
    stem.card = command->card;
    stem.ability = command->ability;
    stem.to = command->to;
    return stem;
}

bool render_is_way(const struct command *stem, const struct command *command)
{
    return stem->verb == command->verb && stem->card == command->card &&
           stem->ability == command->ability && stem->to == command->to;
}

bool render_try(const struct table_words *words, const struct command *command)
{
    struct event_list *const events = words->trial->events;
    struct refusal why = {0};
    return game_decide(words->view, words->box, command, words->trial->after, events, &why) &&
           render_certain(words, events) == events->count;
}

void render_sums(const struct table_words *words, const struct move *move, char *out, size_t size)
{
    struct query_fight now;
    struct query_fight then;
    struct text_out text;
    text_begin(&text, out, size);
    if (words->trial == NULL || move->open != MOVE_CLOSED) {
        return;
    }
    query_fight(words->view, words->box, &now);
    if (!now.on || now.gave_up || !render_try(words, &move->command)) {
        return;
    }
    query_fight(words->trial->after, words->box, &then);
    if (!then.on || (then.players == now.players && then.monsters == now.monsters)) {
        return;
    }
    const bool fights = now.main == words->seat || now.helper == words->seat;
    enum text_id id = TEXT_MOVE_SUMS;
    if (then.players_win && !now.players_win) {
        id = fights ? TEXT_MOVE_SUMS_YOU_WIN : TEXT_MOVE_SUMS_PLAYERS_WIN;
    } else if (!then.players_win && now.players_win) {
        id = TEXT_MOVE_SUMS_MONSTERS_WIN;
    }
    text_put(&text, id, TEXT_ARGS(text_num("n", then.players), text_num("m", then.monsters)));
}

bool render_hits_self(const struct command *command)
{
    return command->target_kind == TARGET_SEAT && command->target == command->seat;
}

// No more than these are told.
enum {
    WAYS_MAX = (int)WAYS_TOLD > (int)MB_SEATS_MAX ? (int)WAYS_TOLD : (int)MB_SEATS_MAX,
    SUMS_SIZE = 96
};

// The ways of saying one thing: on others first, on oneself last, each tried once.
struct ways {
    unsigned count; // the first WAYS_MAX are here
    uint32_t moves[WAYS_MAX];
    char sums[WAYS_MAX][SUMS_SIZE];
};

static void find_ways(const struct table_words *words, const struct move_list *moves,
                      const struct command *stem, struct ways *ways)
{
    ways->count = 0;
    for (uint32_t i = 0; moves->items != NULL && i < 2 * moves->count; i++) {
        const struct move *const move = &moves->items[i % moves->count];
        if (render_hits_self(&move->command) == (i >= moves->count) &&
            render_is_way(stem, &move->command)) {
            if (ways->count < WAYS_MAX) {
                ways->moves[ways->count] = i % moves->count;
                render_sums(words, move, ways->sums[ways->count], SUMS_SIZE);
            }
            ways->count++;
        }
    }
}

// Whether they are on whom, all of the living, and none of them moves the fight.
static bool is_on_anybody(const struct table_words *words, const struct move_list *moves,
                          const struct command *stem, const struct ways *ways)
{
    unsigned seats = 0;
    unsigned living = 0;
    for (unsigned seat = 0; seat < query_seat_count(words->view); seat++) {
        living |= query_alive(words->view, seat) ? seat_bit(seat) : 0u;
    }
    if (ways->count < 2 || ways->count > MB_SEATS_MAX) {
        return false;
    }
    for (unsigned i = 0; i < ways->count; i++) {
        const struct move *const move = &moves->items[ways->moves[i]];
        const struct command *const command = &move->command;
        const bool plain = command->target_kind == TARGET_SEAT && command->side == stem->side &&
                           command->list_count == 0 && command->more_count == 0;
        if (!plain || move->open != MOVE_CLOSED || ways->sums[i][0] != '\0') {
            return false;
        }
        seats |= seat_bit(command->target);
    }
    return seats == living;
}

unsigned render_ways(const struct table_words *words, const struct move_list *moves,
                     const struct command *stem, char *out, size_t size)
{
    char line[WAY_SIZE];
    struct ways ways;
    struct text_out text;
    find_ways(words, moves, stem, &ways);
    text_begin(&text, out, size);
    if (is_on_anybody(words, moves, stem, &ways)) {
        text_put(&text, TEXT_MOVE_ON_ANYBODY, NULL);
        return ways.count;
    }
    const size_t length = parse_format(words, stem, line, sizeof line);
    const unsigned most = words->terse ? 1 : WAYS_BEGUN;
    const unsigned told = words->terse || ways.count > WAYS_TOLD ? most : ways.count;
    for (unsigned i = 0; i < told && i < ways.count; i++) {
        if (ways.count > 1) {
            render_move(words, &moves->items[ways.moves[i]], line, sizeof line);
            text_raw(&text, i == 0 ? "" : ",");
            text_raw(&text, strlen(line) > length ? line + length : "");
        }
        text_raw(&text, ways.sums[i]);
    }
    if (told < ways.count) {
        text_put(&text, TEXT_MOVE_WAYS_MORE, TEXT_ARGS(text_num("n", (long)(ways.count - told))));
    }
    return ways.count;
}
