#include "bot/tools/typist.h"

#include <stdlib.h>

#include "core/codec/memory.h"
#include "core/game.h"

#include "bot/parse/parse.h"
#include "bot/render/asks.h"

struct typist {
    struct move_list moves;
    struct game *scratch;
};

struct typist *typist_create(void)
{
    struct typist *const typist = mb_new(1, sizeof *typist);
    typist->scratch = mb_new(1, game_size());
    typist->moves.items = mb_new(MB_MOVES_MAX, sizeof *typist->moves.items);
    typist->moves.capacity = MB_MOVES_MAX;
    return typist;
}

void typist_destroy(struct typist *typist)
{
    if (typist != NULL) {
        free(typist->moves.items);
        free(typist->scratch);
        free(typist);
    }
}

// Passing twice changes nothing.
static void drop_passes(struct move_list *moves)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < moves->count; i++) {
        if (moves->items[i].command.verb != VERB_PASS) {
            moves->items[kept++] = moves->items[i];
        }
    }
    moves->count = kept;
}

bool typist_line(struct typist *typist, struct hall *hall, const struct typist_seat *who,
                 char line[CHAT_LINE_SIZE])
{
    struct table_words words;
    struct command command;
    if (!hall_words(hall, who->chat, who->place, who->seat, &words)) {
        return false;
    }
    typist->moves.count = 0;
    typist->moves.overflow = false;
    moves_list(words.view, words.box, who->seat, &typist->moves);
    if (asks_passed(&words)) {
        drop_passes(&typist->moves);
    }
    const struct policy_input input = {.view = words.view,
                                       .box = words.box,
                                       .moves = &typist->moves,
                                       .seat = who->seat,
                                       .rng = who->rng,
                                       .scratch = typist->scratch};
    return typist->moves.count > 0 && who->policy->choose(&input, &command) &&
           parse_format(&words, &command, line, CHAT_LINE_SIZE) < CHAT_LINE_SIZE;
}
