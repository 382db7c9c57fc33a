// People who want to be forgotten, each an errand: the wish is kept before it is answered; then the
// store is rewritten by the host, then what was written to them in private is taken away by the
// chat.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/chat_impl.h"
#include "bot/hall/cluster/cluster.h"

enum { FORGET_RETRY_MS = 60000 };

struct forgetting {
    struct chat_in in; // what is to be answered, if it was said to this process
    struct mb_pool words;
    struct chat_key key; // of what the chat was asked ...
    bool told;           // ... and what has come of it is known
    enum chat_fate fate;
};

// Live tables that know them have been rewritten in the store.
static void refresh_tables(struct hall *hall, unsigned chat, const char *id)
{
    const struct person person = {.network = chat_name(hall->chats[chat]), .id = id};
    for (uint32_t i = 0; i < hall->table_capacity; i++) {
        struct hall_table *const table = hall->tables[i];
        if (table != NULL && table->table != NULL && table_knows(table->table, &person)) {
            hall_table_refresh(hall, table);
        }
    }
}

static unsigned chat_of(const struct hall *hall, const struct errand *errand)
{
    return (unsigned)(errand->errands - hall->forgets);
}

// The host does one after the other.
static bool rewrite(struct fibre *fibre, struct hall *hall, const struct errand *errand)
{
    const unsigned chat = chat_of(hall, errand);
    for (;;) {
        while (hall->rewriting != NULL) {
            if (!fibre_wait(fibre)) {
                return false;
            }
        }
        hall->rewriting = errand;
        hall->forget(hall->forget_user, chat_name(hall->chats[chat]), errand->name);
        while (hall->rewriting == errand) {
            if (!fibre_wait(fibre)) {
                return false;
            }
        }
        const bool rewritten = hall->rewritten;
        refresh_tables(hall, chat, errand->name);
        if (rewritten) {
            return true;
        }
        if (!hall_sleep(fibre, hall, hall->now_ms + FORGET_RETRY_MS, NULL)) {
            return false;
        }
    }
}

void hall_forgotten(struct hall *hall, bool done)
{
    const struct errand *const errand = hall->rewriting;
    if (errand != NULL) {
        hall->rewriting = NULL;
        hall->rewritten = done;
        fibre_wake(errand->fibre);
        for (unsigned i = 0; i < hall->chat_count; i++) {
            errands_wake(&hall->forgets[i]);
        }
    }
}

// Where nothing private can be reached any more nothing more can be done.
static bool take_away(struct fibre *fibre, struct hall *hall, const struct errand *errand,
                      struct forgetting *forgetting)
{
    for (;;) {
        struct mb_error err = {0};
        forgetting->key = hall_number(hall);
        forgetting->told = false; // its outcome may come at once
        const struct chat_out out = {.kind = CHAT_FORGET,
                                     .key = forgetting->key,
                                     .place = "",
                                     .person = errand->name,
                                     .text = ""};
        const bool sent = chat_send(hall->chats[chat_of(hall, errand)], &out, &err);
        while (sent && !forgetting->told) {
            if (!fibre_wait(fibre)) {
                return false;
            }
        }
        if (sent && forgetting->fate != CHAT_REFUSED) {
            return true;
        }
        if (!hall_sleep(fibre, hall, hall->now_ms + (sent ? FORGET_RETRY_MS : HALL_RETRY_FIRST_MS),
                        NULL)) {
            return false;
        }
    }
}

void hall_forget_outcome(struct hall *hall, const struct chat_outcome *outcome)
{
    for (unsigned i = 0; i < hall->chat_count; i++) {
        for (const struct errand *at = hall->forgets[i].first; at != NULL; at = at->next) {
            struct forgetting *const forgetting = at->own;
            if (forgetting != NULL && !forgetting->told &&
                forgetting->key.number == outcome->key.number &&
                forgetting->key.epoch == outcome->key.epoch) {
                forgetting->told = true;
                forgetting->fate = outcome->fate;
                fibre_wake(at->fibre);
                return;
            }
        }
    }
}

static void drop(void *own)
{
    struct forgetting *const forgetting = own;
    mb_pool_finish(&forgetting->words);
    free(forgetting);
}

static bool run(struct fibre *fibre, struct errand *errand)
{
    struct hall *const hall = errand->errands->user;
    struct forgetting *const forgetting =
        errand->own != NULL ? errand->own : mb_new(1, sizeof *forgetting);
    const struct hall_line line = {
        .in = &forgetting->in, .words = "", .chat = (uint8_t)chat_of(hall, errand)};
    if (!errand->taken_up) {
        hall_answer(hall, &line, TEXT_FORGET_ME_BEGUN, NULL);
    }
    errand->own = forgetting;
    const bool done = rewrite(fibre, hall, errand) && take_away(fibre, hall, errand, forgetting);
    errand->own = NULL;
    drop(forgetting);
    return done;
}

void hall_forget_begin(struct hall *hall, const struct hall_line *line)
{
    const struct chat_in *const in = line->in;
    struct errands *const forgets = &hall->forgets[line->chat];
    char who[HALL_KEY_SIZE];
    if (hall->forget == NULL) {
        (void)snprintf(who, sizeof who, "%s:%s", chat_name(hall->chats[line->chat]), in->person);
        hall_answer(hall, line, TEXT_FORGET_ME_OPERATOR, TEXT_ARGS(text_str("who", who)));
    } else if (errands_find(forgets, in->person) != NULL) {
        hall_answer(hall, line, TEXT_FORGET_ME_BEGUN, NULL);
    } else {
        struct forgetting *const forgetting = mb_new(1, sizeof *forgetting);
        forgetting->in = (struct chat_in){
            .place = in->place, .person = in->person, .event = in->event, .answer = in->answer};
        chat_in_keep(&forgetting->words, &forgetting->in);
        if (!errands_begin(forgets, in->person, "wish", forgetting)) {
            drop(forgetting);
            hall_answer(hall, line, TEXT_FORGET_ME_BEGUN, NULL);
        }
    }
}

void hall_forget_read(struct hall *hall, unsigned chat)
{
    hall->forgets[chat] = (struct errands){.fibres = hall->fibres,
                                           .chat = hall->chats[chat],
                                           .begins = "forget/",
                                           .run = run,
                                           .drop = drop,
                                           .user = hall};
    if (hall->forget != NULL) {
        errands_take_up(&hall->forgets[chat]);
    }
}
