// The game goes on: the one way a command takes, the beginning and the end.
#include "bot/table/play/play.h"

#include <stdio.h>
#include <string.h>

#include "bot/render/render.h"
#include "bot/table/table.h"

/* What a game leaves behind: a tally while it runs, put into the statistics when somebody has won.
 * Games that were broken off do not count; bot players have no record. */

static void tally(struct table_work *work)
{
    const struct event_list *const events = &work->ws->events;
    highlights_note(&work->table->highlights, work->ws->before, work->game, work->box,
                    events->items, events->count);
    for (uint32_t i = 0; i < events->count; i++) {
        const struct event *const event = &events->items[i];
        if (event->seat >= MB_SEATS_MAX) {
            continue;
        }
        struct table_tally *const of_seat = &work->table->seats[event->seat].tally;
        if (event->type == EVENT_DEATH) {
            of_seat->deaths++;
        } else if (event->type == EVENT_NOTE && event->why == NOTE_FIGHT_WON) {
            struct query_fight fight;
            query_fight(work->ws->before, work->box, &fight);
            of_seat->kills = (uint16_t)(of_seat->kills + fight.monster_count);
        }
    }
}

static void finish_statistics(struct table_work *work)
{
    struct table_outcome *const outcome = work->outcome;
    for (unsigned seat = 0; seat < work->table->seat_count; seat++) {
        const struct table_seat *const who = &work->table->seats[seat];
        const bool won = (query_winners(work->game) & seat_bit(seat)) != 0;
        if (table_seat_is_person(who)) {
            outcome->records[outcome->record_count++] =
                (struct table_record){.seat = seat,
                                      .line = {.games = 1,
                                               .wins = won ? 1 : 0,
                                               .kills = who->tally.kills,
                                               .deaths = who->tally.deaths}};
        }
    }
}

// A new or arranged game is on the table.
void table_begin(struct table_work *work, const uint8_t seed[32])
{
    struct table *const table = work->table;
    uint8_t bots_seed[32];
    memcpy(bots_seed, seed, sizeof bots_seed);
    bots_seed[0] ^= 0x5Au; // another stream than the game's own, so that it tells nothing of it
    mb_rng_init(&table->rng, bots_seed);
    table->state = TABLE_RUNNING;
    table->alone = 0;
    table->rests = 0;
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        table->seats[seat].tally = (struct table_tally){0, 0};
        table_default_order(work, seat);
    }
    table->highlights = (struct highlights){0};
    table_undo_forget(table);
    table_changed(work);
    table_clock_wind(work);
}

bool table_start(struct table_work *work, const uint8_t seed[32], const struct luck *luck,
                 struct mb_error *err)
{
    struct table *const table = work->table;
    const unsigned least = (unsigned)table->profile.constant[PROFILE_SEATS_MIN];
    if (table->state != TABLE_LOBBY) {
        return mb_fail(err, MB_ERR_STATE, "there is no table that could start");
    }
    if (table->seat_count < least) {
        return mb_fail(err, MB_ERR_STATE, "%u seats are taken; a game needs %u", table->seat_count,
                       least);
    }
    struct game_setup setup = {.seat_count = table->seat_count};
    memcpy(setup.seed, seed, sizeof setup.seed);
    for (unsigned i = 0; i < table->seat_count; i++) {
        setup.female[i] = table->seats[i].female;
    }
    struct event_list *const events = &work->ws->events;
    events->count = 0;
    events->overflow = false;
    game_create(work->game, work->box, &setup, events);
    table->starting = 0;
    table_fair_begin(work, &setup, luck);
    table_begin(work, seed);
    table_narrate(work);
    const uint8_t below = pace_lengths(table->options.pace)->pass_below;
    if (below > 0) {
        table_tell(work, TEXT_SESSION_ORDERS_DEFAULT, TEXT_ARGS(text_num("n", below)));
    }
    return true;
}

// What shows that somebody is there and goes on: whatever can be done and undone for ever does not.
static bool brings_on(unsigned verb)
{
    static const uint8_t STALLS[] = {VERB_EQUIP, VERB_UNEQUIP, VERB_HAND_OVER, VERB_ASK,
                                     VERB_OFFER, VERB_GIVE,    VERB_WITHDRAW,  VERB_SHOW,
                                     VERB_HOLD,  VERB_PASS,    VERB_REFUSE,    VERB_VOLUNTEER};
    return memchr(STALLS, (int)verb, sizeof STALLS) == NULL;
}

static void watch_step(struct table_work *work, const struct command *command)
{
    const struct table_watcher *const watcher = &work->ws->watcher;
    if (watcher->step != NULL) {
        const struct table_step step = {.command = command,
                                        .before = work->ws->before,
                                        .after = work->game,
                                        .events = &work->ws->events};
        watcher->step(watcher->user, &step);
    }
}

bool table_carry_out(struct table_work *work, const struct command *command, struct refusal *why)
{
    struct refusal reason = {0};
    struct table_workspace *const ws = work->ws;
    ws->events.count = 0;
    ws->events.overflow = false;
    game_copy(ws->before, work->game);
    const bool accepted = game_step(work->game, work->box, command, &ws->events, &reason);
    if (why != NULL) {
        *why = reason;
    }
    if (!accepted) {
        return false;
    }
    watch_step(work, command);
    if (ws->events.count == 0) {
        return true; // passed once more: there is nothing to tell, to keep or to take back
    }
    if (command->seat < work->table->seat_count && brings_on(command->verb)) {
        work->table->seats[command->seat].acts++;
    }
    table_changed(work);
    table_fair_step(work, command);
    tally(work);
    table_narrate(work);
    table_deals_note(work, command);
    table_count_offer(work, command);
    table_orders_lapse(work);
    table_undo_note(work, command);
    if (query_phase(work->game) == PHASE_OVER) {
        table_over(work, JOURNAL_FINISHED);
    }
    table_rest(work);
    table_seat_waiting(work);
    table_clock_wind(work);
    return true;
}

bool table_submit(struct table_work *work, const struct command *command, struct refusal *why)
{
    const unsigned state = work->table->state;
    if (state != TABLE_RUNNING) {
        *why = (struct refusal){0};
        return refuse(why, state == TABLE_OVER ? REFUSAL_GAME_OVER : REFUSAL_NO_TABLE, "");
    }
    return table_carry_out(work, command, why);
}

// Who won, how everybody stood, what the game is remembered by; its people are called.
static void look_back(struct table_work *work)
{
    const struct table_words words = table_words_of(work, NO_SEAT);
    char *const text = work->ws->text;
    if (render_result(&words, &work->table->highlights, text, sizeof work->ws->text) > 0) {
        (void)message_add(work->said, MESSAGE_TABLE, NO_SEAT, text);
        message_ping(work->said, table_people_seats(work->table));
    }
}

void table_over(struct table_work *work, enum journal_state how)
{
    struct table *const table = work->table;
    table->state = TABLE_OVER;
    table->deserted = 0;
    if (how == JOURNAL_FINISHED) {
        look_back(work);
        finish_statistics(work);
    }
    table_undo_forget(table);
    table_clock_wind(work);
    table_fair_end(work, how);
}
