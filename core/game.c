#include "core/game.h"

#include <string.h>

#include "core/cards/ability.h"
#include "core/cards/equip.h"
#include "core/cards/play.h"
#include "core/change/choice.h"
#include "core/deal/deal.h"
#include "core/loop/engine.h"
#include "core/state/game_state.h"
#include "core/state/layout.h"
#include "core/state/pile_list.h"
#include "core/turn/turn.h"
#include "core/work/deal_book.h"

typedef void check_function(const struct game *game, const struct box *box,
                            const struct command *command, struct refusal *why);
typedef void act_function(struct engine *engine, const struct command *command);

struct verb_def {
    check_function *check;
    act_function *act;
};

static const struct verb_def VERBS[VERB_TOTAL] = {
#define COMMAND(id, word, form, group, telling, rank, check, act) [VERB_##id] = {check, act},
#include "core/state/command.def"
#undef COMMAND
};

unsigned game_rules(void)
{
    return 1;
}

size_t game_size(void)
{
    return sizeof(struct game);
}

// What of a state counts: its cards stand last, and there is room for many more than most games
// have.
static size_t bytes_of(const struct game *game)
{
    return offsetof(struct game, cards) + game->card_count * sizeof game->cards[0];
}

void game_copy(struct game *to, const struct game *from)
{
    memcpy(to, from, bytes_of(from));
}

bool game_same(const struct game *a, const struct game *b)
{
    // States are only ever zeroed or copied as a whole, so their padding is equal too.
    const unsigned char *bytes_a = (const unsigned char *)a;
    const unsigned char *bytes_b = (const unsigned char *)b;
    return a->card_count == b->card_count && memcmp(bytes_a, bytes_b, bytes_of(a)) == 0;
}

void game_seed(const struct game *game, uint8_t seed[32])
{
    memcpy(seed, game->rng.seed, sizeof game->rng.seed);
}

uint64_t game_digest(const struct game *game)
{
    // FNV-1a by words of eight bytes, the rest filled up with zeros.
    const unsigned char *bytes = (const unsigned char *)game;
    uint64_t hash = 14695981039346656037u;
    const size_t size = bytes_of(game);
    uint64_t word = 0;
    for (size_t i = 0; i < size / sizeof word; i++) {
        memcpy(&word, bytes + i * sizeof word, sizeof word);
        hash = (hash ^ word) * 1099511628211u;
    }
    if (size % sizeof word != 0) {
        word = 0;
        memcpy(&word, bytes + size / sizeof word * sizeof word, size % sizeof word);
        hash = (hash ^ word) * 1099511628211u;
    }
    return hash;
}

/** Every card, seat and count that a command names must exist: nothing from outside is trusted. */
static bool well_formed(const struct game *game, const struct box *box,
                        const struct command *command)
{
    bool card_ok = command->card == NO_CARD || command->card < box->card_count;
    bool to_ok =
        command->to == NO_SEAT || command->to == ALL_SEATS || command->to < game->seat_count;
    bool about_ok = command->about == NO_SEAT || command->about < game->seat_count;
    bool target_ok = command->target_kind == TARGET_NONE ||
                     (command->target_kind == TARGET_SEAT ? command->target < game->seat_count
                                                          : command->target < box->card_count);
    bool kinds_ok = command->target_kind <= TARGET_MONSTER && command->side <= SIDE_MONSTERS &&
                    command->picking <= 2;
    if (!card_ok || !to_ok || !about_ok || !target_ok || !kinds_ok ||
        command->list_count > MB_LIST_MAX || command->more_count > MB_MORE_MAX) {
        return false;
    }
    bool values = command->verb == VERB_CHOOSE; // options need not be cards
    for (unsigned i = 0; !values && i < command->list_count; i++) {
        for (unsigned j = 0; j < i; j++) {
            if (command->list[i] == command->list[j]) {
                return false;
            }
        }
        if (command->list[i] >= box->card_count) {
            return false;
        }
    }
    for (unsigned i = 0; i < command->more_count; i++) {
        if (command->more[i] >= box->card_count) {
            return false;
        }
    }
    return true;
}

static bool answers_moment(unsigned verb)
{
    return verb == VERB_PLAY || verb == VERB_USE || verb == VERB_PASS || verb == VERB_ELAPSE;
}

/** With Charity due nothing else goes on but what makes the hand smaller (CHARITY-1). */
static bool shrinks_hand(const struct game *game, const struct command *command)
{
    bool plays = command->verb == VERB_PLAY || command->verb == VERB_LAY;
    if (plays && command->card != NO_CARD) {
        return game->cards[command->card].pile == pile_hand(command->seat);
    }
    return command->verb == VERB_CHARITY || command->verb == VERB_DISCARD;
}

/** What is promised or offered for help is not parted with before that deal ends (HELP-3). */
static void check_held(const struct game *game, const struct command *command, struct refusal *why)
{
    unsigned verb = command->verb;
    bool plays = verb == VERB_PLAY || verb == VERB_LAY;
    bool pays = plays || verb == VERB_USE || verb == VERB_SELL || verb == VERB_GIVE ||
                verb == VERB_OFFER || verb == VERB_DISCARD || verb == VERB_CHARITY;
    if (plays && deal_holds(game, command->seat, command->card)) {
        refuse_card(why, REFUSAL_DEAL_BINDS, "HELP-3", command->card, 0);
    }
    for (unsigned i = 0; pays && i < command->list_count; i++) {
        if (deal_holds(game, command->seat, command->list[i])) {
            refuse_card(why, REFUSAL_DEAL_BINDS, "HELP-3", command->list[i], 0);
        }
    }
}

/** A decision, an answer moment, Charity, a roll: whatever the table waits for comes first. */
static void check_waiting(const struct game *game, const struct box *box,
                          const struct command *command, struct refusal *why)
{
    unsigned verb = command->verb;
    if (verb == VERB_SHOW || verb == VERB_ELAPSE) {
        return;
    }
    if (game->decision.open == 1 && verb != VERB_CHOOSE &&
        !settle_cures(game, box, command, NULL)) {
        refuse(why, REFUSAL_CHOICE_PENDING, "CONF-6");
    } else if (game->decision.open == 0 && game->moment.kind == PAUSE_ANSWER &&
               !answers_moment(verb)) {
        refuse(why, REFUSAL_CHOICE_PENDING, "CANCEL-1");
    } else if (turn_charity_waits(game) &&
               (command->seat != game->turn || !shrinks_hand(game, command))) {
        refuse(why, REFUSAL_CHOICE_PENDING, "CHARITY-1");
    }
}

bool game_check(const struct game *game, const struct box *box, const struct command *command,
                struct refusal *why)
{
    *why = (struct refusal){.code = REFUSAL_NONE, .seat = NO_SEAT, .card = NO_CARD};
    bool by_session = command->verb == VERB_ELAPSE;
    if (command->verb == VERB_NONE || command->verb >= VERB_TOTAL) {
        return refuse(why, REFUSAL_UNKNOWN_COMMAND, "CONF-6");
    }
    if (!by_session && command->seat >= game->seat_count) {
        return refuse(why, REFUSAL_NOT_AT_TABLE, "CONF-6");
    }
    if (!command_fits(command) || !well_formed(game, box, command)) {
        return refuse(why, REFUSAL_BAD_ARGUMENTS, "CONF-6");
    }
    return game_allows(game, box, command, why);
}

bool game_allows(const struct game *game, const struct box *box, const struct command *command,
                 struct refusal *why)
{
    *why = (struct refusal){.code = REFUSAL_NONE, .seat = NO_SEAT, .card = NO_CARD};
    const bool by_session = command->verb == VERB_ELAPSE;
    if (command->verb == VERB_USE &&
        ability_lacked(game, box, command->seat, command->ability)) { // before any other reason
        return refuse(why, REFUSAL_NOT_USABLE, "CHAR-2");
    }
    if (game->phase == PHASE_OVER) {
        return refuse(why, REFUSAL_GAME_OVER, "WIN-1");
    }
    // Rules: the dead do nothing but answer what is asked of them, Powers that no longer fit for
    // example (POWER-4).
    bool asked = command->verb == VERB_CHOOSE && game->decision.open != 0 &&
                 (game->decision.seats & seat_bit(command->seat)) != 0;
    if (!by_session && !asked && game->seats[command->seat].alive == 0) {
        refuse(why, REFUSAL_DEAD, "DEATH-6");
    }
    check_waiting(game, box, command, why);
    check_held(game, command, why);
    VERBS[command->verb].check(game, box, command, why);
    // Rules: what cures an excess of Big Items at once may be done before one is given up (BIG-3).
    bool past_choice = game->decision.open == 1 && command->verb != VERB_CHOOSE &&
                       command->verb != VERB_SHOW && !by_session;
    if (past_choice && why->code != REFUSAL_NONE) {
        refuse(why, REFUSAL_CHOICE_PENDING, "CONF-6");
    } else if (past_choice && !settle_cures(game, box, command, VERBS[command->verb].act)) {
        refuse(why, REFUSAL_CHOICE_PENDING, "BIG-3");
    }
    return why->code == REFUSAL_NONE;
}

/** An answer to an "ask all" is sealed: nothing that others see may come of it. */
static bool answers_in_secret(const struct game *game, const struct command *command)
{
    struct refusal why = {.code = REFUSAL_NONE};
    bool answers = command->verb == VERB_ACCEPT || command->verb == VERB_REFUSE;
    int index = answers ? deal_find(game, command, false, &why) : -1;
    return index >= 0 && game->deals[index].to == ALL_SEATS;
}

/** Looking, passing and picking one's share end nothing, nor does playing what was just received.
 */
static bool keeps_fresh(const struct game *game, const struct command *command)
{
    bool plays =
        command->verb == VERB_PLAY || command->verb == VERB_LAY || command->verb == VERB_EQUIP;
    if (plays && command->card != NO_CARD) {
        return (game->cards[command->card].flags & CARD_FRESH) != 0;
    }
    return command->verb == VERB_PASS || command->verb == VERB_SHOW ||
           command->verb == VERB_ELAPSE || command->verb == VERB_CHOOSE;
}

/** What one act makes stale: "just received" ends when its owner does anything else (ACT-2). */
static void after_act(struct engine *engine, const struct command *command)
{
    const struct game *game = engine->game;
    if (command->seat >= game->seat_count || keeps_fresh(game, command) ||
        answers_in_secret(game, command)) {
        return;
    }
    unsigned piles[2] = {pile_hand(command->seat), pile_table(command->seat)};
    for (unsigned p = 0; p < 2; p++) {
        uint16_t at = pile_first(game, piles[p]);
        for (; at != NO_CARD; at = game->cards[at].next) {
            emit_flags(engine, at, 0, CARD_FRESH);
        }
    }
}

static void before_act(struct engine *engine, const struct command *command)
{
    bool looks = command->verb == VERB_PASS || command->verb == VERB_SHOW ||
                 command->verb == VERB_CHOOSE || command->verb == VERB_ELAPSE;
    bool past_choice = engine->game->decision.open == 1 && command->verb != VERB_CHOOSE &&
                       command->verb != VERB_SHOW && command->verb != VERB_ELAPSE;
    if (past_choice) { // game_check has seen that it cures what the question is about (BIG-3)
        choice_close(engine);
    }
    if (engine->game->after_fight == 1 && !looks && command->verb != VERB_PLAY) {
        emit_game(engine, GAME_AFTER_FIGHT, 0);
    }
}

// Passing twice is accepted and changes nothing.
static bool passes_again(const struct game *game, const struct command *command)
{
    const struct pause *const open =
        game->moment.kind == PAUSE_ANSWER ? &game->moment : &game->window;
    return command->verb == VERB_PASS && (open->passed & seat_bit(command->seat)) != 0;
}

/** What a checked command does. */
static void carry_out(struct game *game, const struct box *box, const struct command *command,
                      struct event_list *out)
{
    if (out != NULL) {
        out->count = 0;
        out->overflow = false;
    }
    struct engine engine = {.box = box,
                            .game = game,
                            .out = out,
                            .author = command->verb == VERB_ELAPSE ? NO_SEAT : command->seat,
                            .sealed = command->verb == VERB_PASS || command->verb == VERB_CHOOSE ||
                                      answers_in_secret(game, command)};
    if (passes_again(game, command)) {
        return;
    }
    emit_version(&engine, game->version + 1u);
    before_act(&engine, command);
    after_act(&engine, command);
    VERBS[command->verb].act(&engine, command);
    engine_run(&engine);
}

/** In what a viewer sees, the card that acts may be hidden: then nobody can say what happens next.
 */
static bool acts_unseen(const struct game *game)
{
    for (unsigned i = 0; i < game->frame_count; i++) {
        const struct layout own = layout_of_frame(game->frames[i].kind);
        for (unsigned f = 0; f < own.count; f++) {
            if (own.fields[f].kind == IS_CARD &&
                field_get(&game->frames[i], &own.fields[f], 0) == NO_CARD) {
                return true;
            }
        }
    }
    return false;
}

bool game_step(struct game *game, const struct box *box, const struct command *command,
               struct event_list *out, struct refusal *why)
{
    if (!game_check(game, box, command, why) || acts_unseen(game)) {
        return false;
    }
    carry_out(game, box, command, out);
    return true;
}

bool game_decide(const struct game *game, const struct box *box, const struct command *command,
                 struct game *after, struct event_list *out, struct refusal *why)
{
    if (!game_check(game, box, command, why)) {
        return false;
    }
    game_copy(after, game);
    carry_out(after, box, command, out);
    // A list too short for what happened would be told in part: then nothing happens at all.
    return out == NULL || !out->overflow || refuse(why, REFUSAL_LIMIT_REACHED, "CONF-6");
}

void game_create(struct game *game, const struct box *box, const struct game_setup *setup,
                 struct event_list *out)
{
    game_reset(game, box, setup->seat_count, setup->seed);
    for (unsigned seat = 0; seat < setup->seat_count; seat++) {
        game->seats[seat].female = setup->female[seat];
    }
    struct engine engine = {.box = box, .game = game, .out = out, .author = NO_SEAT};
    emit_shuffle(&engine, PILE_DOOR_DECK, PILE_DOOR_DECK);
    emit_shuffle(&engine, PILE_TREASURE_DECK, PILE_TREASURE_DECK);
    setup_begin(&engine);
    engine_run(&engine);
}
