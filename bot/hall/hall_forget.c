// People who want to be forgotten: the wish is kept under a word of its own before it is answered,
// so that it outlives the process; then the store is rewritten by the host, then what was written
// to them in private is taken away by the chat, then the word goes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/chat_impl.h"
#include "bot/hall/hall_impl.h"

static const char BEGINS[] = "forget/";

enum { WORD_SIZE = CHAT_ID_SIZE + sizeof BEGINS, FORGET_RETRY_MS = 60000 };

enum forget_state {
    FORGET_KEEPS,    // the wish is on its way into the store
    FORGET_WAITS,    // for the host to rewrite the store
    FORGET_REWRITES, // the host is at it
    FORGET_TAKES,    // the chat is to take away what was private
    FORGET_TAKEN     // it is at it
};

struct hall_forget {
    struct hall_forget *next;
    struct hall *hall;
    enum forget_state state;
    uint8_t chat;
    struct chat_key key; // of what the chat was asked
    int64_t ask_ms;      // when to go on
    struct chat_in in;   // what is to be answered
    struct mb_pool words;
};

static struct hall_forget *find(const struct hall *hall, unsigned chat, const char *person)
{
    struct hall_forget *at = hall->forgets;
    while (at != NULL && (at->chat != chat || strcmp(at->in.person, person) != 0)) {
        at = at->next;
    }
    return at;
}

// Behind all others.
static struct hall_forget *add(struct hall *hall, unsigned chat, const struct chat_in *in)
{
    struct hall_forget **end = &hall->forgets;
    struct hall_forget *const made = mb_new(1, sizeof *made);
    made->hall = hall;
    made->chat = (uint8_t)chat;
    made->ask_ms = hall->now_ms;
    made->in = (struct chat_in){
        .place = in->place, .person = in->person, .event = in->event, .answer = in->answer};
    chat_in_keep(&made->words, &made->in);
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = made;
    return made;
}

static void drop(struct hall *hall, struct hall_forget *forget)
{
    struct hall_forget **at = &hall->forgets;
    while (*at != forget) {
        at = &(*at)->next;
    }
    *at = forget->next;
    mb_pool_finish(&forget->words);
    free(forget);
}

static bool keep(const struct hall_forget *forget, const void *bytes, size_t size,
                 chat_kept_fn *done, void *user)
{
    struct hall *const hall = forget->hall;
    char word[WORD_SIZE];
    (void)snprintf(word, sizeof word, "%s%s", BEGINS, forget->in.person);
    const struct chat_kept item = {.word = word, .at = bytes, .size = size};
    return HALL_KEEPER.keep(hall, hall->chats[forget->chat], &item, done, user);
}

static void wish_kept(void *user, const struct chat_kept *items, size_t count)
{
    struct hall_forget *const forget = user;
    const struct hall_line line = {.in = &forget->in, .words = "", .chat = forget->chat};
    (void)items;
    (void)count;
    forget->state = FORGET_WAITS;
    forget->ask_ms = forget->hall->now_ms;
    hall_answer(forget->hall, &line, TEXT_FORGET_ME_BEGUN, NULL);
}

void hall_forget_begin(struct hall *hall, const struct hall_line *line)
{
    const struct chat_in *const in = line->in;
    char who[HALL_KEY_SIZE];
    if (hall->forget == NULL) {
        (void)snprintf(who, sizeof who, "%s:%s", chat_name(hall->chats[line->chat]), in->person);
        hall_answer(hall, line, TEXT_FORGET_ME_OPERATOR, TEXT_ARGS(text_str("who", who)));
        return;
    }
    if (find(hall, line->chat, in->person) != NULL) {
        hall_answer(hall, line, TEXT_FORGET_ME_BEGUN, NULL);
        return;
    }
    struct hall_forget *const forget = add(hall, line->chat, in);
    if (!keep(forget, "", 1, wish_kept, forget)) {
        drop(hall, forget);
        hall_answer(hall, line, TEXT_HALL_COME_AGAIN, NULL);
    }
}

static void wishes_read(void *user, const struct chat_kept *items, size_t count)
{
    const struct hall_reading *const reading = user;
    for (size_t i = count; i-- > 0;) { // the latest comes first
        const char *const person = items[i].word + sizeof BEGINS - 1;
        const struct chat_in in = {.place = "", .person = person, .event = "", .answer = ""};
        struct hall_forget *const forget = find(reading->hall, reading->chat, person) == NULL
                                               ? add(reading->hall, reading->chat, &in)
                                               : NULL;
        if (forget != NULL) {
            forget->state = FORGET_WAITS;
        }
    }
}

void hall_forget_read(struct hall *hall, struct chat *chat)
{
    if (hall->forget != NULL) {
        (void)HALL_KEEPER.read(hall, chat, BEGINS, wishes_read, hall_reading(hall, chat));
    }
}

/* Doing it. */

// Live tables that know them have been rewritten in the store.
static void refresh_tables(struct hall *hall, const struct hall_forget *forget)
{
    const struct person person = {.network = chat_name(hall->chats[forget->chat]),
                                  .id = forget->in.person};
    for (uint32_t i = 0; i < hall->table_capacity; i++) {
        struct hall_table *const table = hall->tables[i];
        if (table != NULL && table->table != NULL && table_knows(table->table, &person)) {
            hall_refresh(hall, table);
        }
    }
}

void hall_forgotten(struct hall *hall, bool done)
{
    struct hall_forget *at = hall->forgets;
    while (at != NULL && at->state != FORGET_REWRITES) {
        at = at->next;
    }
    if (at != NULL) {
        at->state = done ? FORGET_TAKES : FORGET_WAITS;
        at->ask_ms = hall->now_ms + (done ? 0 : FORGET_RETRY_MS);
        refresh_tables(hall, at);
    }
}

static bool is_rewriting(const struct hall *hall)
{
    const struct hall_forget *at = hall->forgets;
    while (at != NULL && at->state != FORGET_REWRITES) {
        at = at->next;
    }
    return at != NULL;
}

static void take_away(struct hall *hall, struct hall_forget *forget)
{
    struct mb_error err = {0};
    forget->key = hall_number(hall);
    forget->state = FORGET_TAKEN; // its outcome may come at once
    const struct chat_out out = {.kind = CHAT_FORGET,
                                 .key = forget->key,
                                 .place = "",
                                 .person = forget->in.person,
                                 .text = ""};
    if (!chat_send(hall->chats[forget->chat], &out, &err)) {
        forget->state = FORGET_TAKES;
        forget->ask_ms = hall->now_ms + HALL_RETRY_FIRST_MS;
    }
}

// Where nothing private can be reached any more nothing more can be done.
bool hall_forget_outcome(struct hall *hall, const struct chat_outcome *outcome)
{
    struct hall_forget *at = hall->forgets;
    while (at != NULL && (at->state != FORGET_TAKEN || at->key.number != outcome->key.number ||
                          at->key.epoch != outcome->key.epoch)) {
        at = at->next;
    }
    if (at == NULL) {
        return false;
    }
    if (outcome->fate == CHAT_REFUSED) {
        at->state = FORGET_TAKES;
        at->ask_ms = hall->now_ms + FORGET_RETRY_MS;
    } else if (keep(at, NULL, 0, NULL, NULL)) {
        drop(hall, at);
    } else {
        at->state = FORGET_TAKES;
        at->ask_ms = hall->now_ms + HALL_RETRY_FIRST_MS;
    }
    return true;
}

void hall_forget_keep_up(struct hall *hall)
{
    for (struct hall_forget *at = hall->forgets, *next = NULL; at != NULL; at = next) {
        next = at->next;
        if (at->ask_ms > hall->now_ms) {
            continue;
        }
        if (at->state == FORGET_WAITS && !is_rewriting(hall)) {
            at->state = FORGET_REWRITES;
            hall->forget(hall->forget_user, chat_name(hall->chats[at->chat]), at->in.person);
        } else if (at->state == FORGET_TAKES) {
            take_away(hall, at);
        }
    }
}

int64_t hall_forget_ms(const struct hall *hall)
{
    const bool busy = is_rewriting(hall);
    int64_t due = STORE_NEVER;
    for (const struct hall_forget *at = hall->forgets; at != NULL; at = at->next) {
        if (at->state == FORGET_TAKES || (at->state == FORGET_WAITS && !busy)) {
            due = hall_earlier(due, at->ask_ms);
        }
    }
    return due;
}

void hall_forget_finish(struct hall *hall)
{
    while (hall->forgets != NULL) {
        drop(hall, hall->forgets);
    }
}
