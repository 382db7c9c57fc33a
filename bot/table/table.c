#include "bot/table/table.h"

#include <stdio.h>
#include <string.h>

#include "bot/render/render.h"
#include "bot/table/table_impl.h"

_Static_assert(offsetof(struct table, game) % 8 == 0, "the state is aligned");

size_t table_size(void)
{
    return offsetof(struct table, game) + (game_size() + 7) / 8 * 8;
}

void table_init(struct table *table, const char *id)
{
    memset(table, 0, table_size());
    (void)snprintf(table->id, sizeof table->id, "%s", id);
    table->host = NO_SEAT;
    table->bots.left_ms = -1;
    table_options_init(&table->options);
    table_undo_forget(table);
}

void table_rename(struct table *table, const char *id)
{
    memset(table->id, 0, sizeof table->id);
    (void)snprintf(table->id, sizeof table->id, "%s", id);
}

void table_copy(struct table *to, const struct table *from)
{
    enum { SEATS = offsetof(struct table, seats), SITES = offsetof(struct table, sites) };
    const size_t used = from->seat_count * sizeof from->seats[0];
    memcpy(to, from, SEATS);
    memcpy(to->seats, from->seats, used);
    memset((unsigned char *)to->seats + used, 0, sizeof to->seats - used);
    memcpy(to->sites, from->sites, offsetof(struct table, game) - SITES);
    game_copy(table_own_game(to), table_game(from));
}

void table_add_site(struct table *table, const char *network, const char *place, const char *name)
{
    if (table->site_count < TABLE_SITES_MAX) {
        struct table_site *const site = &table->sites[table->site_count++];
        (void)snprintf(site->network, sizeof site->network, "%s", network);
        (void)snprintf(site->place, sizeof site->place, "%s", place);
        person_name_make(name, site->name);
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
    table_tally(work);
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
        table_stats_finish(work);
    }
    table_undo_forget(table);
    table_clock_wind(work);
    table_fair_end(work, how);
}

enum table_state table_state(const struct table *table)
{
    return (enum table_state)table->state;
}

bool table_is_starting(const struct table *table)
{
    return table->starting != 0;
}

const char *table_id(const struct table *table)
{
    return table->id;
}

bool table_quiet_at(const struct table *table, int64_t utc_s, int64_t *change_ms)
{
    return quiet_at(&table->options.quiet, utc_s, change_ms);
}

bool table_is_quiet(const struct table *table)
{
    return table->quiet != 0;
}

uint32_t table_journal_count(const struct table *table)
{
    return table->journal_count;
}

unsigned table_seat_count(const struct table *table)
{
    return table->seat_count;
}

const char *table_seat_name(const struct table *table, unsigned seat)
{
    return seat < table->seat_count ? table->seats[seat].person.name : "";
}

bool table_seat_is_bot(const struct table *table, unsigned seat)
{
    return seat < table->seat_count && !table_seat_is_person(&table->seats[seat]);
}

unsigned table_people_seats(const struct table *table)
{
    unsigned seats = 0;
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        seats |= table_seat_is_person(&table->seats[seat]) ? seat_bit(seat) : 0u;
    }
    return seats;
}

bool table_seat_person(const struct table *table, unsigned seat, bool waits, struct person *out)
{
    if (seat >= table->seat_count) {
        return false;
    }
    const struct table_seat *const who = &table->seats[seat];
    const struct table_person *const person = waits ? &who->next : &who->person;
    *out = (struct person){.network = person->network, .id = person->id, .name = person->name};
    return person->id[0] != '\0';
}

const uint8_t *table_digests(const struct table *table, size_t *count)
{
    *count = table->state != TABLE_EMPTY ? table->options.set_count : 0;
    return table->digests[0];
}

unsigned table_site_count(const struct table *table)
{
    return table->site_count;
}

const char *table_site_network(const struct table *table, unsigned site)
{
    return table->sites[site].network;
}

const char *table_site_place(const struct table *table, unsigned site)
{
    return table->sites[site].place;
}

const char *table_site_voice(const struct table *table, unsigned site)
{
    const struct table_site *const at = &table->sites[site];
    return table->shut == SHUT_NO ? at->place : at->from;
}

const char *table_site_from(const struct table *table, unsigned site)
{
    return table->sites[site].from;
}

const char *table_site_name(const struct table *table, unsigned site)
{
    return table->sites[site].name;
}

enum pace table_pace(const struct table *table)
{
    return (enum pace)table->options.pace;
}

unsigned table_story(const struct table *table)
{
    return table->story;
}

uint32_t table_card_version(const struct table *table, unsigned site)
{
    return table->sites[site].card_version;
}

const struct game *table_game(const struct table *table)
{
    return (const struct game *)(const void *)table->game;
}
