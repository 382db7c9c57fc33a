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

// Whether the ways are on whom, all of the living, and none of them moves the fight.
static bool is_on_anybody(const struct table_words *words, const struct move_list *moves,
                          const struct command *stem)
{
    char sums[WAY_SIZE];
    unsigned seats = 0;
    unsigned living = 0;
    for (unsigned seat = 0; seat < query_seat_count(words->view); seat++) {
        living |= query_alive(words->view, seat) ? seat_bit(seat) : 0u;
    }
    for (uint32_t i = 0; moves->items != NULL && i < moves->count; i++) {
        const struct command *const command = &moves->items[i].command;
        if (!render_is_way(stem, command)) {
            continue;
        }
        const bool plain = command->target_kind == TARGET_SEAT && command->side == stem->side &&
                           command->list_count == 0 && command->more_count == 0 &&
                           moves->items[i].open == MOVE_CLOSED;
        sums[0] = '\0';
        if (plain) {
            render_sums(words, &moves->items[i], sums, sizeof sums);
        }
        if (!plain || sums[0] != '\0') {
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
    struct text_out text;
    unsigned count = 0;
    const size_t length = parse_format(words, stem, line, sizeof line);
    for (uint32_t i = 0; moves->items != NULL && i < moves->count; i++) {
        count += render_is_way(stem, &moves->items[i].command) ? 1 : 0;
    }
    text_begin(&text, out, size);
    if (count > 1 && is_on_anybody(words, moves, stem)) {
        text_put(&text, TEXT_MOVE_ON_ANYBODY, NULL);
        return count;
    }
    const unsigned most = words->terse ? 1 : WAYS_BEGUN;
    const unsigned told = words->terse || count > WAYS_TOLD ? most : count;
    unsigned shown = 0;
    for (uint32_t i = 0; count > 1 && shown < told && i < 2 * moves->count; i++) {
        const struct move *const move = &moves->items[i % moves->count];
        const bool now = render_hits_self(&move->command) == (i >= moves->count);
        if (now && render_is_way(stem, &move->command)) {
            render_move(words, move, line, sizeof line);
            text_raw(&text, shown == 0 ? "" : ",");
            text_raw(&text, strlen(line) > length ? line + length : "");
            render_sums(words, move, line, sizeof line);
            text_raw(&text, line);
            shown++;
        }
    }
    for (uint32_t i = 0; count == 1 && i < moves->count; i++) {
        if (render_is_way(stem, &moves->items[i].command)) {
            render_sums(words, &moves->items[i], line, sizeof line);
            text_raw(&text, line);
        }
    }
    if (told < count) {
        text_put(&text, TEXT_MOVE_WAYS_MORE, TEXT_ARGS(text_num("n", (long)(count - told))));
    }
    return count;
}
