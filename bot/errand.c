#include "bot/errand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

enum { ERRAND_WORD_SIZE = 2 * CHAT_ID_SIZE };

/* What a chat keeps. */

void kept_tell(void *user, const struct chat_kept *items, size_t count)
{
    struct kept_items *const place = fibre_answered(user);
    if (place != NULL) {
        *place = (struct kept_items){.items = items, .count = count};
        fibre_wake(user);
    }
}

static bool await_answer(struct fibre *fibre, bool asked)
{
    if (!asked) {
        (void)fibre_answered(fibre);
    }
    return fibre_wait_answer(fibre);
}

bool chat_keep_await(struct fibre *fibre, struct chat *chat, const struct chat_kept *item)
{
    struct kept_items none = {.count = 0};
    return fibre_asks(fibre, &none) && await_answer(fibre, chat_keep(chat, item, kept_tell, fibre));
}

bool chat_read_await(struct fibre *fibre, struct chat *chat, const char *begins,
                     struct kept_items *out)
{
    *out = (struct kept_items){.count = 0};
    return fibre_asks(fibre, out) && await_answer(fibre, chat_read(chat, begins, kept_tell, fibre));
}

bool chat_hold_await(struct fibre *fibre, struct chat *chat, const char *word,
                     struct kept_items *out)
{
    *out = (struct kept_items){.count = 0};
    return fibre_asks(fibre, out) && await_answer(fibre, chat_hold(chat, word, kept_tell, fibre));
}

/* Errands. */

static void word_of(const struct errands *errands, const char *name, char out[ERRAND_WORD_SIZE])
{
    (void)snprintf(out, ERRAND_WORD_SIZE, "%s%s", errands->begins, name);
}

static void keep_errand(const struct errands *errands, const char *name, const char *text)
{
    char word[ERRAND_WORD_SIZE];
    word_of(errands, name, word);
    const struct chat_kept item = {
        .word = word, .at = text, .size = text != NULL ? strlen(text) : 0};
    (void)!chat_keep(errands->chat, &item, NULL, NULL);
}

void errand_keep(struct errand *errand, const char *text)
{
    char *const copy = mb_text(text);
    free(errand->text);
    errand->text = copy;
    keep_errand(errand->errands, errand->name, copy);
}

static bool keep_first(struct fibre *fibre, const struct errand *errand)
{
    char word[ERRAND_WORD_SIZE];
    word_of(errand->errands, errand->name, word);
    const struct chat_kept item = {.word = word, .at = errand->text, .size = strlen(errand->text)};
    return chat_keep_await(fibre, errand->errands->chat, &item);
}

static void drop_ended(struct errands *errands)
{
    for (struct errand **at = &errands->first; *at != NULL && !errands->reading;) {
        struct errand *const errand = *at;
        if (errand->ended) {
            *at = errand->next;
            free(errand->name);
            free(errand->text);
            free(errand);
        } else {
            at = &errand->next;
        }
    }
}

static void run(struct fibre *fibre, void *user)
{
    struct errand *const errand = user;
    struct errands *const errands = errand->errands;
    errand->fibre = fibre;
    if (errand->text != NULL && !errand->taken_up && !keep_first(fibre, errand)) {
        // Its owner stops, and nobody knows whether it is kept: it must not have begun.
        if (errand->own != NULL) {
            errands->drop(errand->own);
        }
    } else if (errands->run(fibre, errand) && errand->text != NULL) {
        errand_keep(errand, NULL);
    }
    errand->ended = true;
    errand->fibre = NULL;
    drop_ended(errands); // or what is being read would begin it again
}

struct errand *errands_find(const struct errands *errands, const char *name)
{
    struct errand *at = errands->first;
    while (at != NULL && (at->ended || strcmp(at->name, name) != 0)) {
        at = at->next;
    }
    return at;
}

static void begin_errand(struct errands *errands, const char *name, const struct errand *as)
{
    struct errand *const errand = mb_new(1, sizeof *errand);
    *errand = *as;
    errand->name = mb_text(name);
    errand->errands = errands;
    errand->next = errands->first;
    errands->first = errand;
    fibres_start(errands->fibres, run, errand);
}

void errands_wake(struct errands *errands)
{
    for (struct errand *at = errands->first, *next = NULL; at != NULL; at = next) {
        next = at->next;
        if (!at->ended) {
            fibre_wake(at->fibre);
        }
    }
}

bool errands_begin(struct errands *errands, const char *name, const char *text, void *own)
{
    if (errands_find(errands, name) != NULL) {
        return false;
    }
    if (!errands->boundless && fibres_are_many(errands->fibres)) {
        if (text != NULL) {
            keep_errand(errands, name, text);
        }
        return false;
    }
    begin_errand(errands, name, &(const struct errand){.text = mb_text(text), .own = own});
    return true;
}

static void take_up(struct fibre *fibre, void *user)
{
    struct errands *const errands = user;
    struct kept_items kept;
    errands->reading = true;
    const bool goes_on = chat_read_await(fibre, errands->chat, errands->begins, &kept);
    for (size_t i = goes_on ? kept.count : 0; i-- > 0;) { // the latest comes first
        const struct chat_kept *const item = &kept.items[i];
        const char *const name = item->word + strlen(errands->begins);
        const struct errand *known = errands->first;
        while (known != NULL && strcmp(known->name, name) != 0) {
            known = known->next;
        }
        if (known == NULL) {
            begin_errand(
                errands, name,
                &(const struct errand){.text = mb_text_of(item->at, item->size), .taken_up = true});
        }
    }
    errands->reading = false;
    drop_ended(errands);
}

void errands_take_up(struct errands *errands)
{
    if (!errands->asked && errands->chat->sink.keeper != NULL) {
        errands->asked = true;
        fibres_start(errands->fibres, take_up, errands);
    }
}
