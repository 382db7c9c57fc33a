// The way out: in order for each reader, tried again when a chat cannot take it now. What is given
// up is counted, and the table is told that something is missing.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/hall/hall_impl.h"

static unsigned ping_ids(const struct hall *hall, struct hall_table *table, unsigned seats,
                         const char *ids[MB_SEATS_MAX])
{
    unsigned count = 0;
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        const struct hall_guest *const guest =
            (seats & seat_bit(seat)) != 0 ? hall_guest_at(table, seat) : NULL;
        if (guest != NULL) {
            ids[count++] = hall_person(hall, guest->person)->id;
        }
    }
    return count;
}

static bool send(struct hall *hall, struct hall_table *table, struct chat_out *out, unsigned pings,
                 struct mb_error *err)
{
    const char *ids[MB_SEATS_MAX];
    out->ping_count = ping_ids(hall, table, pings, ids);
    out->pings = ids;
    (void)snprintf(out->bond.table, sizeof out->bond.table, "%s", table->id);
    const bool sent = chat_send(hall->chats[table->chat], out, err);
    hall->stats.sent += sent ? 1 : 0;
    return sent;
}

static const char *reader_of(const struct chat_out *out)
{
    return out->person != NULL ? out->person : "";
}

static bool others_wait(const struct hall_table *table, const struct chat_out *out)
{
    for (const struct hall_unsent *at = table->unsent; at != NULL; at = at->next) {
        if (strcmp(at->person, reader_of(out)) == 0) {
            return true;
        }
    }
    return false;
}

static void drop(struct hall_table *table, struct hall_unsent **at)
{
    struct hall_unsent *const unsent = *at;
    *at = unsent->next;
    table->unsent_count--;
    free(unsent->text);
    free(unsent);
}

static void give_up(struct hall *hall, struct hall_table *table)
{
    hall->stats.undeliverable++;
    table->lost++;
}

static void keep(struct hall *hall, struct hall_table *table, const struct chat_out *out,
                 unsigned pings)
{
    if (table->unsent_count == HALL_UNSENT_MAX) {
        give_up(hall, table);
        drop(table, &table->unsent);
    }
    struct hall_unsent *const unsent = calloc(1, sizeof *unsent);
    char *const text = unsent != NULL ? strdup(out->text) : NULL;
    if (text == NULL) {
        free(unsent);
        give_up(hall, table);
        return;
    }
    *unsent = (struct hall_unsent){.kind = out->kind, .pings = pings, .text = text};
    (void)snprintf(unsent->place, CHAT_ID_SIZE, "%s", out->place);
    (void)snprintf(unsent->person, CHAT_ID_SIZE, "%s", reader_of(out));
    (void)snprintf(unsent->event, CHAT_ID_SIZE, "%s", out->event != NULL ? out->event : "");
    struct hall_unsent **at = &table->unsent;
    while (*at != NULL) {
        at = &(*at)->next;
    }
    *at = unsent;
    table->unsent_count++;
}

static void retry_later(struct hall *hall, struct hall_table *table)
{
    if (table->retry_wait_ms == 0) {
        table->retry_wait_ms = HALL_RETRY_FIRST_MS;
        table->retry_ms = hall->now_ms + table->retry_wait_ms;
    }
}

// What a reader of no use to whisper to is told where everybody reads: not what it was about.
static void say_unreachable(struct hall *hall, struct hall_table *table, const char *person)
{
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        struct hall_guest *const guest = &table->guests[i];
        if (guest->used && !guest->unreachable &&
            strcmp(hall_person(hall, guest->person)->id, person) == 0) {
            guest->unreachable = true;
            hall_say(hall, table, TEXT_HALL_UNREACHABLE, TEXT_ARGS(text_str("who", guest->name)));
            // Who waits for a seat has none to be called by.
            const unsigned seat = session_find_seat(table->session, guest->name);
            table->pings |= seat < MB_SEATS_MAX ? seat_bit(seat) : 0u;
        }
    }
}

enum posted hall_post(struct hall *hall, struct hall_table *table, struct chat_out *out,
                      unsigned pings)
{
    const bool remade = out->kind == CHAT_CARD || out->kind == CHAT_HAND;
    struct mb_error err = {0};
    if (!others_wait(table, out)) {
        if (send(hall, table, out, pings, &err)) {
            return POSTED;
        }
        if (err.code != MB_ERR_RETRY) {
            hall->stats.undeliverable++;
            if (out->person != NULL) {
                say_unreachable(hall, table, out->person);
            }
            return POSTED_NEVER;
        }
        hall->stats.retried++;
    }
    if (!remade) {
        keep(hall, table, out, pings);
    }
    retry_later(hall, table);
    return POSTED_LATER;
}

void hall_post_loose(struct hall *hall, unsigned chat, const struct chat_out *out)
{
    struct mb_error err = {0};
    if (chat_send(hall->chats[chat], out, &err)) {
        hall->stats.sent++;
    } else {
        hall->stats.undeliverable++;
    }
}

// Whether the first message to that reader fails again is enough to know.
static bool waits_for_reader(const struct hall_table *table, const struct hall_unsent *until)
{
    for (const struct hall_unsent *at = table->unsent; at != until; at = at->next) {
        if (strcmp(at->person, until->person) == 0) {
            return true;
        }
    }
    return false;
}

static void try_all(struct hall *hall, struct hall_table *table)
{
    struct hall_unsent **at = &table->unsent;
    while (*at != NULL) {
        struct hall_unsent *const unsent = *at;
        struct chat_out out = {.kind = unsent->kind,
                               .place = unsent->place,
                               .person = unsent->person[0] != '\0' ? unsent->person : NULL,
                               .event = unsent->event[0] != '\0' ? unsent->event : NULL,
                               .text = unsent->text};
        struct mb_error err = {0};
        const bool waits = waits_for_reader(table, unsent);
        if (!waits && send(hall, table, &out, unsent->pings, &err)) {
            drop(table, at);
        } else if (!waits && err.code != MB_ERR_RETRY) {
            give_up(hall, table);
            drop(table, at);
        } else {
            at = &unsent->next;
        }
    }
}

static void wait_longer(struct hall *hall, struct hall_table *table, int64_t ms)
{
    table->retry_wait_ms = ms < HALL_RETRY_LAST_MS ? ms : HALL_RETRY_LAST_MS;
    table->retry_ms = hall->now_ms + table->retry_wait_ms;
}

void hall_post_again(struct hall *hall, struct hall_table *table)
{
    if (table->retry_wait_ms == 0 || table->retry_ms > hall->now_ms) {
        return;
    }
    const int64_t wait = table->retry_wait_ms * 2;
    try_all(hall, table);
    if (table->unsent != NULL) {
        wait_longer(hall, table, wait);
        return;
    }
    table->retry_wait_ms = 0;
    table->stamp = 0; // cards and hands that could not be shown are made anew
    if (table->lost > 0) {
        hall_say(hall, table, TEXT_HALL_LOST, TEXT_ARGS(text_num("n", (long)table->lost)));
        table->lost = 0;
    }
    hall_speak(hall, table);
    if (table->retry_wait_ms > 0) { // in vain again
        wait_longer(hall, table, wait);
    }
}

void hall_post_finish(struct hall_table *table)
{
    while (table->unsent != NULL) {
        drop(table, &table->unsent);
    }
}
