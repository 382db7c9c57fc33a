#include "bot/hall/hall.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "core/codec/memory.h"

#include "bot/hall/hall_impl.h"
#include "bot/parse/complete.h"

const struct hall_policy HALL_AT_WILL = {.person = {.burst = INT32_MAX / 2, .refill_ms = 1},
                                         .place = {.burst = INT32_MAX / 2, .refill_ms = 1}};

struct hall *hall_create(const struct hall_setup *setup)
{
    if (sodium_init() < 0) {
        abort(); // without chance nobody can play
    }
    struct hall *const hall = mb_new(1, sizeof *hall);
    static const struct hall_policy OPEN = {.lists = {{.network = NULL}}};
    hall->store = setup->store;
    hall->alone = setup->alone;
    hall->wall_s = setup->wall_s;
    hall->wall_user = setup->wall_user;
    hall->note = setup->note;
    hall->note_user = setup->note_user;
    hall->forget = setup->forget;
    hall->forget_user = setup->forget_user;
    hall->pieces = setup->pieces;
    hall->policy = setup->policy != NULL ? setup->policy : &OPEN;
    hall->newest_person = KEYED_NONE;
    hall->oldest_person = KEYED_NONE;
    hall->work_end = &hall->work;
    hall->stands_end = &hall->stands;
    hall->store_due_ms = STORE_NEVER;
    hall->direct_ms = STORE_NEVER;
    hall->keeps_end = &hall->keeps;
    hall->fibres = fibres_create();
    hall->gone_fibres = fibres_create();
    hall->table_fibres = fibres_create();
    randombytes_buf(hall->secret, sizeof hall->secret);
    keyed_map_init(&hall->aways.map, hall->secret);
    keyed_map_init(&hall->place_map, hall->secret);
    keyed_map_init(&hall->person_map, hall->secret);
    keyed_map_init(&hall->id_map, hall->secret);
    hall->library_is_lent = setup->library != NULL;
    hall->library = setup->library != NULL ? setup->library : library_create(setup->catalog);
    hall->workspace = table_workspace_create(hall->library);
    hall->nowhere = mb_new(1, table_size());
    hall->asks = mb_new(HALL_ASKS_MAX, sizeof *hall->asks);
    table_outcome_init(&hall->aside);
    table_init(hall->nowhere, "nowhere");
    return hall;
}

void hall_destroy(struct hall *hall)
{
    if (hall == NULL) {
        return;
    }
    for (unsigned i = 0; i < hall->chat_count; i++) {
        chat_listen(hall->chats[i], NULL, NULL);
        chat_completes(hall->chats[i], NULL);
        chat_keeps(hall->chats[i], NULL);
    }
    fibres_stop(hall->table_fibres);
    for (uint32_t i = 0; i < hall->table_capacity; i++) {
        struct hall_table *const table = hall->tables[i];
        if (table != NULL && table->step != NULL) {
            hall_step_drop(hall, table);
        }
        if (table != NULL) {
            hall_table_drop(hall, table);
        }
    }
    hall_people_finish(hall);
    hall_away_finish(hall);
    hall_steps_finish(hall);
    fibres_stop(hall->fibres);
    fibres_stop(hall->gone_fibres);
    hall_keep_finish(hall);
    fibres_destroy(hall->fibres);
    fibres_destroy(hall->gone_fibres);
    fibres_destroy(hall->table_fibres);
    free(hall->tables);
    keyed_map_finish(&hall->place_map);
    keyed_map_finish(&hall->person_map);
    keyed_map_finish(&hall->id_map);
    due_heap_finish(&hall->due);
    table_outcome_finish(&hall->aside);
    table_workspace_destroy(hall->workspace);
    if (!hall->library_is_lent) {
        library_destroy(hall->library);
    }
    free(hall->nowhere);
    free(hall->scratch);
    free(hall->asks);
    free(hall);
}

void hall_watch(struct hall *hall, const struct table_watcher *watcher)
{
    hall->workspace->watcher = *watcher;
}

// chat_complete_fn: from a live table.
static void complete(void *user, struct chat *chat, const struct chat_in *in, size_t cursor,
                     struct complete_list *out)
{
    struct hall *const hall = user;
    const struct person person = {.network = chat_name(chat), .id = in->person};
    const struct table *const table = hall_table(hall, chat, in->place);
    struct table_words words;
    // Whoever has left is an onlooker: the hand is a bot player's now.
    if (table != NULL && hall_words(hall, chat, in->place, table_seat_of(table, &person), &words)) {
        complete_line(&words, in->line, cursor, out);
    } else if (table == NULL) { // how a table is opened
        words = (struct table_words){.catalog = library_all(hall->library), .seat = NO_SEAT};
        complete_line(&words, in->line, cursor, out);
    }
}

static void hear_outcome(void *user, struct chat *chat, const struct chat_outcome *outcome)
{
    struct hall *const hall = user;
    (void)chat;
    if (!hall_post_outcome(hall, outcome)) {
        hall_forget_outcome(hall, outcome);
    }
}

bool hall_add_chat(struct hall *hall, struct chat *chat, struct mb_error *err)
{
    if (hall->chat_count == HALL_CHATS_MAX) {
        return mb_fail(err, MB_ERR_LIMIT, "%d chats are as many as there can be", HALL_CHATS_MAX);
    }
    if (hall_chat(hall, chat_name(chat)) != NULL) {
        return mb_fail(err, MB_ERR_INPUT, "there is a chat named %s already", chat_name(chat));
    }
    hall->chats[hall->chat_count++] = chat;
    table_workspace_chat(hall->workspace, chat_name(chat), chat_caps(chat));
    chat_listen(chat, hear_outcome, hall);
    chat_completes(chat, complete);
    chat_keeps(chat, &HALL_KEEPER);
    hall_forget_read(hall, hall->chat_count - 1);
    hall_gone_read(hall, hall->chat_count - 1);
    return true;
}

bool hall_open(struct hall *hall, struct chat *chat, const char *place,
               const struct deed_table *open, const uint8_t *chance)
{
    if (hall_table_at(hall, chat_name(chat), place) != NULL) {
        return false;
    }
    struct hall_table *const table = hall_table_find(hall, chat_name(chat), place);
    if (table == NULL) {
        return false;
    }
    table->open = open;
    table->open_chance = chance;
    hall_settle_down(hall);
    return true;
}

bool hall_show(struct hall *hall, struct chat *chat, const char *place)
{
    struct hall_table *const table = hall_table_there(hall, chat_name(chat), place);
    if (table == NULL) {
        return false;
    }
    table->reshow_sites = (1u << TABLE_SITES_MAX) - 1;
    table->reshow_seats = (1u << MB_SEATS_MAX) - 1;
    table->look = true;
    hall_table_work(hall, table);
    hall_settle_down(hall);
    return true;
}

/* Looking. */

size_t hall_live_count(const struct hall *hall)
{
    return hall->table_count;
}

const struct table *hall_table(const struct hall *hall, const struct chat *chat, const char *place)
{
    const struct hall_table *const table = hall_table_at(hall, chat_name(chat), place);
    return table != NULL ? table->table : NULL;
}

uint64_t hall_version(const struct hall *hall, const struct chat *chat, const char *place)
{
    const struct hall_table *const table = hall_table_at(hall, chat_name(chat), place);
    return table != NULL && table->table != NULL ? table->version : 0;
}

bool hall_holds(const struct hall *hall, const struct chat *chat, const char *place)
{
    const struct hall_table *const table = hall_table_at(hall, chat_name(chat), place);
    return table != NULL && table->table != NULL && hall_acts(hall, table);
}

bool hall_words(struct hall *hall, const struct chat *chat, const char *place, unsigned seat,
                struct table_words *out)
{
    const struct hall_table *const table = hall_table_at(hall, chat_name(chat), place);
    return table != NULL && table->table != NULL &&
           table_words(table->table, table->stamp, hall->workspace, seat, out);
}

bool hall_waits(const struct hall *hall)
{
    bool waits = hall->epoch == 0 || hall->fails;
    for (uint32_t i = 0; !waits && i < hall->table_capacity; i++) {
        const struct hall_table *const table = hall->tables[i];
        waits = table != NULL && table->state != HALL_READY && table->state != HALL_DECIDING;
    }
    return waits;
}

bool hall_lacks_store(const struct hall *hall)
{
    return hall->fails;
}

static bool table_is_busy(const struct hall_table *table)
{
    if (table->state != HALL_READY || table->lines.count > 0) {
        return true;
    }
    for (const struct hall_message *at = table->unsent; at != NULL; at = at->next) {
        if (at->state == HALL_SENT || (at->state == HALL_TOLD && !at->loose)) {
            return true;
        }
    }
    return false;
}

bool hall_is_busy(const struct hall *hall)
{
    for (uint32_t i = 0; i < hall->table_capacity; i++) {
        if (hall->tables[i] != NULL && table_is_busy(hall->tables[i])) {
            return true;
        }
    }
    for (uint32_t i = 0; i < hall->people_capacity; i++) {
        if (hall->people[i] != NULL && hall->people[i]->lines.count > 0) {
            return true;
        }
    }
    return hall->links > 0 || hall_keep_is_busy(hall);
}

const struct hall_stats *hall_stats(const struct hall *hall)
{
    return &hall->stats;
}

static void count_unsent(const struct hall *hall, const struct hall_table *table,
                         struct hall_figures *out)
{
    for (const struct hall_message *at = table->unsent; at != NULL; at = at->next) {
        const struct chat *const chat = hall_chat(hall, at->network);
        const unsigned index = hall_chat_index(hall, chat);
        if (at->state != HALL_TOLD && index < hall->chat_count) {
            const int64_t age_ms = hall->now_ms - at->post_ms;
            out->chats[index].unsent++;
            if (age_ms > out->chats[index].oldest_ms) {
                out->chats[index].oldest_ms = age_ms;
            }
        }
    }
}

void hall_figures(const struct hall *hall, struct hall_figures *out)
{
    *out = (struct hall_figures){.held = hall->held_count, .chat_count = hall->chat_count};
    for (unsigned i = 0; i < hall->chat_count; i++) {
        out->chats[i].chat = hall->chats[i];
        out->chats[i].speaks = hall_speaks_in(hall, hall->chats[i]);
        out->chats[i].heard = chat_inbox(hall->chats[i])->count;
    }
    for (uint32_t i = 0; i < hall->table_capacity; i++) {
        const struct hall_table *const table = hall->tables[i];
        if (table != NULL) {
            out->tables[table->table != NULL ? table_state(table->table) : TABLE_EMPTY]++;
            out->lines += table->lines.count;
            count_unsent(hall, table, out);
        }
    }
}
