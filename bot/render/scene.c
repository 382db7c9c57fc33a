#include "bot/render/scene.h"

#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/parse/parse.h"
#include "bot/render/render_impl.h"
#include "bot/text/text.h"

enum {
    WAYS_TOLD = 4, // of more of them the first two must do
    WAYS_BEGUN = 2,
    WAY_SIZE = 512
};

static struct scene_trial *trial_create(void)
{
    struct scene_trial *const trial = mb_new(1, sizeof *trial);
    trial->after = mb_new(1, game_size());
    trial->events.items = mb_new(MB_EVENTS_MAX, sizeof *trial->events.items);
    trial->events.capacity = MB_EVENTS_MAX;
    return trial;
}

struct scene *scene_create(void)
{
    struct scene *const scene = mb_new(1, sizeof *scene);
    scene->moves.items = mb_new(MB_MOVES_MAX, sizeof *scene->moves.items);
    scene->moves.capacity = MB_MOVES_MAX;
    scene->trial = trial_create();
    return scene;
}

void scene_destroy(struct scene *scene)
{
    if (scene != NULL) {
        free(scene->moves.items);
        free(scene->trial->after);
        free(scene->trial->events.items);
        free(scene->trial);
        free(scene);
    }
}

struct command scene_stem(const struct command *command)
{
    struct command stem = command_plain(command->seat, command->verb);
    stem.card = command->card;
    stem.ability = command->ability;
    stem.to = command->to;
    return stem;
}

unsigned scene_rank(const struct table_words *words, const struct command *command)
{
    if (command->target_kind != TARGET_SEAT || command->target != command->seat) {
        return 1;
    }
    const bool known = words->box != NULL && command->card < words->box->card_count;
    return known && box_def(words->box, command->card)->kind == KIND_TREASURE ? 0 : 2;
}

bool scene_is_about(const struct command *stem, const struct command *command)
{
    return stem->verb == command->verb && stem->card == command->card &&
           stem->ability == command->ability && stem->to == command->to;
}

bool scene_is_excess(const struct scene *scene, const struct move *move)
{
    const unsigned verb = move->command.verb;
    return scene->question.kind == DECIDE_CHARITY &&
           (verb == VERB_CHARITY || verb == VERB_DISCARD) && move->open == MOVE_LIST_OPEN &&
           move->candidate_count > 0 &&
           query_where(scene->words.view, move->candidates[0]) == pile_hand(scene->words.seat);
}

const struct move *scene_way(const struct scene *scene, const struct saying *saying, unsigned way)
{
    return &scene->moves.items[scene->order[saying->first + way]];
}

const struct saying *scene_saying(const struct scene *scene, const struct command *stem)
{
    for (unsigned i = 0; i < scene->saying_count; i++) {
        const struct saying *const saying = &scene->sayings[i];
        if (scene_is_about(stem, &scene_way(scene, saying, 0)->command)) {
            return saying;
        }
    }
    return NULL;
}

const struct saying *scene_play(const struct scene *scene, uint16_t card)
{
    struct command stem = command_plain(scene->words.seat, VERB_PLAY);
    stem.card = card;
    return scene_saying(scene, &stem);
}

// Sayings in the order of their first moves; in each of them moves as they are listed.
static void sort_moves(struct scene *scene)
{
    const struct move_list *const moves = &scene->moves;
    uint16_t saying_of[MB_MOVES_MAX];
    uint16_t begins[MB_MOVES_MAX]; // with which move
    unsigned count = 0;
    for (uint32_t i = 0; i < moves->count; i++) {
        unsigned saying = count;
        for (unsigned j = count; j > 0 && saying == count; j--) {
            const bool same =
                scene_is_about(&moves->items[begins[j - 1]].command, &moves->items[i].command);
            saying = same ? j - 1 : saying;
        }
        if (saying == count) {
            begins[count] = (uint16_t)i;
            scene->sayings[count++] = (struct saying){0};
        }
        scene->sayings[saying].count++;
        saying_of[i] = (uint16_t)saying;
    }
    scene->saying_count = count;
    unsigned next[MB_MOVES_MAX]; // where a saying's next way goes
    for (unsigned i = 0, at = 0; i < count; at += scene->sayings[i++].count) {
        scene->sayings[i].first = (uint16_t)at;
        next[i] = at;
    }
    for (unsigned rank = 0; rank <= 2; rank++) {
        for (uint32_t i = 0; i < moves->count; i++) {
            if (scene_rank(&scene->words, &moves->items[i].command) == rank) {
                scene->order[next[saying_of[i]]++] = (uint16_t)i;
            }
        }
    }
}

static bool lists_options(const struct query_decision *question)
{
    return question->kind < DECIDE_TOTAL && question->option_count > 0 &&
           question->kind != DECIDE_CHARITY && question->kind != DECIDE_ANSWER;
}

void scene_make(struct scene *scene, const struct table_words *words, enum scene_says says)
{
    struct move_list *const moves = &scene->moves;
    scene->words = *words;
    scene->numbered = false;
    scene->gives = 0;
    scene->fight.on = false;
    scene->question.kind = DECIDE_TOTAL;
    scene->asks.count = 0;
    moves->count = 0;
    moves->overflow = false;
    if (words->view != NULL) {
        query_fight(words->view, words->box, &scene->fight);
        asks_list(words, &scene->fight, &scene->asks);
    }
    if (words->view != NULL && words->seat < MB_SEATS_MAX) {
        query_decision(words->view, words->box, words->seat, &scene->question);
        if (says != SAYS_NOTHING) {
            (says == SAYS_ALL ? moves_list : moves_list_own)(words->view, words->box, words->seat,
                                                             moves);
        }
    }
    scene->lists_options = lists_options(&scene->question);
    memset(scene->trial->sums, 0, moves->count * sizeof scene->trial->sums[0]);
    sort_moves(scene);
}

/* What comes of it. */

bool scene_try(const struct scene *scene, const struct command *command)
{
    const struct table_words *const words = &scene->words;
    struct refusal why = {0};
    scene->trial->events.count = 0;
    scene->trial->events.overflow = false;
    return game_decide(words->view, words->box, command, scene->trial->after, &scene->trial->events,
                       &why) &&
           render_certain(words, &scene->trial->events) == scene->trial->events.count;
}

static const struct scene_sums *sums_of(const struct scene *scene, const struct move *move)
{
    struct scene_sums *const sums = &scene->trial->sums[move - scene->moves.items];
    if (!sums->tried) {
        struct query_fight then = {.on = false};
        if (scene_try(scene, &move->command)) {
            query_fight(scene->trial->after, scene->words.box, &then);
        }
        *sums = (struct scene_sums){.tried = true,
                                    .certain = then.on,
                                    .players_win = then.players_win,
                                    .players = then.players,
                                    .monsters = then.monsters};
    }
    return sums;
}

// What a move makes of the sums; NULL: they stay, or nobody can tell.
static const struct scene_sums *moved_sums(const struct scene *scene, const struct move *move)
{
    const struct query_fight *const now = &scene->fight;
    if (!now->on || now->gave_up || move->open != MOVE_CLOSED) {
        return NULL;
    }
    const struct scene_sums *const sums = sums_of(scene, move);
    const bool moved = sums->players != now->players || sums->monsters != now->monsters;
    return sums->certain && moved ? sums : NULL;
}

void scene_put_sums(const struct scene *scene, const struct move *move, struct text_out *out)
{
    const struct query_fight *const now = &scene->fight;
    const struct scene_sums *const then = moved_sums(scene, move);
    if (then == NULL) {
        return;
    }
    const bool fights = now->main == scene->words.seat || now->helper == scene->words.seat;
    enum text_id id = TEXT_MOVE_SUMS;
    if (then->players_win && !now->players_win) {
        id = fights ? TEXT_MOVE_SUMS_YOU_WIN : TEXT_MOVE_SUMS_PLAYERS_WIN;
    } else if (!then->players_win && now->players_win) {
        id = TEXT_MOVE_SUMS_MONSTERS_WIN;
    }
    text_put(out, id, TEXT_ARGS(text_num("n", then->players), text_num("m", then->monsters)));
}

// Whether the ways are on whom, all of the living, and none of them moves the fight.
static bool is_on_anybody(const struct scene *scene, const struct saying *saying)
{
    const struct game *const view = scene->words.view;
    unsigned seats = 0;
    unsigned living = 0;
    for (unsigned seat = 0; seat < query_seat_count(view); seat++) {
        living |= query_alive(view, seat) ? seat_bit(seat) : 0u;
    }
    if (saying->count < 2 || saying->count > MB_SEATS_MAX) {
        return false;
    }
    const unsigned side = scene_stem(&scene_way(scene, saying, 0)->command).side;
    for (unsigned i = 0; i < saying->count; i++) {
        const struct move *const move = scene_way(scene, saying, i);
        const struct command *const command = &move->command;
        const bool plain = command->target_kind == TARGET_SEAT && command->side == side &&
                           command->list_count == 0 && command->more_count == 0;
        if (!plain || move->open != MOVE_CLOSED || moved_sums(scene, move) != NULL) {
            return false;
        }
        seats |= seat_bit(command->target);
    }
    return seats == living;
}

void scene_put_ways(const struct scene *scene, const struct saying *saying, bool single,
                    struct text_out *out)
{
    char line[WAY_SIZE];
    const struct table_words *const words = &scene->words;
    if (is_on_anybody(scene, saying)) {
        text_put(out, TEXT_MOVE_ON_ANYBODY, NULL);
        return;
    }
    const struct command stem = scene_stem(&scene_way(scene, saying, 0)->command);
    const size_t length = parse_format(words, &stem, line, sizeof line);
    const unsigned most = words->terse ? 1 : WAYS_BEGUN;
    const unsigned told = words->terse || saying->count > WAYS_TOLD ? most : saying->count;
    for (unsigned i = 0; i < told && i < saying->count; i++) {
        const struct move *const move = scene_way(scene, saying, i);
        if (saying->count > 1 || (single && move->command.more_count > 0)) {
            render_move(words, move, line, sizeof line);
            text_raw(out, i == 0 ? "" : ",");
            text_raw(out, strlen(line) > length ? line + length : "");
        }
        scene_put_sums(scene, move, out);
    }
    if (told < saying->count) {
        text_put(out, TEXT_MOVE_WAYS_MORE, TEXT_ARGS(text_num("n", (long)(saying->count - told))));
    }
}
