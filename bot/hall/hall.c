#include "bot/hall/hall.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "core/codec/memory.h"

#include "bot/hall/hall_impl.h"
#include "bot/parse/complete.h"

static size_t put_word(char out[HALL_KEY_SIZE], size_t at, const char *word)
{
    const size_t length = strnlen(word, HALL_KEY_SIZE - 1 - at);
    memcpy(out + at, word, length);
    return at + length;
}

void hall_key(char out[HALL_KEY_SIZE], const char *network, const char *id)
{
    const size_t at = put_word(out, put_word(out, 0, network), "\n");
    out[put_word(out, at, id)] = '\0';
}

struct hall *hall_create(const struct hall_setup *setup)
{
    if (sodium_init() < 0) {
        abort(); // without chance nobody can play
    }
    struct hall *const hall = mb_new(1, sizeof *hall);
    static const struct rate_rule PERSON = {HALL_PERSON_BURST, HALL_PERSON_REFILL_MS};
    static const struct rate_rule PLACE = {HALL_PLACE_BURST, HALL_PLACE_REFILL_MS};
    hall->store = setup->store;
    hall->alone = setup->alone;
    hall->wall_s = setup->wall_s;
    hall->wall_user = setup->wall_user;
    hall->note = setup->note;
    hall->note_user = setup->note_user;
    hall->forget = setup->forget;
    hall->forget_user = setup->forget_user;
    hall->person_rule = setup->person.burst > 0 ? setup->person : PERSON;
    hall->place_rule = setup->place.burst > 0 ? setup->place : PLACE;
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
    chat_completes(chat, hall_complete);
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

struct chat *hall_chat(const struct hall *hall, const char *network)
{
    for (unsigned i = 0; i < hall->chat_count; i++) {
        if (strcmp(chat_name(hall->chats[i]), network) == 0) {
            return hall->chats[i];
        }
    }
    return NULL;
}

/* Lines. */

void hall_lines_add(struct hall_lines *lines, struct hall_line *line)
{
    line->next = NULL;
    if (lines->first == NULL) {
        lines->end = &lines->first;
    }
    *lines->end = line;
    lines->end = &line->next;
    lines->count++;
}

struct hall_line *hall_lines_take(struct hall_lines *lines)
{
    struct hall_line *const line = lines->first;
    if (line != NULL) {
        lines->first = line->next;
        lines->count--;
    }
    return line;
}

void hall_line_end(struct hall *hall, struct hall_line *line)
{
    if (line->copy.last == NULL) {
        chat_settle(hall->chats[line->chat], line->in);
    }
    mb_pool_finish(&line->copy);
    free(line->tour);
    free(line->last);
    free(line);
}

/* Live tables. */

struct hall_table *hall_table_at(const struct hall *hall, const char *network, const char *place)
{
    char key[HALL_KEY_SIZE];
    hall_key(key, network, place);
    const uint32_t index = keyed_map_get(&hall->place_map, key);
    return index != KEYED_NONE ? hall->tables[index] : NULL;
}

struct hall_table *hall_table_by_id(const struct hall *hall, const char *id)
{
    const uint32_t index = keyed_map_get(&hall->id_map, id);
    return index != KEYED_NONE ? hall->tables[index] : NULL;
}

static void unlink_used(struct hall *hall, struct hall_table *table)
{
    *(table->newer != NULL ? &table->newer->older : &hall->newest) = table->older;
    *(table->older != NULL ? &table->older->newer : &hall->oldest) = table->newer;
}

static void link_used(struct hall *hall, struct hall_table *table)
{
    table->newer = NULL;
    table->older = hall->newest;
    *(hall->newest != NULL ? &hall->newest->newer : &hall->oldest) = table;
    hall->newest = table;
}

void hall_table_used(struct hall *hall, struct hall_table *table)
{
    if (hall->newest != table) {
        unlink_used(hall, table);
        link_used(hall, table);
    }
}

void hall_table_work(struct hall *hall, struct hall_table *table)
{
    if (!table->queued) {
        table->queued = true;
        table->next_work = NULL;
        *hall->work_end = table;
        hall->work_end = &table->next_work;
    }
}

static bool is_idle(const struct hall_table *table)
{
    return table->state == HALL_READY && !table->queued && table->lines.count == 0 &&
           table->unsent == NULL && table->ticket == 0;
}

void hall_forget(struct hall *hall)
{
    for (struct hall_table *table = hall->oldest; table != NULL;) {
        struct hall_table *const newer = table->newer;
        if (is_idle(table)) {
            hall_table_drop(hall, table);
        }
        table = newer;
    }
}

// The table used longest ago at which nothing is under way gives way; false: there is none.
static bool make_room(struct hall *hall)
{
    struct hall_table *table = hall->oldest;
    while (table != NULL && !is_idle(table)) {
        table = table->newer;
    }
    if (table == NULL) {
        return false;
    }
    hall_table_drop(hall, table);
    return true;
}

// A free place in the list of tables.
static uint32_t free_index(struct hall *hall)
{
    enum { LEAST = 16 };
    if (hall->table_count == hall->table_capacity) {
        const uint32_t capacity = hall->table_capacity == 0 ? LEAST : hall->table_capacity * 2;
        hall->tables = mb_grow(hall->tables, capacity, sizeof(struct hall_table *));
        for (uint32_t i = hall->table_capacity; i < capacity; i++) {
            hall->tables[i] = NULL;
        }
        hall->table_next = hall->table_capacity;
        hall->table_capacity = capacity;
    }
    while (hall->tables[hall->table_next] != NULL) {
        hall->table_next = (hall->table_next + 1) % hall->table_capacity;
    }
    return hall->table_next;
}

static struct hall_table *make(struct hall *hall)
{
    if (hall->table_count >= HALL_LIVE_MAX && !make_room(hall)) {
        return NULL;
    }
    const uint32_t index = free_index(hall);
    struct hall_table *const table = mb_new(1, sizeof *table);
    table->index = index;
    table->stale = true;
    table->since_ms = STORE_NEVER;
    table->ask_ms = STORE_NEVER;
    table->heard_ms = hall_time(hall);
    table->unsent_end = &table->unsent;
    hall->tables[index] = table;
    hall->table_count++;
    link_used(hall, table);
    hall_table_work(hall, table);
    return table;
}

struct hall_table *hall_table_find(struct hall *hall, const char *network, const char *place)
{
    struct hall_table *const table = make(hall);
    if (table != NULL) {
        (void)hall_table_place(hall, table, network, place);
    }
    return table;
}

struct hall_table *hall_table_fetch(struct hall *hall, const char *id)
{
    struct hall_table *const table = make(hall);
    if (table != NULL) {
        hall_table_name(hall, table, id);
    }
    return table;
}

void hall_table_name(struct hall *hall, struct hall_table *table, const char *id)
{
    keyed_map_put(&hall->id_map, id, table->index);
    if (table->id[0] != '\0' && strcmp(table->id, id) != 0) {
        keyed_map_remove(&hall->id_map, table->id);
    }
    (void)snprintf(table->id, sizeof table->id, "%s", id);
}

void hall_table_leave(struct hall *hall, struct hall_table *table)
{
    for (unsigned i = 0; i < TABLE_SITES_MAX && table->places[i].place != NULL; i++) {
        struct hall_place *const at = &table->places[i];
        char key[HALL_KEY_SIZE];
        hall_key(key, at->network, at->place);
        if (keyed_map_get(&hall->place_map, key) == table->index) {
            keyed_map_remove(&hall->place_map, key);
        }
        free(at->network);
        free(at->place);
        *at = (struct hall_place){.place = NULL};
    }
}

bool hall_table_place(struct hall *hall, struct hall_table *table, const char *network,
                      const char *place)
{
    char key[HALL_KEY_SIZE];
    unsigned free_at = 0;
    hall_key(key, network, place);
    while (free_at < TABLE_SITES_MAX && table->places[free_at].place != NULL) {
        const struct hall_place *const at = &table->places[free_at++];
        if (strcmp(at->network, network) == 0 && strcmp(at->place, place) == 0) {
            keyed_map_put(&hall->place_map, key, table->index);
            return true;
        }
    }
    if (free_at == TABLE_SITES_MAX) {
        return false;
    }
    struct hall_place *const at = &table->places[free_at];
    *at = (struct hall_place){.network = mb_text(network), .place = mb_text(place)};
    keyed_map_put(&hall->place_map, key, table->index);
    return true;
}

// A table that is not live any more falls due in the store.
void hall_leave_to_store(struct hall *hall, const struct hall_table *table)
{
    if (table->table == NULL || table->version == 0) {
        return;
    }
    const struct table_due due = table_due(table->table);
    const int64_t until = hall_until_ms(hall, table, table->table);
    int64_t at = due.kind != TABLE_DUE_NEVER && table->since_ms >= 0 ? table->since_ms + due.ms
                                                                     : STORE_NEVER;
    at = at < 0 || (until >= 0 && until < at) ? until : at;
    if (at >= 0 && (hall->store_due_ms < 0 || at < hall->store_due_ms)) {
        hall->store_due_ms = at;
    }
}

static void unlink_work(struct hall *hall, struct hall_table *table)
{
    struct hall_table **at = &hall->work;
    while (table->queued && *at != table) {
        at = &(*at)->next_work;
    }
    if (table->queued) {
        *at = table->next_work;
        hall->work_end = *at == NULL ? at : hall->work_end;
    }
}

void hall_table_drop(struct hall *hall, struct hall_table *table)
{
    assert(table->step == NULL);
    hall_leave_to_store(hall, table);
    hall_hold(hall, table, false);
    unlink_work(hall, table);
    for (struct hall_line *line = hall_lines_take(&table->lines); line != NULL;
         line = hall_lines_take(&table->lines)) {
        hall_line_end(hall, line);
    }
    hall_post_finish(hall, table);
    hall_table_leave(hall, table);
    if (table->id[0] != '\0') {
        keyed_map_remove(&hall->id_map, table->id);
    }
    hall_unschedule(hall, table);
    hall_forget_readers(table);
    unlink_used(hall, table);
    hall->tables[table->index] = NULL;
    hall->table_count--;
    free(table->story);
    free(table->community);
    free(table->table);
    free(table->unreadable);
    free(table);
}

unsigned hall_site_of(const struct table *table, const char *network, const char *place)
{
    unsigned site = 0;
    while (site < table_site_count(table) &&
           (strcmp(table_site_network(table, site), network) != 0 ||
            strcmp(table_site_place(table, site), place) != 0)) {
        site++;
    }
    return site;
}

bool hall_is_site(const struct table *table, const char *network, const char *place)
{
    return hall_site_of(table, network, place) < hall_sites(table);
}

void hall_table_refresh(struct hall *hall, struct hall_table *table)
{
    if (table->state == HALL_READY && table->step == NULL && table->version > 0) {
        table->stale = true;
        hall_table_work(hall, table);
    } else {
        table->doubt = true;
    }
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

void hall_complete(void *user, struct chat *chat, const struct chat_in *in, size_t cursor,
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
